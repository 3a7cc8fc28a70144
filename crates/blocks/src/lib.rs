//! Code map: which compiled block, and which source position, does an address belong to?
//!
//! The JVM's plug-in describes every [`Unit`], every piece of machine code made for it
//! ([`Code`]) and every place where it was installed ([`Install`]); this crate turns sampled
//! addresses into block and method times. Pure.
#![forbid(unsafe_code)]

mod attribute;
mod bounds;
mod codemap;
mod counts;
mod flow;
mod layout;
mod owners;
mod skid;
#[cfg(test)]
mod test_units;
mod times;
mod unit;
mod versions;
mod weight;

pub use attribute::{Sample, attribute};
pub use codemap::{CodeMap, CodeMapError, Location};
pub use counts::{Edge, EdgeCounts};
pub use flow::{Arrival, Flow, Incoming};
pub use skid::Skid;
pub use times::{BlockKey, BlockTimes, MethodTime};
pub use unit::{Block, Code, Frame, Install, Span, Unit};
pub use weight::Weight;
