//! Numbers on the command line that must make sense.

/// Longest time that anything here may take: four months, in seconds.
const MOST: f64 = 1e7;

/// A number above zero that is no longer than four months in seconds, for times and limits.
///
/// # Errors
/// A sentence that says what is expected.
pub fn positive(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .filter(|number| *number > 0.0 && *number <= MOST)
        .ok_or_else(|| format!("a number above 0, at most {MOST}, is expected"))
}

/// Reads a number within limits: outside of them nothing can be measured, or it would take for ever.
pub fn between(low: f64, high: f64) -> impl Fn(&str) -> Result<f64, String> + Clone {
    move |text| match text.parse::<f64>() {
        Ok(number) if (low..=high).contains(&number) => Ok(number),
        _ => Err(format!("give a number from {low} to {high}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_times_that_can_pass() {
        assert_eq!((positive("0.5"), positive("1e7")), (Ok(0.5), Ok(1e7)));
        for text in ["0", "-1", "nan", "inf", "1e300", "", "5 s"] {
            assert!(positive(text).is_err(), "{text}");
        }
    }
}
