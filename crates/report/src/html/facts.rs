//! Any JSON as names and values that people can read.

use proofmark_stats::Estimate;
use serde_json::Value;

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
        Value::Array(list) if list.iter().any(Value::is_object) => {
            for (i, inner) in list.iter().enumerate() {
                collect(&joined(name, &(i + 1).to_string()), inner, out);
            }
        }
        Value::Array(list) => {
            let all: Vec<String> = list.iter().map(|v| scalar(v, "")).collect();
            out.push(row(name, |unit| {
                format!("{}{}", all.join(", "), spaced(unit))
            }));
        }
        one => out.push(row(name, |unit| scalar(one, unit))),
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
            "slopes": [{"share": 0.25}]
        });
        let rows = rows_of(&value);
        let has =
            |k: &str, v: &str| assert!(rows.contains(&(k.into(), v.into())), "{k} {v} in {rows:?}");
        has("core clock", "3.50 GHz (3.49 to 3.51), n = 12");
        has("skid: samples", "12,345");
        has("skid: loss: lost", "0");
        has("memory", "2.0 GiB");
        has("smt", "no");
        has("features", "a, b");
        has("slopes: 1: share", "0.25");
        assert_eq!(rows.len(), 8);
    }
}
