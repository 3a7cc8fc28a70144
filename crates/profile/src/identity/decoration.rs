//! What tools write around a name: `_[j]`, `[k] `, ` String.java`, `+0x1f`.

use crate::model::FrameKind;

/// async-profiler's suffix of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decoration {
    /// The frame is Java code that ran so.
    Java(FrameKind),
    /// The frame is kernel code.
    Kernel,
}

/// Takes a trailing `_[j]`, `_[i]`, `_[0]`, `_[1]` or `_[k]` off.
pub(crate) fn strip_annotation(text: &str) -> (&str, Option<Decoration>) {
    let Some((name, mark)) = text.strip_suffix(']').and_then(|t| t.rsplit_once("_[")) else {
        return (text, None);
    };
    let decoration = match mark {
        "0" => Decoration::Java(FrameKind::Interpreted),
        "j" | "1" => Decoration::Java(FrameKind::Jit),
        "i" => Decoration::Java(FrameKind::Inlined),
        "k" => Decoration::Kernel,
        _ => return (text, None),
    };
    (name, Some(decoration))
}

/// Takes off what perf, `perf report` and YourKit put around a Java method.
pub(super) fn strip_surroundings(text: &str) -> &str {
    let text = text.trim();
    let text = text
        .strip_prefix("[.] ")
        .or_else(|| text.strip_prefix("[k] "))
        .unwrap_or(text);
    let text = text.strip_suffix(" (native)").unwrap_or(text);
    match text.rsplit_once(' ') {
        Some((name, file)) if is_source_file(file) => name.trim_end(),
        _ => text,
    }
}

fn is_source_file(word: &str) -> bool {
    [".java", ".kt", ".scala", ".groovy"]
        .iter()
        .any(|ending| word.ends_with(ending))
}

/// A symbol without annotation, perf tag and offset into it.
pub(super) fn clean_symbol(text: &str) -> String {
    let (name, _) = strip_annotation(text.trim());
    let name = name
        .strip_prefix("[.] ")
        .or_else(|| name.strip_prefix("[k] "))
        .unwrap_or(name);
    match name.rsplit_once("+0x") {
        Some((symbol, offset)) if is_hex(offset) && !symbol.is_empty() => symbol.to_owned(),
        _ => name.to_owned(),
    }
}

fn is_hex(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_come_off() {
        assert_eq!(
            strip_annotation("A.b_[i]"),
            ("A.b", Some(Decoration::Java(FrameKind::Inlined)))
        );
        assert_eq!(
            strip_annotation("clear_page_rep_[k]"),
            ("clear_page_rep", Some(Decoration::Kernel))
        );
        assert_eq!(strip_annotation("A.b_[x]"), ("A.b_[x]", None));
    }

    #[test]
    fn symbols_lose_offsets_but_keep_their_suffixes() {
        assert_eq!(clean_symbol("[k] do_fault+0x2ec"), "do_fault");
        assert_eq!(clean_symbol("[clone .part.0]"), "[clone .part.0]");
        assert_eq!(clean_symbol("operator+0x"), "operator+0x");
    }
}
