//! Commands in the short text: what a reader adds to his own command, without that command where it is long.

use proofmark_experiment::dose::KEEPS_BOXES;

/// Characters of a program's own command that are said; a longer one stands in the details.
const OWN: usize = 80;

/// What separates options from the program's own command.
const OWN_BEGINS: &str = " -- ";

/// A text in which commands between backticks lack the program's own command, `-- ...`, where that is long, but for an option of the JVM that we put
/// into it.
pub(super) fn without_own(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let parts = parts.map(
        |(at, part)| match (at % 2 == 1, part.split_once(OWN_BEGINS)) {
            (true, Some((options, own))) if is_command(options) && own.chars().count() > OWN => {
                format!("{options}{OWN_BEGINS}{}...", added(own))
            }
            _ => part.to_owned(),
        },
    );
    parts.collect::<Vec<_>>().join("`")
}

/// `java -XX:-EliminateAutoBox `, where that option was put behind `java`; nothing elsewhere.
fn added(own: &str) -> &str {
    let option = format!(" {KEEPS_BOXES} ");
    match own.split_once(&option) {
        Some((java, _)) if !java.contains(' ') => &own[..java.len() + option.len()],
        _ => "",
    }
}

fn is_command(text: &str) -> bool {
    text.split(' ').next() == Some("proofmark")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_command_of_the_program_is_left_out_and_a_short_one_stays() {
        let long = format!("java -cp {} Main", "a.jar:".repeat(20));
        let said = |own: &str| format!("more: `proofmark dose --runs 8 -- {own}`; `--heap` -- too");
        assert_eq!(
            without_own(&said(&long)),
            "more: `proofmark dose --runs 8 -- ...`; `--heap` -- too"
        );
        // What is to be put into it stays.
        assert_eq!(
            without_own(&said(&long.replacen(' ', &format!(" {KEEPS_BOXES} "), 1))),
            "more: `proofmark dose --runs 8 -- java -XX:-EliminateAutoBox ...`; `--heap` -- too"
        );
        let short = said("java -jar app.jar");
        assert_eq!(without_own(&short), short);
        // Not a command of ours, and a text without an end.
        let other = format!("`perf record -- {long}` and `proofmark");
        assert_eq!(without_own(&other), other);
    }
}
