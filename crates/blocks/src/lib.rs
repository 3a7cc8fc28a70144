//! Code map: which compiled block, and which source position, does an address belong to?
//!
//! The JVM's plug-in describes every [`Unit`], every piece of machine code made for it
//! ([`Code`]) and every place where it was installed ([`Install`]); this crate turns sampled
//! addresses into block and method times. Pure.
#![forbid(unsafe_code)]

mod attribute;
mod borders;
mod bounds;
mod check;
mod cluster;
mod codemap;
mod compare;
mod counts;
mod detect;
mod flow;
mod layout;
mod owners;
mod passages;
mod replay;
mod resolution;
mod skid;
mod split;
#[cfg(test)]
mod test_units;
mod times;
mod unit;
mod versions;
mod weight;

pub use attribute::{Sample, attribute};
pub use check::CodeMapError;
pub use cluster::{BlockCosts, Cluster, clusters};
pub use codemap::{CodeMap, Location, PositionsKnown};
pub use compare::first_difference;
pub use counts::{Edge, EdgeCounts};
pub use detect::detectable_share;
pub use flow::{Arrival, Flow, Incoming};
pub use passages::method_passages;
pub use replay::{PcRule, Replay};
pub use resolution::Resolution;
pub use skid::Skid;
pub use times::{BlockKey, BlockTimes, MethodTime};
pub use unit::{Block, Code, Frame, Install, Span, Unit};
pub use weight::Weight;
