//! Options that are passed on to Slurm.

/// Options of `sbatch` that `evaluate` sets, and their short forms.
const OURS: [(&str, &str); 8] = [
    ("--array", "-a"),
    ("--output", "-o"),
    ("--error", "-e"),
    ("--job-name", "-J"),
    ("--chdir", "-D"),
    ("--wait", "-W"),
    ("--parsable", "--parsable"),
    ("--wrap", "--wrap"),
];

/// Fewest signs of an option that is cut short: `--ar` is `--array` for sbatch.
const SHORTEST: usize = 4;

/// One word for `sbatch`, if it can be.
///
/// # Errors
/// A sentence that says what is expected.
pub fn option(word: &str) -> Result<String, String> {
    if !word.starts_with('-') || word == "-" || word == "--" {
        return Err(format!(
            "an option of sbatch begins with '-': write --slurm-option=--{word}, its value behind a '=' in the same word"
        ));
    }
    let name = word.split('=').next().unwrap_or(word);
    let is = |(long, short): &&(&str, &str)| {
        let short_form = !word.starts_with("--") && word.starts_with(short);
        short_form || (name.len() >= SHORTEST && long.starts_with(name))
    };
    match OURS.iter().find(is) {
        Some((long, _)) => Err(format!("evaluate sets {long} itself")),
        None => Ok(word.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_evaluate_sets_itself_is_refused() {
        for word in [
            "--array=1-3",
            "-a1",
            "-o",
            "--outp=x",
            "--wrap=ls",
            "-Jname",
        ] {
            let refused = option(word).expect_err(word);
            assert!(refused.contains("itself"), "{word}: {refused}");
        }
        for word in ["long", "", "-", "--"] {
            let refused = option(word).expect_err(word);
            assert!(refused.contains("begins with '-'"), "{word}: {refused}");
        }
    }

    #[test]
    fn what_chooses_nodes_is_passed_on() {
        for word in [
            "--partition=long",
            "-plong",
            "--account=a b",
            "-Aacme",
            "--time=1:00:00",
            "--exclude=n[1-3]",
            "--exclusive=user",
            "--export=NONE",
            "--wckey=x",
        ] {
            assert_eq!(option(word).as_deref(), Ok(word));
        }
    }
}
