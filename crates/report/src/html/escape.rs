//! Text into HTML and JSON into a script element.

use crate::names::clean;

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

/// A method name that may be broken after its dots and dollars.
pub(crate) fn name(raw: &str) -> String {
    text(raw).replace('.', ".<wbr>").replace('$', "$<wbr>")
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
    fn nothing_gets_out() {
        assert_eq!(text("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&#39;");
        let hostile = "</script><!--<script>\u{2028}&";
        let safe = json(&hostile);
        assert!(!safe.contains(['<', '>', '&', '\u{2028}']));
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), hostile);
    }
}
