//! The tests of this crate, linked once.

mod analyses;
mod block_map;
mod causes;
mod common;
mod controls;
mod debug_info;
mod evidence;
mod false_alarms;
mod planted;
mod verdicts;
