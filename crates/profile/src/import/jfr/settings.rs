//! Sampling intervals, from the settings that a recording tells about itself.

use std::collections::HashMap;

use super::chunk::Chunk;
use super::value::Value;

/// The event that holds one setting.
pub(super) const EVENT: &str = "jdk.ActiveSetting";

/// Intervals by event name, in nanoseconds. The last setting seen wins.
#[derive(Default)]
pub(super) struct Intervals(HashMap<String, u64>);

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
            "period" | "throttle" => parse_interval(value),
            "interval" => value.parse().ok(), // async-profiler, nanoseconds
            _ => None,
        };
        if let Some(interval) = interval {
            self.0.insert(class.name.to_string(), interval);
        }
    }

    /// The interval of an event, where it was told.
    pub(super) fn of(&self, event: &str) -> Option<u64> {
        self.0.get(event).copied()
    }
}

/// `20 ms`, `1 s`, or a rate per thread and second, `500/s`.
fn parse_interval(text: &str) -> Option<u64> {
    if let Some((rate, per)) = text.split_once('/') {
        let second = unit_ns(per.trim())?;
        return second.checked_div(rate.trim().parse().ok()?);
    }
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
    use super::parse_interval;

    #[test]
    fn intervals() {
        assert_eq!(parse_interval("20 ms"), Some(20_000_000));
        assert_eq!(parse_interval("500/s"), Some(2_000_000));
        assert_eq!(parse_interval("0/s"), None, "off");
        assert_eq!(parse_interval("everyChunk"), None);
    }
}
