//! Judging a plan in fresh windows that the search did not use.
//!
//! Overhead: unsampled interleaved windows, pseudomedian of the pair ratios with Wilcoxon's interval
//! (below six pairs Student's), because a neighbour on the machine disturbs some (Towers: a
//! half-width of 2.4 points by means, 1.2 so).
//! Blocks: `share slowed / share baseline * ratio of totals`, against 1 + target. Their standard
//! errors are Poisson plus what the windows (each with its own code placements) differ beyond it,
//! plus that of the total. Intervals of the mean errors: bootstrap over rounds (over windows below
//! five rounds). A replicate carries the noise twice, so its standard errors are widened by the
//! root of 2 and the replicates are centred on the estimate.
//!
//! *Accuracy.* See `denoise`; with the simulated laboratory the noise-free block error is found to
//! 1.5 points on average (tests).

use proofmark_stats::{Estimate, paired_ratio_robust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::denoise::{MeanErrors, Miss, mean_errors};
use crate::model::{dense_clusters, dense_groups};
use crate::ratios::{Ratio, ratios};
use crate::{Cell, CellKind, Observation, Round, SearchError};

const REPLICATES: usize = 150;
pub(crate) const Z95: f64 = 1.959_963_985;

/// What a plan does, measured apart from the search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evaluation {
    /// Overhead of the program, %; n: pairs of interleaved windows (unsampled where there are any).
    pub overhead_pct: Estimate,
    /// Mean absolute miss of the judged blocks, weighted by baseline time, points, measuring noise
    /// removed; n: rounds (of this and the following).
    pub block_error_pt: Estimate,
    /// The same as measured, noise included.
    pub block_error_raw_pt: Estimate,
    /// What the raw error would be if every block were exactly on target.
    pub block_error_noise_pt: Estimate,
    /// As `block_error_pt`, with every block on its own, also those that are judged together.
    pub short_block_error_pt: Estimate,
    /// As `block_error_pt`, per loop cluster.
    pub cluster_error_pt: Estimate,
    /// As `block_error_raw_pt`, per loop cluster.
    pub cluster_error_raw_pt: Estimate,
    /// Part of the judged time in blocks within 10 points of the target, noise removed, %.
    pub within_10_pt_pct: Estimate,
    /// Share of the program's baseline time in judged blocks, %.
    pub coverage_pct: f64,
    /// Per cell, in their order.
    pub cells: Vec<CellResult>,
}

/// A cell in the evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CellResult {
    /// Share of the program's baseline time, %.
    pub share_pct: f64,
    /// Overhead achieved, %; n: slowed samples. None if it had no baseline sample.
    pub achieved_overhead_pct: Option<Estimate>,
}

/// A baseline window and the slowed window beside it.
pub(crate) type Pair<'a> = (&'a Observation, &'a Observation);

/// Evaluates rounds measured under one plan against the target (1.0 = +100 %).
///
/// # Errors
/// If a window is impossible or there are less than two pairs of sampled windows or of windows that
/// give the total.
pub fn evaluate(
    cells: &[Cell],
    rounds: &[Round],
    target: f64,
    seed: u64,
) -> Result<Evaluation, SearchError> {
    let windows = || {
        rounds
            .iter()
            .flat_map(|r| r.baseline.iter().chain(&r.slowed))
    };
    windows().try_for_each(|o| o.check(cells.len()))?;
    let groups: Vec<Group<'_>> = rounds.iter().map(Group::of).collect();
    let all: Vec<&Group<'_>> = groups.iter().collect();
    let overhead =
        overhead(&all).ok_or(SearchError::BadRound("fewer than two pairs of windows"))?;
    let pairs = all.iter().map(|g| g.sampled.len()).sum::<usize>();
    if pairs < 2 {
        return Err(SearchError::BadRound(
            "fewer than two pairs of sampled windows",
        ));
    }
    let view = View::new(cells, target);
    let measured = view
        .measure(&all, 1.0)
        .ok_or(SearchError::BadRound("no samples"))?;
    let replicates = replicates(&view, &groups, seed);
    let n = rounds.len() as u64;
    let interval = |of: &dyn Fn(&Measured) -> f64| {
        around(of(&measured), replicates.iter().map(of).collect(), n)
    };
    Ok(Evaluation {
        overhead_pct: overhead.percent(),
        block_error_pt: interval(&|m| m.blocks.denoised),
        block_error_raw_pt: interval(&|m| m.blocks.raw),
        block_error_noise_pt: interval(&|m| m.blocks.noise),
        short_block_error_pt: interval(&|m| m.alone.denoised),
        cluster_error_pt: interval(&|m| m.clusters.denoised),
        cluster_error_raw_pt: interval(&|m| m.clusters.raw),
        within_10_pt_pct: capped(interval(&|m| 100.0 * m.blocks.near)),
        coverage_pct: 100.0 * measured.coverage,
        cells: measured.cells,
    })
}

/// Interleaved pairs of one resampling unit.
#[derive(Debug, Clone, Default)]
struct Group<'a> {
    sampled: Vec<Pair<'a>>,
    unsampled: Vec<Pair<'a>>,
}

impl<'a> Group<'a> {
    fn of(round: &'a Round) -> Self {
        let pairs = |sampled: bool| {
            let side =
                |windows: &'a [Observation]| windows.iter().filter(move |o| o.sampled == sampled);
            side(&round.baseline).zip(side(&round.slowed)).collect()
        };
        Group {
            sampled: pairs(true),
            unsampled: pairs(false),
        }
    }

