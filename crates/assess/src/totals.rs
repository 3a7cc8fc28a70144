//! Total times: how much longer an iteration takes under one condition than under another.

use crate::between;
use crate::{Condition, ProfilerEvidence, TotalWindow};
use proofmark_stats::{Estimate, Spread, mean, paired_ratio, paired_ratio_spread};
use std::collections::BTreeMap;

/// Ratio of total times of one condition over those of another, pairs inside blocks of the schedule, over runs where there
/// are several: estimate, mean logarithm and its spread.
pub(crate) fn ratio_of(
    p: &ProfilerEvidence,
    conditions: (Condition, Condition),
) -> Option<(Estimate, f64, Spread)> {
    let in_run = |run: u32| ratio_in(p, conditions, Some(run));
    let runs: Vec<_> = between::runs_of(p).into_iter().filter_map(in_run).collect();
    between::ratio(&runs).or_else(|| ratio_in(p, conditions, None))
}

/// The same in the windows of one run; of all runs together without one.
pub(crate) fn ratio_in(
    p: &ProfilerEvidence,
    conditions: (Condition, Condition),
    run: Option<u32>,
) -> Option<(Estimate, f64, Spread)> {
    let pairs = block_pairs(p, conditions, run);
    if pairs.len() < 2 {
        return None;
    }
    let (log, spread) = paired_ratio_spread(&pairs)?;
    Some((paired_ratio(&pairs)?, log, spread))
}

/// Geometric mean iteration times under both conditions per block that has both.
fn block_pairs(
    p: &ProfilerEvidence,
    (from, to): (Condition, Condition),
    run: Option<u32>,
) -> Vec<(f64, f64)> {
    let mut blocks: BTreeMap<u32, [Vec<f64>; 2]> = BTreeMap::new();
    let of_run = |w: &&TotalWindow| run.is_none_or(|run| w.at.run == run);
    let windows = p.totals.iter().filter(of_run);
    for w in windows.filter(|w| !w.iteration_ms.is_empty()) {
        let time = mean(&w.iteration_ms).ln();
        let block = blocks.entry(w.at.block).or_default();
        if w.at.condition == from {
            block[0].push(time);
        } else if w.at.condition == to {
            block[1].push(time);
        }
    }
    let both = blocks
        .into_values()
        .filter(|[a, b]| !a.is_empty() && !b.is_empty());
    both.map(|[a, b]| (mean(&a).exp(), mean(&b).exp()))
        .filter(|(a, b)| *a > 0.0 && *b > 0.0)
        .collect()
}
