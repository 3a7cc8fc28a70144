//! `divine --verify`: the plan in fresh JVMs with loaded profiles.

use std::collections::BTreeSet;

use proofmark_blocks::BlockTimes;
use proofmark_jvm::{Bench, Filler, Placement, WindowSpec, abba};
use proofmark_report::{FreshJvm, Verification};
use proofmark_stats::paired_ratio;

use super::divine_command::Plan;
use super::observe::turn_times;
use super::tables::{of_plan, resolve};
use crate::context::Context;

/// Placements of each side: a multiple of every number of shifts.
const PLACEMENTS: usize = 24;
/// Least time at one placement, s.
const PLACEMENT_S: f64 = 0.15;
/// Sampling rate for the units' parts of the time, 1/s.
const LOOK_HZ: f64 = 2000.0;

/// Tries the plan in so many JVMs, one after the other.
///
/// # Errors
/// When a JVM fails.
pub fn verify(
    context: &Context,
    plan: &Plan,
    how: (Filler, Placement),
    jvms: u32,
) -> anyhow::Result<Verification> {
    let mut seen = Vec::new();
    for at in 1..=jvms {
        context.progress.stage(&format!("fresh JVM {at} of {jvms}"));
        let wanted = plan
            .file
            .units
            .iter()
            .map(|unit| unit.name.clone())
            .collect();
        let settings = context.bench(&format!("fresh-{at}"), plan.profiles.clone(), wanted)?;
        let mut bench = Bench::prepare(&context.kit, &context.workload, settings)?;
        seen.push(one(&mut bench, plan, how)?);
        bench.stop();
    }
    Ok(Verification::new(seen, plan.report.overhead_pct))
}

fn one(bench: &mut Bench, plan: &Plan, how: (Filler, Placement)) -> anyhow::Result<FreshJvm> {
    let resolved = resolve(bench, &of_plan(&plan.file), how, &plan.units);
    let same: BTreeSet<u32> = resolved.tables.iter().map(|table| table.unit).collect();
    let same_code_pct = same_code(bench, plan, &same)?;
    let overhead_pct = if resolved.tables.is_empty() {
        None
    } else {
        (bench.settings().progress)("plan and baseline, interleaved");
        let sides = [bench.baseline(), bench.side(&resolved.tables)?];
        let spec = WindowSpec {
            label: "verify",
            seconds: PLACEMENT_S,
            iterations: 2,
            rate_hz: None,
        };
        let measured = bench.window(&spec, &sides, &abba(PLACEMENTS), &mut ())?;
        let turns = |side: usize| turn_times(measured.of_side(side), bench.shifts());
        let pairs: Vec<(f64, f64)> = turns(0).into_iter().zip(turns(1)).collect();
        paired_ratio(&pairs).map(|ratio| ratio.map_increasing(|r| 100.0 * (r - 1.0)))
    };
    Ok(FreshJvm {
        same_code_pct,
        refused: resolved.refused,
        overhead_pct,
    })
}

/// Part of the time of the plan's units that is in units of the plan's shape, %.
fn same_code(bench: &mut Bench, plan: &Plan, same: &BTreeSet<u32>) -> anyhow::Result<f64> {
    let spec = WindowSpec {
        label: "look",
        seconds: 0.3,
        iterations: 1,
        rate_hz: Some(LOOK_HZ),
    };
    let measured = bench.window(&spec, &[bench.baseline()], &[0; 4], &mut ())?;
    let mut times = BlockTimes::default();
    measured
        .groups
        .iter()
        .for_each(|group| times.merge(&group.times));
    let names: BTreeSet<&str> = plan
        .file
        .units
        .iter()
        .map(|unit| unit.name.as_str())
        .collect();
    let of_plan = |unit: u32| names.contains(bench.unit_name(unit));
    let sum = |wanted: &dyn Fn(u32) -> bool| {
        times
            .units
            .iter()
            .filter(|(unit, _)| wanted(**unit))
            .map(|(_, w)| w.sum)
            .sum::<f64>()
    };
    let all = sum(&of_plan);
    Ok(if all > 0.0 {
        100.0 * sum(&|unit| same.contains(&unit)) / all
    } else {
        0.0
    })
}
