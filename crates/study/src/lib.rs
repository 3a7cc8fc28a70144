//! Do profilers agree with themselves and with each other?
//!
//! Recordings of many runs in, figures with intervals out. Pure: no I/O, no clock; resampling is seeded, so the same
//! recordings give the same figures.
//!
//! # The way of the data
//! [`RunRecord`]s with profiles, or the published study's files, become [`Recording`]s ([`recording`], [`published`]);
//! [`analyze`] makes a [`Study`] of them, the table program x profiler x run x method, and from it an [`Analysis`].
//! [`diff`] compares two sets of recordings method by method.
//!
//! # What is counted
//! - *Listed*: a method is among the ten hottest of a recording.
//! - *Precision*: largest minus smallest share over the runs, of methods with a mean share of 5 % at least.
//! - *Reliability*: different hottest methods of a program; unstable methods (listed in some but not all runs, mean
//!   share 1 % at least).
//! - *Agreement*: different hottest methods, and different methods among the five hottest, over all profilers.
#![forbid(unsafe_code)]

mod agree;
mod analyze;
mod diff;
mod draw;
mod figures;
mod flag;
mod manifest;
mod model;
mod published;
mod recorded;
pub mod result;

pub use agree::TOP;
pub use analyze::{Settings, analyze};
pub use diff::{Change, Compared, DIFF_SCHEMA, Diff, DiffSettings, diff};
pub use manifest::{MANIFEST, ManifestError, NO_PROFILER, RunRecord, read_manifest};
pub use model::{Cell, LISTED, Method, Program, Recording, Row, Run, Study};
pub use published::{Published, published};
pub use recorded::{RunThread, Taking, recording};
pub use result::{Analysis, SCHEMA};
