//! Small units for tests.

use crate::{Block, Frame, Span, Unit};

pub(crate) fn block(id: u32, successors: &[u32]) -> Block {
    Block {
        id,
        successors: successors.to_vec(),
        loop_header: None,
        loop_depth: 0,
        frequency: 1.0,
        cycles: None,
        operations: Vec::new(),
    }
}

pub(crate) fn looped(id: u32, successors: &[u32], header: u32, depth: u32) -> Block {
    Block {
        loop_header: Some(header),
        loop_depth: depth,
        ..block(id, successors)
    }
}

pub(crate) fn unit(blocks: Vec<Block>) -> Unit {
    Unit {
        name: "p.C.root()V".into(),
        signature: "s".into(),
        blocks,
        positions: ["p.C.root()V", "p.C.a()V", "p.C.b()V"]
            .map(position)
            .to_vec(),
    }
}

fn position(method: &str) -> Vec<Frame> {
    vec![Frame {
        method: method.into(),
        bci: 0,
        line: None,
    }]
}

/// A span of block `block` (none if negative) with a position (none if negative).
pub(crate) fn span(start: u32, block: i64, position: i64) -> Span {
    Span {
        start,
        block: u32::try_from(block).ok(),
        position: u32::try_from(position).ok(),
        inserted: false,
    }
}
