//! Code map: which compiled block, and which source position, does an address belong to?
//!
//! The JVM's plug-in describes every [`Unit`], every piece of machine code made for it
//! ([`Code`]) and every place where it was installed ([`Install`]); this crate turns sampled
//! addresses into block and method times. Pure.
#![forbid(unsafe_code)]

mod unit;

pub use unit::{Block, Code, Frame, Install, Span, Unit};
