//! The tests of this crate, linked once.

mod assess_schema;
mod candidates;
mod common;
mod controls;
mod dose;
mod dose_schema;
mod dose_whole;
mod doses;
mod evaluate;
mod false_alarms;
mod jvms;
mod mended;
mod protocols;
mod resumed;
mod runs;
mod selection;
mod slots_schema;
mod speedup;
mod static_cost;
mod trouble;
mod whole;
