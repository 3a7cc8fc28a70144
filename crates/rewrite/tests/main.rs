//! The tests of this crate, linked once.

mod common;
mod exits;
mod java_base;
mod jvm;
mod mutated;
mod sites;
