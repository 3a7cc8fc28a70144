//! What a line of assembly text is.

/// A line, as far as the pass has to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line<'t> {
    /// Nothing that the assembler sees.
    Empty,
    /// `name:`; what follows it in the same line is left out.
    Label(&'t str),
    /// `.word rest`
    Directive(&'t str, &'t str),
    /// Mnemonic and operands.
    Instruction(&'t str),
    /// Begin of the programmer's own assembly.
    AppBegin,
    /// Its end.
    AppEnd,
}

impl<'t> Line<'t> {
    /// Understands a line.
    pub(crate) fn of(text: &'t str) -> Self {
        let text = text.trim();
        match text {
            "#APP" => return Self::AppBegin,
            "#NO_APP" => return Self::AppEnd,
            _ => {}
        }
        if text.is_empty() || text.starts_with('#') {
            return Self::Empty;
        }
        if let Some(name) = label(text) {
            return Self::Label(name);
        }
        match text.starts_with('.') {
            true => {
                let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
                Self::Directive(word, rest.trim())
            }
            false => Self::Instruction(text),
        }
    }
}

/// A line, or a part of one, without the remark at its end.
pub(crate) fn without_comment(text: &str) -> &str {
    text.split('#').next().unwrap_or_default().trim()
}

/// The name of a label, with its quotation marks taken away.
fn label(text: &str) -> Option<&str> {
    if let Some(quoted) = text.strip_prefix('"') {
        let (name, rest) = quoted.split_once('"')?;
        return rest.starts_with(':').then_some(name);
    }
    let end = text.find(|sign: char| !(sign.is_alphanumeric() || "_.$@".contains(sign)))?;
    (end > 0 && text[end..].starts_with(':')).then(|| &text[..end])
}

/// Whether a label only marks a place for debug information or tables: no instruction jumps to it.
pub(crate) fn marks_only(label: &str) -> bool {
    const GCC: [&str; 6] = [".LVL", ".LFB", ".LBB", ".LBE", ".LBI", ".LM"];
    const CLANG: [&str; 2] = [".Lfunc_begin", ".Ltmp"];
    let marks = |start: &&str| {
        let number = label.strip_prefix(*start);
        number.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|one| one.is_ascii_digit()))
    };
    GCC.iter().chain(&CLANG).any(marks)
}

/// A name without the quotation marks that strange ones are written with.
pub(crate) fn unquoted(name: &str) -> &str {
    let name = name.trim();
    name.strip_prefix('"')
        .and_then(|name| name.strip_suffix('"'))
        .unwrap_or(name)
}

/// The strings in quotation marks of a directive's operands, as they are written.
pub(crate) fn strings(operands: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = operands;
    while let Some((_, behind)) = rest.split_once('"') {
        let mut escaped = false;
        let ends = |byte: u8| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        };
        let Some(end) = behind.bytes().position(ends) else {
            break;
        };
        all.push(&behind[..end]);
        rest = &behind[end + 1..];
    }
    all
}

/// What a string that is written so stands for: compilers write bytes as octal numbers, and `\` in front of signs.
pub(crate) fn unescaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        rest = behind;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        let is_octal = |byte: &&u8| matches!(**byte, b'0'..=b'7');
        let digits = rest.iter().take(3).take_while(is_octal).count();
        let (number, behind) = rest.split_at(digits);
        match (number, behind) {
            ([], []) => bytes.push(*first),
            ([], [sign, behind @ ..]) => {
                bytes.push(match sign {
                    b'n' => b'\n',
                    b't' => b'\t',
                    sign => *sign,
                });
                rest = behind;
            }
            (digits, behind) => {
                let step = |all: u32, digit: &u8| 8 * all + u32::from(digit - b'0');
                bytes.push(digits.iter().fold(0, step) as u8);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart() {
        assert_eq!(Line::of("main:"), Line::Label("main"));
        assert_eq!(Line::of("f:                  # @f"), Line::Label("f"));
        assert_eq!(Line::of("\"a b\":"), Line::Label("a b"));
        assert_eq!(
            Line::of("\t.loc 1 3 42 view -0"),
            Line::Directive(".loc", "1 3 42 view -0")
        );
        assert_eq!(
            Line::of("\tmovq\t%fs:0, %rax"),
            Line::Instruction("movq\t%fs:0, %rax")
        );
        assert_eq!(Line::of("# %bb.0:"), Line::Empty);
        assert_eq!(Line::of("#APP"), Line::AppBegin);
        assert_eq!(Line::of("\t#NO_APP"), Line::AppEnd);
    }

    #[test]
    fn strings_end_at_quotation_marks_of_their_own() {
        assert_eq!(strings(r#"1 "/p" "a\"b.c" md5 0x1"#), ["/p", r#"a\"b.c"#]);
        assert_eq!(strings(r#""a\\" "b"#), [r"a\\"]);
        for (written, meant) in [
            ("a.c", "a.c"),
            (r#"a\"b\\c"#, r#"a"b\c"#),
            (r"\303\274.c", "\u{fc}.c"),
            (r"a\0119\t\q\", "a\t9\tq\\"),
        ] {
            assert_eq!(unescaped(written), meant, "{written}");
        }
    }

    #[test]
    fn labels_that_are_jumped_to_are_no_marks() {
        for mark in [
            ".LVL12",
            ".LFB0",
            ".LBB5",
            ".LBI9",
            ".Lfunc_begin0",
            ".Ltmp3",
        ] {
            assert!(marks_only(mark), "{mark}");
        }
        for target in [
            ".L5", ".LBB0_1", ".LEHB0", ".LFSB3", ".LCOLDB1", "f", ".LVL",
        ] {
            assert!(!marks_only(target), "{target}");
        }
    }
}
