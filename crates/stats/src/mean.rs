//! Means of independent observations and their t intervals.

use crate::{Confidence, Estimate, Spread};

/// Arithmetic mean; NaN for an empty slice.
#[must_use]
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Variance with divisor n - 1, in squared units of the values; `None` below two values.
#[must_use]
pub fn sample_variance(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let centre = mean(values);
    let squares: f64 = values.iter().map(|v| (v - centre).powi(2)).sum();
    Some(squares / (values.len() - 1) as f64)
}

/// Mean with Student's t interval (Student 1908); `None` below two values. `n` counts the values.
///
/// # Accuracy
/// Exact for independent normal values. Autocorrelated values (iterations of one window) make it too narrow: average
/// them per window first.
#[must_use]
pub fn mean_t(values: &[f64]) -> Option<Estimate> {
    let spread = mean_spread(values)?;
    Some(Estimate::around(
        mean(values),
        spread.half_width(Confidence::P95),
        values.len() as u64,
    ))
}

/// Uncertainty of the mean of independent values.
pub(crate) fn mean_spread(values: &[f64]) -> Option<Spread> {
    let variance = sample_variance(values)?;
    Some(Spread::from_variance(
        variance / values.len() as f64,
        (values.len() - 1) as f64,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Student's sleep data (extra hours, drug 1). R's `t.test`: mean 0.75, 95 % -0.530 to 2.030.
    const DRUG_1: [f64; 10] = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];

    #[test]
    fn students_sleep_data() {
        let e = mean_t(&DRUG_1).unwrap();
        assert!((e.value - 0.75).abs() < 1e-12 && e.n == 10);
        assert!(
            (e.low + 0.5298).abs() < 1e-3 && (e.high - 2.0298).abs() < 1e-3,
            "{e:?}"
        );
    }

    #[test]
    fn one_value_has_no_interval() {
        assert_eq!(mean_t(&[3.0]), None);
        assert_eq!(mean_t(&[]), None);
    }

    #[test]
    fn order_does_not_matter_and_units_scale() {
        let mut reversed = DRUG_1;
        reversed.reverse();
        let (a, b) = (mean_t(&DRUG_1).unwrap(), mean_t(&reversed).unwrap());
        assert!((a.low - b.low).abs() < 1e-12);
        let thousandfold = mean_t(&DRUG_1.map(|v| v * 1000.0)).unwrap();
        assert!((thousandfold.high - a.high * 1000.0).abs() < 1e-9);
    }
}
