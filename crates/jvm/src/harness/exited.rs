//! What a program printed last before it exited with another status than 0.

use std::path::Path;

use super::process::last_lines;

/// Part of the harness's message about such a program. Behind it, on lines of their own, stands the end of its standard output.
const EXITED: &str = "the program exited with status ";
/// So many lines are shown.
const SHOWN: usize = 3;
/// Most of a line that is shown, in characters.
const WIDEST: usize = 160;

/// The message with the last lines that the program printed, those of its standard error last; `log`: where that goes. The message as it
/// is where the program failed otherwise.
pub(super) fn with_last_lines(message: String, log: &Path) -> String {
    if !message.contains(EXITED) {
        return message;
    }
    let mut lines = message.lines();
    let first = lines.next().unwrap_or_default();
    let printed = lines.map(str::to_owned).chain(last_lines(log));
    let printed: Vec<String> = printed.filter(|line| !line.trim().is_empty()).collect();
    let last = printed.iter().skip(printed.len().saturating_sub(SHOWN));
    let shown: Vec<String> = last
        .map(|line| format!("\n  | {}", harmless(line)))
        .collect();
    match shown.is_empty() {
        true => first.to_owned(),
        false => format!("{first}:{}", shown.concat()),
    }
}

/// A line without what a terminal would obey, and not longer than is shown.
fn harmless(line: &str) -> String {
    let harmless = |c: char| match c {
        '\t' => ' ',
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    line.chars().take(WIDEST).map(harmless).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGE: &str = "iteration 1: the program exited with status 2 (only 0 is a normal end)";

    /// What is said where a program printed this.
    fn said(output: &str, errors: &str) -> String {
        let place = tempfile::tempdir().expect("a directory");
        let log = place.path().join("jvm.log");
        std::fs::write(&log, errors).expect("a log");
        with_last_lines(format!("{MESSAGE}{output}"), &log)
    }

    #[test]
    fn what_a_program_printed_last_is_shown() {
        let usage = "usage: FreightReport DIRECTORY";
        let told = format!("{MESSAGE}:\n  | {usage}");
        assert_eq!(said("", &format!("{usage}\n")), told);
        assert_eq!(said(&format!("\n{usage}"), ""), told);
        assert_eq!(said("", "\n"), MESSAGE);
        // Three lines at most, those of standard error last.
        let both = said("\na\nb", "c\n\nd\n");
        assert_eq!(both, format!("{MESSAGE}:\n  | b\n  | c\n  | d"));
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_shown() {
        let told = said("", "\u{1b}[2Jno\tfile\r\n");
        assert_eq!(told, format!("{MESSAGE}:\n  | \u{fffd}[2Jno file"));
        let long = said("", &"x".repeat(1000));
        assert_eq!(long, format!("{MESSAGE}:\n  | {}", "x".repeat(WIDEST)));
    }

    #[test]
    fn of_a_program_that_throws_nothing_is_added() {
        let message = "iteration 1 failed: java.lang.IllegalStateException: late";
        let told = with_last_lines(message.to_owned(), Path::new("/nonexistent"));
        assert_eq!(told, message);
    }
}
