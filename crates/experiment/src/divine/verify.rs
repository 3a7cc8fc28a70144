//! `divine --verify`: the plan in fresh JVMs with loaded profiles.

use std::collections::BTreeSet;

use proofmark_stats::paired_ratio;

use super::Plan;
use super::observe::turn_times;
use super::report::{FreshJvm, Verification};
use crate::ExperimentError;
use crate::lab::{Insertion, Lab, Labs, Preparation, WindowSpec, abba, unit_name};
use crate::progress::Progress;
use crate::tables::{of_plan, resolve};

/// Placements of each side: a multiple of every number of alignments.
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
    labs: &dyn Labs,
    plan: &Plan,
    insertion: Insertion,
    jvms: u32,
    progress: &dyn Progress,
) -> Result<Verification, ExperimentError> {
    let mut seen = Vec::new();
    for at in 1..=jvms {
        progress.stage(&format!("fresh JVM {at} of {jvms}"));
        let wanted = plan
            .file
            .units
            .iter()
            .map(|unit| unit.name.clone())
            .collect();
        let wish = Preparation {
            name: format!("fresh-{at}"),
            run: 0,
            wanted,
            profiler: None,
            filler: Some(insertion.filler),
        };
        let mut lab = labs.prepare(&wish)?;
        seen.push(one(&mut *lab, plan, insertion, progress)?);
        lab.stop();
    }
    Ok(Verification::new(seen, plan.report.overhead_pct))
}

fn one(
    lab: &mut dyn Lab,
    plan: &Plan,
    insertion: Insertion,
    progress: &dyn Progress,
) -> Result<FreshJvm, ExperimentError> {
    let resolved = resolve(
        (lab.map(), &lab.units()),
        &of_plan(&plan.file),
        insertion,
        &plan.units,
    );
    let same: BTreeSet<u32> = resolved.tables.iter().map(|table| table.unit).collect();
    let same_code_pct = same_code(lab, plan, &same)?;
    let overhead_pct = if resolved.tables.is_empty() {
        None
    } else {
        progress.step("plan and baseline, interleaved");
        let variants = [lab.baseline(), lab.variant(&resolved.tables)?];
        let spec = WindowSpec {
            label: "verify",
            seconds: PLACEMENT_S,
            iterations: 2,
            rate_hz: None,
        };
        let measured = lab.window(&spec, &variants, &abba(PLACEMENTS))?;
        let turns = |variant: usize| turn_times(measured.of_variant(variant), lab.alignments());
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
fn same_code(lab: &mut dyn Lab, plan: &Plan, same: &BTreeSet<u32>) -> Result<f64, ExperimentError> {
    let spec = WindowSpec {
        label: "look",
        seconds: 0.3,
        iterations: 1,
        rate_hz: Some(LOOK_HZ),
    };
    let baseline = lab.baseline();
    let measured = lab.window(&spec, &[baseline], &[0; 4])?;
    let times = measured.times();
    let names: BTreeSet<&str> = plan
        .file
        .units
        .iter()
        .map(|unit| unit.name.as_str())
        .collect();
    let of_plan = |unit: u32| names.contains(unit_name(lab, unit));
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
