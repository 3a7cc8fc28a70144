//! Numbers as people read them: as many digits as the interval allows.

use proofmark_stats::Estimate;

/// Digits after the point: none from 10 on if the interval is wider than 2 to each side, two if it is narrower than 0.05.
fn decimals(e: &Estimate) -> usize {
    let half = e.half_width();
    if !half.is_finite() || half <= 0.0 {
        usize::from(e.value.abs() < 99.95)
    } else if half < 0.05 {
        2
    } else {
        usize::from(half < 2.0 || e.value.abs() < 9.95)
    }
}

/// A number with so many digits; never `-0`.
#[must_use]
pub fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return "?".into();
    }
    let text = format!("{value:.decimals$}");
    let zero = text
        .trim_start_matches('-')
        .chars()
        .all(|c| c == '0' || c == '.');
    if zero {
        text.trim_start_matches('-').to_owned()
    } else {
        text
    }
}

/// `1.1`.
#[must_use]
pub fn value(e: &Estimate) -> String {
    fixed(e.value, decimals(e))
}

/// `0.6 to 1.7`; an open end is said in words.
#[must_use]
pub fn interval(e: &Estimate) -> String {
    interval_with(e, decimals(e))
}

fn interval_with(e: &Estimate, digits: usize) -> String {
    match (e.low.is_finite(), e.high.is_finite()) {
        (true, true) => format!("{} to {}", fixed(e.low, digits), fixed(e.high, digits)),
        (true, false) => format!("at least {}", fixed(e.low, digits)),
        (false, true) => format!("at most {}", fixed(e.high, digits)),
        (false, false) => "interval not known".into(),
    }
}

/// `1.1 pt (0.6 to 1.7)`.
pub(crate) fn with_unit(e: &Estimate, unit: &str) -> String {
    format!("{} {unit} ({})", value(e), interval(e))
}

/// `1.1 (0.6 to 1.7)`, where the unit stands in the title of the column.
pub(crate) fn without_unit(e: &Estimate) -> String {
    format!("{} ({})", value(e), interval(e))
}

/// `+99.6 % (98.9 to 100.4)`, with one digit at least.
#[must_use]
pub fn signed_percent(e: &Estimate) -> String {
    let sign = if e.value >= 0.0 { "+" } else { "" };
    let digits = decimals(e).max(1);
    format!(
        "{sign}{} % ({})",
        fixed(e.value, digits),
        interval_with(e, digits)
    )
}

/// The same with what was counted: `1.1 pt (0.6 to 1.7), n = 1,234`.
pub(crate) fn with_n(e: &Estimate, unit: &str) -> String {
    let unit = if unit.is_empty() {
        String::new()
    } else {
        format!(" {unit}")
    };
    let n = if e.n > 0 {
        format!(", n = {}", grouped(e.n))
    } else {
        String::new()
    };
    format!("{}{unit} ({}){n}", value(e), interval(e))
}

/// `12,345`.
#[must_use]
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// `0.8 s`, `48 s`, `4 min 10 s`, `2 h 5 min`.
#[must_use]
pub fn duration(seconds: f64) -> String {
    if !seconds.is_finite() || seconds < 0.0 {
        return "? s".into();
    }
    let whole = seconds.round() as u64;
    let two = |big: u64, unit: &str, small: u64, small_unit: &str| {
        if small == 0 {
            format!("{big} {unit}")
        } else {
            format!("{big} {unit} {small} {small_unit}")
        }
    };
    match whole {
        _ if seconds < 9.95 => format!("{} s", fixed(seconds, 1)),
        0..=119 => format!("{whole} s"),
        120..=7199 => two(whole / 60, "min", whole % 60, "s"),
        _ => two(whole / 3600, "h", whole % 3600 / 60, "min"),
    }
}

/// A guess of a time, rounded: `40 s`, `4 min`, `2 h 5 min`.
#[must_use]
pub fn about(seconds: f64) -> String {
    match seconds {
        s if s < 10.0 => duration(s.ceil()),
        s if s < 115.0 => duration((s / 5.0).ceil() * 5.0),
        s => duration((s / 60.0).ceil() * 60.0),
    }
}

/// `1 block`, `2 blocks`.
#[must_use]
pub fn count(n: u64, one: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {one}{plural}", grouped(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn e(value: f64, low: f64, high: f64) -> Estimate {
        Estimate {
            value,
            low,
            high,
            n: 1234,
        }
    }

    #[test]
    fn digits_follow_the_interval() {
        assert_eq!(with_unit(&e(1.12, 0.6, 1.7), "pt"), "1.1 pt (0.6 to 1.7)");
        assert_eq!(with_unit(&e(63.4, 61.2, 66.1), "pt"), "63 pt (61 to 66)");
        assert_eq!(
            signed_percent(&e(99.6, 98.9, 100.4)),
            "+99.6 % (98.9 to 100.4)"
        );
        assert_eq!(
            with_n(&e(0.513, 0.50, 0.52), ""),
            "0.51 (0.50 to 0.52), n = 1,234"
        );
        assert_eq!(value(&e(5.0, 5.0, 5.0)), "5.0");
    }

    #[test]
    fn what_is_not_known_is_said() {
        let open = e(3.0, f64::NEG_INFINITY, f64::INFINITY);
        assert_eq!(with_unit(&open, "pt"), "3.0 pt (interval not known)");
        assert_eq!(interval(&e(3.0, 1.0, f64::INFINITY)), "at least 1.0");
        assert_eq!(fixed(f64::NAN, 1), "?");
        assert_eq!(fixed(-0.04, 1), "0.0");
    }

    #[test]
    fn times_in_words() {
        let all = [0.04, 9.94, 48.2, 119.4, 250.0, 7300.0].map(duration);
        assert_eq!(
            all,
            ["0.0 s", "9.9 s", "48 s", "119 s", "4 min 10 s", "2 h 1 min"]
        );
        assert_eq!(
            (grouped(999), grouped(1_234_567)),
            ("999".into(), "1,234,567".into())
        );
        assert_eq!(
            (count(1, "unit"), count(2, "unit")),
            ("1 unit".into(), "2 units".into())
        );
    }
}
