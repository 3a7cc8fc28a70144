//! Events of optimised code: from counters in the JVM to numbers of events.
//!
//! The plug-in inserts counters into a unit's machine code and writes a [`Table`] that says what they mean;
//! this crate reads both ([`read_table`], [`read_counters`]), turns counters into events ([`decode`]) and puts
//! the codes of a program together ([`Profile`]). Counts are linear in the executions of blocks, so that few
//! edges have to be counted: see [`Flow`] and [`Weights`]. Pure.
#![forbid(unsafe_code)]

mod catalogue;
mod cost;
mod decode;
mod diff;
mod error;
mod flow;
mod forest;
mod graph;
mod paths;
mod potential;
mod profile;
mod read;
mod report;
mod table;

pub use catalogue::{CATALOGUE, CATEGORY_OF_USERS};
pub use cost::{Factor, Factors, Timed, factors};
pub use decode::{Decoded, Total, decode};
pub use diff::{Difference, Differences, Metric, differences};
pub use error::EventsError;
pub use flow::{Flow, Imbalance, measured};
pub use graph::{Block, Edge, Event, Graph, Measure};
pub use paths::{Numbering, Step};
pub use potential::{Slack, Weights};
pub use profile::{Left, Profile};
pub use read::{Snapshot, Snapshots, read_counters, read_table};
pub use report::{
    Configuration, Counters, Coverage, EVENTS_COST_SCHEMA, EVENTS_DIFF_SCHEMA, EVENTS_SCHEMA,
    EventFigures, EventsCost, EventsDiff, EventsReport, Lost, PositionFrame, PositionRow,
    Uncounted,
};
pub use table::{Code, Direct, EventType, Frame, Reading, Strategy, Table};
