//! How names are written where not every character can stand.

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
