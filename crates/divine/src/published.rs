//! Reader for the slowdown files published with "Divining Profiler Accuracy" (2025): unit ->
//! `"<LIR block> (Vtune Block <n>)"` -> count, with `"Backend Blocks"` for blocks that exist only in the
//! emitted code.
//!
//! Their block numbers belong to that compiler build: facts to compare with, not plans to run.

use serde_json::{Map, Value};

use crate::PlanError;

const BACKEND: &str = "Backend Blocks";

/// A block of a published file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedBlock {
    /// Compilation unit.
    pub unit: String,
    /// LIR block, or the paper's number of a backend block.
    pub block: u32,
    /// Block in the profiler's numbering.
    pub native: u32,
    /// Exists only in the emitted code.
    pub backend: bool,
    /// Slowdown instructions.
    pub count: u32,
}

/// A published file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedPlan {
    /// Blocks in the order of the units' names.
    pub blocks: Vec<PublishedBlock>,
}

impl PublishedPlan {
    /// Slowdown instructions in all blocks together.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.blocks.iter().map(|b| u64::from(b.count)).sum()
    }
}

/// Reads a published slowdown file.
///
/// # Errors
/// Says which entry is none.
pub fn read_published(text: &str) -> Result<PublishedPlan, PlanError> {
    let units: Map<String, Value> = serde_json::from_str(text).map_err(PlanError::NotJson)?;
    let mut blocks = Vec::new();
    for (unit, entries) in &units {
        read_blocks(unit, entries, false, &mut blocks)?;
    }
    if blocks.is_empty() {
        return Err(PlanError::Impossible("no unit with a block".into()));
    }
    Ok(PublishedPlan { blocks })
}

fn read_blocks(
    unit: &str,
    entries: &Value,
    backend: bool,
    blocks: &mut Vec<PublishedBlock>,
) -> Result<(), PlanError> {
    let fault = |what: String| PlanError::Impossible(format!("{unit}: {what}"));
    let entries = entries
        .as_object()
        .ok_or_else(|| fault("no table of blocks".into()))?;
    for (name, value) in entries {
        if name == BACKEND && !backend {
            read_blocks(unit, value, true, blocks)?;
            continue;
        }
        let (block, native) =
            numbers(name).ok_or_else(|| fault(format!("{name:?} is no block")))?;
        let count = value.as_u64().and_then(|k| u32::try_from(k).ok());
        let count = count.ok_or_else(|| fault(format!("{name:?} has the count {value}")))?;
        blocks.push(PublishedBlock {
            unit: unit.to_owned(),
            block,
            native,
            backend,
            count,
        });
    }
    Ok(())
}

/// `"12 (Vtune Block 17)"` -> (12, 17).
fn numbers(name: &str) -> Option<(u32, u32)> {
    let (block, rest) = name.split_once(" (Vtune Block ")?;
    Some((block.parse().ok()?, rest.strip_suffix(')')?.parse().ok()?))
}
