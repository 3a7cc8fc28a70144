//! How long things may take that go through a JVM or beside one, the same for everybody who waits. A busy machine is
//! slow, and only what hangs gets so far: a process that dies is noticed at once.

use std::time::Duration;

/// For a JVM to start and connect: some 2 s on an idle machine.
pub(crate) const START: Duration = Duration::from_secs(600);
/// For an answer that needs no iteration of the workload.
pub(crate) const ANSWER: Duration = Duration::from_secs(300);
/// For compiling one unit, on average. Large ones take 2 s on an idle machine.
pub(crate) const UNIT: Duration = Duration::from_secs(20);
/// For a JVM to end.
pub(crate) const END: Duration = Duration::from_secs(5);
/// For a JVM to end whose profiler writes its recording then.
pub(crate) const WRITING: Duration = Duration::from_secs(120);
/// For a profiler beside the JVM to write its profile after SIGINT.
pub(crate) const PROFILE: Duration = Duration::from_secs(30);
/// For a profiler beside the JVM to begin.
pub(crate) const BEGIN: Duration = Duration::from_secs(20);
/// For a command that turns a recording into what can be read.
pub(crate) const EXPORT: Duration = Duration::from_secs(300);
