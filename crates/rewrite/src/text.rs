//! How names are written where not every character can stand: in class files and by the JVM, and in lines of ours.

use std::borrow::Cow;

/// The text of modified UTF-8, in which class files and the JVM have names (JVMS, 4.4.7): U+0000 as two bytes, and every character
/// above U+FFFF as a pair of surrogates of three bytes each. UTF-8 is read as it is; bytes that are neither are replaced by U+FFFD.
#[must_use]
pub fn from_modified_utf8(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut plain = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    // No other character has the first bytes of these inside of it.
    loop {
        rest = match rest {
            [] => break,
            [0xc0, 0x80, behind @ ..] => {
                plain.push(0);
                behind
            }
            [
                0xed,
                a @ 0xa0..=0xaf,
                b @ 0x80..=0xbf,
                0xed,
                c @ 0xb0..=0xbf,
                d @ 0x80..=0xbf,
                behind @ ..,
            ] => {
                let units = [[0xd8, a & 0xf, b & 0x3f], [0xdc, c & 0xf, d & 0x3f]].map(unit);
                plain.extend_from_slice(String::from_utf16_lossy(&units).as_bytes());
                behind
            }
            [byte, behind @ ..] => {
                plain.push(*byte);
                behind
            }
        };
    }
    Cow::Owned(String::from_utf8_lossy(&plain).into_owned())
}

/// A surrogate: the upper byte of the first of its kind, and the four and six bits that two bytes have of it.
fn unit([kind, upper, lower]: [u8; 3]) -> u16 {
    u16::from(kind) << 8 | u16::from(upper) << 6 | u16::from(lower)
}

/// A text in modified UTF-8: what [`from_modified_utf8`] reads.
#[must_use]
pub fn to_modified_utf8(text: &str) -> Cow<'_, [u8]> {
    let differs = |sign: char| sign == '\0' || sign.len_utf16() == 2;
    if !text.contains(differs) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut bytes = Vec::with_capacity(text.len() + 8);
    for sign in text.chars() {
        if sign == '\0' {
            bytes.extend([0xc0, 0x80]);
        } else if sign.len_utf16() == 2 {
            for unit in sign.encode_utf16(&mut [0; 2]) {
                let (upper, lower) = (*unit >> 6 & 0x3f, *unit & 0x3f);
                bytes.extend([0xed, 0x80 | upper as u8, 0x80 | lower as u8]);
            }
        } else {
            bytes.extend_from_slice(sign.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
    Cow::Owned(bytes)
}

/// A name as it stands between tabs in a line of ours: without tabs and ends of lines, which names of classes and methods may have.
#[must_use]
pub fn escaped(name: &str) -> String {
    name.replace('\\', r"\\")
        .replace('\t', r"\t")
        .replace('\n', r"\n")
        .replace('\r', r"\r")
}

/// The name of which [`escaped`] made this.
#[must_use]
pub fn unescaped(text: &str) -> String {
    let mut name = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(sign) = rest.next() {
        name.push(match sign {
            '\\' => match rest.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                Some(other) => other,
                None => '\\',
            },
            other => other,
        });
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Place, Site, Summary, Work, gate_class, insert_sites, replace_texts};

    /// A letter above U+FFFF, as class files have it.
    const LETTER: [u8; 6] = [0xed, 0xa0, 0xb5, 0xed, 0xb2, 0x9c];

    #[test]
    fn names_are_read_as_the_jvm_writes_them() {
        let rare = [&b"a"[..], &LETTER, b"b"].concat();
        for (bytes, text) in [
            (&b"run"[..], "run"),
            ("gr\u{f6}\u{20ac}".as_bytes(), "gr\u{f6}\u{20ac}"),
            (&b"a\xc0\x80b"[..], "a\0b"),
            (&rare[..], "a\u{1d49c}b"),
            (&b"\xed\xaf\xbf\xed\xbf\xbf"[..], "\u{10ffff}"),
        ] {
            assert_eq!(from_modified_utf8(bytes), text);
            assert_eq!(*to_modified_utf8(text), *bytes);
        }
    }

    #[test]
    fn utf8_is_read_too_and_what_is_neither_is_replaced() {
        let text = "\u{1d49c}\0";
        assert_eq!(from_modified_utf8(text.as_bytes()), text);
        // The first half alone, in front of something else, and the second alone.
        for bytes in [&LETTER[..3], &LETTER[..5], &LETTER[3..], b"\xc0", b"\xff"] {
            let bytes = [&b"a"[..], bytes, b"z"].concat();
            let text = from_modified_utf8(&bytes);
            let replaced = text.starts_with("a\u{fffd}") && text.ends_with("\u{fffd}z");
            assert!(replaced, "{text}");
        }
    }

    #[test]
    fn a_method_with_such_a_name_is_found_by_it() {
        let rename = |text: &[u8]| (text == b"open").then(|| LETTER.to_vec());
        let class = replace_texts(&gate_class(0, false).unwrap(), &rename).unwrap();
        let name = "\u{1d49c}";
        let summary = Summary::read(&class).unwrap();
        assert_eq!(summary.method_names(), [name]);
        assert_eq!(summary.descriptors(name)[0].descriptor, "()I");
        let site = Site {
            index: 0,
            method: name.into(),
            descriptor: None,
            place: Place::Entry,
            work: Work::Count,
            gated: false,
        };
        let sited = insert_sites(&class, &[site], None).unwrap();
        assert_eq!((sited.placed.len(), sited.refused.len()), (1, 0));
    }

    #[test]
    fn any_name_fits_between_tabs_of_a_line() {
        for (name, written) in [
            ("run", "run"),
            ("a\tb\nc\rd", r"a\tb\nc\rd"),
            (r"\t", r"\\t"),
            ("ends in \\", r"ends in \\"),
        ] {
            assert_eq!(escaped(name), written);
            assert_eq!(unescaped(written), name);
        }
        // Nobody writes that.
        assert_eq!(unescaped("\\"), "\\");
    }
}
