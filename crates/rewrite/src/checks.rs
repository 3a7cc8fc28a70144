//! Which blocks get a check of their own, beyond those in front of calls and at the end of methods.

use crate::Reason;
use crate::code::Code;
use crate::flow::Flow;
use crate::opcode;
use crate::options::{Checks, Mode, Options};

/// By block: whether it checks at its start.
pub(crate) fn place(code: &Code<'_>, flow: &Flow, options: &Options) -> Result<Vec<bool>, Reason> {
    let blocks = flow.blocks.len();
    if options.mode == Mode::Exact {
        return Ok(vec![false; blocks]);
    }
    let mut check = match options.checks {
        Checks::Calls => vec![false; blocks],
        Checks::EveryBlock => vec![true; blocks],
        Checks::Paths { max_path } => paths(code, flow, max_path as usize)?,
    };
    spare_locks(code, flow, &mut check);
    Ok(check)
}

/// Takes away the checks between the start of a handler and where it gives a lock back: behind a stack that has overflowed their
/// calls would overflow it again, and the lock would stay held.
fn spare_locks(code: &Code<'_>, flow: &Flow, check: &mut [bool]) {
    for handler in &code.handlers {
        let Some(last) = gives_back(code, handler.target) else {
            continue;
        };
        for (block, check) in flow.blocks.iter().zip(check.iter_mut()) {
            *check &= !(handler.target..=last).contains(&block.start);
        }
    }
}

/// The first `monitorexit` behind an instruction, before any branch.
fn gives_back(code: &Code<'_>, from: usize) -> Option<usize> {
    let opcode = |index: &usize| code.instructions[*index].opcode;
    (from..code.instructions.len())
        .take_while(|index| !opcode::ends_block(opcode(index)))
        .find(|index| opcode(index) == opcode::MONITOREXIT)
}

/// Bytecodes of the longest block, where blocks have a limit.
pub(crate) fn longest_block(options: &Options) -> Option<usize> {
    match (options.mode, options.checks) {
        (Mode::Sampling, Checks::Paths { max_path }) => Some(max_path.max(1) as usize),
        _ => None,
    }
}

/// Loop heads and exception handlers check, and every block that would make a path without a check too long.
fn paths(code: &Code<'_>, flow: &Flow, max_path: usize) -> Result<Vec<bool>, Reason> {
    let mut block_at = vec![usize::MAX; code.instructions.len()];
    for (number, block) in flow.blocks.iter().enumerate() {
        block_at[block.start] = number;
    }
    let mut check: Vec<bool> = flow.blocks.iter().map(|block| block.loop_head).collect();
    for handler in &code.handlers {
        check[block_at[handler.target]] = true;
    }
    // Longest path without a check that arrives at each block. Ways back lead only to loop heads.
    let mut arriving = vec![0; flow.blocks.len()];
    for (number, block) in flow.blocks.iter().enumerate() {
        if arriving[number] + block.length() > max_path {
            check[number] = true;
        }
        let before = if check[number] { 0 } else { arriving[number] };
        let leaving = before + block.length();
        let last = block.end - 1;
        let mut arrive = |next: usize| arriving[next] = arriving[next].max(leaving);
        code.targets(last, |target| arrive(block_at[target]))?;
        if !opcode::is_final(code.instructions[last].opcode) && number + 1 < flow.blocks.len() {
            arrive(number + 1);
        }
    }
    Ok(check)
}
