//! Lines of text formats, with their place in the file.

use std::borrow::Cow;

/// A line without its end.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line<'a> {
    /// Counted from 1.
    pub(crate) number: usize,
    /// Offset of its first byte.
    pub(crate) offset: u64,
    /// Bytes that are no UTF-8 are replaced.
    pub(crate) text: Cow<'a, str>,
}

/// The lines of `bytes`, a byte-order mark taken off.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut offset = 0;
    let rows = bytes.split_inclusive(|&byte| byte == b'\n').enumerate();
    rows.map(move |(at, row)| {
        let begin = offset;
        offset += row.len() as u64;
        let row = row.strip_suffix(b"\n").unwrap_or(row);
        let row = row.strip_suffix(b"\r").unwrap_or(row);
        let row = match at {
            0 => row.strip_prefix(b"\xef\xbb\xbf").unwrap_or(row),
            _ => row,
        };
        Line {
            number: at + 1,
            offset: begin,
            text: String::from_utf8_lossy(row),
        }
    })
}

/// True if the last line lacks its end, as in a file that was cut.
pub(super) fn is_cut(bytes: &[u8]) -> bool {
    bytes.last().is_some_and(|&byte| byte != b'\n')
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn places_count_bytes_not_characters() {
        let text = b"\xef\xbb\xbfa\r\n\xff\xc3\xbc\n\nb";
        let read: Vec<_> = lines(text)
            .map(|line| (line.number, line.offset, line.text.into_owned()))
            .collect();
        let expected = [
            (1, 0, "a"),
            (2, 6, "\u{fffd}\u{fc}"),
            (3, 10, ""),
            (4, 11, "b"),
        ];
        assert_eq!(
            read,
            expected.map(|(number, offset, text)| (number, offset, text.to_owned()))
        );
    }
}
