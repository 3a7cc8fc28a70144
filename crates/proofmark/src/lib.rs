//! The parts of the `proofmark` command; `main.rs` only parses, dispatches and exits.

pub mod run;
