//! Ratio of two conditions measured in interleaved pairs.

use crate::mean::{mean_spread, mean_t};
use crate::{Estimate, Spread, mean, pseudomedian};

/// Ratio `b / a` of interleaved pairs `(a, b)` of positive times: geometric mean with a t interval on the logarithms.
/// `None` below two pairs or if a value is not positive. `n` counts pairs.
///
/// # Accuracy
/// Slow drift cancels inside a pair. Exact if the logarithms of the ratios are normal; measured pairs have a standard
/// deviation of about 2 %, so 16 pairs give +-1 %.
#[must_use]
pub fn paired_ratio(pairs: &[(f64, f64)]) -> Option<Estimate> {
    Some(mean_t(&log_ratios(pairs)?)?.map_increasing(f64::exp))
}

/// As [`paired_ratio`], but neither a pair in which the machine was taken away for a while nor a few of them count:
/// pseudomedian of the logarithms with Wilcoxon's interval. Below six pairs, where that has no interval, Student's.
///
/// # Accuracy
/// Needs logarithms that scatter symmetrically: a disturbance must meet either side of a pair as easily. See
/// [`pseudomedian`].
#[must_use]
pub fn paired_ratio_robust(pairs: &[(f64, f64)]) -> Option<Estimate> {
    let logs = log_ratios(pairs)?;
    let centre = pseudomedian(&logs).or_else(|| mean_t(&logs))?;
    Some(centre.map_increasing(f64::exp))
}

/// Mean log ratio `ln(b / a)` of interleaved pairs with its uncertainty, for formulas that need more than an interval.
/// `None` as in [`paired_ratio`].
#[must_use]
pub fn paired_ratio_spread(pairs: &[(f64, f64)]) -> Option<(f64, Spread)> {
    let logs = log_ratios(pairs)?;
    Some((mean(&logs), mean_spread(&logs)?))
}

fn log_ratios(pairs: &[(f64, f64)]) -> Option<Vec<f64>> {
    pairs
        .iter()
        .map(|(a, b)| (*a > 0.0 && *b > 0.0).then(|| (b / a).ln()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIRS: [(f64, f64); 4] = [(1.0, 2.0), (2.0, 4.4), (1.5, 2.85), (1.2, 2.4)];

    /// By hand: ln ratios .693147 .788457 .641854 .693147; mean .704151, sd .0612, se .0306, t(3) 3.182.
    #[test]
    fn by_hand() {
        let e = paired_ratio(&PAIRS).unwrap();
        assert!((e.value - 2.022_13).abs() < 1e-4, "{e:?}");
        assert!(
            (e.low - 1.8342).abs() < 2e-3 && (e.high - 2.2293).abs() < 2e-3,
            "{e:?}"
        );
        assert_eq!(e.n, 4);
    }

    #[test]
    fn swapping_the_sides_inverts_the_ratio() {
        let swapped = paired_ratio(&PAIRS.map(|(a, b)| (b, a))).unwrap();
        let e = paired_ratio(&PAIRS).unwrap();
        assert!(
            (swapped.value * e.value - 1.0).abs() < 1e-12
                && (swapped.low * e.high - 1.0).abs() < 1e-12
        );
    }

    /// One pair of twelve during which the machine was away for half of the slowed window.
    #[test]
    fn a_disturbed_pair_does_not_move_the_robust_ratio() {
        let mut pairs: Vec<(f64, f64)> = (0..12)
            .map(|i| (1.0, 2.0 + 0.01 * f64::from(i % 3 - 1)))
            .collect();
        pairs[4].1 = 3.0;
        let (robust, plain) = (
            paired_ratio_robust(&pairs).unwrap(),
            paired_ratio(&pairs).unwrap(),
        );
        assert!((robust.value - 2.0).abs() < 0.006, "{robust:?}");
        assert!(
            robust.half_width() < plain.half_width() / 5.0,
            "{robust:?} {plain:?}"
        );
        assert_eq!(
            paired_ratio_robust(&PAIRS),
            paired_ratio(&PAIRS),
            "four pairs have no ranks"
        );
    }

    #[test]
    fn zero_times_are_refused() {
        assert_eq!(paired_ratio(&[(0.0, 1.0), (1.0, 1.0)]), None);
    }
}
