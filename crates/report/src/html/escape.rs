//! Text into HTML and JSON into a script element.

use crate::names::clean;
use crate::together::together;

/// Text for element content and quoted attributes; control characters and turned directions are replaced.
pub(crate) fn text(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    for c in clean(raw).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// The same for a sentence: a number stays on one line with its unit, and an option with its value.
pub(crate) fn kept(raw: &str) -> String {
    let groups = together(raw).into_iter().map(|words| {
        let words: Vec<String> = words.into_iter().map(text).collect();
        words.join("&nbsp;")
    });
    groups.collect::<Vec<_>>().join(" ")
}

/// A method name, or a sentence with some, that may be broken before the dots within names and after dollars.
pub(crate) fn name(raw: &str) -> String {
    let escaped = text(raw);
    let mut out = String::with_capacity(escaped.len());
    let mut rest = escaped.chars().peekable();
    while let Some(c) = rest.next() {
        // A constructor's name begins with `&lt;`.
        let begins = |next: &char| next.is_alphabetic() || matches!(next, '_' | '$' | '&');
        if c == '.' && rest.peek().is_some_and(begins) {
            out.push_str("<wbr>");
        }
        out.push(c);
        if c == '$' {
            out.push_str("<wbr>");
        }
    }
    out
}

/// JSON that cannot end its script element: `<`, `>`, `&` and the line separators as escapes, still the same JSON.
pub(crate) fn json(value: &impl serde::Serialize) -> String {
    let raw = serde_json::to_string(value).unwrap_or_else(|_| "null".into());
    let mut out = String::with_capacity(raw.len());
    for c in raw.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_break_before_their_dots() {
        assert_eq!(name("a.B$C.get 1.5 %."), "a<wbr>.B$<wbr>C<wbr>.get 1.5 %.");
        assert_eq!(name("B.<init>"), "B<wbr>.&lt;init&gt;");
    }

    #[test]
    fn numbers_and_options_keep_what_follows() {
        assert_eq!(
            kept("30 % <a>, --runs 4 a"),
            "30&nbsp;% &lt;a&gt;, --runs&nbsp;4 a"
        );
    }

    #[test]
    fn nothing_gets_out() {
        assert_eq!(text("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
        let hostile = "</script><!--<script>\u{2028}&";
        let safe = json(&hostile);
        assert!(!safe.contains(['<', '>', '&', '\u{2028}']));
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), hostile);
    }
}
