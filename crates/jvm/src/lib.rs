//! The JVM laboratory: toolchain, launch, control.
//!
//! A [`Laboratory`] is one warmed-up JVM with the harness in command of the workload and the plug-in
//! in command of its machine code: [`toolchain`] puts its parts together, [`Launch`] says how it is
//! started, and its methods are the commands that it obeys.

mod bench;
mod error;
mod events;
mod laboratory;
mod launch;
mod manifest;
mod process;
mod profilers;
mod refusal;
pub mod study;
mod table;
mod temporary;
pub mod toolchain;
mod wire;
mod workload;

pub use bench::{
    Bench, BenchSettings, GroupData, Instruments, Measured, Scope, Side, WarmState, Watch,
    WindowSpec, abba, of_the_program,
};
pub use error::LabError;
pub use events::{EventCode, EventCodes, EventLaunch, EventPlan, EventRun, EventTypeInfo};
pub use laboratory::{Laboratory, WindowOrder};
pub use launch::{Compiler, Launch};
pub use manifest::main_class;
pub use profilers::{
    Engine, ProfiledWindow, ProfilerOptions, ProfilerSpec, Running, SpecError, check_agent,
    find_perf,
};
pub use table::{Filler, Placement, UnitTable};
pub use wire::{
    Control, Counted, Group, Hello, Iteration, News, OtherThread, UnitCounts, WarmUp, Window,
};
pub use workload::{Kind, SUITE, Workload, WorkloadError, split_class_path};
