//! The second check of what goes into slots: machine code, read by a disassembler.
//!
//! Blocks and slots are found in assembly text, and marks tell where they ended up. Here the machine code itself is asked, by
//! another way: [`disassembled`] reads it, and [`checked`] compares a function of a variant with the same function of a program
//! without slots, and with the block map of the variant.
//!
//! What must hold:
//! - *The code*: without what was inserted, the variant has the instructions of the program, in their order. Mnemonics and
//!   operands are the same, but for the distances of jumps and of what is addressed relative to the instruction, for addresses
//!   in programs that are linked to a fixed place, and for the padding of alignments.
//! - *Jumps* lead to the same instruction.
//! - *What was inserted* is what was asked for, block by block, and leaves everything as it is.
//! - *The map*: a block begins wherever a jump leads to and behind every jump, and at no address that is within an
//!   instruction. Where a block begins without any of this, and neither a table of jumps nor one of exceptions names the place,
//!   it is *unseen*: such blocks are counted, since a block that is divided is no mistake in itself.

mod borders;
mod compare;
mod decode;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;

pub use compare::checked;
pub use decode::{Mentioned, disassembled, mentioned};

/// An instruction, as far as two builds of a function must agree in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its address.
    pub address: u64,
    /// Its length, bytes.
    pub length: u32,
    /// Prefixes, mnemonic and operands, without numbers.
    pub shape: String,
    /// Its immediate values and displacements.
    pub numbers: Vec<u64>,
    /// The address that it names by a distance from itself.
    pub place: Option<u64>,
    /// What becomes of control.
    pub flow: Flow,
    /// Whether it does nothing, as the padding of alignments.
    pub nothing: bool,
    /// Whether registers, flags and memory are afterwards what they were.
    pub idle: bool,
}

impl Instruction {
    /// Where the next one begins.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.address + u64::from(self.length)
    }
}

impl fmt::Display for Instruction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.shape)?;
        let numbers: Vec<String> = self.numbers.iter().map(|one| format!("{one:#x}")).collect();
        match numbers.is_empty() {
            true => Ok(()),
            false => write!(out, " ({})", numbers.join(", ")),
        }
    }
}

/// What becomes of control behind an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// It goes on; from a call it comes back.
    Next,
    /// It goes there.
    Jump(u64),
    /// It goes there or on.
    Branch(u64),
    /// It goes somewhere else.
    Indirect,
    /// It leaves the function.
    Leaves,
}

/// A stretch of a function's code, up to the next one, as the block map has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Its address.
    pub begin: u64,
    /// Index of its block.
    pub block: u32,
    /// Whether it is what went into a slot.
    pub inserted: bool,
}

/// How control may come into functions, beside calls and what a function does itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ways {
    /// Targets of jumps in other functions.
    pub jumped: BTreeSet<u64>,
    /// What tables of jumps and exceptions name, or may name.
    pub named: BTreeSet<u64>,
}

/// A function of a program without slots, and the same of a variant.
#[derive(Clone, Copy, Debug)]
pub struct Twins<'c> {
    /// The program's code.
    pub old: &'c [Instruction],
    /// The variant's code.
    pub new: &'c [Instruction],
    /// The variant's block map, by address.
    pub map: &'c [Stretch],
    /// How many instructions were to go into each block; none behind the last one.
    pub counts: &'c [u32],
    /// Addresses of the program and of the variant, where numbers in their code may be addresses; empty where none can.
    pub addresses: &'c [Range<u64>; 2],
    /// How control comes into the variant's functions.
    pub ways: &'c Ways,
}

/// What was seen of a function in which everything holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Its own instructions, without padding.
    pub instructions: usize,
    /// Instructions that were inserted.
    pub inserted: usize,
    /// Addresses at which blocks begin.
    pub borders: usize,
    /// Distances from its begin at which blocks begin although nothing that was seen leads there.
    pub unseen: Vec<u64>,
}

/// The first thing that does not hold. Addresses are distances from the begin of the variant's function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// An instruction of the program is another one in the variant.
    Changed {
        /// Where.
        at: u64,
        /// The program's.
        before: String,
        /// The variant's.
        now: String,
    },
    /// The variant has an instruction more at its end.
    More {
        /// Where.
        at: u64,
        /// The instruction.
        now: String,
    },
    /// The program has an instruction more at its end.
    Less {
        /// The instruction.
        before: String,
    },
    /// There is padding that aligns nothing.
    Padding {
        /// Where it ends.
        at: u64,
    },
    /// A jump, or an address that is named, leads elsewhere.
    Target {
        /// Where the instruction is.
        at: u64,
    },
    /// What was inserted changes something.
    NotIdle {
        /// Where.
        at: u64,
        /// The instruction.
        now: String,
    },
    /// Another number of instructions was inserted into a block.
    Count {
        /// The block.
        block: u32,
        /// How many were to go in.
        wanted: u32,
        /// How many did.
        found: u32,
    },
    /// The map has a border where no instruction begins.
    Within {
        /// Where.
        at: u64,
    },
    /// Control comes to a place within a block.
    NoBegin {
        /// Where.
        at: u64,
    },
    /// A block goes on behind a jump.
    NoEnd {
        /// Where the jump is.
        at: u64,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed { at, before, now } => {
                write!(out, "at +{at:#x}: \"{now}\" where \"{before}\" was")
            }
            Self::More { at, now } => write!(out, "at +{at:#x}: \"{now}\" is one too many"),
            Self::Less { before } => write!(out, "\"{before}\" is missing at the end"),
            Self::Padding { at } => write!(out, "at +{at:#x}: padding that aligns nothing"),
            Self::Target { at } => write!(out, "at +{at:#x}: leads to another instruction"),
            Self::NotIdle { at, now } => {
                write!(
                    out,
                    "at +{at:#x}: \"{now}\" was inserted, which changes something"
                )
            }
            Self::Count {
                block,
                wanted,
                found,
            } => write!(
                out,
                "block {block}: {found} instructions inserted, {wanted} wanted"
            ),
            Self::Within { at } => {
                write!(out, "at +{at:#x}: the map has a border in an instruction")
            }
            Self::NoBegin { at } => {
                write!(out, "at +{at:#x}: control comes to the middle of a block")
            }
            Self::NoEnd { at } => write!(out, "at +{at:#x}: a jump in the middle of a block"),
        }
    }
}
