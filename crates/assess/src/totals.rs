//! Total times: how much longer an iteration takes under one condition than under another.

use crate::{Condition, ProfilerEvidence};
use proofmark_stats::{Estimate, Spread, mean, paired_ratio, paired_ratio_spread};
use std::collections::BTreeMap;

/// Ratio of total times of one condition over those of another, pairs inside blocks of the schedule: estimate, mean
/// logarithm and its spread.
pub(crate) fn ratio_of(
    p: &ProfilerEvidence,
    (from, to): (Condition, Condition),
) -> Option<(Estimate, f64, Spread)> {
    let pairs = block_pairs(p, (from, to));
    if pairs.len() < 2 {
        return None;
    }
    let (log, spread) = paired_ratio_spread(&pairs)?;
    Some((paired_ratio(&pairs)?, log, spread))
}

/// Geometric mean iteration times under both conditions per block that has both.
fn block_pairs(p: &ProfilerEvidence, (from, to): (Condition, Condition)) -> Vec<(f64, f64)> {
    let mut blocks: BTreeMap<u32, [Vec<f64>; 2]> = BTreeMap::new();
    for w in p.totals.iter().filter(|w| !w.iteration_ms.is_empty()) {
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
