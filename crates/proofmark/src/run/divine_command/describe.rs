//! A finished search as a plan file and a report.

use std::collections::BTreeMap;

use proofmark_divine::{CellKind, PLAN_FORMAT, PLAN_VERSION, PlanBlock, PlanFile, PlanUnit};
use proofmark_jvm::Bench;
use proofmark_report::{DivineReport, Excluded, Sampling, WarmUp};

use super::super::divine::{Divined, Effort};
use super::Plan;
use crate::context::Context;

/// What the search found, to be written.
pub(super) fn describe(
    context: &Context,
    bench: &Bench,
    target: f64,
    found: &Divined,
    effort: &Effort,
) -> Plan {
    let units = plan_units(bench, found);
    let evaluation = &found.evaluation;
    let described = bench.lab().map().units();
    let of_plan = |unit: &PlanUnit| {
        described
            .iter()
            .find(|u| u.name == unit.name && u.signature == unit.signature)
            .cloned()
    };
    let descriptions = units.iter().filter_map(of_plan).collect();
    let file = PlanFile {
        format: PLAN_FORMAT.into(),
        version: PLAN_VERSION,
        workload: context.workload.to_string(),
        target_pct: 100.0 * target,
        environment: context.environment(),
        units,
        coverage_pct: evaluation.coverage_pct,
        plans_tried: found.outcome.plans_tried,
        wall_s: found.earlier_s + context.progress.elapsed().as_secs_f64(),
        overhead_pct: Some(evaluation.overhead_pct),
        block_error_pt: Some(evaluation.block_error_pt),
        block_error_raw_pt: Some(evaluation.block_error_raw_pt),
        block_error_noise_pt: Some(evaluation.block_error_noise_pt),
        short_block_error_pt: Some(evaluation.short_block_error_pt),
        cluster_error_pt: Some(evaluation.cluster_error_pt),
        within_10_pt_pct: Some(evaluation.within_10_pt_pct),
    };
    let cells = found.cells.cells();
    let mut report = DivineReport::of_plan(&file)
        .with_search(cells, &found.outcome)
        .with_evaluation(cells, evaluation);
    let blocks = |kind| {
        let of_kind = (0..cells.len()).filter(|at| cells[*at].kind == kind);
        of_kind.map(|at| found.cells.blocks(at).len() as u64).sum()
    };
    report.judged_blocks = blocks(CellKind::Block);
    report.pooled_blocks = blocks(CellKind::Pool);
    report.excluded = excluded(bench, found);
    report.sampling = Some(Sampling {
        rate_hz: effort.rate_hz,
        samples: found.samples,
        lost: found.lost,
        throttled: found.throttled,
        repeated_windows: found.repeats as u64,
    });
    report.rejected_overhead_pct = found.rejected;
    report.warm_up = Some(warm_up(bench));
    Plan {
        file,
        report,
        units: descriptions,
        profiles: context.file("profiles"),
    }
}

fn plan_units(bench: &Bench, found: &Divined) -> Vec<PlanUnit> {
    let mut units: BTreeMap<u32, PlanUnit> = BTreeMap::new();
    let instructions = found.cells.instructions(&found.outcome.counts);
    let mut judged = BTreeMap::new();
    for (at, cell) in found.outcome.cells.iter().enumerate() {
        if let Some(key) = found.cells.judged_block(at) {
            judged.insert(
                key,
                (
                    cell.reason,
                    found.evaluation.cells[at].achieved_overhead_pct,
                ),
            );
        }
    }
    for (key, count) in instructions {
        let described = &bench.lab().map().units()[key.unit as usize];
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

fn excluded(bench: &Bench, found: &Divined) -> Vec<Excluded> {
    let what = |exclusion: &proofmark_blocks::Exclusion| match exclusion.unit {
        Some(unit) => bench.unit_name(unit).to_owned(),
        None => "interpreter, C1 code, JVM and stubs".to_owned(),
    };
    let selection = found.cells.selection();
    let row = |exclusion: &proofmark_blocks::Exclusion| Excluded {
        what: what(exclusion),
        reason: exclusion.reason.to_string(),
        share_pct: exclusion.share.scaled(100.0),
    };
    selection.excluded.iter().map(row).collect()
}

fn warm_up(bench: &Bench) -> WarmUp {
    let warm = bench.warm();
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
