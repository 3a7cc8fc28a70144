//! Basic blocks of the functions of an assembly text, and the same text with instructions in them.
//!
//! A [`Listing`] reads what GCC and Clang write for AMD64 in AT&T syntax. A *slot* is a place in a block where instructions may go
//! that leave registers, flags and memory as they are. [`Listing::written`] fills the slots of some functions: with slowdown
//! instructions and with local labels (*marks*), which tell from the program's symbols where each piece of the code ended up, or
//! with counters. Slots that are not filled have no bytes.
//!
//! What is never separated: a prefix and its instruction, a comparison and the conditional jump that the processor fuses with it, the
//! instructions of an access to thread-local storage that the linker rewrites together, and the programmer's own assembly.
//! Functions whose own assembly jumps, calls or returns are left alone, and so are those with jumps that reach 127 bytes only
//! (`loop`, `jrcxz`).

mod flow;
mod instruction;
mod known;
mod parse;
mod section;
#[cfg(test)]
mod tests;
mod write;

pub use parse::Listing;
pub use write::{COUNTS_SECTION, Content, Piece, Slots, Where, Written, counts_of, mark_of};

/// A function and its basic blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name, as the linker knows it.
    pub name: String,
    /// Its blocks in the order of the text; the first one is entered by calls. Of the seldom part of another function
    /// (`f.cold`) any block may be entered from outside.
    pub blocks: Vec<BasicBlock>,
    /// Lines of its label and of the directive that says its size.
    pub(crate) lines: [usize; 2],
}

/// A stretch of instructions that control enters at the first and leaves at the last. A call does not end it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BasicBlock {
    /// Its instructions, one at least.
    pub operations: Vec<Operation>,
    /// Indices of the blocks of the function that control can go to, each once. Of an indirect jump: those that the jump table
    /// names that was mentioned last.
    pub successors: Vec<usize>,
    /// Index of the first block of the innermost loop that it is in.
    pub loop_header: Option<usize>,
    /// Loops that it is in.
    pub loop_depth: u32,
}

impl BasicBlock {
    /// Whether anything can go into it.
    #[must_use]
    pub fn has_slot(&self) -> bool {
        self.operations.iter().any(|one| one.gap)
    }
}

/// An instruction with all that must not be separated from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its first word; `asm` where it is the programmer's own assembly.
    pub mnemonic: String,
    /// Line of the source, 0 where it is not known.
    pub line: u32,
    /// Line of the text at which it begins.
    pub(crate) at: usize,
    /// Whether something may go in front of it.
    pub(crate) gap: bool,
}
