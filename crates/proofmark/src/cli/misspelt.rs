//! Misspelt commands below another one. Where that takes a program as well, their first word is taken for the program. And misspelt
//! options, also those that have another name here, which is too far from the one that is written.

use clap::Command;
use clap::error::ErrorKind;
use proofmark_jvm::nearest;
use proofmark_jvm::toolchain::shell_line;

/// Its words are names of commands.
const HELP: &str = "help";
/// What options are called elsewhere, and what the same may be called here.
const CALLED: [(&str, &str); 8] = [
    ("type", "event"),
    ("types", "event"),
    ("duration", "time-budget"),
    ("time", "time-budget"),
    ("forks", "runs"),
    ("jvms", "runs"),
    ("forks", "jvms"),
    ("runs", "jvms"),
];

/// What was probably meant by words that were not understood, such as `count compar a b`; none if nothing is near.
pub(super) fn meant(root: &Command, kind: ErrorKind, words: &[String]) -> Option<String> {
    match kind {
        ErrorKind::UnknownArgument => near(root, words).or_else(|| called(root, words)),
        ErrorKind::InvalidSubcommand => near(root, words),
        _ => None,
    }
}

/// The same of an option, the first that the command does not take.
fn called(root: &Command, words: &[String]) -> Option<String> {
    let own = words.iter().take_while(|word| word.as_str() != "--");
    let command = own.clone().skip(1).fold(root, |above, word| {
        above.find_subcommand(word).unwrap_or(above)
    });
    let takes = |name: &str| {
        let mut options = command.get_arguments();
        options.any(|option| option.get_long() == Some(name))
    };
    let (at, wrong) = own.enumerate().find_map(|(at, word)| {
        let name = word.strip_prefix("--")?.split('=').next()?;
        (!takes(name)).then_some((at, name))
    })?;
    let others = CALLED.iter().filter(|(other, _)| *other == wrong);
    let mut others = others.map(|(_, right)| *right);
    let shown = command.get_arguments().filter(|one| !one.is_hide_set());
    let nearby = || nearest(wrong, shown.filter_map(clap::Arg::get_long));
    let right = others.find(|right| takes(right)).or_else(nearby)?;
    let mut told = words.to_vec();
    "proofmark".clone_into(&mut told[0]);
    told[at] = words[at].replacen(wrong, right, 1);
    Some(format!(
        "there is no option '--{wrong}'; did you mean: {}",
        shell_line(told.into_iter())
    ))
}

/// The same of words that could be understood: `events cst` names a program, and no program has such a name.
pub(super) fn near(root: &Command, words: &[String]) -> Option<String> {
    let is_command = |word: &String| word == HELP || root.find_subcommand(word).is_some();
    let at = words.iter().skip(1).position(is_command)? + 1;
    let below = at + 1;
    let (above, wrong) = (&words[at], words.get(below)?);
    let known = match above.as_str() {
        HELP => root,
        name => root.find_subcommand(name)?,
    };
    let names = known.get_subcommands().map(Command::get_name);
    let right = nearest(wrong, names).filter(|right| right != wrong)?;
    let mut told = words.to_vec();
    "proofmark".clone_into(&mut told[0]);
    right.clone_into(&mut told[below]);
    Some(format!(
        "there is no command '{above} {wrong}'; did you mean: {}",
        shell_line(told.into_iter())
    ))
}

#[cfg(test)]
mod tests {
    use proofmark_jvm::SUITE;

    use super::*;

    fn told(line: &str, kind: ErrorKind) -> Option<String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        meant(&super::super::command(), kind, &words)
    }

    #[test]
    fn commands_below_others_are_meant() {
        for (line, right) in [
            (
                "proofmark study analyz a/",
                "'study analyz'; did you mean: proofmark study analyze a/",
            ),
            (
                "proofmark help imort",
                "'help imort'; did you mean: proofmark help import",
            ),
            (
                "proofmark study rn --runs 3",
                "'study rn'; did you mean: proofmark study run --runs 3",
            ),
        ] {
            let told = told(line, ErrorKind::InvalidSubcommand);
            assert!(
                told.as_ref().is_some_and(|told| told.ends_with(right)),
                "{told:?}"
            );
        }
        let other = told("proofmark study nothing", ErrorKind::InvalidSubcommand);
        assert_eq!(other, None);
        let value = told("proofmark study analyz a/", ErrorKind::InvalidValue);
        assert_eq!(value, None);
    }

    #[test]
    fn options_of_another_name_are_meant() {
        for (line, right) in [
            (
                "proofmark events --type=if suite:Json",
                Some("proofmark events --event=if suite:Json"),
            ),
            (
                "proofmark events diff suite:Json --runs 3",
                Some("proofmark events diff suite:Json --jvms 3"),
            ),
            (
                "proofmark assess suite:Json --jvms 3 --duration 9",
                Some("proofmark assess suite:Json --runs 3 --duration 9"),
            ),
            (
                "proofmark dose --profilers async -- java p.A --profilers x",
                Some("proofmark dose --profiler async -- java p.A --profilers x"),
            ),
            (
                "proofmark dose suite:Json --run 3",
                Some("proofmark dose suite:Json --runs 3"),
            ),
            ("proofmark dose suite:Json --time 9", None),
            ("proofmark dose suite:Json --unheard-of", None),
            ("proofmark dose -- java p.A --forks 3", None),
        ] {
            let told = told(line, ErrorKind::UnknownArgument);
            let meant = told.as_ref().and_then(|told| told.split("mean: ").nth(1));
            assert_eq!(meant, right, "{line}");
        }
    }

    /// Else a program could not be named.
    #[test]
    fn programs_are_no_misspelt_commands() {
        let root = super::super::command();
        for command in ["count", "events"] {
            for name in SUITE {
                for program in [name.to_owned(), format!("suite:{name}")] {
                    let words = ["proofmark".to_owned(), command.to_owned(), program];
                    assert_eq!(near(&root, &words), None, "{words:?}");
                }
            }
        }
    }
}
