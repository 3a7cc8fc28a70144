//! Quantiles of a sample.

/// Quantile `p` (0 to 1) with linear interpolation, Hyndman and Fan's type 7 (default of R and numpy); `None` if empty.
#[must_use]
pub fn quantile(values: &[f64], p: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted_quantile(&sorted, p)
}

/// Median; `None` if empty.
#[must_use]
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// Standard deviation of normal values whose distances from their centre are `away`: 1.4826 times the median (Hampel 1974),
/// so that half of them may be anything; 0 if empty.
#[must_use]
pub fn deviation_by_median(away: &[f64]) -> f64 {
    const NORMAL: f64 = 1.4826;
    NORMAL * median(away).unwrap_or(0.0)
}

/// As [`quantile`], of values in ascending order.
pub(crate) fn sorted_quantile(sorted: &[f64], p: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let position = p.clamp(0.0, 1.0) * last as f64;
    let below = position.floor() as usize;
    let above = (below + 1).min(last);
    Some(sorted[below] + (position - below as f64) * (sorted[above] - sorted[below]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R: `quantile(c(1, 2, 4, 8, 16), c(.1, .5, .9))` 1.4 4 12.8.
    #[test]
    fn type_7() {
        let v = [16.0, 1.0, 8.0, 2.0, 4.0];
        for (p, want) in [(0.0, 1.0), (0.1, 1.4), (0.5, 4.0), (0.9, 12.8), (1.0, 16.0)] {
            assert!((quantile(&v, p).unwrap() - want).abs() < 1e-12);
        }
        assert_eq!(median(&[3.0, 1.0]), Some(2.0));
        assert_eq!(median(&[]), None);
    }

    /// The median distance of normal values from their centre is their third quartile, 0.6745 standard deviations.
    #[test]
    fn deviation_of_normal_values() {
        let quantiles = (1..1000).map(|i| crate::normal_quantile(f64::from(i) / 1000.0));
        let mut away: Vec<f64> = quantiles.map(|value| (2.5 * value).abs()).collect();
        assert!((deviation_by_median(&away) - 2.5).abs() < 0.01);
        away.iter_mut().take(100).for_each(|value| *value = 1e9);
        assert!(deviation_by_median(&away) < 2.5 * 1.2);
        assert_eq!(deviation_by_median(&[]), 0.0);
    }
}
