//! Profiles as other tools read them.

mod collapsed;
mod json;
mod pprof;

pub use json::{SUMMARY_SCHEMA, Summary};
