//! Standard output and standard error: nothing else writes there.
//!
//! A result that could not be written is an error. Text of others (names of files, methods and threads) may hold escape
//! sequences; none reaches a terminal.

use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Write};

use proofmark_report::clean;

use crate::context::Refusal;
use crate::leftover;

/// The escape sequences that tables have for colour ([`proofmark_report::Style`]).
const OWN: [&str; 4] = ["\x1b[32m", "\x1b[1;31m", "\x1b[33m", "\x1b[0m"];

/// Prints text for people on standard output, one line end behind it.
///
/// # Errors
/// When it cannot be written, such as on a full disk. A reader that went away is no error.
pub fn print(text: &str) -> Result<(), Refusal> {
    let text = format!("{}\n", harmless(text.trim_end()));
    written(&mut std::io::stdout().lock(), text.as_bytes())
}

/// Writes a document on standard output: as it is, unless that is a terminal, which would obey what stands in it.
///
/// # Errors
/// When it cannot be written, such as on a full disk. A reader that went away is no error.
pub fn data(bytes: &[u8]) -> Result<(), Refusal> {
    let mut out = std::io::stdout().lock();
    if out.is_terminal() {
        return written(
            &mut out,
            harmless(&String::from_utf8_lossy(bytes)).as_bytes(),
        );
    }
    written(&mut out, bytes)
}

/// Says something on standard error, one line end behind it. Where that cannot be written, nobody can be told. Files that it names are
/// not removed if the command fails.
pub fn say(text: &str) {
    leftover::hear(text);
    let line = format!("{}\n", harmless(text.trim_end()));
    let _ = std::io::stderr().lock().write_all(line.as_bytes());
}

/// The text for standard error: lines that quote what a program printed are shortened to the terminal's width.
#[must_use]
pub fn fitting(text: &str) -> String {
    fitted(text, terminal_columns())
}

/// What a quoted line begins with: the harness writes so (`java/harness/src/proofmark/harness/Difference.java`).
const QUOTED: &str = "  | ";

