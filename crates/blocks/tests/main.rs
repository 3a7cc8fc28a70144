//! The tests of this crate, linked once.

mod codemap;
mod replay;
mod simulated;
mod skid;
