//! The tests of this crate, linked once; `mutations` counts what is allocated, and is alone.

mod broken;
mod collapsed;
mod common;
mod counted;
mod formats;
mod identity;
mod jfr;
mod perf;
mod study;
