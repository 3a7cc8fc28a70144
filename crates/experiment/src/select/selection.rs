//! What is judged, together with what, and what is left out: the words for it.

use std::fmt;

use proofmark_rules::{BLOCK_STANDARD_ERROR, UNIT_SHARE};
use proofmark_stats::Estimate;

use proofmark_blocks::BlockKey;

/// Limits of the selection.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SelectionSettings {
    /// Smallest share of a unit, 0 to 1. Default is [`UNIT_SHARE`].
    pub unit_share: f64,
    /// Ratio of slowed to baseline time that is to be judged. Default is 2.0 (+100 %).
    pub ratio: f64,
    /// Standard error that the ratio of a judged tunable may have. Default is [`BLOCK_STANDARD_ERROR`].
    pub standard_error: f64,
    /// Baseline samples (of equal weight) that judging will have; none: as many as were seen.
    pub samples: Option<f64>,
    /// Cycles per execution below which a block cannot be set, because one inserted instruction is too
    /// much. Default is 1.0. Needs counts.
    pub shortest_block_cycles: f64,
    /// Cycles per execution from which a block is judged on its own, eight borders of this machine (see
    /// [`crate::Resolution`]). Default is 8.0. Needs counts.
    pub shortest_judged_cycles: f64,
    /// Cycles per iteration of its surroundings below which a loop joins them. Default is 50.
    /// Needs counts.
    pub merge_below_cycles: f64,
}

impl Default for SelectionSettings {
    fn default() -> Self {
        Self {
            unit_share: UNIT_SHARE,
            ratio: 2.0,
            standard_error: BLOCK_STANDARD_ERROR,
            samples: None,
            shortest_block_cycles: 1.0,
            shortest_judged_cycles: 8.0,
            merge_below_cycles: 50.0,
        }
    }
}

/// Why something is not judged on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// Outside of all code that the plug-in reported.
    OutsideOfUnits,
    /// A unit below the smallest share.
    SmallUnit,
    /// Slow paths and stubs of a unit, which belong to no block.
    NoBlock,
    /// Too few samples for the standard error wanted.
    TooFewSamples,
    /// Too few cycles per execution for an inserted instruction to set its time.
    TooShort,
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::OutsideOfUnits => "outside of the code compiled by the laboratory",
            Self::SmallUnit => "unit below the smallest share",
            Self::NoBlock => "slow path or stub, not in any block",
            Self::TooFewSamples => "too few samples",
            Self::TooShort => "too few cycles per execution",
        })
    }
}

/// A block in a tunable.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Which block.
    pub block: BlockKey,
    /// Share of the program's time, 0 to 1.
    pub share: Estimate,
    /// Why it is not judged alone; none if it is.
    pub pooled: Option<Reason>,
}

/// What is judged as one: a block, or a pool of blocks that are too small on their own.
#[derive(Debug, Clone, PartialEq)]
pub struct Tunable {
    /// Index in [`Selection::tunables`].
    pub id: u32,
    /// Index of the unit.
    pub unit: u32,
    /// Index in [`Selection::clusters`]; none for a pool from several clusters of the unit.
    pub cluster: Option<u32>,
    /// Its blocks, in emission order.
    pub members: Vec<Member>,
    /// Share of the program's time, 0 to 1.
    pub share: Estimate,
}

impl Tunable {
    /// True if it is a pool, even of one block.
    #[must_use]
    pub fn is_pool(&self) -> bool {
        self.members.iter().any(|member| member.pooled.is_some())
    }
}

/// A cluster of a selected unit.
#[derive(Debug, Clone, PartialEq)]
pub struct SelectedCluster {
    /// Index of the unit.
    pub unit: u32,
    /// Header of its outermost loop; none outside of loops.
    pub header: Option<u32>,
    /// Ids of all its blocks, in emission order.
    pub blocks: Vec<u32>,
    /// Share of the program's time, 0 to 1.
    pub share: Estimate,
}

/// Time that is not judged at all.
#[derive(Debug, Clone, PartialEq)]
pub struct Exclusion {
    /// Unit, where it lies in one.
    pub unit: Option<u32>,
    /// Ids of the blocks, where it is a matter of some blocks of the unit.
    pub blocks: Vec<u32>,
    /// Why.
    pub reason: Reason,
    /// Share of the program's time, 0 to 1.
    pub share: Estimate,
}

/// What is judged. Tunables and exclusions together are all of the program's time.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// Units of the tunables, by index.
    pub units: Vec<u32>,
    /// Clusters of these units.
    pub clusters: Vec<SelectedCluster>,
    /// Tunables; no block is in two of them.
    pub tunables: Vec<Tunable>,
    /// What is in no tunable, the largest share first.
    pub excluded: Vec<Exclusion>,
    /// Share of the program's time in blocks that are judged one by one.
    pub judged: Estimate,
    /// Share of the program's time in all tunables, pools included.
    pub covered: Estimate,
    /// Smallest share that a tunable may have.
    pub detectable_share: f64,
}
