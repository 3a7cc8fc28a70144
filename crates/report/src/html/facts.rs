//! Any JSON as names and values that people can read.

use proofmark_stats::Estimate;
use serde_json::{Map, Value};

use crate::number::{fixed, grouped, with_n};

/// Rows of a value: nested names joined, units out of the names, estimates with interval and n.
pub(super) fn rows_of(value: &Value) -> Vec<(String, String)> {
    let mut out = Vec::new();
    collect("", value, &mut out);
    out
}

fn collect(name: &str, value: &Value, out: &mut Vec<(String, String)>) {
    match value {
        Value::Null => {}
        Value::Object(map) => match estimate(value) {
            Some(e) => out.push(row(name, |unit| with_n(&e, unit))),
            None => map
                .iter()
                .for_each(|(key, inner)| collect(&joined(name, key), inner, out)),
        },
        // A table of its own.
        Value::Array(list) if list.iter().any(Value::is_object) => {}
        Value::Array(list) => {
            let all: Vec<String> = list.iter().map(|v| scalar(v, "")).collect();
            out.push(row(name, |unit| {
                format!("{}{}", all.join(", "), spaced(unit))
            }));
        }
        one => out.push(row(name, |unit| scalar(one, unit))),
    }
}

/// A list of objects: a row each, a column for every key.
#[derive(Debug, PartialEq)]
pub(super) struct Grid {
    /// What the list is called.
    pub(super) title: String,
    /// Keys, with their units.
    pub(super) columns: Vec<String>,
    /// Values as words.
    pub(super) rows: Vec<Vec<String>>,
}

/// All lists of objects in a value.
pub(super) fn grids_of(value: &Value) -> Vec<Grid> {
    let mut out = Vec::new();
    grids("", value, &mut out);
    out
}

fn grids(name: &str, value: &Value, out: &mut Vec<Grid>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                grids(&joined(name, key), inner, out);
            }
        }
        Value::Array(list) => {
            let objects: Vec<_> = list.iter().filter_map(Value::as_object).collect();
            let mut keys: Vec<&String> = Vec::new();
            for key in objects.iter().flat_map(|object| object.keys()) {
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
            // What a row is about stands first.
            keys.sort_by_key(|key| {
                !objects
                    .iter()
                    .any(|o| o.get(*key).is_some_and(Value::is_string))
            });
            if !keys.is_empty() {
                let cell = |object: &Map<String, Value>, key: &str| object.get(key).map(cell);
                let row = |object: &&Map<String, Value>| {
                    let cells = keys.iter().map(|key| cell(object, key.as_str()));
                    cells.map(|cell| cell.unwrap_or_default()).collect()
                };
                out.push(Grid {
                    title: name.replace('_', " "),
                    columns: keys.iter().map(|key| column(key)).collect(),
                    rows: objects.iter().map(row).collect(),
                });
            }
        }
        _ => {}
    }
}

fn column(key: &str) -> String {
    let (name, unit) = unit_of(key);
    let comma = if unit.is_empty() { "" } else { ", " };
    format!("{}{comma}{unit}", name.replace('_', " "))
}

/// A value in a table, whose column says the unit.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Object(_) => match estimate(value) {
            Some(e) => with_n(&e, ""),
            None => {
                let parts = rows_of(value).into_iter();
                parts
                    .map(|(what, value)| format!("{what} {value}"))
                    .collect::<Vec<_>>()
                    .join("; ")
            }
        },
        Value::Array(list) => list.iter().map(cell).collect::<Vec<_>>().join(", "),
        one => scalar(one, ""),
    }
}

fn row(name: &str, words: impl Fn(&str) -> String) -> (String, String) {
    let (name, unit) = unit_of(name);
    (name.replace('_', " "), words(unit))
}

fn joined(name: &str, key: &str) -> String {
    if name.is_empty() {
        key.to_owned()
    } else {
        format!("{name}: {key}")
    }
}

fn estimate(value: &Value) -> Option<Estimate> {
    let map = value.as_object().filter(|map| map.len() == 4)?;
    // Open ends are null in JSON.
    let end = |key: &str, open: f64| map.get(key).map(|v| v.as_f64().unwrap_or(open));
    Some(Estimate {
        value: map.get("value")?.as_f64()?,
        low: end("low", f64::NEG_INFINITY)?,
        high: end("high", f64::INFINITY)?,
        n: map.get("n")?.as_u64()?,
    })
}

/// Name without its unit, and the unit.
fn unit_of(name: &str) -> (&str, &str) {
    const UNITS: [(&str, &str); 9] = [
        ("_pct", "%"),
        ("_pt", "pt"),
        ("_ms", "ms"),
        ("_ns", "ns"),
        ("_s", "s"),
        ("_ghz", "GHz"),
        ("_hz", "Hz"),
        ("_bytes", "bytes"),
        ("_cycles", "cycles"),
    ];
    let found = UNITS
        .iter()
        .find_map(|(suffix, unit)| Some((name.strip_suffix(suffix)?, *unit)));
    found.unwrap_or((name, ""))
}

fn spaced(unit: &str) -> String {
    if unit.is_empty() {
        String::new()
    } else {
        format!(" {unit}")
    }
}

fn scalar(value: &Value, unit: &str) -> String {
    match value {
        Value::Bool(true) => "yes".into(),
        Value::Bool(false) => "no".into(),
        Value::String(text) => text.clone(),
        Value::Number(n) if unit == "bytes" => {
            format!(
                "{} GiB",
                fixed(n.as_f64().unwrap_or(0.0) / f64::from(1 << 30), 1)
            )
        }
        Value::Number(n) => match n.as_u64() {
            Some(whole) => format!("{}{}", grouped(whole), spaced(unit)),
            None => format!("{}{}", short(n.as_f64().unwrap_or(f64::NAN)), spaced(unit)),
        },
        other => other.to_string(),
    }
}

/// Four digits at most.
fn short(value: f64) -> String {
    let text = fixed(value, if value.abs() < 1.0 { 4 } else { 2 });
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_units_and_estimates() {
        let value = serde_json::json!({
            "core_clock_ghz": {"value": 3.501, "low": 3.49, "high": 3.51, "n": 12},
            "skid": {"rule": "next", "samples": 12345, "loss": {"lost": 0}},
            "memory_bytes": 2147483648u64,
            "smt": false,
            "none": null,
            "features": ["a", "b"],
            "slopes": [
                {"share_pct": 0.25, "kind": "mov", "cost": {"value": 2.0, "low": 1.0, "high": 3.0, "n": 9}},
                {"kind": "nop", "known_cycles": [6.0, 8.5]}
            ]
        });
        let grids = grids_of(&value);
        assert_eq!(grids.len(), 1);
        assert_eq!(grids[0].title, "slopes");
        assert_eq!(
            grids[0].columns,
            ["kind", "cost", "share, %", "known, cycles"]
        );
        assert_eq!(grids[0].rows[1], ["nop", "", "", "6, 8.5"]);
        assert!(grids[0].rows[0][1].contains("(1.0 to 3.0)"), "{grids:?}");
        let rows = rows_of(&value);
        let has =
            |k: &str, v: &str| assert!(rows.contains(&(k.into(), v.into())), "{k} {v} in {rows:?}");
        has("core clock", "3.50 GHz (3.49 to 3.51), n = 12");
        has("skid: samples", "12,345");
        has("skid: loss: lost", "0");
        has("memory", "2.0 GiB");
        has("smt", "no");
        has("features", "a, b");
        assert_eq!(rows.len(), 7);
    }
}
