//! Slowed over baseline time of sets of cells, with variances from Poisson and between windows.

use proofmark_stats::Estimate;

use crate::Observation;
use crate::evaluate::{CellResult, Pair, Z95};

/// Weight, in windows, of the spread seen over all sets for a single one's.
const SPREAD_WINDOWS: f64 = 4.0;

/// Slowed over baseline time of a set of cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ratio {
    pub(crate) share: f64,
    pub(crate) ratio: f64,
    pub(crate) variance: f64,
    samples: f64,
}

impl Ratio {
    /// As a result, in %.
    pub(crate) fn result(&self) -> CellResult {
        let percent = |ratio: f64| 100.0 * (ratio - 1.0);
        let half = Z95 * self.variance.sqrt();
        let estimate = Estimate {
            value: percent(self.ratio),
            low: percent(self.ratio - half),
            high: percent(self.ratio + half),
            n: self.samples.round() as u64,
        };
        CellResult {
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
        let ratio = if a.share > 0.0 {
            b.share / a.share * total
        } else {
            0.0
        };
        let variance = ratio * ratio * (a.relative_variance + b.relative_variance + total_variance);
        Ratio {
            share: a.share,
            ratio,
            variance,
            samples: b.samples,
        }
    };
    a.iter().zip(&b).map(of).collect()
}

/// Share of a set of cells over windows of one side.
#[derive(Debug, Clone, Copy)]
struct Share {
    share: f64,
    samples: f64,
    /// Variance between windows beyond Poisson, relative to the squared share.
    excess: f64,
    relative_variance: f64,
}

fn shares(sets: &[Vec<usize>], windows: &[&Observation]) -> Vec<Share> {
    let mut shares: Vec<Share> = sets.iter().map(|set| share(set, windows)).collect();
    let n = windows.len() as f64;
    let weight: f64 = shares.iter().map(|s| s.share).sum::<f64>().max(1e-12);
    let common = shares
        .iter()
        .map(|s| s.share * s.excess)
        .sum::<f64>()
        .max(0.0)
        / weight;
    for s in &mut shares {
        let pooled = (SPREAD_WINDOWS * common + (n - 1.0) * s.excess) / (SPREAD_WINDOWS + n - 1.0);
        s.relative_variance = 1.0 / s.samples.max(0.5) + pooled.max(0.0) / n;
    }
    shares
}

fn share(set: &[usize], windows: &[&Observation]) -> Share {
    let of = |o: &Observation| set.iter().map(|&c| o.samples[c]).sum::<f64>();
    let samples: f64 = windows.iter().map(|o| of(o)).sum();
    let all: f64 = windows.iter().map(|o| o.all_samples()).sum();
    let (share, n) = (samples / all, windows.len() as f64);
    let excess = |o: &&Observation| {
        let expected = share * o.all_samples();
        let residual = of(o) / expected - 1.0;
        residual * residual * n / (n - 1.0).max(1.0) - 1.0 / expected
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
        relative_variance: 0.0,
    }
}
