//! The tests of this crate, linked once.

mod browser;
mod common;
mod divine_json;
mod doctor;
mod dose_brief;
mod dose_chart;
mod dose_headline;
mod dose_matrix;
mod dose_page;
mod dose_words;
mod evaluation;
mod evaluation_checks;
mod events;
mod market;
mod other_schemas;
mod page;
mod recorded;
mod study;
mod terminal;
mod terminal_kinds;
