//! By how much the program grows while time is added, with an interval.

use proofmark_stats::{Confidence, Estimate, Spread, mean, sample_variance};

/// Growth of the program under a dose, as a part of its time at rest: `dosed` and `rest` are times of an iteration, one of each
/// window. n counts the windows under the dose, of which every pair has one.
///
/// # Accuracy
/// Student's t, by the spread of both kinds of windows, which are no pairs; degrees of freedom are those of Welch and Satterthwaite,
/// and the ratio is taken to first order. The interval is open where there are fewer than two windows of a kind. The windows of a site
/// follow each other: what makes the machine slower for all of them, and not at rest, is in the interval over JVMs alone.
pub(super) fn growth(rest: &[f64], dosed: &[f64]) -> Estimate {
    let ratio = mean(dosed) / mean(rest);
    let half = match (relative(rest), relative(dosed)) {
        (Some(rest), Some(dosed)) => ratio * rest.plus(&dosed).half_width(Confidence::P95),
        _ => f64::INFINITY,
    };
    Estimate::around(ratio - 1.0, half, dosed.len() as u64)
}

/// How uncertain the mean of these times is, as a part of it.
fn relative(times: &[f64]) -> Option<Spread> {
    let n = times.len() as f64;
    let squared = sample_variance(times)? / n / mean(times).powi(2);
    Some(Spread::from_variance(squared, n - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Means 10 and 40, squared standard errors 1 / 3 and 4 / 3: parts of 1 / 300 and 1 / 1200 of the squared means. Together 1 / 240
    /// with 2.941 degrees of freedom, whose quantile is 3.22.
    #[test]
    fn by_hand() {
        let grown = growth(&[9.0, 10.0, 11.0], &[38.0, 40.0, 42.0]);
        assert!((grown.value - 3.0).abs() < 1e-12 && grown.n == 3);
        let half = 4.0 * 3.22 * (1.0 / 240.0_f64).sqrt();
        assert!((grown.half_width() - half).abs() < 0.01, "{grown:?}");
    }

    #[test]
    fn one_window_has_no_interval() {
        let [one, three]: [&[f64]; 2] = [&[10.0], &[9.0, 10.0, 11.0]];
        for (rest, dosed) in [(one, three), (three, one)] {
            let grown = growth(rest, dosed);
            assert!(grown.value.abs() < 1e-12, "{grown:?}");
            assert!(grown.low.is_infinite() && grown.high.is_infinite());
        }
    }
}
