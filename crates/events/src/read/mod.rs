//! The two text formats that the JVM writes: tables and counters (docs/formats/events-table.md).

mod counters;
mod line;
mod table;

pub use counters::{Snapshot, Snapshots, read_counters};
pub use table::read_table;
