//! Why a laboratory did not answer.

use std::path::{Path, PathBuf};

use crate::crashed::crash_said;

/// What can go wrong between Proofmark and a laboratory JVM.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// `java` could not be started.
    #[error("cannot start {java}: {source}")]
    Start {
        /// The program.
        java: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The workload threw, computed a wrong result or is not repeatable.
    #[error("the program failed: {message}{trace}")]
    Workload {
        /// What happened.
        message: String,
        /// Java stack trace, shortened.
        trace: String,
    },
    /// There is no such class or method, or it cannot be loaded.
    #[error("{0}")]
    NoWorkload(String),
    /// The harness or the plug-in refused a command.
    #[error(
        "Proofmark's code in the JVM could not do '{command}': {message}{trace}\nthe JVM's output is in {log}"
    )]
    Refused {
        /// First word of the command.
        command: String,
        /// What happened.
        message: String,
        /// Java stack trace, shortened.
        trace: String,
        /// The JVM's output.
        log: PathBuf,
    },
    /// The JVM ended.
    #[error(
        "the JVM ended ({status}) during '{command}'{}; its last lines:\n{tail}\nall of its output is in {log}",
        crash(.report)
    )]
    Died {
        /// First word of the command.
        command: String,
        /// Exit status or signal.
        status: String,
        /// Where its report is, if it crashed.
        report: PathBuf,
        /// Last lines of its output.
        tail: String,
        /// The JVM's output.
        log: PathBuf,
    },
    /// No answer in time; the JVM was ended.
    #[error(
        "no answer to '{command}' within {seconds:.0} s: the workload hangs, an iteration takes longer than that, or the machine is too busy (--iteration-timeout allows more seconds); the JVM's output is in {log}"
    )]
    Hung {
        /// First word of the command.
        command: String,
        /// How long was waited.
        seconds: f64,
        /// The JVM's output.
        log: PathBuf,
    },
    /// The harness could not write a file: the disk of this directory is full.
    #[error("hardly any space is left in {}: free some, or give a directory on another disk with --out", .0.display())]
    Full(PathBuf),
    /// The JVM keeps taking our code away.
    #[error("{0}")]
    Lost(String),
    /// The workload is of a kind that cannot be measured.
    #[error("{0}")]
    Unmeasurable(String),
    /// A profiler that does not work here.
    #[error("{0}")]
    Profiler(String),
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// An answer that cannot be read: harness and Proofmark do not belong together.
    #[error("cannot read the answer to '{command}': {source}")]
    Protocol {
        /// First word of the command.
        command: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The answer contradicts what was said before.
    #[error("the JVM described its code inconsistently: {0}")]
    Code(#[from] proofmark_blocks::CodeMapError),
    /// A profile that cannot be read.
    #[error("cannot read the profile {file}: {message}")]
    Profile {
        /// The profiler's file.
        file: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// Files or sockets.
    #[error("{what}: {source}")]
    Io {
        /// What was being done.
        what: String,
        /// Why it failed.
        source: std::io::Error,
    },
    /// Sampling failed.
    #[error(transparent)]
    Sampler(#[from] proofmark_sampler::SamplerError),
}

/// Where the report of a crash is; nothing if there is none.
fn crash(report: &Path) -> String {
    crash_said(report).map_or_else(String::new, |said| format!(", and {said}"))
}

impl LabError {
    /// What could not be done to a file, for its error.
    pub fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> LabError {
        let what = what.into();
        move |source| LabError::Io { what, source }
    }
}
