//! Which change could a comparison have found?

use proofmark_stats::Spread;

/// Standard errors beyond the threshold at which four of five changes lie above it (quantile of the normal distribution).
const FOUR_OF_FIVE: f64 = 0.841_621;
/// No share changes by more, points.
const MOST_PT: f64 = 100.0;
/// Halvings of 100 points: the answer is exact to a millionth of a point.
const HALVINGS: u32 = 27;

/// The smallest change of a mean share, points, that a comparison of so many methods finds in four of five cases if it is
/// the only one: with it, `p_value` is below `rate` / `methods`. At most 100.
pub(super) fn detectable_pt(spread: &Spread, rate: f64, methods: usize) -> f64 {
    let needed = rate / methods.max(1) as f64;
    let (mut low, mut high) = (0.0, MOST_PT);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if spread.p_value(middle) <= needed {
            high = middle;
        } else {
            low = middle;
        }
    }
    (high + FOUR_OF_FIVE * spread.standard_error()).min(MOST_PT)
}
