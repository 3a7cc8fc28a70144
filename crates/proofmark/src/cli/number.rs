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

/// As the highest number of [`whole`]: there is no limit but that of the type.
pub const ANY: u64 = u64::MAX;

/// Reads a whole number from `low` to `high` ([`ANY`]: whatever the type holds); `example` is one, for the message.
pub fn whole<N: TryFrom<u64>>(
    low: u64,
    high: u64,
    example: u64,
) -> impl Fn(&str) -> Result<N, String> + Clone {
    move |text| {
        let number = text.parse::<u64>().ok();
        let number = number.filter(|number| (low..=high).contains(number));
        number
            .and_then(|number| N::try_from(number).ok())
            .ok_or_else(|| {
                let limits = match high {
                    ANY => format!("of {low} or more"),
                    _ => format!("from {low} to {high}"),
                };
                format!("give a whole number {limits}, such as {example}")
            })
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

    #[test]
    fn what_is_no_whole_number_is_told_with_an_example() {
        let methods = whole::<u16>(1, 100, 4);
        assert_eq!((methods("1"), methods("100")), (Ok(1), Ok(100)));
        let told = "give a whole number from 1 to 100, such as 4";
        for text in ["four", "4.5", "", "0", "101", "-1", "70000"] {
            assert_eq!(methods(text), Err(told.into()), "{text}");
        }
        let heap = whole::<u32>(1, ANY, 1024);
        assert_eq!(heap("4294967295"), Ok(u32::MAX));
        let told = "give a whole number of 1 or more, such as 1024";
        for text in ["4294967296", "0", "much"] {
            assert_eq!(heap(text), Err(told.into()), "{text}");
        }
    }
}
