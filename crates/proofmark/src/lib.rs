//! The parts of the `proofmark` command; `main.rs` only parses, dispatches, prints and exits.

pub mod args;
pub mod context;
pub mod output;
pub mod progress;
pub mod read;
pub mod run;
