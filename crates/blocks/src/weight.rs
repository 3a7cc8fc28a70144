//! Weighted samples and shares of them.

use proofmark_stats::Estimate;
use serde::{Deserialize, Serialize};

/// Weight of samples. A sample's weight is the time it stands for (any unit, the same for all: for
/// example the sampling period in ns); one that is divided among blocks counts with its fractions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Weight {
    /// Sum of the weights.
    pub sum: f64,
    /// Sum of the squared weights.
    pub squares: f64,
}

impl Weight {
    /// Adds a sample (or a fraction of one) of weight `weight`.
    pub fn add(&mut self, weight: f64) {
        self.sum += weight;
        self.squares += weight * weight;
    }

    /// Adds the samples of another window.
    pub fn merge(&mut self, other: &Self) {
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// Number of samples of equal weight that would be as precise.
    #[must_use]
    pub fn samples(&self) -> f64 {
        if self.squares > 0.0 {
            self.sum * self.sum / self.squares
        } else {
            0.0
        }
    }

    /// Share of `whole`, 0 to 1, with `n` the effective number of samples of the whole.
    ///
    /// # Accuracy
    /// Wilson's 95 % interval for `whole.samples()` independent samples: measured shares show no
    /// more spread than that, but samples that resonate with the program do, and a common change
    /// of speed within the window is not in it. Without samples: 0 (0 to 1).
    #[must_use]
    pub fn share_of(&self, whole: &Self) -> Estimate {
        let n = whole.samples();
        if n <= 0.0 {
            return Estimate {
                value: 0.0,
                low: 0.0,
                high: 1.0,
                n: 0,
            };
        }
        let p = (self.sum / whole.sum).clamp(0.0, 1.0);
        let z2 = Z95 * Z95;
        let middle = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half = Z95 / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
        let low = (middle - half).clamp(0.0, p);
        let high = (middle + half).clamp(p, 1.0);
        Estimate {
            value: p,
            low,
            high,
            n: whole_number(n),
        }
    }
}

const Z95: f64 = 1.959_963_984_540_054;

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole_number(n: f64) -> u64 {
    n.round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(count: usize, weight: f64) -> Weight {
        let mut all = Weight::default();
        (0..count).for_each(|_| all.add(weight));
        all
    }

    #[test]
    fn equal_weights_give_wilsons_interval() {
        let share = samples(30, 7.0).share_of(&samples(100, 7.0));
        assert!((share.value - 0.3).abs() < 1e-12);
        assert!((share.low - 0.2189).abs() < 1e-4, "{share:?}");
        assert!((share.high - 0.3959).abs() < 1e-4, "{share:?}");
        assert_eq!(share.n, 100);
    }

    #[test]
    fn unequal_weights_are_worth_fewer_samples() {
        let mut mixed = samples(50, 1.0);
        mixed.merge(&samples(50, 3.0));
        assert!((mixed.samples() - 80.0).abs() < 1e-9);
    }

    #[test]
    fn no_samples_say_nothing() {
        let share = Weight::default().share_of(&Weight::default());
        assert!(share.low == 0.0 && share.high == 1.0 && share.n == 0);
    }
}
