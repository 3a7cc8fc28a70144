//! Lines of text formats, with their place in the file.

use std::borrow::Cow;
use std::io::{BufRead, Read};

use proofmark_rewrite::from_modified_utf8;

use crate::error::ImportError;

/// A line without its end.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line<'a> {
    /// Counted from 1.
    pub(crate) number: usize,
    /// Offset of its first byte.
    pub(crate) offset: u64,
    /// UTF-8, or modified UTF-8, as profilers get names from the JVM; bytes that are neither are replaced.
    pub(crate) text: Cow<'a, str>,
}

/// The lines of `bytes`, a byte-order mark taken off.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut offset = 0;
    let rows = bytes.split_inclusive(|&byte| byte == b'\n').enumerate();
    rows.map(move |(at, row)| {
        let begin = offset;
        offset += row.len() as u64;
        line(row, at + 1, begin)
    })
}

/// A line with its end, the one of that number.
fn line(row: &[u8], number: usize, offset: u64) -> Line<'_> {
    let row = row.strip_suffix(b"\n").unwrap_or(row);
    let row = row.strip_suffix(b"\r").unwrap_or(row);
    let row = match number {
        1 => row.strip_prefix(b"\xef\xbb\xbf").unwrap_or(row),
        _ => row,
    };
    Line {
        number,
        offset,
        text: from_modified_utf8(row),
    }
}

/// The same lines from a source, one at a time in memory.
pub(super) struct Lines<R> {
    source: R,
    /// The line at hand, with its end.
    row: Vec<u8>,
    number: usize,
    /// Where the line at hand begins.
    offset: u64,
    /// Most bytes of a line.
    most: u64,
    cut: bool,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `source`, each of `most` bytes at most.
    pub(super) fn new(source: R, most: u64) -> Self {
        Self {
            source,
            row: Vec::new(),
            number: 0,
            offset: 0,
            most,
            cut: false,
        }
    }

    /// The next line, if there is one.
    ///
    /// # Errors
    /// If the source fails, or the line is too long.
    pub(super) fn next_line(&mut self) -> Result<Option<Line<'_>>, ImportError> {
        self.offset += self.row.len() as u64;
        self.row.clear();
        let (most, source) = (self.most, self.source.by_ref());
        let mut bounded = source.take(most.saturating_add(1));
        bounded.read_until(b'\n', &mut self.row)?;
        if self.row.is_empty() {
            return Ok(None);
        }
        if self.row.len() as u64 > most {
            return Err(ImportError::TooLarge { limit: most });
        }
        self.cut = !self.row.ends_with(b"\n");
        self.number += 1;
        Ok(Some(line(&self.row, self.number, self.offset)))
    }

    /// True if the line at hand, or the last one, lacks its end, as in a file that was cut.
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }
}

/// True if the last line lacks its end, as in a file that was cut.
pub(super) fn is_cut(bytes: &[u8]) -> bool {
    bytes.last().is_some_and(|&byte| byte != b'\n')
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::{Lines, lines};
    use crate::error::ImportError;

    const EXPECTED: [(usize, u64, &str); 4] = [
        (1, 0, "a"),
        (2, 6, "\u{fffd}\u{fc}"),
        (3, 10, ""),
        (4, 11, "b"),
    ];

    #[test]
    fn places_count_bytes_not_characters() {
        let text = b"\xef\xbb\xbfa\r\n\xff\xc3\xbc\n\nb";
        let read: Vec<_> = lines(text)
            .map(|line| (line.number, line.offset, line.text.into_owned()))
            .collect();
        assert_eq!(
            read,
            EXPECTED.map(|(number, offset, text)| (number, offset, text.to_owned()))
        );
    }

    /// However few bytes the source gives at once.
    #[test]
    fn lines_of_a_source_are_those_of_its_bytes() {
        let text = b"\xef\xbb\xbfa\r\n\xff\xc3\xbc\n\nb";
        for at_once in [1, 3, 4096] {
            let mut lines = Lines::new(BufReader::with_capacity(at_once, &text[..]), 1000);
            for expected in EXPECTED {
                let line = lines.next_line().expect("sound").expect("a line");
                assert_eq!((line.number, line.offset, &*line.text), expected);
            }
            assert!(lines.is_cut() && lines.next_line().expect("sound").is_none());
            assert!(lines.is_cut(), "the last line still lacks its end");
        }
    }

    #[test]
    fn a_line_without_end_is_not_read_on_and_on() {
        let mut lines = Lines::new(BufReader::new(std::io::repeat(b'a')), 1000);
        let error = lines.next_line().expect_err("too long");
        assert!(matches!(error, ImportError::TooLarge { limit: 1000 }));
    }
}
