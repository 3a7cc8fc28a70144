//! Rewriting Java class files so that they count the bytecodes that they execute, or spend time where they are told to.
//!
//! Bytes in, bytes out: no I/O, no JVM. [`rewrite`] gives every method a counterpart with additional parameters (the
//! thread's context, a frame of the reified stack, the counter) that holds the counted body; the old signature becomes
//! a wrapper for callers that are not rewritten. The classes that rewritten code calls are in `java/count`.
//!
//! Frames of stack maps are edited, never computed: all inserted code is straight-line, needs nothing from the operand
//! stack and leaves nothing there, so that no new join point appears.
//!
//! | module | what |
//! | --- | --- |
//! | `class`, `pool`, `code`, `frames`, `annotations` | reading and writing class files |
//! | `patches`, `layout`, `tables` | the code editor |
//! | `flow`, `checks`, `calls`, `emit`, `method` | what is inserted where |
//! | `wrapper`, `rewrite`, `serial`, `proxy` | whole classes |
//! | `summary`, `world` | what is known of other classes |
//! | `packages` | whose a class is, by its name |
//! | `rename` | texts of the runtime's own classes |
//! | `text` | how names are written in files |
//! | `sites` | loops of adjustable length in chosen methods ([`insert_sites`]) |
#![forbid(unsafe_code)]

mod annotations;
#[cfg(test)]
mod bridges;
mod bytes;
mod calls;
mod checks;
mod class;
mod code;
mod conflicts;
mod descriptor;
mod emit;
mod flow;
mod frames;
#[cfg(test)]
mod identity;
mod layout;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod locks;
mod method;
mod opcode;
mod options;
mod outcome;
mod packages;
mod patches;
mod pool;
mod proxy;
mod pure;
mod rename;
mod rewrite;
mod runtime;
mod serial;
mod sites;
mod summary;
mod tables;
mod text;
mod throwing;
mod world;
mod wrapper;

pub use options::{Checks, Mode, Options};
pub use outcome::{Method, Outcome, Reason};
pub use packages::{of_generated_code, of_the_harness, of_the_platform, of_the_program};
pub use rename::replace_texts;
pub use rewrite::rewrite;
pub use sites::{
    ADDED, COPIED, DoseKind, FIELDS_CLASS, MOST_STEPS, Place, Placed, Refused, Site, Sited, Work,
    fields_class, gate_class, gate_name, gate_of, insert_sites,
};
pub use summary::{Declared, Summary, annotated_methods};
pub use text::{escaped, from_modified_utf8, to_modified_utf8, unescaped};
pub use world::{MethodIds, Treatment, World};
