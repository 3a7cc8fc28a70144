//! The JVMs of two configurations, compared.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_events::{Configuration, EVENTS_DIFF_SCHEMA, EventsDiff, Uncounted};
use proofmark_events::{Metric, differences};
use proofmark_stats::{mean, mean_t, paired_ratio};

use super::super::{Counting, count};
use super::Seen;
use crate::request::EventsDiffRequest;

/// What the JVMs of both configurations showed, compared.
pub(super) fn compared(
    counting: &Counting<'_>,
    request: &EventsDiffRequest,
    seen: &[Vec<Seen>; 2],
) -> EventsDiff {
    let configuration = |side: usize| {
        let of = |f: &dyn Fn(&Seen) -> f64| -> Vec<f64> { seen[side].iter().map(f).collect() };
        let all = |f: &dyn Fn(&Seen) -> Option<f64>| -> Option<Vec<f64>> {
            seen[side].iter().map(f).collect()
        };
        Configuration {
            jvm_options: request.options[side].clone(),
            iteration_ms: mean_t(&of(&|s| s.run_ns() / 1e6)),
            outside_time_pct: all(&|s| s.figures.outside_pct).map(|pct| mean(&pct)),
            graal_blocks_pct: all(&|s| s.figures.blocks_pct)
                .map(|pct| pct.into_iter().fold(100.0, f64::min)),
            uncounted: uncounted(&seen[side]),
        }
    };
    let pairs: Vec<(f64, f64)> = seen[0]
        .iter()
        .zip(&seen[1])
        .map(|(a, b)| (a.run_ns(), b.run_ns()))
        .collect();
    let together = seen.iter().flatten().map(|jvm| jvm.figures.together).max();
    EventsDiff {
        schema: EVENTS_DIFF_SCHEMA.into(),
        workload: counting.program.workload.to_string(),
        environment: counting.environment(),
        runs_per_iteration: u64::from(together.unwrap_or(1)),
        a: configuration(0),
        b: configuration(1),
        run_time_ratio: paired_ratio(&pairs),
        differences: differences(&metrics(seen), request.threshold),
        remarks: remarks(seen, request.selection.restriction()),
    }
}

/// Units that JVMs of a configuration executed and did not count, each with its largest parts in any of them.
fn uncounted(jvms: &[Seen]) -> Vec<Uncounted> {
    let larger = |parts: [Option<f64>; 2]| parts.into_iter().flatten().reduce(f64::max);
    let mut by_name: BTreeMap<&str, Uncounted> = BTreeMap::new();
    for one in jvms.iter().flat_map(|jvm| &jvm.figures.uncounted) {
        let most = by_name.entry(one.unit.as_str()).or_default();
        most.blocks_pct = larger([most.blocks_pct, one.blocks_pct]);
        most.time_pct = larger([most.time_pct, one.time_pct]);
        if most.reason.is_none() {
            most.reason.clone_from(&one.reason);
        }
    }
    count::ranked(by_name)
}

/// Events of the whole program and of every unit, per run of the program, one value per JVM. A unit that a JVM did not
/// have had no events there.
fn metrics(seen: &[Vec<Seen>; 2]) -> Vec<Metric> {
    let Some(first) = seen.iter().flatten().next() else {
        return Vec::new();
    };
    let units: BTreeSet<&String> = seen
        .iter()
        .flatten()
        .flat_map(|jvm| jvm.profile.units.keys())
        .collect();
    let mut metrics = Vec::new();
    for (kind, named) in first.profile.types.iter().enumerate() {
        let whole = |jvm: &Seen| jvm.profile.totals[kind].value as f64 / jvm.runs();
        metrics.push(metric(&named.name, None, seen, &whole));
        for unit in &units {
            let of_unit = |jvm: &Seen| {
                let totals = jvm.profile.units.get(*unit);
                totals.map_or(0.0, |t| t[kind].value as f64) / jvm.runs()
            };
            metrics.push(metric(&named.name, Some(unit), seen, &of_unit));
        }
    }
    metrics
}

fn metric(
    event: &str,
    unit: Option<&String>,
    seen: &[Vec<Seen>; 2],
    value: &dyn Fn(&Seen) -> f64,
) -> Metric {
    let side = |at: usize| seen[at].iter().map(value).collect();
    Metric {
        event: event.to_owned(),
        unit: unit.cloned(),
        a: side(0),
        b: side(1),
    }
}

