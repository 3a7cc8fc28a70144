//! What the measuring noise does to the misses of several sets at once.
//!
//! The misses of one evaluation do not vary independently: they share the ratio of the totals, and a set that gets
//! more samples than it should leaves fewer to the others. So whole sets of errors are drawn: the standard deviation
//! of each is that of its ratio, what they have in common comes from the windows (multiplier bootstrap of the
//! linearised log ratios, one normal multiplier per pair of windows) and from the total.

use proofmark_stats::normal_quantile;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::chosen::Pair;
use crate::ratios::Ratio;

/// Draws, half of them the negatives of the others.
const DRAWS: usize = 400;

/// Errors that measuring could have made, points: per draw one of each set. `total_se` is the relative
/// standard error of the ratio of totals.
pub(crate) fn draw(
    sets: &[Vec<usize>],
    ratios: &[Ratio],
    pairs: &[Pair<'_>],
    total_se: f64,
    seed: u64,
) -> Vec<Vec<f64>> {
    let influences: Vec<Vec<f64>> = sets.iter().map(|set| influence(set, pairs)).collect();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut normal = || normal_quantile((random.random::<f64>()).clamp(1e-12, 1.0 - 1e-12));
    let mut draws = Vec::with_capacity(DRAWS);
    for _ in 0..DRAWS / 2 {
        let multipliers: Vec<f64> = pairs.iter().map(|_| normal()).collect();
        let total = total_se * normal();
        let of = |(ratio, influence): (&Ratio, &Vec<f64>)| {
            let seen: f64 = influence.iter().zip(&multipliers).map(|(a, b)| a * b).sum();
            100.0 * (ratio.share_variance.sqrt() * seen + ratio.ratio * total)
        };
        let one: Vec<f64> = ratios.iter().zip(&influences).map(of).collect();
        draws.push(one.iter().map(|e| -e).collect());
        draws.push(one);
    }
    draws
}

/// How far each pair of windows pulls the log ratio of a set's shares, scaled to a length of 1.
fn influence(set: &[usize], pairs: &[Pair<'_>]) -> Vec<f64> {
    let of = |o: &crate::Observation| set.iter().map(|&c| o.samples[c]).sum::<f64>();
    let sums = |side: &dyn Fn(&Pair<'_>) -> (f64, f64)| {
        pairs
            .iter()
            .map(side)
            .fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    };
    let (own_a, all_a) = sums(&|p| (of(p.0), p.0.all_samples()));
    let (own_b, all_b) = sums(&|p| (of(p.1), p.1.all_samples()));
    let pull = |p: &Pair<'_>| {
        let one = |own: f64, all: f64, (sum, of_all): (f64, f64)| {
            (own - sum / of_all * all) / sum.max(1.0)
        };
        one(of(p.1), p.1.all_samples(), (own_b, all_b))
            - one(of(p.0), p.0.all_samples(), (own_a, all_a))
    };
    let pulls: Vec<f64> = pairs.iter().map(pull).collect();
    let length = pulls.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 {
        pulls.iter().map(|x| x / length).collect()
    } else {
        // Nothing differs between the windows: no sample anywhere, or the set is all there is.
        let alike = (pairs.len() as f64).sqrt().recip();
        vec![alike; pairs.len()]
    }
}