/// The text, its quoted lines no wider than so many columns; none: as they are.
fn fitted(text: &str, columns: Option<usize>) -> String {
    let Some(columns) = columns else {
        return text.to_owned();
    };
    let line = |line: &str| match line.starts_with(QUOTED) {
        true => shortened(line, columns),
        false => line.to_owned(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// A line that is no wider than so many columns. Signs that are not ASCII may take two.
fn shortened(line: &str, columns: usize) -> String {
    const LEFT_OUT: &str = "...";
    let width = |sign: char| 1 + usize::from(!sign.is_ascii());
    if line.chars().map(width).sum::<usize>() <= columns {
        return line.to_owned();
    }
    let mut left = columns.saturating_sub(LEFT_OUT.len());
    let fits = |sign: &char| {
        let rest = left.checked_sub(width(*sign));
        left = rest.unwrap_or_default();
        rest.is_some()
    };
    let kept: String = line.chars().take_while(fits).collect();
    kept + LEFT_OUT
}

/// Columns of the terminal that standard error is; none where it is none, or does not say.
fn terminal_columns() -> Option<usize> {
    let err = std::io::stderr();
    if !err.is_terminal() {
        return None;
    }
    let size = rustix::termios::tcgetwinsize(err).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// Writes text with colours of our own making on standard output, such as help.
///
/// # Errors
/// When it cannot be written, such as on a full disk. A reader that went away is no error.
pub fn print_colored(text: &Colored) -> Result<(), Refusal> {
    let mut out = std::io::stdout().lock();
    let color = anstream::AutoStream::choice(&out) != anstream::ColorChoice::Never;
    let text = if color { &text.colored } else { &text.plain };
    written(&mut out, text.as_bytes())
}

/// Says text on standard error; without its colours if words of the command line could be what steers the terminal.
pub fn say_colored(text: &Colored) {
    let mut err = std::io::stderr().lock();
    let color = anstream::AutoStream::choice(&err) != anstream::ColorChoice::Never;
    let text = coloured_if(color, text, std::env::args_os());
    let _ = err.write_all(text.as_bytes());
}

/// The text in colour, if that is wanted and no word of the command line has anything that a terminal would obey.
fn coloured_if(wanted: bool, text: &Colored, mut words: impl Iterator<Item = OsString>) -> String {
    let steers = |word: OsString| {
        let word = word.to_string_lossy();
        clean(&word) != word
    };
    if wanted && !words.any(steers) {
        return text.colored.clone();
    }
    harmless(&text.plain)
}

/// Text in both forms.
#[derive(Debug, Clone)]
pub struct Colored {
    /// With escape sequences.
    pub colored: String,
    /// Without.
    pub plain: String,
}

fn written(out: &mut impl Write, bytes: &[u8]) -> Result<(), Refusal> {
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Refusal::Cannot(format!(
            "cannot write to standard output: {error}"
        ))),
        _ => Ok(()),
    }
}

/// The text with every control character replaced, but for line ends, tabs and our own colours.
fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\x1b', '\n', '\t']) {
        out.push_str(&clean(&rest[..at]));
        rest = &rest[at..];
        let own = OWN.iter().find(|code| rest.starts_with(**code));
        let kept = own.map_or(1, |code| code.len());
        if own.is_some() || !rest.starts_with('\x1b') {
            out.push_str(&rest[..kept]);
        } else {
            out.push_str(&clean(&rest[..kept]));
        }
        rest = &rest[kept..];
    }
    out + &clean(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_colours_are_kept() {
        let text = "\u{1b}[1;31mwrong\u{1b}[0m\t\u{1b}]0;title\u{7}\u{9b}2J\r\n\u{202e}next";
        let shown = harmless(text);
        assert!(
            shown.starts_with("\u{1b}[1;31mwrong\u{1b}[0m\t\u{fffd}]0;"),
            "{shown:?}"
        );
        assert!(!shown.contains(['\u{7}', '\u{9b}', '\r', '\u{202e}']));
        assert_eq!(shown.lines().count(), 2);
    }

    #[test]
    fn what_a_program_printed_fits_the_terminal() {
        let head = "proofmark: it printed something else, which is said in a long line";
        let text = format!(
            "{head}\n  | first: 12 ms of 20\n  | then:  {}",
            "\u{65e5}".repeat(5)
        );
        assert_eq!(fitted(&text, None), text);
        assert_eq!(fitted(&text, Some(80)), text);
        let told = format!("{head}\n  | first: 12 ms...\n  | then:  \u{65e5}\u{65e5}...");
        assert_eq!(fitted(&text, Some(19)), told);
    }

    /// `\u{202e}` is no control character, and turns the rest of the line round.
    #[test]
    fn words_that_steer_a_terminal_take_the_colours_away() {
        let of = |word: &str| {
            let text = Colored {
                colored: format!("\u{1b}[1mno such {word}\u{1b}[0m"),
                plain: format!("no such {word}"),
            };
            coloured_if(true, &text, std::iter::once(OsString::from(word)))
        };
        assert_eq!(of("file"), "\u{1b}[1mno such file\u{1b}[0m");
        for word in ["a\u{1b}[2J", "a\u{202e}b", "a\u{200f}", "a\u{9b}2J"] {
            let shown = of(word);
            assert!(shown.starts_with("no such a\u{fffd}"), "{shown:?}");
            assert!(!shown.contains(['\u{1b}', '\u{202e}', '\u{200f}', '\u{9b}']));
        }
    }

    #[test]
    fn a_full_disk_is_an_error_and_a_reader_that_left_is_none() {
        struct Fails(ErrorKind);
        impl Write for Fails {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(self.0.into())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let full = written(&mut Fails(ErrorKind::StorageFull), b"x").expect_err("an error");
        assert!(full.to_string().contains("standard output"), "{full}");
        assert!(written(&mut Fails(ErrorKind::BrokenPipe), b"x").is_ok());
    }
}
