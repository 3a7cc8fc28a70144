//! Functions as laboratories know them: blocks, lines, machine code.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_asm::{BasicBlock, Function, Piece, key_of};
use proofmark_blocks::{Block, Code, Frame, Span, Unit};

/// A function as laboratories describe it. Its source positions are its lines.
pub(super) fn described(name: &str, function: &Function) -> Unit {
    let block = |(id, block): (usize, &BasicBlock)| Block {
        id: id as u32,
        successors: block.successors.iter().map(|to| *to as u32).collect(),
        loop_header: block.loop_header.map(|header| header as u32),
        loop_depth: block.loop_depth,
        frequency: 1.0,
        cycles: None,
        operations: block
            .operations
            .iter()
            .map(|one| one.mnemonic.clone())
            .collect(),
    };
    let blocks: Vec<Block> = function.blocks.iter().enumerate().map(block).collect();
    let frame = |line: u32| {
        vec![Frame {
            method: name.to_owned(),
            bci: line as i32,
            line: Some(line),
        }]
    };
    Unit {
        name: name.to_owned(),
        signature: signature(&blocks),
        blocks,
        positions: lines(function).into_iter().map(frame).collect(),
    }
}

/// Lines of a function in their order, each once.
fn lines(function: &Function) -> Vec<u32> {
    let operations = function.blocks.iter().flat_map(|block| &block.operations);
    let lines: BTreeSet<u32> = operations
        .map(|one| one.line)
        .filter(|line| *line > 0)
        .collect();
    lines.into_iter().collect()
}

/// The same for functions of the same instructions and flow, whatever their operands are.
fn signature(blocks: &[Block]) -> String {
    let one = |block: &Block| format!("{:?}>{:?}", block.operations, block.successors);
    let text: Vec<String> = blocks.iter().map(one).collect();
    format!("{:016x}", key_of(&text.join(";")))
}

/// Machine code of a function, and where it begins.
pub(super) fn machine_code(
    (id, number): (u32, u32),
    pieces: &[Piece],
    marks: &BTreeMap<u32, u64>,
    function: &Function,
) -> Option<(Code, u64)> {
    let lines = lines(function);
    let begin = *marks.get(&0)?;
    let offset = |mark: usize| {
        let address = marks.get(&u32::try_from(mark).ok()?)?;
        u32::try_from(address.checked_sub(begin)?).ok()
    };
    let mut spans = Vec::new();
    for (mark, piece) in pieces.iter().enumerate() {
        let position = lines.binary_search(&piece.line).ok();
        spans.push(Span {
            start: offset(mark)?,
            block: Some(piece.block as u32),
            position: position.map(|at| at as u32),
            inserted: piece.inserted,
        });
    }
    let code = Code {
        id,
        unit: number,
        size: offset(pieces.len())?,
        spans,
        debug: Vec::new(),
    };
    Some((code, begin))
}