/// What counting was restricted to, and units that only some JVMs of a configuration executed: their events wander
/// between units.
fn remarks(seen: &[Vec<Seen>; 2], restriction: Option<String>) -> Vec<String> {
    let only = |to: String| format!("only {to} were counted, as asked for");
    let mut remarks: Vec<String> = restriction.map(only).into_iter().collect();
    for (side, name) in seen.iter().zip(["A", "B"]) {
        let mut in_jvms: BTreeMap<&String, usize> = BTreeMap::new();
        for unit in side.iter().flat_map(|jvm| jvm.profile.units.keys()) {
            *in_jvms.entry(unit).or_default() += 1;
        }
        let some = in_jvms.values().filter(|jvms| **jvms < side.len()).count();
        if some > 0 {
            remarks.push(format!(
                "{some} of {} units of {name} exist in some of its JVMs only: inlining differs between JVMs",
                in_jvms.len()
            ));
        }
    }
    remarks
}

#[cfg(test)]
mod tests {
    use proofmark_events::{EventType, Profile, Total};
    use serde_json::json;

    use super::super::Figures;
    use super::*;

    /// A JVM whose iterations are so many runs of a program with 1,000 loads, 600 of them in one unit.
    fn jvm(together: u32) -> Seen {
        let runs = 3 * i64::from(together);
        let load = EventType {
            name: "load".into(),
            category: "memory-accesses".into(),
        };
        let unit = ("p.C.m()V".to_owned(), vec![Total::exact(600 * runs)]);
        let profile = Profile {
            types: vec![load],
            totals: vec![Total::exact(1000 * runs)],
            units: BTreeMap::from([unit]),
            over_time: vec![vec![1000 * i64::from(together)]; 3],
            ..Profile::default()
        };
        let figures = Figures {
            iteration_ns: 2e4 * f64::from(together),
            outside_pct: None,
            blocks_pct: None,
            together,
            uncounted: Vec::new(),
        };
        Seen { profile, figures }
    }

    #[test]
    fn jvms_that_measure_other_numbers_of_runs_together_do_not_differ() {
        let seen = [vec![jvm(64), jvm(64)], vec![jvm(32), jvm(64)]];
        let metrics = metrics(&seen);
        assert_eq!(metrics.len(), 2);
        assert_eq!(metrics[0].a, [1000.0, 1000.0]);
        assert_eq!(metrics[0].b, [1000.0, 1000.0]);
        assert_eq!(metrics[1].b, [600.0, 600.0]);
        assert!(differences(&metrics, 0.1).found.is_empty());
        assert_eq!(seen[0][0].run_ns(), seen[1][0].run_ns());
    }

    /// A unit that was not counted: its parts of the blocks and of the time, and why.
    fn left(unit: &str, parts: [Option<f64>; 2], reason: Option<&str>) -> Uncounted {
        let [blocks_pct, time_pct] = parts;
        Uncounted {
            unit: unit.into(),
            blocks_pct,
            time_pct,
            reason: reason.map(str::to_owned),
        }
    }

    #[test]
    fn what_jvms_of_a_side_did_not_count_is_named_once() {
        let without = |uncounted: Vec<Uncounted>| {
            let mut seen = jvm(1);
            seen.figures.uncounted = uncounted;
            seen
        };
        let why = Some("its shape keeps changing");
        let jvms = [
            without(vec![
                left("p.C.m()V", [Some(2.0), None], None),
                left("p.C.n()V", [None, Some(1.0)], None),
            ]),
            jvm(1),
            without(vec![
                left("p.C.n()V", [None, Some(3.0)], why),
                left("p.C.m()V", [Some(0.5), Some(0.25)], None),
            ]),
        ];
        let expected = [
            left("p.C.n()V", [None, Some(3.0)], why),
            left("p.C.m()V", [Some(2.0), Some(0.25)], None),
        ];
        assert_eq!(uncounted(&jvms), expected);
        assert!(uncounted(&[jvm(1), jvm(1)]).is_empty());
    }

    /// A directory may hold JVMs that ran before units were named.
    #[test]
    fn figures_without_names_of_units_are_read() {
        let before = json!({
            "iteration_ns": 2e4,
            "outside_pct": null,
            "blocks_pct": 99.5,
            "together": 1,
        });
        let figures: Figures = serde_json::from_value(before).expect("figures");
        assert!(figures.uncounted.is_empty());
        assert_eq!(figures.blocks_pct, Some(99.5));
    }

    #[test]
    fn what_was_left_out_is_said() {
        let seen = [vec![jvm(1)], vec![jvm(1)]];
        assert!(remarks(&seen, None).is_empty());
        let said = remarks(&seen, Some("units outside of the JDK".into()));
        assert_eq!(
            said,
            ["only units outside of the JDK were counted, as asked for"]
        );
    }
}
