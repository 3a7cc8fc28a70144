//! Why a laboratory did not answer.

use std::error::Error;
use std::fmt;

/// What kind of failure it was: decides whether it is a profiler's, and what the run ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Failure {
    /// The process ended, or did not answer in time and was ended.
    Died,
    /// Units keep being replaced, or are compiled differently than before.
    UnitsLost,
    /// The workload cannot be measured, or the process refused what it was asked for.
    Refused,
    /// A profiler could not be started, or left nothing that can be read.
    Profiler,
    /// There is no such workload.
    NoWorkload,
    /// Our own side failed: the sampler, a full disk, an answer that cannot be read.
    Instrument,
    /// The user asked to stop.
    Interrupted,
}

impl Failure {
    /// Whether the process or the profiler in it brought it about, so that other processes may do well.
    #[must_use]
    pub fn is_the_processes_own(self) -> bool {
        matches!(
            self,
            Failure::Died | Failure::UnitsLost | Failure::Refused | Failure::Profiler
        )
    }
}

/// A failure of a laboratory with its cause.
#[derive(Debug)]
pub struct LabError {
    /// What kind it was.
    pub failure: Failure,
    cause: Box<dyn Error + Send + Sync>,
}

impl LabError {
    /// A failure and what says more about it.
    pub fn new(failure: Failure, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        LabError {
            failure,
            cause: cause.into(),
        }
    }
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(f)
    }
}

impl Error for LabError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.source()
    }
}
