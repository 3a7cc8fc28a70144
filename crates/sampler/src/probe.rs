//! Finds the best sampling event of this machine.

use std::{fmt, fs, io};

use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use crate::calibrate::known_loop;
use crate::error::SamplerError;
use crate::event::Event;
use crate::settings::Settings;
use crate::thread_clock::thread_cpu_ns;
use crate::thread_sampler::ThreadSampler;

/// CPU time that an event is tried for, in ns.
const TRIAL_NS: u64 = 20_000_000;

/// Rate of the trial in Hz if the event counts ns; a few times more if it counts cycles.
const TRIAL_HZ: f64 = 2_000.0;

/// What this machine samples with and why with nothing better; belongs in every report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    /// The best event that delivered samples.
    pub event: Event,
    /// Units of the event's period per ns of CPU time: 1 for a clock, GHz for cycles.
    pub units_per_ns: f64,
    /// `kernel.perf_event_paranoid`, if readable.
    pub paranoid: Option<i32>,
    /// Better events that do not work here, best first.
    pub rejected: Vec<Rejected>,
}

/// An event that does not work here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rejected {
    /// The event.
    pub event: Event,
    /// The errno of opening it; `None` if it opened but did not deliver.
    pub errno: Option<i32>,
    /// Why, in words.
    pub reason: String,
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.event, self.reason)
    }
}

/// Tries every event on the calling thread, best first, and returns the first that delivers samples and, if it counts cycles, counts
/// those of a loop of known length: the counters of some virtual machines do not. Takes about 20 ms of CPU time per event that opens.
///
/// # Errors
/// [`SamplerError::NotPermitted`], [`SamplerError::NoSystemCall`] or [`SamplerError::NoEvent`], each with its remedy.
pub fn probe() -> Result<Probe, SamplerError> {
    probe_among(&Event::BEST_FIRST, Vec::new())
}

/// The same without hardware events, with why those were left.
pub(crate) fn probe_clock(rejected: Vec<Rejected>) -> Result<Probe, SamplerError> {
    probe_among(&[Event::CpuClock], rejected)
}

fn probe_among(events: &[Event], mut rejected: Vec<Rejected>) -> Result<Probe, SamplerError> {
    let paranoid = paranoid();
    for &event in events {
        match try_event(event) {
            Ok(Trial::Works(units_per_ns)) => {
                return Ok(Probe {
                    event,
                    units_per_ns,
                    paranoid,
                    rejected,
                });
            }
            Ok(Trial::Lies(reason)) => rejected.push(Rejected {
                event,
                errno: None,
                reason,
            }),
            Err(error) => rejected.push(Rejected {
                event,
                errno: errno(&error),
                reason: reason(&error),
            }),
        }
    }
    Err(verdict(paranoid, rejected))
}

/// What a trial of an event showed.
#[derive(Debug, PartialEq)]
enum Trial {
    /// It delivers, so many units per ns.
    Works(f64),
    /// It opens, but is not to be believed, with the reason.
    Lies(String),
}

/// Samples a loop of known length.
fn try_event(event: Event) -> Result<Trial, SamplerError> {
    let settings = Settings::with_rate(event, 1.0, TRIAL_HZ);
    let mut sampler = ThreadSampler::open(rustix::thread::gettid().as_raw_pid() as u32, &settings)?;
    let start_ns = thread_cpu_ns();
    let mut known_cycles = 0;
    sampler.enable()?;
    while thread_cpu_ns() - start_ns < TRIAL_NS {
        known_cycles += known_loop();
    }
    sampler.disable()?;
    let spent_ns = thread_cpu_ns() - start_ns;
    let mut samples = Vec::new();
    sampler.drain(&mut samples)?;
    let counted = match event {
        Event::CpuClock => None,
        Event::Cycles { .. } => Some(sampler.counted()?),
    };
    Ok(believed(counted, known_cycles, spent_ns, samples.len()))
}

