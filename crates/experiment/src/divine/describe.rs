//! A finished search as a plan file and what is told about it.

use std::collections::BTreeMap;

use proofmark_divine::{PLAN_SCHEMA, PlanBlock, PlanFile, PlanUnit};

use super::report::{BlockRow, DebugInfo, DivineReport, Excluded, Sampling, WarmUp, seen};
use super::{Divined, Effort, Plan};
use crate::lab::{Lab, unit_name};
use crate::select::Exclusion;
use crate::session::About;

/// What the search found, to be written.
pub(super) fn describe(
    about: &About,
    lab: &dyn Lab,
    target: f64,
    found: &Divined,
    effort: &Effort,
) -> Plan {
    let target_pct = percent(target);
    let units = plan_units(lab, found, target_pct);
    let evaluation = &found.evaluation;
    let described = lab.map().units();
    let of_plan = |unit: &PlanUnit| {
        described
            .iter()
            .find(|u| u.name == unit.name && u.signature == unit.signature)
            .cloned()
    };
    let descriptions = units.iter().filter_map(of_plan).collect();
    let mut file = PlanFile {
        instruction: found.filler.name().into(),
        schema: PLAN_SCHEMA.into(),
        workload: about.workload.clone(),
        target_pct,
        environment: about.environment.clone(),
        units,
        coverage_pct: evaluation.coverage_pct,
        plans_tried: found.outcome.plans_tried,
        wall_s: found.wall_s,
        overhead_pct: Some(evaluation.overhead_pct),
        judged_sets: Some(evaluation.judged_sets),
        block_error_pt: Some(evaluation.block_error_pt),
        block_error_raw_pt: Some(evaluation.block_error_pt),
        block_error_noise_pt: Some(evaluation.block_error_noise_pt),
        block_error_denoised_pt: evaluation.block_error_denoised_pt,
        block_error_worst_pt: Some(evaluation.block_error_worst_pt),
        short_block_error_pt: Some(evaluation.short_block_error_pt),
        short_block_error_noise_pt: Some(evaluation.short_block_error_noise_pt),
        judged_loops: Some(evaluation.judged_loops),
        cluster_error_pt: Some(evaluation.cluster_error_pt),
        cluster_error_noise_pt: Some(evaluation.cluster_error_noise_pt),
        within_10_pt_pct: Some(evaluation.within_10_pt_pct),
    };
    let tunables = found.tunables.as_slice();
    let blocks: Vec<u64> = (0..tunables.len())
        .map(|at| found.tunables.blocks(at).len() as u64)
        .collect();
    let mut report = DivineReport::of_plan(&file)
        .with_search(tunables, &found.outcome)
        .with_evaluation(tunables, evaluation)
        .with_resolution(
            &lab.resolution(),
            (tunables, &blocks),
            (&found.outcome, evaluation),
        );
    say_as(&report, &mut file);
    report.excluded = excluded(lab, found);
    report.sampling = Some(Sampling {
        rate_hz: effort.rate_hz,
        samples: found.samples,
        lost: found.lost,
        throttled: found.throttled,
        repeated_windows: found.repeats as u64,
    });
    report.rejected_overhead_pct = found.rejected;
    report.search = effort.kind;
    report.search_s = Some(found.search_s);
    report.warm_up = Some(warm_up(lab));
    report.debug_info = Some(debug_info(lab, &file));
    report.static_cost.clone_from(&found.costs);
    Plan {
        file,
        report,
        units: descriptions,
    }
}

/// A part in the per cent that were asked for, by which plans are found again: 100.0 * 0.55 is 55.00000000000001.
fn percent(part: f64) -> f64 {
    (1e11 * part).round() / 1e9
}

/// The plan file says of every block what the report says.
fn say_as(report: &DivineReport, file: &mut PlanFile) {
    for unit in &mut file.units {
        for (id, block) in &mut unit.blocks {
            let of_block =
                |row: &&BlockRow| row.unit == unit.name && row.block == *id && !row.is_pool();
            if let Some(row) = report.blocks.iter().find(of_block) {
                block.reason = row.reason;
            }
        }
    }
}

fn plan_units(lab: &dyn Lab, found: &Divined, target_pct: f64) -> Vec<PlanUnit> {
    let mut units: BTreeMap<u32, PlanUnit> = BTreeMap::new();
    let instructions = found.tunables.instructions(&found.outcome.counts);
    let mut judged = BTreeMap::new();
    for (at, tunable) in found.outcome.tunables.iter().enumerate() {
        if let Some(key) = found.tunables.judged_block(at) {
            let achieved = found.evaluation.tunables[at].achieved_overhead_pct;
            judged.insert(key, (seen(tunable.reason, achieved, target_pct), achieved));
        }
    }
    for (key, count) in instructions {
        let described = &lab.map().units()[key.unit as usize];
        let unit = units.entry(key.unit).or_insert_with(|| PlanUnit {
            name: described.name.clone(),
            signature: described.signature.clone(),
            blocks: BTreeMap::new(),
            pooled: BTreeMap::new(),
        });
        match judged.get(&key) {
            Some((reason, achieved)) => {
                unit.blocks.insert(
                    key.block,
                    PlanBlock {
                        count,
                        achieved_overhead_pct: *achieved,
                        reason: *reason,
                    },
                );
            }
            None => {
                unit.pooled.insert(key.block, count);
            }
        }
    }
    units.into_values().collect()
}

fn excluded(lab: &dyn Lab, found: &Divined) -> Vec<Excluded> {
    let what = |exclusion: &Exclusion| match exclusion.unit {
        Some(unit) => unit_name(lab, unit).to_owned(),
        None => lab.outside().to_owned(),
    };
    let selection = found.tunables.selection();
    let row = |exclusion: &Exclusion| Excluded {
        what: what(exclusion),
        reason: exclusion.reason.to_string(),
        share_pct: exclusion.share.scaled(100.0),
    };
    selection.excluded.iter().map(row).collect()
}

fn debug_info(lab: &dyn Lab, file: &PlanFile) -> DebugInfo {
    let mut known = DebugInfo::default();
    for (number, unit) in (0..).zip(lab.map().units()) {
        let planned =
            |of_plan: &PlanUnit| of_plan.name == unit.name && of_plan.signature == unit.signature;
        if !file.units.iter().any(planned) {
            continue;
        }
        let positions = lab.map().positions_known(number).unwrap_or_default();
        known.units += 1;
        known.blocks += unit.blocks.len() as u64;
        known.operations += positions.operations;
        known.positioned += positions.positioned;
    }
    known
}

fn warm_up(lab: &dyn Lab) -> WarmUp {
    let warm = lab.warm();
    WarmUp {
        iterations: warm.iterations as u64,
        steady: warm.steady,
        reason: warm.reason.clone(),
        iteration_ms: warm.iteration_ns / 1e6,
        controlled_pct: 100.0 * warm.controlled_share,
        foreign_pct: 100.0 * warm.foreign_share,
        outside_pct: 100.0 * warm.outside_share,
        refused: warm.refused.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn a_target_is_found_again_by_its_per_cent() {
        for pct in [7.0, 14.0, 29.0, 33.3, 55.0, 100.0, 110.0, 150.0] {
            assert_eq!(percent(pct / 100.0), pct);
        }
    }
}
