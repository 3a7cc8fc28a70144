//! The tests of this crate, linked once.

mod common;
mod exits;
mod jvm;
mod mutated;
mod sites;
