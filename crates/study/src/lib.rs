//! Do profilers agree with themselves and with each other?
//!
//! Recordings of many runs in, figures with intervals out. Pure: no I/O, no clock; resampling is seeded.
#![forbid(unsafe_code)]

mod manifest;

pub use manifest::{MANIFEST, ManifestError, NO_PROFILER, RunRecord, read_manifest};
