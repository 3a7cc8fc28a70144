//! The result of doses in blocks, as it is written.

use std::collections::BTreeMap;

use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::MapTruth;
use crate::dose::Attribution;

/// Name of our own sampler among the profilers.
pub const ORACLE: &str = "oracle";

/// Where profilers, and our own sampler, report time that was added to blocks of known methods in the laboratory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BlockDoses {
    /// Margin of the verdicts, points of share; rows may be off by twice as many per cent of the added time.
    pub margin_pt: f64,
    /// What was dosed, in the order of the rows.
    pub targets: Vec<BlockTarget>,
    /// Per profiler what it does with the added time; `oracle` is our own sampler on the block map.
    pub attribution: BTreeMap<String, Attribution>,
    /// Whether the block map may be called truth on this program and machine.
    pub map: MapTruth,
}

/// Code to which time was added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BlockTarget {
    /// The method that owns it.
    pub method: String,
    /// Words for it, such as `block 138 of a.B.run(int)`.
    pub label: String,
    /// Number of blocks.
    pub blocks: usize,
    /// Their share of the program's time without a dose, %; `n` counts samples.
    pub share_pct: Estimate,
    /// Instructions that were put into all of them, under the low and under the high dose.
    pub instructions: [u64; 2],
}
