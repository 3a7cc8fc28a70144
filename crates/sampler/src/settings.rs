//! How often to sample.

use crate::error::SamplerError;
use crate::event::Event;
use crate::probe::Probe;
use crate::records::SAMPLE_RECORD_BYTES;

/// Samples per second of CPU time while searching: unbiased shares, many samples per second of waiting; costs about 9 % (see the crate's *Accuracy*).
pub const SEARCH_HZ: f64 = 5_000.0;

/// Period of the slower stream over that of the faster: 230.911 us over 171.371 us, near no ratio of small integers.
///
/// A program whose phases repeat with the sampling period is seen wrongly by one timer (errors to 9 points were measured); two timers
/// that never fall into step see it right.
const PERIOD_RATIO: f64 = 230.911 / 171.371;

/// CPU time that a ring holds before samples are lost, in seconds: several times the owner's pause between drains.
const RING_SECONDS: f64 = 1.0;

/// What a thread is sampled with: an event, two periods, two rings.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The event, as [`crate::probe`] found it.
    pub event: Event,
    /// Periods of the two streams in the event's unit (ns or cycles), faster first.
    pub periods: [u64; 2],
    /// Wanted size of each stream's ring in bytes; a smaller one is taken where the limit on locked memory demands it.
    pub ring_bytes: [usize; 2],
}

impl Settings {
    /// Samples at a rate: samples per second of the thread's CPU time, both streams together.
    ///
    /// # Errors
    /// [`SamplerError::Rate`] outside 1 to 40000 Hz (above 20000 Hz shares are distorted).
    pub fn at_rate(probe: &Probe, rate_hz: f64) -> Result<Settings, SamplerError> {
        if !(1.0..=40_000.0).contains(&rate_hz) {
            return Err(SamplerError::Rate { rate_hz });
        }
        Ok(Settings::with_rate(
            probe.event,
            probe.units_per_ns,
            rate_hz,
        ))
    }

    /// [`SEARCH_HZ`].
    pub fn search(probe: &Probe) -> Settings {
        Settings::with_rate(probe.event, probe.units_per_ns, SEARCH_HZ)
    }

    pub(crate) fn with_rate(event: Event, units_per_ns: f64, rate_hz: f64) -> Settings {
        let fast_ns = 1e9 / rate_hz * (1.0 + 1.0 / PERIOD_RATIO);
        let periods_ns = [fast_ns, fast_ns * PERIOD_RATIO];
        let periods = periods_ns.map(|ns| (ns * units_per_ns).round().max(1.0) as u64);
        Settings {
            event,
            periods: [periods[0], next_coprime(periods[1], periods[0])],
            ring_bytes: periods_ns
                .map(|ns| (RING_SECONDS * 1e9 / ns) as usize * SAMPLE_RECORD_BYTES),
        }
    }
}

/// The first number from `start` on that shares no divisor with `other`.
fn next_coprime(start: u64, other: u64) -> u64 {
    let mut number = start;
    while greatest_common_divisor(number, other) != 1 {
        number += 1;
    }
    number
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 {
        a
    } else {
        greatest_common_divisor(b, a % b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_measured_periods_come_out_at_their_own_rate() {
        let rate_hz = 1e9 / 171_371.0 + 1e9 / 230_911.0;
        let settings = Settings::with_rate(Event::CpuClock, 1.0, rate_hz);
        assert_eq!(settings.periods, [171_371, 230_911]);
    }

    #[test]
    fn both_streams_together_give_the_rate_and_never_fall_into_step() {
        for rate_hz in [1.0, 500.0, 1_000.0, 5_000.0, 10_000.0, 40_000.0] {
            let [fast, slow] = Settings::with_rate(Event::CpuClock, 1.0, rate_hz).periods;
            let total_hz = 1e9 / fast as f64 + 1e9 / slow as f64;
            assert!(
                (total_hz / rate_hz - 1.0).abs() < 1e-3,
                "{rate_hz} Hz became {total_hz}"
            );
            assert_eq!(
                greatest_common_divisor(fast, slow),
                1,
                "periods {fast} and {slow} repeat together"
            );
        }
    }

    #[test]
    fn cycles_get_longer_periods_than_nanoseconds() {
        let event = Event::Cycles { precise: 2 };
        let [ns, cycles] = [1.0, 3.5]
            .map(|units_per_ns| Settings::with_rate(event, units_per_ns, SEARCH_HZ).periods[0]);
        assert!((cycles as f64 / ns as f64 - 3.5).abs() < 1e-3);
    }
}
