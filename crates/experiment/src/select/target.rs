//! Blocks for experiments in which a single block is slowed.

use std::collections::BTreeSet;
use std::sync::Arc;

use proofmark_stats::Estimate;
use serde::{Deserialize, Serialize};

use proofmark_blocks::{BlockKey, CodeMap};

use super::selection::{Cell, Selection};

/// A block whose slowing should raise the share of exactly one method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SingleTarget {
    /// The block.
    pub block: BlockKey,
    /// Index of its cluster in the selection.
    pub cluster: u32,
    /// The one method that owns the cluster: time may move inside of it and still is that method's. None if
    /// several do: then look first who owns the inserted instructions, and whether the added time stays in them.
    pub owner: Option<String>,
    /// Share of the block in the program's time, 0 to 1.
    pub share: Estimate,
    /// Share of the cluster, 0 to 1: time may move inside of it.
    pub cluster_share: Estimate,
}

/// Judged blocks: first those whose whole cluster has one owner, of each cluster only the largest, then those
/// of shared clusters; the largest share first.
#[must_use]
pub fn single_targets(map: &CodeMap, selection: &Selection) -> Vec<SingleTarget> {
    let mut targets: Vec<SingleTarget> = selection
        .cells
        .iter()
        .filter_map(|cell| single_target(map, selection, cell))
        .collect();
    targets.sort_by(|left, right| {
        let by_share = right.share.value.total_cmp(&left.share.value);
        right
            .owner
            .is_some()
            .cmp(&left.owner.is_some())
            .then(by_share)
    });
    let mut clusters = BTreeSet::new();
    targets.retain(|target| target.owner.is_none() || clusters.insert(target.cluster));
    targets
}

fn single_target(map: &CodeMap, selection: &Selection, cell: &Cell) -> Option<SingleTarget> {
    let cluster = cell.cluster.filter(|_| !cell.is_pool())?;
    let member = cell.members.first()?;
    let around = &selection.clusters[cluster as usize];
    let owners: BTreeSet<Arc<str>> = around
        .blocks
        .iter()
        .flat_map(|block| map.owners_of_block(around.unit, *block))
        .collect();
    let only = owners.first().filter(|_| owners.len() == 1);
    Some(SingleTarget {
        block: member.block,
        cluster,
        owner: only.map(ToString::to_string),
        share: member.share,
        cluster_share: around.share,
    })
}

/// How a block is slowed so that the run time grows by a given part.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SlowingStep {
    /// Instructions to insert.
    pub instructions: u32,
    /// Growth of the run time that they should give, 0.10 for +10 %.
    pub growth: f64,
}

/// What a block and the machine bring to [`slowing_for`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockRate {
    /// Executions of the block per second of CPU time of the program.
    pub executions_per_s: f64,
    /// Cycles that an inserted instruction costs (calibrated on this machine, or seen in this block).
    pub cycles_per_instruction: f64,
    /// Clock of the core in Hz.
    pub clock_hz: f64,
}

impl BlockRate {
    /// Growth of the run time per inserted instruction and without free issue slots.
    fn growth_per_instruction(&self) -> f64 {
        self.executions_per_s * self.cycles_per_instruction / self.clock_hz
    }
}

/// Instructions that make the program's run time grow by `growth` (0.10 for +10 %; choose within
/// 0.05 to 0.15). None if one instruction gives more than 0.15 or `limit` of them give less than 0.05.
///
/// # Accuracy
/// A first guess: the first instructions may be free, and the cost differs from block to block
/// (0.13 to 0.7 cycles seen). The growth achieved is to be measured.
#[must_use]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub fn slowing_for(rate: &BlockRate, growth: f64, limit: u32) -> Option<SlowingStep> {
    let each = rate.growth_per_instruction();
    if !(each > 0.0 && each.is_finite()) {
        return None;
    }
    let instructions = (growth / each).round().clamp(1.0, f64::from(limit)) as u32;
    let growth = each * f64::from(instructions);
    (0.05 - 1e-9..=0.15 + 1e-9)
        .contains(&growth)
        .then_some(SlowingStep {
            instructions,
            growth,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(executions_per_s: f64) -> BlockRate {
        BlockRate {
            executions_per_s,
            cycles_per_instruction: 0.2,
            clock_hz: 3.5e9,
        }
    }

    #[test]
    fn instructions_for_ten_percent() {
        let step = slowing_for(&rate(35e6), 0.1, 1000).unwrap();
        assert_eq!(step.instructions, 50);
        assert!((step.growth - 0.1).abs() < 1e-9);
    }

    #[test]
    fn rare_blocks_would_need_too_many() {
        assert_eq!(slowing_for(&rate(1e4), 0.1, 1000), None);
        assert_eq!(slowing_for(&rate(0.0), 0.1, 1000), None);
    }

    #[test]
    fn very_frequent_blocks_are_too_coarse() {
        assert_eq!(slowing_for(&rate(3.5e9), 0.1, 1000), None);
        assert_eq!(slowing_for(&rate(2e9), 0.1, 1000).unwrap().instructions, 1);
    }
}