/// How far the counted cycles may be from those of the loop, as a ratio: its own branch, and what runs between two turns.
const BELIEVED: std::ops::RangeInclusive<f64> = 0.9..=1.1;

fn believed(counted: Option<u64>, known_cycles: u64, spent_ns: u64, samples: usize) -> Trial {
    if samples == 0 {
        return Trial::Lies("opens but delivers no sample".to_owned());
    }
    let Some(counted) = counted else {
        return Trial::Works(1.0);
    };
    if !BELIEVED.contains(&(counted as f64 / known_cycles.max(1) as f64)) {
        return Trial::Lies(format!(
            "counts {counted} cycles in a loop of {known_cycles}: not to be believed"
        ));
    }
    Trial::Works(counted as f64 / spent_ns as f64)
}

/// The error when every event was rejected.
fn verdict(paranoid: Option<i32>, rejected: Vec<Rejected>) -> SamplerError {
    let any = |wanted: &[Errno]| {
        rejected.iter().any(|one| {
            wanted
                .iter()
                .any(|errno| one.errno == Some(errno.raw_os_error()))
        })
    };
    if any(&[Errno::ACCESS, Errno::PERM]) {
        SamplerError::NotPermitted { paranoid }
    } else if any(&[Errno::NOSYS]) {
        SamplerError::NoSystemCall
    } else {
        SamplerError::NoEvent { rejected }
    }
}

fn source(error: &SamplerError) -> Option<&io::Error> {
    match error {
        SamplerError::Open { source, .. }
        | SamplerError::Ring { source }
        | SamplerError::System { source, .. } => Some(source),
        _ => None,
    }
}

fn errno(error: &SamplerError) -> Option<i32> {
    source(error).and_then(io::Error::raw_os_error)
}

fn reason(error: &SamplerError) -> String {
    source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

fn paranoid() -> Option<i32> {
    fs::read_to_string("/proc/sys/kernel/perf_event_paranoid")
        .ok()?
        .trim()
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejected_with(errno: Errno) -> Vec<Rejected> {
        vec![Rejected {
            event: Event::CpuClock,
            errno: Some(errno.raw_os_error()),
            reason: io::Error::from(errno).to_string(),
        }]
    }

    #[test]
    fn a_forbidden_call_names_the_setting_and_the_container_remedy() {
        for errno in [Errno::ACCESS, Errno::PERM] {
            let text = verdict(Some(4), rejected_with(errno)).to_string();
            assert!(
                text.contains("perf_event_paranoid is 4")
                    && text.contains("sysctl kernel.perf_event_paranoid=2"),
                "{text}"
            );
            assert!(text.contains("PERFMON"), "{text}");
        }
        let filtered = verdict(Some(1), rejected_with(Errno::PERM)).to_string();
        assert!(
            filtered.contains("seccomp filter") && !filtered.contains("sysctl"),
            "{filtered}"
        );
    }

    #[test]
    fn an_event_that_counts_other_cycles_than_there_were_is_not_believed() {
        assert_eq!(
            believed(Some(70_100), 70_000, 20_000, 40),
            Trial::Works(3.505)
        );
        assert_eq!(believed(None, 70_000, 20_000, 40), Trial::Works(1.0));
        let Trial::Lies(why) = believed(Some(46_000), 70_000, 20_000, 40) else {
            panic!("a counter at the time stamp counter's rate was believed");
        };
        assert!(why.contains("46000 cycles in a loop of 70000"), "{why}");
        assert!(matches!(
            believed(Some(0), 70_000, 20_000, 40),
            Trial::Lies(_)
        ));
        assert!(matches!(believed(None, 70_000, 20_000, 0), Trial::Lies(_)));
    }

    #[test]
    fn a_missing_call_and_a_missing_event_are_told_apart() {
        assert!(matches!(
            verdict(Some(2), rejected_with(Errno::NOSYS)),
            SamplerError::NoSystemCall
        ));
        let text = verdict(None, rejected_with(Errno::NOENT)).to_string();
        assert!(text.contains("cpu-clock:u: No such file"), "{text}");
    }
}
