//! Correlation with Fisher's interval.

use crate::{Confidence, Estimate, mean, t_quantile};

/// Pearson's correlation of pairs with Fisher's z interval (1921); `None` if the lengths differ, below four pairs, or if
/// one side does not vary. `n` counts pairs.
///
/// # Accuracy
/// The interval assumes independent, jointly normal pairs. Shares of methods are neither: the figure is given because
/// the published study gives it, no verdict rests on it.
#[must_use]
pub fn pearson(x: &[f64], y: &[f64]) -> Option<Estimate> {
    let r = coefficient(x, y)?;
    with_fisher_interval(r, x.len())
}

fn coefficient(x: &[f64], y: &[f64]) -> Option<f64> {
    if x.len() != y.len() || x.len() < 2 {
        return None;
    }
    let (mx, my) = (mean(x), mean(y));
    let product: f64 = x.iter().zip(y).map(|(a, b)| (a - mx) * (b - my)).sum();
    let squares = |v: &[f64], m: f64| v.iter().map(|a| (a - m).powi(2)).sum::<f64>();
    let scale = (squares(x, mx) * squares(y, my)).sqrt();
    (scale > 0.0).then(|| (product / scale).clamp(-1.0, 1.0))
}

fn with_fisher_interval(r: f64, n: usize) -> Option<Estimate> {
    if n < 4 {
        return None;
    }
    let z = r.clamp(-1.0 + 1e-15, 1.0 - 1e-15).atanh();
    let half = t_quantile(f64::INFINITY, Confidence::P95) * (1.0 / (n as f64 - 3.0)).sqrt();
    Some(Estimate {
        value: r,
        low: (z - half).tanh(),
        high: (z + half).tanh().max(r),
        n: n as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Anscombe's first set: r = 0.81642; R's `cor.test`: 0.4243912 to 0.9506933.
    const X: [f64; 11] = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
    const Y: [f64; 11] = [
        8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68,
    ];

    #[test]
    fn anscombe() {
        let e = pearson(&X, &Y).unwrap();
        assert!((e.value - 0.816_420_5).abs() < 1e-6);
        assert!(
            (e.low - 0.424_391).abs() < 1e-5 && (e.high - 0.950_693).abs() < 1e-5,
            "{e:?}"
        );
    }

    #[test]
    fn nothing_to_correlate() {
        assert_eq!(pearson(&[1.0; 5], &[1.0, 2.0, 3.0, 4.0, 5.0]), None);
        assert_eq!(pearson(&[1.0, 2.0], &[1.0]), None);
    }
}
