//! Assessing profilers: windows under their eyes, evidence, verdicts.

mod asked;
mod cost;
pub mod doses;
pub mod estimate;
mod judge;
mod laboratory;
mod pace;
mod remedy;
mod replication;
mod report;
mod request;
mod run;
mod schedule;
mod subject;
pub mod windows;

pub use asked::{difference, other_options};
pub use cost::{CostPlan, CostReport, CostStep, Precision};
pub use laboratory::{Experiments, stored_iteration_ms};
pub use pace::Pace;
pub(crate) use remedy::words as time_words;
pub use replication::replication;
pub use report::{AssessReport, LABORATORY, Part, SITES};
pub use request::{AssessRequest, Subject, percent};
pub use run::{Assessed, run};

/// Our sampling rate for the oracle and for observing, 1/s.
pub const CONTROL_HZ: f64 = 5000.0;
/// Our sampling rate while a profiler is judged, 1/s: costs less than 1 %.
pub const OBSERVE_HZ: f64 = 500.0;
