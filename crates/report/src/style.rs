//! How text may look: colour and width, decided by the caller.

use unicode_width::UnicodeWidthChar;

use crate::together::together;

/// Narrowest layout; a narrower terminal wraps by itself.
const NARROWEST: usize = 60;
/// Longer lines are hard to read.
const WIDEST: usize = 160;

/// What the terminal can show. The command decides (`NO_COLOR`, `--color`, whether it writes to a terminal).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Whether escape sequences for colour are written; only verdict words have colour.
    pub color: bool,
    /// Columns.
    pub width: usize,
}

impl Default for Style {
    /// No colour, 100 columns: for files and pipes.
    fn default() -> Self {
        Self {
            color: false,
            width: 100,
        }
    }
}

/// What a word says, for its colour. The word says the same without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// As it should be.
    Good,
    /// As it should not be.
    Bad,
    /// Open, or restricted.
    Open,
}

impl Style {
    /// Columns in use: never fewer than 60, never more than 160.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.width.clamp(NARROWEST, WIDEST)
    }

    /// The word in its colour.
    #[must_use]
    pub(crate) fn word(&self, word: &str, tone: Tone) -> String {
        let code = match tone {
            Tone::Good => "32",
            Tone::Bad => "1;31",
            Tone::Open => "33",
        };
        if self.color {
            format!("\x1b[{code}m{word}\x1b[0m")
        } else {
            word.to_owned()
        }
    }
}

/// Columns that a text takes, escape sequences of [`Style::word`] left out.
pub(crate) fn columns_of(text: &str) -> usize {
    let mut in_escape = false;
    let mut columns = 0;
    for c in text.chars() {
        match c {
            '\x1b' => in_escape = true,
            'm' if in_escape => in_escape = false,
            _ if in_escape => {}
            _ => columns += c.width().unwrap_or(0),
        }
    }
    columns
}

/// The text with spaces up to so many columns.
pub(crate) fn padded(text: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(columns_of(text));
    format!("{text}{}", " ".repeat(missing))
}

/// Lines of at most `columns`, broken at spaces, but not between a number and its unit or an option and its value
/// ([`together`]) where these fit into a line; a longer word is broken anywhere. At least one line.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for group in together(text) {
        let words: Vec<&str> = group.into_iter().filter(|word| !word.is_empty()).collect();
        let whole = words.join(" ");
        if columns_of(&whole) <= columns {
            add(&mut lines, &whole, columns);
        } else {
            let parts = words.into_iter().flat_map(|word| pieces(word, columns));
            parts.for_each(|piece| add(&mut lines, &piece, columns));
        }
    }
    lines
}

/// Adds a piece to the last line, or to one of its own where it does not fit behind others.
fn add(lines: &mut Vec<String>, piece: &str, columns: usize) {
    if piece.is_empty() {
        return;
    }
    let line = lines.last_mut().expect("one line at least");
    let space = usize::from(!line.is_empty());
    if columns_of(line) + space + columns_of(piece) > columns && !line.is_empty() {
        lines.push(piece.to_owned());
    } else {
        line.push_str(&" ".repeat(space));
        line.push_str(piece);
    }
}

/// A word in parts that fit, broken after a dot, slash or comma where there is one in the second half.
fn pieces(word: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(8);
    let mut out = Vec::new();
    let mut piece = String::new();
    for c in word.chars() {
        if columns_of(&piece) + c.width().unwrap_or(0) > columns && !piece.contains('\x1b') {
            let rest = match piece.rfind(['.', '/', ',', '$']) {
                Some(at) if at > piece.len() / 2 => piece.split_off(at + 1),
                _ => String::new(),
            };
            out.push(std::mem::replace(&mut piece, rest));
        }
        piece.push(c);
    }
    out.push(piece);
    out
}

/// Text with a hanging indent: the first line after `first`, the others below it.
pub(crate) fn hanging(first: &str, text: &str, columns: usize) -> String {
    let indent = columns_of(first);
    let lines = wrap(text, columns.saturating_sub(indent));
    let rest = format!("\n{}", " ".repeat(indent));
    format!("{first}{}\n", lines.join(&rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_takes_no_columns() {
        let style = Style {
            color: true,
            width: 80,
        };
        let word = style.word("wrong", Tone::Bad);
        assert_eq!(columns_of(&word), 5);
        assert_eq!(columns_of(&padded(&word, 9)), 9);
        assert_eq!(Style::default().word("wrong", Tone::Bad), "wrong");
    }

    #[test]
    fn no_line_is_wider_than_asked() {
        let text = "com.acme.a.very.long.package.name.indeed.ClassName.methodName and 測量測量測量測量測量 more";
        for columns in [8, 13, 20, 40] {
            let lines = wrap(text, columns);
            assert!(lines.iter().all(|l| columns_of(l) <= columns), "{lines:?}");
        }
    }

    #[test]
    fn numbers_and_options_are_not_parted_from_what_follows() {
        let text = "it shows 30 % of it; proofmark dose --methods 4 -- java";
        for columns in 13..40 {
            let lines = wrap(text, columns);
            let ends = |end: &str| lines.iter().any(|line| line.ends_with(end));
            assert!(!ends("30") && !ends("--methods"), "{lines:?}");
            assert_eq!(lines.join(" "), text);
        }
        // What is longer than a line is parted all the same.
        assert_eq!(
            wrap("--profiler async,jfr", 12),
            ["--profiler", "async,jfr"]
        );
        assert_eq!(wrap("a  b ", 12), ["a b"]);
    }

    #[test]
    fn columns_are_kept_in_bounds() {
        let of = |width| {
            Style {
                color: false,
                width,
            }
            .columns()
        };
        assert_eq!((of(0), of(80), of(999)), (60, 80, 160));
    }
}
