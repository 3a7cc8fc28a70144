//! `proofmark divine`.

mod describe;

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use proofmark_blocks::Unit;
use proofmark_divine::PlanFile;
use proofmark_jvm::{Bench, Filler, Placement};
use proofmark_report::DivineReport;

use super::divine::{Effort, Request, divine_with};
use super::estimate;
use super::fresh::Fresh;
use super::journal::{self, Journal};
use super::verify::verify;
use crate::args::DivineArguments;
use crate::context::Context;
use describe::describe;

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
    let effort = Effort {
        search_on: true,
        ..Effort::default()
    };
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
        search_on: true,
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

/// As [`read`], and refuses a plan of another program: its units would not be found after a minute of warm-up. With other
/// arguments it is the same program; how well the plan does is measured anyway.
///
/// # Errors
/// When the file is no plan, or one for another program.
pub fn read_for(path: &Path, workload: &str) -> anyhow::Result<Plan> {
    let plan = read(path)?;
    if same_program(&plan.file.workload, workload) {
        return Ok(plan);
    }
    Err(crate::context::Refusal::Usage(format!(
        "{} is a plan for {}, not for {workload}; make one with `proofmark divine`",
        path.display(),
        plan.file.workload
    ))
    .into())
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

/// Whether two workloads differ in their arguments at most.
fn same_program(one: &str, other: &str) -> bool {
    one.split(' ').next() == other.split(' ').next()
}

#[cfg(test)]
mod tests {
    use super::same_program;

    #[test]
    fn arguments_make_no_other_program() {
        assert!(same_program("com.acme.Main -q in.txt", "com.acme.Main"));
        assert!(same_program("com.acme.Main a", "com.acme.Main b"));
        assert!(!same_program("Bounce", "Towers"));
        assert!(!same_program("com.acme.Main", "com.acme.Mainframe"));
    }
}
