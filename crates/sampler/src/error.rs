//! What can go wrong with sampling, and what to do about it.

use std::io;

use crate::event::Event;
use crate::probe::Rejected;

/// Why this machine or this thread cannot be sampled; the text says what to do next.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SamplerError {
    /// The kernel or the container forbids `perf_event_open` (EACCES or EPERM).
    #[error(
        "sampling is not permitted (kernel.perf_event_paranoid is {}): {}",
        paranoid.map_or("unreadable".to_owned(), |level| level.to_string()),
        permission_remedy(*paranoid)
    )]
    NotPermitted {
        /// `kernel.perf_event_paranoid`, if readable.
        paranoid: Option<i32>,
    },
    /// The kernel has no `perf_event_open` (ENOSYS).
    #[error(
        "this kernel or sandbox has no perf_event_open: use a kernel with CONFIG_PERF_EVENTS, outside gVisor or the like"
    )]
    NoSystemCall,
    /// No event of any kind delivered a sample.
    #[error(
        "no sampling event works on this machine ({}): run on another kernel or virtual machine",
        rejected.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    )]
    NoEvent {
        /// Every event tried, best first, and why it was rejected.
        rejected: Vec<Rejected>,
    },
    /// The event could not be opened on a thread.
    #[error(
        "cannot open {event} on thread {tid}: {source}; is it a live thread of a process of yours?"
    )]
    Open {
        /// Linux thread id.
        tid: u32,
        /// The event that was asked for.
        event: Event,
        /// The errno of `perf_event_open`.
        source: io::Error,
    },
    /// Not even the smallest ring buffer could be mapped.
    #[error(
        "cannot map a ring buffer of one page: {source}; raise `sysctl kernel.perf_event_mlock_kb` or `ulimit -l`, \
         or sample fewer threads"
    )]
    Ring {
        /// The errno of the last `mmap`.
        source: io::Error,
    },
    /// A rate that is no rate, or whose period the kernel would not take.
    #[error(
        "a sampling rate of {rate_hz} Hz is impossible: choose one from 1 to 40000 Hz, 500 to 10000 are sensible"
    )]
    Rate {
        /// The rate asked for, samples per second of CPU time over both streams.
        rate_hz: f64,
    },
    /// A hardware counter was taken away, for example by another profiler.
    #[error(
        "another user of the hardware counters took ours: stop other profilers and repeat the measurement"
    )]
    CounterTaken,
    /// The ring buffer held bytes that are no records.
    #[error(
        "the ring buffer is corrupt at byte {offset} of {length}: discard this window and repeat it"
    )]
    Corrupt {
        /// Offset of the bad record in the bytes drained, in bytes.
        offset: usize,
        /// Number of bytes drained.
        length: usize,
    },
    /// Any other system call failed.
    #[error(
        "{what} failed: {source}; this is unexpected, please report it with your kernel version"
    )]
    System {
        /// What was being done.
        what: &'static str,
        /// The errno.
        source: io::Error,
    },
    /// A victim got too few samples to say anything.
    #[error(
        "the {victim} victim got {samples} samples, {needed} are needed: raise the rate or the victim's CPU time"
    )]
    TooFewSamples {
        /// Which victim of known answer.
        victim: &'static str,
        /// Samples inside its code.
        samples: u64,
        /// Samples needed.
        needed: u64,
    },
}

/// Own processes may be sampled in user space up to level 2: then something else forbids it.
fn permission_remedy(paranoid: Option<i32>) -> String {
    const SYSCTL: &str = "run `sudo sysctl kernel.perf_event_paranoid=2`; ";
    const CONTAINER: &str = "in a container add the capability PERFMON and a seccomp profile that allows perf_event_open";
    match paranoid {
        Some(..=2) => format!(
            "that level would do, so a seccomp filter or another policy forbids it; {CONTAINER}"
        ),
        _ => format!("{SYSCTL}{CONTAINER}"),
    }
}
