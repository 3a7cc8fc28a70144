//! The events that can sample a thread, and their kernel attributes.

use std::fmt;

use perf_event_open_sys::bindings as sys;
use serde::{Deserialize, Serialize};

/// `CLOCK_MONOTONIC` of `clock_gettime`: the clock of Java's `System.nanoTime`.
const CLOCK_MONOTONIC: i32 = 1;

/// What makes the sampler take a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Event {
    /// Core cycles counted by the processor; the period is in cycles.
    Cycles {
        /// `precise_ip`: 0 arbitrary skid, 1 constant, 2 zero requested, 3 zero required.
        precise: u8,
    },
    /// A high-resolution timer on the thread's CPU time; the period is in ns. The only event in most virtual machines.
    CpuClock,
}

impl Event {
    /// All events, best first.
    pub(crate) const BEST_FIRST: [Event; 5] = [
        Event::Cycles { precise: 3 },
        Event::Cycles { precise: 2 },
        Event::Cycles { precise: 1 },
        Event::Cycles { precise: 0 },
        Event::CpuClock,
    ];

    /// Attributes of a disabled, user-only event with IP, TID and TIME on `CLOCK_MONOTONIC`. The period is in the event's unit.
    pub(crate) fn attributes(self, period: u64) -> sys::perf_event_attr {
        let mut attributes = sys::perf_event_attr::default();
        attributes.size = size_of::<sys::perf_event_attr>() as u32;
        attributes.sample_type =
            (sys::PERF_SAMPLE_IP | sys::PERF_SAMPLE_TID | sys::PERF_SAMPLE_TIME).into();
        attributes.clockid = CLOCK_MONOTONIC;
        attributes.__bindgen_anon_1.sample_period = period;
        attributes.set_disabled(1);
        attributes.set_exclude_kernel(1);
        attributes.set_exclude_hv(1);
        attributes.set_use_clockid(1);
        match self {
            Event::Cycles { precise } => {
                attributes.type_ = sys::PERF_TYPE_HARDWARE;
                attributes.config = sys::PERF_COUNT_HW_CPU_CYCLES.into();
                attributes.set_precise_ip(precise.into());
                // Rather an error than silently taking turns with another user of the counter.
                attributes.set_pinned(1);
            }
            Event::CpuClock => {
                attributes.type_ = sys::PERF_TYPE_SOFTWARE;
                attributes.config = sys::PERF_COUNT_SW_CPU_CLOCK.into();
            }
        }
        attributes
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Cycles { precise } => write!(f, "cycles:u{}", "p".repeat((*precise).into())),
            Event::CpuClock => f.write_str("cpu-clock:u"),
        }
    }
}
