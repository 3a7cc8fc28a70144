//! Assembly text in, the same text with a dose site in every function out.
//!
//! A *site* is a short loop of dependent arithmetic at a function's entry. How many turns it makes is read from a variable
//! in the program's own memory, so that low and high doses run the same machine code. [`with_sites`] is a pass over what
//! GCC and Clang write for AMD64 in AT&T syntax, [`with_rust_sites`] over what rustc does; the assembler stays the system's.
//!
//! What a site needs of the place where it stands:
//! - *flags*: dead at the entry of a function, by the ABI; GCC's register allocation over calls counts them as clobbered;
//! - *registers*: none is free for certain (callers in the same file may know which ones a function leaves alone), so that
//!   those that are used are kept;
//! - *memory below the stack pointer*: the red zone of the function itself, into which nothing was put yet;
//! - *unwind information*: the stack pointer does not move, so that every address in the site is unwound as the entry is.
//!
//! [`Listing`] finds the basic blocks of the functions of such a text and puts instructions into them; [`machine`] looks at what
//! became of that in machine code.
//!
//! Pure: no I/O, no unsafe code.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod blocks;
mod line;
pub mod machine;
mod pass;
mod place;
mod rust;
mod site;
#[cfg(test)]
mod tests;

pub use blocks::{
    BasicBlock, COUNTS_SECTION, Content, Function, Listing, Operation, Piece, Slots, Where,
    Written, counts_of, mark_of,
};
pub use pass::{LeftAlone, Sited, Why, with_rust_sites, with_sites};
pub use rust::{rust_for_gnu, shown_name, unit_of};
pub use site::{ENTRY_BYTES, LEFT_SECTION, NAMES_SECTION, SITES_SECTION, Site, key_of};
