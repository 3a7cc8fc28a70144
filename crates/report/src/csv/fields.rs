//! Single fields.

/// A number as short as it can be written; nothing if it is not finite.
pub(super) fn number(value: f64) -> String {
    if !value.is_finite() {
        String::new()
    } else if value != 0.0 && value.abs() < 1e-4 {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}

/// In quotes where commas, quotes or line ends ask for it. A leading `=`, `+`, `-` or `@` would be a formula to a table
/// program and gets an apostrophe.
pub(super) fn quoted(text: &str) -> String {
    let text = if text.starts_with(['=', '+', '-', '@']) {
        format!("'{text}")
    } else {
        text.to_owned()
    };
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_cannot_leave_their_place() {
        assert_eq!(quoted("a.B.c(I,J)\"x\""), "\"a.B.c(I,J)\"\"x\"\"\"");
        assert_eq!(quoted("=1+1"), "'=1+1");
        assert_eq!(quoted("<init>"), "<init>");
        assert_eq!(
            (number(0.1), number(f64::INFINITY)),
            ("0.1".into(), String::new())
        );
        assert_eq!(
            (number(-2.5e-100), number(0.0)),
            ("-2.5e-100".into(), "0".into())
        );
    }
}
