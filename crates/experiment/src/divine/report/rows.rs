//! Parts of a [`DivineReport`](crate::DivineReport).

use proofmark_divine::Reason;
use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A compilation unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UnitRow {
    /// Root method.
    pub name: String,
    /// Structural signature before any insertion.
    pub signature: String,
    /// Blocks judged one by one.
    pub judged: u64,
    /// Blocks in pools.
    pub pooled: u64,
}

/// How much of the machine code of a plan's units knows its source position, before anything is inserted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DebugInfo {
    /// Compilation units.
    pub units: u64,
    /// Basic blocks.
    pub blocks: u64,
    /// Operations that made machine code, in blocks.
    pub operations: u64,
    /// Those of which the compiler kept a source position.
    pub positioned: u64,
}

impl DebugInfo {
    /// Operations with a source position, % of all; none without operations.
    #[must_use]
    pub fn positioned_pct(&self) -> Option<f64> {
        (self.operations > 0).then(|| 100.0 * self.positioned as f64 / self.operations as f64)
    }
}

/// What samples can tell on a machine.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Resolved {
    /// How far the time of a block can be off, cycles per execution; n: samples of code of known length.
    pub border_cycles: Estimate,
    /// Cycles per execution from which a block is judged alone. Shorter ones are judged in sets of that length, or with all
    /// code around them.
    pub shortest_judged_cycles: f64,
}

/// Blocks that are judged as one, or a block that is judged alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SetRow {
    /// Unit.
    pub unit: String,
    /// Number of the set, as in the rows of its blocks; none for a block that is judged alone.
    pub group: Option<u32>,
    /// Block id of its first row.
    pub block: u32,
    /// Blocks of machine code in it.
    pub blocks: u64,
    /// Baseline cycles of all of it per execution of its longest block.
    pub cycles: f64,
    /// Share of the program's baseline time, %.
    pub share_pct: f64,
    /// Slowdown achieved in fresh windows, % of the set's baseline time; n: slowed samples.
    pub achieved_overhead_pct: Option<Estimate>,
    /// What became of it.
    pub reason: Reason,
}

/// A judged block, or a pool of small ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BlockRow {
    /// Unit.
    pub unit: String,
    /// Block id inside the unit; of a pool the smallest of its members.
    pub block: u32,
    /// Loop cluster; blocks of one cluster overlap in the processor. None if not known.
    pub cluster: Option<u32>,
    /// Number of the set of blocks of this unit that is judged as one; none if it is judged alone or
    /// that is not known.
    #[serde(default)]
    pub group: Option<u32>,
    /// Blocks of machine code that this row stands for: short ones share the row of a neighbour, a pool has one. None if not
    /// known.
    #[serde(default)]
    pub blocks: Option<u64>,
    /// Baseline cycles per execution. None if not known.
    #[serde(default)]
    pub cycles: Option<f64>,
    /// Share of the program's baseline time, %. None if not known.
    pub share_pct: Option<f64>,
    /// Slowdown instructions.
    pub count: u32,
    /// Slowdown achieved in fresh windows, % of the block's baseline time; n: slowed samples.
    pub achieved_overhead_pct: Option<Estimate>,
    /// What became of it.
    pub reason: Reason,
}

impl BlockRow {
    /// True if it stands for blocks that are not judged.
    #[must_use]
    pub fn is_pool(&self) -> bool {
        self.reason == Reason::Pooled
    }
}

/// Time that is neither judged nor pooled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Excluded {
    /// What it is: a unit, a block, or a kind of code.
    pub what: String,
    /// Why.
    pub reason: String,
    /// Share of the program's baseline time, %; n: samples.
    pub share_pct: Estimate,
}

/// Sampling while searching.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sampling {
    /// Samples per second of CPU time.
    pub rate_hz: f64,
    /// Samples taken.
    pub samples: u64,
    /// Samples that were lost.
    pub lost: u64,
    /// Times that the kernel throttled an event.
    pub throttled: u64,
    /// Windows that were measured again because the VM replaced code.
    pub repeated_windows: u64,
}

/// State of the program when it was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WarmUp {
    /// Iterations of the warm-up.
    pub iterations: u64,
    /// Whether a steady state was reached.
    pub steady: bool,
    /// How that was seen.
    pub reason: String,
    /// Median CPU time of an iteration at its end, ms.
    pub iteration_ms: f64,
    /// Part of the thread's time in units under control, %.
    pub controlled_pct: f64,
    /// Part in compiled code that is not under control, %.
    pub foreign_pct: f64,
    /// Part in the interpreter, the VM and stubs, %.
    pub outside_pct: f64,
    /// Methods that could not be taken under control, with reasons.
    pub refused: Vec<String>,
}
