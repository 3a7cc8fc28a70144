//! How much two means differ by chance.

use proofmark_stats::{Spread, mean, sample_variance};

/// Step to which exported tables round shares, points: their smallest uncertainty.
const ROUNDING_PT: f64 = 0.1;

/// Uncertainty of the difference of both means, points. `samples`: how many the runs of a side have together.
pub(super) fn spread(a: &[f64], b: &[f64], samples: (Option<f64>, Option<f64>)) -> Spread {
    let variances = (sample_variance(a), sample_variance(b));
    // A side with one run has the other side's noise.
    let between = |own: Option<f64>, other: Option<f64>, runs: usize, df: usize| {
        let variance = own.or(other).unwrap_or(0.0);
        Spread::from_variance(variance / runs as f64, df.max(1) as f64)
    };
    let df = |own: &[f64], other: &[f64]| {
        if own.len() > 1 {
            own.len() - 1
        } else {
            other.len().saturating_sub(1)
        }
    };
    let seen_a = between(variances.0, variances.1, a.len(), df(a, b));
    let seen_b = between(variances.1, variances.0, b.len(), df(b, a));
    let mut spread = seen_a.plus(&seen_b);
    spread.floor = floor(mean(a), a.len(), samples.0) + floor(mean(b), b.len(), samples.1);
    spread
}

/// Variance of a mean share (%) that sampling alone, or else rounding, causes.
fn floor(share_pct: f64, runs: usize, samples: Option<f64>) -> f64 {
    match samples {
        Some(n) => {
            let q = ((share_pct / 100.0 * n + 1.0) / (n + 2.0)).clamp(0.0, 1.0);
            1e4 * q * (1.0 - q) / n
        }
        None => ROUNDING_PT * ROUNDING_PT / 12.0 / runs as f64,
    }
}