    /// Every pair a group of its own; unsampled ones go along with sampled ones.
    fn split(&self) -> Vec<Group<'a>> {
        let n = self.sampled.len().max(1);
        let of = |i: usize| Group {
            sampled: self.sampled.get(i).into_iter().copied().collect(),
            unsampled: self.unsampled.iter().skip(i).step_by(n).copied().collect(),
        };
        (0..n).map(of).collect()
    }
}

/// Ratio of totals with its interval.
#[derive(Debug, Clone, Copy)]
struct Overhead(Estimate);

impl Overhead {
    fn percent(self) -> Estimate {
        let percent = |ratio: f64| 100.0 * (ratio - 1.0);
        let Estimate {
            value,
            low,
            high,
            n,
        } = self.0;
        Estimate {
            value: percent(value),
            low: percent(low),
            high: percent(high),
            n,
        }
    }
}

fn overhead(groups: &[&Group<'_>]) -> Option<Overhead> {
    let times = |(a, b): &Pair<'_>| (a.ns_per_iteration(), b.ns_per_iteration());
    let unsampled: Vec<(f64, f64)> = groups
        .iter()
        .flat_map(|g| &g.unsampled)
        .map(times)
        .collect();
    let sampled = || {
        groups
            .iter()
            .flat_map(|g| &g.sampled)
            .map(times)
            .collect::<Vec<_>>()
    };
    paired_ratio_robust(&unsampled)
        .or_else(|| paired_ratio_robust(&sampled()))
        .map(Overhead)
}

/// Everything that one set of windows says.
#[derive(Debug, Clone)]
struct Measured {
    blocks: MeanErrors,
    alone: MeanErrors,
    clusters: MeanErrors,
    coverage: f64,
    cells: Vec<CellResult>,
}

/// Which samples are added up to what.
struct View {
    /// Cells of each judged set of blocks, of each judged block, of each cluster of them, and each cell.
    blocks: Vec<Vec<usize>>,
    alone: Vec<Vec<usize>>,
    clusters: Vec<Vec<usize>>,
    cells: Vec<Vec<usize>>,
    target: f64,
}

impl View {
    fn new(cells: &[Cell], target: f64) -> Self {
        let judged: Vec<usize> = (0..cells.len())
            .filter(|&c| cells[c].kind == CellKind::Block)
            .collect();
        let sets = |(of, n): (Vec<usize>, usize)| {
            let mut sets = vec![Vec::new(); n];
            judged.iter().for_each(|&c| sets[of[c]].push(c));
            sets.retain(|members| !members.is_empty());
            sets
        };
        View {
            blocks: sets(dense_groups(cells)),
            clusters: sets(dense_clusters(cells)),
            alone: judged.iter().map(|&c| vec![c]).collect(),
            cells: (0..cells.len()).map(|c| vec![c]).collect(),
            target,
        }
    }

    /// `widen`: factor on the variances of the misses.
    fn measure(&self, groups: &[&Group<'_>], widen: f64) -> Option<Measured> {
        let pairs: Vec<Pair<'_>> = groups.iter().flat_map(|g| &g.sampled).copied().collect();
        let total = overhead(groups)?.0;
        let log_sd = ((total.high.ln() - total.low.ln()) / (2.0 * Z95)).max(0.0);
        let ratios = |sets: &[Vec<usize>]| ratios(sets, &pairs, total.value, log_sd * log_sd);
        let misses = |ratios: &[Ratio]| {
            let miss = |r: &Ratio| Miss {
                weight: r.share,
                miss: 100.0 * (r.ratio - 1.0 - self.target),
                se: 100.0 * (widen * r.variance).sqrt(),
            };
            mean_errors(
                &ratios
                    .iter()
                    .filter(|r| r.share > 0.0)
                    .map(miss)
                    .collect::<Vec<_>>(),
            )
        };
        let blocks = ratios(&self.blocks);
        Some(Measured {
            coverage: blocks.iter().map(|r| r.share).sum(),
            blocks: misses(&blocks),
            alone: misses(&ratios(&self.alone)),
            clusters: misses(&ratios(&self.clusters)),
            cells: ratios(&self.cells).iter().map(Ratio::result).collect(),
        })
    }
}

/// Bootstrap replicates over rounds, or over windows where there are few rounds.
fn replicates(view: &View, groups: &[Group<'_>], seed: u64) -> Vec<Measured> {
    let few = groups.len() < 5;
    let units: Vec<Group<'_>> = if few {
        groups.iter().flat_map(Group::split).collect()
    } else {
        groups.to_vec()
    };
    let mut state = seed ^ 0x5bd1_e995;
    let mut draw = || {
        // Numerical Recipes' 64-bit linear congruential generator; the upper bits are good enough here.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % units.len()
    };
    let replicate = |_| {
        let picked: Vec<&Group<'_>> = (0..units.len()).map(|_| &units[draw()]).collect();
        view.measure(&picked, 2.0)
    };
    (0..REPLICATES).filter_map(replicate).collect()
}

/// The estimate with the middle 95 % of its replicates, centred.
fn around(value: f64, mut replicates: Vec<f64>, n: u64) -> Estimate {
    if replicates.is_empty() {
        return Estimate {
            value,
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            n,
        };
    }
    let centre = replicates.iter().sum::<f64>() / replicates.len() as f64;
    replicates.sort_by(f64::total_cmp);
    let at = |p: f64| replicates[((replicates.len() - 1) as f64 * p).round() as usize] - centre;
    Estimate {
        value,
        low: (value + at(0.025).min(0.0)).max(0.0),
        high: value + at(0.975).max(0.0),
        n,
    }
}

fn capped(estimate: Estimate) -> Estimate {
    Estimate {
        high: estimate.high.min(100.0),
        ..estimate
    }
}
