//! Slowed over baseline time of sets of tunables, with variances from counting samples and between windows.
//!
//! A share p of n samples varies by `p (1 - p) / n`, not by `p / n`: a set that is the whole program has a share without
//! noise, and its ratio is that of the totals. Near 0 and 1, where the share as measured says too little of its variance,
//! two samples are added to either side (Agresti and Coull, The American Statistician 52, 1998).

use proofmark_stats::Estimate;

use crate::Observation;
use crate::chosen::Pair;
use crate::evaluate::{TunableResult, Z95};

/// Weight, in windows, of the spread seen over all sets for a single one's.
const SPREAD_WINDOWS: f64 = 4.0;
/// Samples added to either side of a share before its variance is taken.
const ADDED: f64 = 2.0;

/// Slowed over baseline time of a set of tunables.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ratio {
    /// Share of the baseline time, 0 to 1.
    pub(crate) share: f64,
    /// Slowed over baseline time.
    pub(crate) ratio: f64,
    /// Variance of the ratio by the shares alone, the ratio of totals taken as known.
    pub(crate) share_variance: f64,
    /// Variance of the ratio.
    pub(crate) variance: f64,
    samples: f64,
}

impl Ratio {
    /// As a result, in %.
    pub(crate) fn result(&self) -> TunableResult {
        let percent = |ratio: f64| 100.0 * (ratio - 1.0);
        let half = Z95 * self.variance.sqrt();
        let estimate = Estimate {
            value: percent(self.ratio),
            low: percent(self.ratio - half),
            high: percent(self.ratio + half),
            n: self.samples.round() as u64,
        };
        TunableResult {
            share_pct: 100.0 * self.share,
            achieved_overhead_pct: (self.share > 0.0).then_some(estimate),
        }
    }
}

/// Ratios of all sets; the spread between windows is shrunk to what all sets show together.
pub(crate) fn ratios(
    sets: &[Vec<usize>],
    pairs: &[Pair<'_>],
    total: f64,
    total_variance: f64,
) -> Vec<Ratio> {
    let baseline: Vec<&Observation> = pairs.iter().map(|p| p.0).collect();
    let slowed: Vec<&Observation> = pairs.iter().map(|p| p.1).collect();
    let (a, b) = (shares(sets, &baseline), shares(sets, &slowed));
    let of = |(a, b): (&Share, &Share)| {
        let (ratio, share_variance) = if a.share > 0.0 {
            let ratio = b.share / a.share * total;
            let per_share = total / a.share;
            let relative = ratio / a.share;
            (
                ratio,
                per_share * per_share * b.variance + relative * relative * a.variance,
            )
        } else {
            (0.0, 0.0)
        };
        Ratio {
            share: a.share,
            ratio,
            share_variance,
            variance: share_variance + ratio * ratio * total_variance,
            samples: b.samples,
        }
    };
    a.iter().zip(&b).map(of).collect()
}

/// Share of a set of tunables over windows of one side.
#[derive(Debug, Clone, Copy)]
struct Share {
    share: f64,
    samples: f64,
    /// Variance between windows beyond counting, relative to the squared share.
    excess: f64,
    /// Variance of the share.
    variance: f64,
}

fn shares(sets: &[Vec<usize>], windows: &[&Observation]) -> Vec<Share> {
    let mut shares: Vec<Share> = sets.iter().map(|set| share(set, windows)).collect();
    let n = windows.len() as f64;
    let all: f64 = windows.iter().map(|o| o.all_samples()).sum();
    // A set that is nearly everything can hardly gain or lose: what all show is scaled by the time around each.
    let around: f64 = shares.iter().map(|s| s.share * (1.0 - s.share)).sum();
    let excess: f64 = shares.iter().map(|s| s.share * s.excess).sum();
    let common = excess.max(0.0) / around.max(1e-12);
    for s in &mut shares {
        let around = common * (1.0 - s.share);
        let pooled = (SPREAD_WINDOWS * around + (n - 1.0) * s.excess) / (SPREAD_WINDOWS + n - 1.0);
        s.variance = counted(s.samples, all) + s.share * s.share * pooled.max(0.0) / n;
    }
    shares
}

/// Variance of the share that `samples` of `all` make, by counting alone.
fn counted(samples: f64, all: f64) -> f64 {
    let n = all + 2.0 * ADDED;
    let p = (samples + ADDED) / n;
    p * (1.0 - p) / n
}

fn share(set: &[usize], windows: &[&Observation]) -> Share {
    let of = |o: &Observation| set.iter().map(|&c| o.samples[c]).sum::<f64>();
    let samples: f64 = windows.iter().map(|o| of(o)).sum();
    let all: f64 = windows.iter().map(|o| o.all_samples()).sum();
    let (share, n) = (samples / all, windows.len() as f64);
    let excess = |o: &&Observation| {
        let expected = share * o.all_samples();
        let residual = of(o) / expected - 1.0;
        residual * residual * n / (n - 1.0).max(1.0) - (1.0 - share) / expected
    };
    let excess = if samples > 0.0 {
        windows.iter().map(excess).sum::<f64>() / n
    } else {
        0.0
    };
    Share {
        share,
        samples,
        excess,
        variance: 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(samples: &[f64], outside: f64) -> Observation {
        Observation {
            counts: vec![0; samples.len()],
            iterations: 1.0,
            cpu_ns: 1.0,
            samples: samples.to_vec(),
            outside_samples: outside,
            placements: 1,
            sampled: true,
        }
    }

    fn of_alike(samples: f64, outside: f64) -> Ratio {
        let side = window(&[samples], outside);
        let pairs = vec![(&side, &side); 6];
        ratios(&[vec![0]], &pairs, 2.0, 0.0)[0]
    }

    /// Half of 6 x 1,000 samples: the share has the variance 1/4 over 6,000, relative to its square 1 over 6,000; the ratio
    /// of 2 has it from both sides.
    #[test]
    fn a_share_of_a_half_has_binomial_variance() {
        let of_half = of_alike(500.0, 500.0).variance;
        assert!(
            (of_half / (4.0 * 2.0 / 6000.0) - 1.0).abs() < 1e-3,
            "{of_half}"
        );
    }

    /// The total alone then says how long the set takes; with a variance of 1/n it would be known to 3.7 points.
    #[test]
    fn a_set_that_is_nearly_everything_has_nearly_no_noise_of_its_own() {
        let error_pt = |outside: f64| 100.0 * of_alike(1000.0 - outside, outside).variance.sqrt();
        assert!(error_pt(0.0) < 0.1, "{}", error_pt(0.0));
        assert!((0.3..0.45).contains(&error_pt(10.0)), "{}", error_pt(10.0));
    }

    /// No sample under the plan does not mean that this is known.
    #[test]
    fn a_set_that_vanished_has_an_interval() {
        let (a, b) = (window(&[20.0], 980.0), window(&[0.0], 1000.0));
        let found = ratios(&[vec![0]], &[(&a, &b), (&a, &b)], 1.0, 0.0)[0];
        assert!(
            found.ratio == 0.0 && found.variance.sqrt() > 0.01,
            "{found:?}"
        );
    }
}
