//! Shares from windows: ratio estimators with a variance that respects that samples of one window belong together.

use crate::{Confidence, Estimate, Spread};

/// A share (0 to 1) pooled over windows.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusteredShare {
    /// Sum of hits over sum of totals.
    pub share: f64,
    /// Its uncertainty.
    pub spread: Spread,
    /// Samples: sum of the totals.
    pub samples: f64,
    /// Windows with a total above zero.
    pub windows: usize,
    /// Per window, what it adds to the pooled share's deviation: `(hits - share * total) / sum of totals`.
    influence: Vec<f64>,
}

impl ClusteredShare {
    /// The share as an estimate (0 to 1), cut to that range; `n` counts samples.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        let n = self.samples.round().max(0.0) as u64;
        Estimate::around(self.share, self.spread.half_width(Confidence::P95), n).clamped(0.0, 1.0)
    }
}

/// Pooled share of `hits[w]` in `totals[w]` over windows `w` (both counts of samples, in the same order).
///
/// Ratio estimator with linearised between-window variance (Cochran, Sampling Techniques, 3rd ed., 6.3):
/// `v = G/(G-1) * sum((h_w - p*t_w)^2) / (sum t_w)^2`, G - 1 degrees of freedom. The floor is the binomial
/// `q(1-q)/N` with `q = (hits + 1)/(N + 2)`, so that a method that was never hit still has an uncertainty.
/// `None` with fewer than two windows that hold samples.
///
/// # Accuracy
/// Assumes independent windows. Weights must be counts of samples: nanoseconds would make the floor far too small.
#[must_use]
pub fn clustered_share(hits: &[f64], totals: &[f64]) -> Option<ClusteredShare> {
    let samples: f64 = totals.iter().sum();
    let windows = totals.iter().filter(|t| **t > 0.0).count();
    if windows < 2 || samples <= 0.0 {
        return None;
    }
    let hit: f64 = hits.iter().sum();
    let share = hit / samples;
    let influence: Vec<f64> = hits
        .iter()
        .zip(totals)
        .map(|(h, t)| (h - share * t) / samples)
        .collect();
    let spread = Spread {
        between: between_windows(&influence, windows),
        df: (windows - 1) as f64,
        floor: binomial_floor(hit, samples),
    };
    Some(ClusteredShare {
        share,
        spread,
        samples,
        windows,
        influence,
    })
}

/// Difference `a - b` of two shares that were measured in the *same* windows, in the same order.
///
/// What moves both (a phase of the program) cancels; what sampling does to each does not.
/// `None` if the numbers of windows differ.
#[must_use]
pub fn matched_difference(a: &ClusteredShare, b: &ClusteredShare) -> Option<(f64, Spread)> {
    if a.influence.len() != b.influence.len() {
        return None;
    }
    let together: Vec<f64> = a
        .influence
        .iter()
        .zip(&b.influence)
        .map(|(x, y)| x - y)
        .collect();
    let windows = a.windows.min(b.windows);
    let spread = Spread {
        between: between_windows(&together, windows),
        df: (windows - 1) as f64,
        floor: a.spread.floor + b.spread.floor,
    };
    Some((a.share - b.share, spread))
}

fn between_windows(influence: &[f64], windows: usize) -> f64 {
    let g = windows as f64;
    g / (g - 1.0) * influence.iter().map(|u| u * u).sum::<f64>()
}

fn binomial_floor(hit: f64, samples: f64) -> f64 {
    let q = ((hit + 1.0) / (samples + 2.0)).clamp(0.0, 1.0);
    q * (1.0 - q) / samples
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Worked by hand: hits 3, 5 of 10, 10: p = 0.4, residuals -1, +1, v = 2 * 2 / 400 = 0.01.
    #[test]
    fn two_windows_by_hand() {
        let s = clustered_share(&[3.0, 5.0], &[10.0, 10.0]).unwrap();
        assert!((s.share - 0.4).abs() < 1e-12 && (s.spread.between - 0.01).abs() < 1e-12);
        assert_eq!((s.spread.df, s.windows), (1.0, 2));
        let q: f64 = 9.0 / 22.0;
        assert!((s.spread.floor - q * (1.0 - q) / 20.0).abs() < 1e-12);
    }

    #[test]
    fn a_method_never_hit_has_an_uncertainty_and_one_window_has_no_share() {
        let s = clustered_share(&[0.0; 4], &[100.0; 4]).unwrap();
        assert!(s.estimate().high > 0.001 && s.estimate().low == 0.0);
        assert!(clustered_share(&[5.0], &[10.0]).is_none());
        assert!(clustered_share(&[5.0, 0.0], &[10.0, 0.0]).is_none());
    }

    #[test]
    fn a_common_phase_cancels_in_matched_windows() {
        let (a, b) = ([10.0, 50.0, 20.0, 60.0], [20.0, 100.0, 40.0, 120.0]);
        let a = clustered_share(&a, &[100.0; 4]).unwrap();
        let b = clustered_share(&b, &[200.0; 4]).unwrap();
        let (difference, spread) = matched_difference(&a, &b).unwrap();
        assert!(difference.abs() < 1e-12 && spread.between < 1e-20 && spread.floor > 0.0);
        assert!(a.spread.between > 100.0 * spread.floor.min(1e-4));
    }

    /// Share of simulated windows sets whose 95 % interval covers the true share.
    fn coverage(windows: usize, per_window: u32, share: f64, sd_between: f64, tries: u32) -> f64 {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        let covered = (0..tries).filter(|_| {
            let hits: Vec<f64> = (0..windows)
                .map(|_| {
                    let shift = sd_between * 12f64.sqrt() * (rng.random::<f64>() - 0.5);
                    (0..per_window)
                        .filter(|_| rng.random_bool(share + shift))
                        .count() as f64
                })
                .collect();
            clustered_share(&hits, &vec![f64::from(per_window); windows])
                .unwrap()
                .estimate()
                .covers(share)
        });
        covered.count() as f64 / f64::from(tries)
    }

    #[test]
    fn intervals_cover_with_and_without_over_dispersion() {
        for (windows, per_window, share, sd) in [
            (20, 100, 0.3, 0.0),
            (20, 100, 0.02, 0.0),
            (8, 150, 0.4, 0.1),
            (20, 100, 0.3, 0.08),
        ] {
            let got = coverage(windows, per_window, share, sd, 1500);
            assert!(
                (0.93..=0.99).contains(&got),
                "{windows} windows, sd {sd}: {got}"
            );
        }
    }

    /// The plain binomial interval would fail here: this is the fault that the clustering exists for.
    #[test]
    fn a_binomial_interval_would_not_cover_over_dispersed_windows() {
        let s = clustered_share(&[10.0, 60.0, 20.0, 55.0, 15.0, 70.0], &[100.0; 6]).unwrap();
        assert!(s.spread.half_width(Confidence::P95) > 3.0 * s.spread.floor.sqrt() * 1.96);
    }
}
