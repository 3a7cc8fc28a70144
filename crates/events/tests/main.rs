//! The tests of this crate, linked once.

mod common;
mod flow;
mod paths;
mod read;
