//! Misspelt commands below another one. Where that takes a program as well, their first word is taken for the program.

use clap::Command;
use clap::error::ErrorKind;
use proofmark_jvm::nearest;
use proofmark_jvm::toolchain::shell_line;

/// Its words are names of commands.
const HELP: &str = "help";

/// What was probably meant by words that were not understood, such as `count compar a b`; none if nothing is near.
pub(super) fn meant(root: &Command, kind: ErrorKind, words: &[String]) -> Option<String> {
    match kind {
        ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand => near(root, words),
        _ => None,
    }
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
