//! Commands in the short text: what a reader adds to his own command, without that command where it is long.

/// Characters of a program's own command that are said; a longer one stands in the details.
const OWN: usize = 80;

/// What separates options from the program's own command.
const OWN_BEGINS: &str = " -- ";

/// A text in which commands between backticks lack the program's own command, `-- ...`, where that is long.
pub(super) fn without_own(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let parts = parts.map(
        |(at, part)| match (at % 2 == 1, part.split_once(OWN_BEGINS)) {
            (true, Some((options, own))) if is_command(options) && own.chars().count() > OWN => {
                format!("{options}{OWN_BEGINS}...")
            }
            _ => part.to_owned(),
        },
    );
    parts.collect::<Vec<_>>().join("`")
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
        let short = said("java -jar app.jar");
        assert_eq!(without_own(&short), short);
        // Not a command of ours, and a text without an end.
        let other = format!("`perf record -- {long}` and `proofmark");
        assert_eq!(without_own(&other), other);
    }
}
