//! Sampling intervals, from the settings that a recording tells about itself and from its samples.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::chunk::Chunk;
use super::samples::CPU_TIME;
use super::value::Value;

/// The event that holds one setting.
pub(super) const EVENT: &str = "jdk.ActiveSetting";

/// So many different periods of samples are told apart. Real recordings have a few: multiples of one.
const MOST_PERIODS: usize = 1_000;

/// Times between two samples of a thread, in nanoseconds.
#[derive(Default)]
pub(super) struct Intervals {
    /// What settings tell, by event name. The last one seen wins.
    told: HashMap<String, u64>,
    /// Number of samples of CPU time by the time that they say they stand for.
    periods: HashMap<u64, u64>,
}

impl Intervals {
    /// Takes note of a setting if it is one of time between samples.
    pub(super) fn note(&mut self, chunk: &Chunk<'_>, event: &Value) {
        let class = chunk.int(event, "id").and_then(|id| chunk.types.get(&id));
        let (Some(class), Some(name), Some(value)) =
            (class, chunk.text(event, "name"), chunk.text(event, "value"))
        else {
            return;
        };
        let interval = match name {
            "period" | "throttle" if is_rate(value) => {
                self.told.remove(&*class.name);
                None
            }
            "period" | "throttle" => parse_interval(value),
            "interval" => value.parse().ok(), // async-profiler, nanoseconds
            _ => None,
        };
        if let Some(interval) = interval {
            self.told.insert(class.name.to_string(), interval);
        }
    }

    /// Takes note of the time that a sample of CPU time says it stands for, to the microsecond: the JVM cuts it off to
    /// whole ticks.
    pub(super) fn sample(&mut self, chunk: &Chunk<'_>, event: &Value) {
        let ticks = chunk.int(event, "samplingPeriod").unwrap_or(0);
        let ns = u64::try_from(chunk.header.duration_ns(ticks)).unwrap_or(0);
        let period = ns.saturating_add(500) / 1_000 * 1_000;
        let known = self.periods.len() < MOST_PERIODS || self.periods.contains_key(&period);
        if period > 0 && known {
            *self.periods.entry(period).or_default() += 1;
        }
    }

    /// The interval of an event: what its setting tells, else, of CPU time, what most of its samples stand for.
    pub(super) fn of(&self, event: &str) -> Option<u64> {
        let told = self.told.get(event).copied();
        told.or_else(|| self.commonest().filter(|_| event == CPU_TIME))
    }

    /// The time that most samples stand for, of several the shortest.
    fn commonest(&self) -> Option<u64> {
        let periods = self.periods.iter();
        let most = periods.max_by_key(|(period, samples)| (**samples, Reverse(**period)));
        most.map(|(period, _)| *period)
    }
}

/// True for `500/s`: the most samples of all threads together. HotSpot makes of it a time that grows with the number
/// of processors, which the setting does not tell. `0/s` is off, no rate.
fn is_rate(text: &str) -> bool {
    let rate = text.split_once('/').map(|(rate, _)| rate.trim());
    rate.is_some_and(|rate| rate.parse::<u64>().is_ok_and(|rate| rate > 0))
}

/// `20 ms`, `1 s`.
fn parse_interval(text: &str) -> Option<u64> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(digits);
    number
        .parse::<u64>()
        .ok()?
        .checked_mul(unit_ns(unit.trim())?)
}

fn unit_ns(unit: &str) -> Option<u64> {
    Some(match unit {
        "ns" => 1,
        "us" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{is_rate, parse_interval};

    #[test]
    fn intervals() {
        assert_eq!(parse_interval("20 ms"), Some(20_000_000));
        assert_eq!(parse_interval("500/s"), None, "of all threads together");
        assert_eq!(parse_interval("0/s"), None, "off");
        assert_eq!(parse_interval("everyChunk"), None);
    }

    #[test]
    fn rates() {
        assert!(is_rate("500/s") && is_rate("1 / s"));
        assert!(!is_rate("0/s") && !is_rate("20 ms") && !is_rate("off"));
    }
}
