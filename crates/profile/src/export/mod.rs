//! Profiles as other tools read them.

pub(crate) mod collapsed;
mod json;
pub(crate) mod pprof;

pub use json::{SUMMARY_SCHEMA, Summary};
