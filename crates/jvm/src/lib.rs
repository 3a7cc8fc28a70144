//! The JVM laboratory: toolchain, launch, control.
//!
//! A [`HarnessClient`] is our end of the socket to one JVM, with the harness in command of the workload and the plug-in
//! in command of its machine code: [`toolchain`] puts its parts together, [`Launch`] says how it is started, and its
//! methods are the requests that it obeys. A [`ProfilerSession`] is one profiler running on it, a [`WarmJvm`] such a JVM
//! made ready for measuring.

mod crashed;
pub mod dose;
mod environment;
mod error;
mod events;
mod graal_lab;
mod harness;
mod launch;
mod manifest;
mod nearest;
mod profilers;
mod space;
pub mod study;
mod table;
mod temporary;
mod threads;
pub mod toolchain;
mod warm;
mod workload;

pub use crashed::{crash_said, report_into, report_into_unless_told};
pub use environment::{unused_options, without_options};
pub use error::LabError;
pub use events::{
    EventCode, EventCodes, EventFiles, EventLaunch, EventPlan, EventRun, EventTypeInfo,
};
pub use graal_lab::{GraalLab, GraalLabs};
pub use harness::{
    Control, Counted, Group, HarnessClient, Hello, OtherThread, Start, UnitCounts, WarmUp, Window,
    WindowOrder,
};
pub use launch::{Compiler, Launch};
pub use manifest::JarManifest;
pub use nearest::nearest;
pub use profilers::{
    Engine, ProfilerOptions, ProfilerSession, ProfilerSpec, SpecError, check_agent, check_library,
    find_perf,
};
pub use space::is_full;
pub use temporary::Temporary;
pub use warm::{Instruments, LabSettings, Scope, WarmJvm};
pub use workload::{Kind, SUITE, Workload, WorkloadError, nearest_program, split_class_path};
