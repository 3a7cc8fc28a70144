//! `proofmark events diff`: two configurations of the compiler, several JVMs each, in turn.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_events::{Configuration, EVENTS_DIFF_SCHEMA, EventsDiff};
use proofmark_events::{Metric, Profile, differences};
use proofmark_experiment::lab::WindowSpec;
use proofmark_jvm::Bench;
use proofmark_stats::{mean, mean_t, median, paired_ratio};

use super::{Counting, count, mode, settings};
use crate::context::Refusal;
use crate::request::EventsDiffRequest;

/// Placements whose times are taken before anything is counted.
const PLACEMENTS: usize = 8;
/// Least time at one placement, s.
const PLACEMENT_S: f64 = 0.2;

/// What one JVM showed.
struct Seen {
    profile: Profile,
    iteration_ns: f64,
    outside_pct: Option<f64>,
    blocks_pct: Option<f64>,
}

/// Compares two configurations.
///
/// # Errors
/// When no JVM starts with the options, or one fails.
pub fn run(counting: &Counting<'_>, request: &EventsDiffRequest) -> anyhow::Result<EventsDiff> {
    let options = &request.options;
    for (side, options) in ["a", "b"].into_iter().zip(options) {
        let settings = settings(counting, side, &request.selection, options)?;
        if let Err(said) = settings.launch.check_options(&counting.session.kit) {
            return Err(Refusal::Usage(format!(
                "no JVM starts with the options of --{side} ({}): {said}",
                options.join(" ")
            ))
            .into());
        }
    }
    let mut seen: [Vec<Seen>; 2] = [Vec::new(), Vec::new()];
    for at in 0..request.jvms {
        // A B, B A: slow changes of the machine hit both alike.
        let order = if at % 2 == 0 { [0, 1] } else { [1, 0] };
        for side in order {
            let name = format!("{}-{}", ["a", "b"][side], at + 1);
            let stage = format!("JVM {} of {}", name, 2 * request.jvms);
            counting.session.progress.stage(&stage);
            seen[side].push(one(counting, request, &name, &options[side])?);
        }
    }
    Ok(compared(counting, request, &seen))
}

fn one(
    counting: &Counting<'_>,
    request: &EventsDiffRequest,
    name: &str,
    options: &[String],
) -> anyhow::Result<Seen> {
    let selection = &request.selection;
    let settings = settings(counting, name, selection, options)?;
    let mut bench = counting.bench(settings)?;
    let catalogue = bench.lab_mut().event_types()?;
    let mode = mode(&catalogue, selection)?;
    let units = count::chosen(&bench, selection)?;
    let iteration_ns = time(&mut bench)?;
    let table = counting.session.file(&format!("{name}.table"));
    let compiled = count::compile(&mut bench, Some(&mode), &units, &table)?;
    let coverage = count::coverage(&mut bench, &compiled)?;
    let counted = count::run(&mut bench, &compiled, request.iterations, &table)?;
    bench.stop();
    Ok(Seen {
        profile: counted.profile,
        iteration_ns,
        outside_pct: coverage.outside_time_pct.map(|share| share.value),
        blocks_pct: coverage.graal_blocks_pct,
    })
}

/// Median CPU time of an iteration of code that does not count, over several placements, ns.
fn time(bench: &mut Bench) -> anyhow::Result<f64> {
    let sides = [bench.baseline()];
    let spec = WindowSpec {
        label: "time",
        seconds: PLACEMENT_S,
        iterations: 2,
        rate_hz: None,
    };
    let measured = bench.window(&spec, &sides, &[0; PLACEMENTS], &mut ())?;
    let medians = measured.groups.iter().filter_map(|group| {
        let cpu: Vec<f64> = group
            .iterations
            .iter()
            .map(|(_, _, cpu)| *cpu as f64)
            .collect();
        median(&cpu)
    });
    Ok(mean(&medians.collect::<Vec<f64>>()))
}

fn compared(
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
            iteration_ms: mean_t(&of(&|s| s.iteration_ns / 1e6)),
            outside_time_pct: all(&|s| s.outside_pct).map(|pct| mean(&pct)),
            graal_blocks_pct: all(&|s| s.blocks_pct)
                .map(|pct| pct.into_iter().fold(100.0, f64::min)),
        }
    };
    let pairs: Vec<(f64, f64)> = seen[0]
        .iter()
        .zip(&seen[1])
        .map(|(a, b)| (a.iteration_ns, b.iteration_ns))
        .collect();
    let profiles = [0, 1].map(|side| seen[side].iter().map(|s| &s.profile).collect::<Vec<_>>());
    EventsDiff {
        schema: EVENTS_DIFF_SCHEMA.into(),
        workload: counting.program.workload.to_string(),
        environment: counting.environment(),
        a: configuration(0),
        b: configuration(1),
        run_time_ratio: paired_ratio(&pairs),
        differences: differences(&metrics(&profiles), request.threshold),
        remarks: remarks(&profiles),
    }
}

/// Events of the whole program and of every unit, per iteration, one value per JVM. A unit that a JVM did not have
/// had no events there.
fn metrics(profiles: &[Vec<&Profile>; 2]) -> Vec<Metric> {
    let Some(first) = profiles.iter().flatten().next() else {
        return Vec::new();
    };
    let units: BTreeSet<&String> = profiles
        .iter()
        .flatten()
        .flat_map(|profile| profile.units.keys())
        .collect();
    let mut metrics = Vec::new();
    for (kind, named) in first.types.iter().enumerate() {
        let whole = |profile: &&Profile| profile.totals[kind].value as f64 / iterations(profile);
        metrics.push(metric(&named.name, None, profiles, &whole));
        for unit in &units {
            let of_unit = |profile: &&Profile| {
                let totals = profile.units.get(*unit);
                totals.map_or(0.0, |t| t[kind].value as f64) / iterations(profile)
            };
            metrics.push(metric(&named.name, Some(unit), profiles, &of_unit));
        }
    }
    metrics
}

fn iterations(profile: &Profile) -> f64 {
    profile.over_time.len().max(1) as f64
}

fn metric(
    event: &str,
    unit: Option<&String>,
    profiles: &[Vec<&Profile>; 2],
    value: &dyn Fn(&&Profile) -> f64,
) -> Metric {
    let side = |at: usize| profiles[at].iter().map(value).collect();
    Metric {
        event: event.to_owned(),
        unit: unit.cloned(),
        a: side(0),
        b: side(1),
    }
}

/// Units that only some JVMs of a configuration executed: their events wander between units.
fn remarks(profiles: &[Vec<&Profile>; 2]) -> Vec<String> {
    let mut remarks = Vec::new();
    for (side, name) in profiles.iter().zip(["A", "B"]) {
        let mut in_jvms: BTreeMap<&String, usize> = BTreeMap::new();
        for unit in side.iter().flat_map(|profile| profile.units.keys()) {
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
