//! Experiments over a laboratory: what is run, in which order, and what follows from it. Pure: a laboratory is a trait
//! ([`Lab`]), numbers come in, values go out.
//!
//! - [`lab`]: what runs a workload's variants and measures windows; [`sim`] has one whose true answer is known.
//! - [`select`]: which blocks are set and judged, alone or together.
//! - [`dose`]: which method does a profiler charge with time that was put into a known one?
//! - [`divine`]: the search for a plan, its journal, its evaluation.
//! - [`candidates`]: which slowdown instruction does that best?
//! - [`speedup`]: what would a program gain if a function were faster?
//! - [`race`]: does it fail more often when one takes longer?
//! - [`slots`]: is a native program with filled slots the same but for what went in?
//! - [`doctor`]: what can a machine do, and what follows for the commands?
//! - [`evaluate`]: the questions of the published study over many programs.
//! - [`assess`]: windows under the eyes of profilers, evidence, verdicts.
//! - [`Steps`] and [`Progress`]: where finished steps go, and who is told what is going on.

#![forbid(unsafe_code)]

pub mod assess;
pub mod candidates;
pub mod divine;
pub mod doctor;
pub mod dose;
mod error;
pub mod evaluate;
pub mod lab;
mod progress;
pub mod race;
mod schema;
pub mod select;
mod session;
pub mod sim;
pub mod slots;
pub mod speedup;
pub mod steps;
pub mod tables;

pub use error::ExperimentError;
pub use lab::{Failure, Lab, LabError};
pub use progress::{Progress, Silent};
pub use session::{About, Plans, Session};
pub use steps::{MemorySteps, StepError, Steps};
