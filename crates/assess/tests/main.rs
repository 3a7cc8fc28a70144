//! The tests of this crate, linked once.

mod block_map;
mod causes;
mod common;
mod controls;
mod debug_info;
mod evidence;
mod false_alarms;
mod looks;
mod planted;
mod verdicts;
