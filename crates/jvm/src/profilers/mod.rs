//! Profilers under test: how each is started, told of windows and read.

pub(crate) mod beside;
pub(crate) mod collect;
mod command;
pub(crate) mod inside;
pub(crate) mod perf;
pub(crate) mod recording;
mod session;
mod spec;
mod startable;

pub use session::ProfilerSession;
pub use spec::{Engine, ProfilerOptions, ProfilerSpec, SpecError};
pub use startable::{check_agent, check_library, find_perf};
