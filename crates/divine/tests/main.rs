//! The tests of this crate, linked once.

mod common;
mod coverage;
mod evaluate;
mod further;
mod limits;
mod loops;
mod mending;
mod plan;
mod search;
mod sets;
mod stepwise;
