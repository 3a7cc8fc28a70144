//! One shape for what every profiler reports.
//!
//! Bytes in, a [`Profile`] out: [`import`] finds out which format it has, reads it and normalises
//! method names, so that shares of different profilers can be compared. [`import_from`] does the same from any source of
//! bytes, a recording of the JDK chunk by chunk, and [`GrowingJfr`] goes on with one that has grown. Pure: no I/O of its own, no clock.
//!
//! ```
//! use proofmark_profile::{Filter, MethodId, Options, import};
//!
//! let text = b"Run.main;Queens.placeQueen;Queens.getRowColumn 3\nRun.main;Queens.placeQueen 1\n";
//! let profile = import(text, &Options::default())?;
//! let shares = profile.by_method(&Filter::default());
//! let queen = MethodId::parse("Queens.getRowColumn").expect("a method name");
//! assert_eq!(shares.self_share(&queen), 0.75);
//! # Ok::<(), proofmark_profile::ImportError>(())
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod builder;
mod counted;
mod error;
mod export;
mod filter;
mod hash;
mod identity;
mod import;
mod model;
mod profiler_name;
mod rebench;
mod shares;
mod study;

pub use counted::{
    Context, CountFile, CountMode, CountScope, CountSettings, CountThread, ThreadKind,
};
pub use error::ImportError;
pub use export::{SUMMARY_SCHEMA, Summary};
pub use filter::{EventFilter, Filter, ThreadFilter};
pub use identity::MethodId;
pub use import::{
    CpuProfile, CpuSample, Format, FunctionCost, GmonHistogram, GrowingJfr, Leaf, Leaves, Mapping,
    Options, callgrind_costs, cpu_profile, detect, firefox_leaves, gmon_histograms, import,
    import_file, import_from, unpacked,
};
pub use model::{
    Clock, Event, EventIdx, Failure, Frame, FrameIdx, FrameKind, Loss, Mark, MethodIdx, Profile,
    Sample, Stack, StackIdx, Thread, ThreadIdx, Unit,
};
pub use profiler_name::{NON_SAFEPOINTS, profiler_name};
pub use rebench::{Measurement, read_rebench};
pub use shares::{LineWeights, MethodShare, Shares};
pub use study::{Recording, StudyRun, read_study, study_identity};
