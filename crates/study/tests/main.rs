//! The tests of this crate, linked once.

mod common;
mod diff;
mod published;
mod schema;
