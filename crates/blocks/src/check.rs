//! Are the plug-in's reports whole?

use std::collections::HashSet;

use crate::{Code, Unit};

/// A report that contradicts itself or an earlier one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CodeMapError {
    /// Two blocks of a unit have the same id.
    #[error("unit {unit}: two blocks have the id {block}")]
    SameBlock {
        /// Name of the unit.
        unit: String,
        /// The id.
        block: u32,
    },
    /// A successor is no block of its unit.
    #[error("unit {unit}: block {block} has the unknown successor {successor}")]
    UnknownSuccessor {
        /// Name of the unit.
        unit: String,
        /// Id of the block.
        block: u32,
        /// Id that no block has.
        successor: u32,
    },
    /// A code belongs to a unit that was not reported before it.
    #[error("code {code} belongs to unit {unit}, which was not reported")]
    UnknownUnit {
        /// Id of the code.
        code: u32,
        /// Index of the unit.
        unit: u32,
    },
    /// Two codes have the same id.
    #[error("two codes have the id {0}")]
    SameCode(u32),
    /// A span starts before its predecessor or behind the code's end, or names an unknown block or
    /// position.
    #[error("code {code}, span {span}: {what}")]
    BadSpan {
        /// Id of the code.
        code: u32,
        /// Index of the span.
        span: usize,
        /// What is wrong with it.
        what: &'static str,
    },
    /// An installation of a code that was not reported before it.
    #[error("code {0} was installed but not reported")]
    UnknownCode(u32),
}

pub(crate) fn check_blocks(unit: &Unit) -> Result<(), CodeMapError> {
    let mut ids = HashSet::new();
    for block in &unit.blocks {
        if !ids.insert(block.id) {
            return Err(CodeMapError::SameBlock {
                unit: unit.name.clone(),
                block: block.id,
            });
        }
    }
    for block in &unit.blocks {
        if let Some(successor) = block.successors.iter().find(|id| !ids.contains(id)) {
            return Err(CodeMapError::UnknownSuccessor {
                unit: unit.name.clone(),
                block: block.id,
                successor: *successor,
            });
        }
    }
    Ok(())
}

pub(crate) fn check_spans(code: &Code, unit: &Unit) -> Result<(), CodeMapError> {
    let blocks: HashSet<u32> = unit.blocks.iter().map(|block| block.id).collect();
    let mut last = 0;
    for (at, span) in code.spans.iter().enumerate() {
        let what = if span.start < last {
            "starts before the span in front of it"
        } else if span.start > code.size {
            "starts behind the end of the code"
        } else if span.block.is_some_and(|block| !blocks.contains(&block)) {
            "names a block that the unit does not have"
        } else if span
            .position
            .is_some_and(|at| at as usize >= unit.positions.len())
        {
            "names a position that the unit does not have"
        } else {
            last = span.start;
            continue;
        };
        return Err(CodeMapError::BadSpan {
            code: code.id,
            span: at,
            what,
        });
    }
    Ok(())
}
