//! Code map: which compiled block, and which source position, does an address belong to?
//!
//! The JVM's plug-in describes every [`Unit`], every piece of machine code made for it
//! ([`Code`]) and every place where it was installed ([`Install`]); this crate turns sampled
//! addresses into block and method times. Pure.
#![forbid(unsafe_code)]

mod bounds;
mod codemap;
mod counts;
mod flow;
mod layout;
mod owners;
#[cfg(test)]
mod test_units;
mod unit;
mod versions;

pub use codemap::{CodeMap, CodeMapError, Location};
pub use counts::{Edge, EdgeCounts};
pub use flow::{Arrival, Flow, Incoming};
pub use unit::{Block, Code, Frame, Install, Span, Unit};
