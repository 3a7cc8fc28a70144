//! `proofmark divine`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use proofmark_blocks::Unit;
use proofmark_divine::{PLAN_FORMAT, PLAN_VERSION, PlanBlock, PlanFile, PlanUnit};
use proofmark_jvm::{Bench, Filler, Placement};
use proofmark_report::{DivineReport, Excluded, Sampling, WarmUp};

use super::divine::{Divined, Effort, Request, divine_with};
use super::estimate;
use super::fresh::Fresh;
use super::journal::{self, Journal};
use super::verify::verify;
use crate::args::DivineArguments;
use crate::context::Context;

/// A plan with everything that other JVMs need for it.
pub struct Plan {
    /// The plan file.
    pub file: PlanFile,
    /// What is told about it.
    pub report: DivineReport,
    /// Descriptions of its units.
    pub units: Vec<Unit>,
    /// Execution profiles that make another JVM compile the same code.
    pub profiles: PathBuf,
}

/// Divines a plan and writes it.
///
/// # Errors
/// When the laboratory fails.
pub fn run(context: &mut Context, arguments: &DivineArguments) -> anyhow::Result<Plan> {
    let profiles = context.file("profiles");
    let effort = Effort::default();
    let wanted = journal::wanted(&context.run);
    context.progress.expect(
        estimate::prepare_s(estimate::ASSUMED_MS)
            + estimate::divine_s(&effort, estimate::ASSUMED_MS),
    );
    let bench = Bench::prepare(
        &context.kit,
        &context.workload,
        context.bench("divine", profiles, wanted)?,
    )?;
    let target = arguments.target / 100.0;
    let how = (arguments.filler.into(), arguments.placement.into());
    let (mut plan, bench) = if arguments.fresh {
        fresh(context, bench, target, how)?
    } else {
        in_bench(context, bench, target, how, effort, 0.0)?
    };
    bench.stop();
    let path = arguments
        .output
        .clone()
        .unwrap_or_else(|| context.file("plan.json"));
    write(&mut plan, &path)?;
    if arguments.verify > 0 {
        let each = estimate::prepare_s(
            plan.report
                .warm_up
                .as_ref()
                .map_or(estimate::ASSUMED_MS, |warm| warm.iteration_ms),
        ) + 8.0;
        context.progress.expect(f64::from(arguments.verify) * each);
        plan.report.verification = Some(verify(context, &plan, how, arguments.verify)?);
    }
    Ok(plan)
}

/// The published protocol; the JVM that is given serves for the first look at the program.
fn fresh(
    context: &mut Context,
    mut bench: Bench,
    target: f64,
    how: (Filler, Placement),
) -> anyhow::Result<(Plan, Bench)> {
    let effort = Effort {
        watched_s: 12.0,
        unwatched_s: 9.0,
        evaluation_rounds: 3,
        ..Effort::default()
    };
    let request = Request {
        target,
        clock_ghz: context.clock_ghz(),
        prior: context.prior(),
        filler: how,
        effort,
        seed: context.arguments.seed,
    };
    let found = {
        let context = &*context;
        let start = |wanted: Vec<String>| -> anyhow::Result<Bench> {
            let settings = context.bench("fresh", context.file("profiles"), wanted)?;
            Ok(Bench::prepare(&context.kit, &context.workload, settings)?)
        };
        divine_with(
            &mut bench,
            &request,
            &mut Journal::none(),
            Some(&Fresh {
                start: Box::new(start),
            }),
        )?
    };
    let plan = describe(context, &bench, target, &found, &effort);
    Ok((plan, bench))
}

/// Divines in a laboratory that is ready; gives it back. `after_s`: what the run takes afterwards, s.
///
/// # Errors
/// When the laboratory fails.
pub fn in_bench(
    context: &mut Context,
    mut bench: Bench,
    target: f64,
    how: (Filler, Placement),
    effort: Effort,
    after_s: f64,
) -> anyhow::Result<(Plan, Bench)> {
    let request = Request {
        target,
        clock_ghz: context.clock_ghz(),
        prior: context.prior(),
        filler: how,
        effort,
        seed: context.arguments.seed,
    };
    let round_s = estimate::round_s(&effort, bench.warm().iteration_ns / 1e6);
    let mut journal = Journal::new(
        &mut context.run,
        context.progress.clone(),
        target,
        how,
        (round_s, after_s),
    );
    let found = divine_with(&mut bench, &request, &mut journal, None)?;
    let plan = describe(context, &bench, target, &found, &effort);
    Ok((plan, bench))
}

/// Writes the plan, and beside it what makes it usable in other JVMs.
///
/// # Errors
/// When a file cannot be written.
pub fn write(plan: &mut Plan, path: &Path) -> anyhow::Result<()> {
    proofmark_store::write_atomically(path, plan.file.to_json().as_bytes())?;
    let companion = companion(path);
    std::fs::create_dir_all(companion.join("profiles"))
        .with_context(|| format!("cannot create {}", companion.display()))?;
    proofmark_store::write_atomically(
        &companion.join("report.json"),
        &serde_json::to_vec(&plan.report)?,
    )?;
    let units = serde_json::to_vec(&plan.units)?;
    proofmark_store::write_atomically(&companion.join("units.json"), &units)?;
    for entry in std::fs::read_dir(&plan.profiles)? {
        let entry = entry?;
        let copy = companion.join("profiles").join(entry.file_name());
        std::fs::copy(entry.path(), &copy)
            .with_context(|| format!("cannot write {}", copy.display()))?;
    }
    plan.report.plan_path = Some(path.display().to_string());
    Ok(())
}

/// Reads a plan and what lies beside it.
///
/// # Errors
/// When the file is no plan.
pub fn read(path: &Path) -> anyhow::Result<Plan> {
    let text = std::fs::read_to_string(path).map_err(|e| {
        crate::context::Refusal::Usage(format!("cannot read {}: {e}", path.display()))
    })?;
    let file = proofmark_divine::read_plan(&text)
        .map_err(|e| crate::context::Refusal::Usage(format!("{}: {e}", path.display())))?;
    let companion = companion(path);
    let units = std::fs::read(companion.join("units.json"))
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let report = std::fs::read(companion.join("report.json"))
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let mut report = report.unwrap_or_else(|| DivineReport::of_plan(&file));
    report.plan_path = Some(path.display().to_string());
    Ok(Plan {
        report,
        file,
        units: units.unwrap_or_default(),
        profiles: companion.join("profiles"),
    })
}

/// `plan.json` has `plan.json.d` beside it.
fn companion(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".d");
    path.with_file_name(name)
}

fn describe(
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
        wall_s: context.progress.elapsed().as_secs_f64(),
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
    report.excluded = excluded(bench, found);
    report.sampling = Some(Sampling {
        rate_hz: effort.rate_hz,
        samples: found.samples,
        lost: found.lost,
        throttled: found.throttled,
        repeated_windows: found.repeats as u64,
    });
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
