//! Basic blocks of a method and what the instrumentation must know of them.

use crate::Reason;
use crate::calls::Call;
use crate::code::Code;
use crate::opcode;
use crate::throwing::Follower;

/// Pairs of blocks and exception handlers that are looked at in one method.
const MOST_PAIRS: usize = 20_000_000;

/// A basic block: it ends at branches, switches, returns and throws, not at calls.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Block {
    /// Indices of the first instruction and of the one behind the last.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Has an instruction that can throw before the counter is stored for it.
    pub(crate) throws: bool,
    /// Has a call that is not pure.
    pub(crate) calls: bool,
    /// A branch from the same place or from further down goes to it.
    pub(crate) loop_head: bool,
    /// Lies in the range of an exception handler.
    pub(crate) covered: bool,
}

impl Block {
    /// Bytecodes.
    pub(crate) fn length(&self) -> usize {
        self.end - self.start
    }
}

/// The blocks of a method in the order of the code.
pub(crate) struct Flow {
    pub(crate) blocks: Vec<Block>,
    /// By instruction: an exception handler begins there, with calls in its range.
    pub(crate) handler: Vec<bool>,
    /// Any block calls.
    pub(crate) calls: bool,
    /// A handler with calls in its range is also reached by branches or by falling into it.
    pub(crate) mixed_handlers: bool,
}

impl Flow {
    /// Analyses a method. `calls` says by instruction what its calls become; blocks of more than `longest` bytecodes are
    /// split.
    pub(crate) fn new(
        code: &Code<'_>,
        calls: &[Option<Call>],
        longest: Option<usize>,
        mut follower: Follower<'_, '_>,
    ) -> Result<Self, Reason> {
        let count = code.instructions.len();
        let (leader, targeted, loop_head) = leaders(code)?;
        let mut blocks: Vec<Block> = Vec::new();
        for index in 0..count {
            let full = blocks.last().map(Block::length) == longest;
            if leader[index] {
                follower.begin();
            }
            if leader[index] || full {
                blocks.push(Block {
                    start: index,
                    loop_head: loop_head[index],
                    ..Block::default()
                });
            }
            if let Some(block) = blocks.last_mut() {
                block.end = index + 1;
                block.throws |= follower.step(index, calls[index])?;
                block.calls |= calls[index].is_some_and(|call| call != Call::Pure);
            }
        }
        if blocks.len() * code.handlers.len() > MOST_PAIRS {
            return Err(Reason::TooMany);
        }
        let mut flow = Self {
            handler: vec![false; count],
            calls: blocks.iter().any(|block| block.calls),
            mixed_handlers: false,
            blocks,
        };
        flow.see_handlers(code, &targeted);
        Ok(flow)
    }

    fn see_handlers(&mut self, code: &Code<'_>, targeted: &[bool]) {
        for handler in &code.handlers {
            let mut calls = false;
            for block in &mut self.blocks {
                if block.start < handler.end && handler.start < block.end {
                    block.covered = true;
                    calls |= block.calls;
                }
            }
            if !calls {
                continue;
            }
            self.handler[handler.target] = true;
            let falls = handler.target > 0
                && !opcode::is_final(code.instructions[handler.target - 1].opcode);
            self.mixed_handlers |= falls || targeted[handler.target];
        }
    }
}

type Marks = Vec<bool>;

/// By instruction: a block begins there; a branch goes there; a branch from there or further down goes there.
fn leaders(code: &Code<'_>) -> Result<(Marks, Marks, Marks), Reason> {
    let count = code.instructions.len();
    let mut leader = vec![false; count];
    let mut targeted = vec![false; count];
    let mut loop_head = vec![false; count];
    leader[0] = true;
    for index in 0..count {
        if opcode::ends_block(code.instructions[index].opcode) {
            if index + 1 < count {
                leader[index + 1] = true;
            }
            code.targets(index, |target| {
                leader[target] = true;
                targeted[target] = true;
                loop_head[target] |= target <= index;
            })?;
        }
    }
    for handler in &code.handlers {
        leader[handler.target] = true;
    }
    Ok((leader, targeted, loop_head))
}
