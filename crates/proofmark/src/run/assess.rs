//! `proofmark assess`: what was asked for as an assessment over JVMs under Graal.

use proofmark_experiment::assess::estimate;
use proofmark_experiment::assess::{self, AssessRequest as Assessment, Assessed, CostPlan};
use proofmark_experiment::divine::{Effort, Plan};
use proofmark_jvm::ProfilerSpec;
use serde_json::{Value, json};

use super::plan_files::{self, PlanFiles};
use super::production;
use super::profilers::{named, specs, subject};
use crate::context::Context;
use crate::request::AssessRequest;

/// Runs everything that is not stored yet, and judges.
///
/// # Errors
/// When something cannot be measured.
pub fn run(
    context: &mut Context,
    request: &AssessRequest,
    effort: Effort,
) -> anyhow::Result<Assessed> {
    let specs = specs(context, request)?;
    let given = given(context, request)?;
    let filler = given.as_ref().map(Plan::filler).transpose()?;
    let filler = filler.unwrap_or_else(|| context.measured.filler());
    let assessment = assessment(request, &specs, effort, given)?;
    let mut plans = PlanFiles::of_run(context);
    let labs = context.labs(with_controls(&specs)?);
    let about = context.about(filler);
    let mut session = context.experiment(&labs, &about, &mut plans);
    let mut assessed = assess::run(&mut session, &assessment)?;
    if request.c2 {
        production::cross_check(context, &specs, &mut assessed.assessment)?;
    }
    Ok(assessed)
}

/// What a run would cost; nothing is started. A plan or an interrupted run tells how long an iteration takes.
///
/// # Errors
/// When the command line asks for something that does not exist.
pub fn cost(request: &AssessRequest, effort: Effort) -> anyhow::Result<CostPlan> {
    let plan = request.plan.as_deref().map(plan_files::read).transpose()?;
    let warm_up = plan.as_ref().and_then(|plan| plan.report.warm_up.as_ref());
    let told = warm_up.map(|warm| warm.iteration_ms);
    let stored = || {
        let run = proofmark_store::Run::open(request.program.out.as_deref()?).ok()?;
        assess::stored_iteration_ms(&run)
    };
    let iteration_ms = told.or_else(stored);
    let program = format!(
        "{} (iterations of {})",
        request.program.workload.name(),
        iteration_ms.map_or(
            format!("unknown length, {} ms assumed", estimate::ASSUMED_MS),
            |ms| format!("{ms:.3} ms")
        )
    );
    let assessment = assessment(request, &named(request)?, effort, plan)?;
    let iteration_ms = iteration_ms.unwrap_or(estimate::ASSUMED_MS);
    Ok(estimate::assessment(&program, &assessment, iteration_ms)?)
}

/// The plan that is given; its profiles become those of the run.
fn given(context: &Context, request: &AssessRequest) -> anyhow::Result<Option<Plan>> {
    let Some(path) = &request.plan else {
        return Ok(None);
    };
    let plan = plan_files::read_for(path, &context.program.workload.to_string())?;
    plan_files::copy_profiles(path, &context.session.file("profiles"))?;
    Ok(Some(plan))
}

fn assessment(
    request: &AssessRequest,
    specs: &[ProfilerSpec],
    effort: Effort,
    plan: Option<Plan>,
) -> anyhow::Result<Assessment> {
    let of_plan = plan.as_ref().map(|plan| serde_json::to_value(&plan.file));
    let options = json!({
        "--target": request.targets_pct,
        "--singles": request.singles,
        "--heap": request.program.heap_mb,
        "--plan": of_plan.transpose()?.unwrap_or(Value::Null),
    });
    let budget_s = request.time_budget_s;
    Ok(Assessment {
        subjects: specs.iter().map(|spec| subject(spec, budget_s)).collect(),
        safepoint: subject(&safepoint()?, None),
        targets_pct: request.targets_pct.clone(),
        singles: request.singles,
        margin_pt: request.margin_pt,
        time_budget_s: budget_s,
        cause: request.cause,
        c2: request.c2,
        seed: request.program.seed,
        effort,
        plan,
        options,
    })
}

fn safepoint() -> anyhow::Result<ProfilerSpec> {
    Ok(ProfilerSpec::parse("safepoint", &Default::default())?)
}

/// All profilers that may be asked for.
fn with_controls(specs: &[ProfilerSpec]) -> anyhow::Result<Vec<ProfilerSpec>> {
    let mut all = vec![safepoint()?];
    for spec in specs {
        all.extend(spec.with_debug_info());
        all.push(spec.clone());
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::demo;

    fn queens() -> AssessRequest {
        let queens = proofmark_jvm::Workload::parse("suite:Queens", Vec::new());
        demo::request(queens.expect("a program of the suite"), None)
    }

    fn estimated(request: &AssessRequest) -> anyhow::Result<CostPlan> {
        let assessment = assessment(request, &named(request)?, demo::effort(), None)?;
        Ok(estimate::assessment("Queens", &assessment, 1.0)?)
    }

    #[test]
    fn the_demo_fits_into_five_minutes_and_costs_add_up() {
        let plan = estimated(&queens()).unwrap();
        assert_eq!(plan.jvms, 4, "laboratory, jfr, jfr+nonsafepoints, async");
        assert!(plan.total_s() < 300.0, "{}", plan.total_s());
        assert!((plan.from("toolchain") - plan.total_s()).abs() < 1e-9);
        assert!(plan.from("async") < plan.from("jfr"));
        assert!(plan.precision.iter().all(|p| p.decides));
    }

    #[test]
    fn a_small_budget_does_not_decide() {
        let mut request = queens();
        request.time_budget_s = Some(12.0);
        request.interval_ms = Some(20.0);
        let plan = estimated(&request).unwrap();
        assert!(plan.precision.iter().all(|p| !p.decides));
    }
}
