//! The part of an assessment in the laboratory: what was asked for, over JVMs under Graal.

use proofmark_experiment::assess::estimate;
use proofmark_experiment::assess::{self, AssessRequest as LabRequest, Assessed, CostPlan};
use proofmark_experiment::divine::{Effort, Plan};
use proofmark_experiment::lab::Filler;
use proofmark_jvm::{ProfilerSpec, SpecError};
use proofmark_store::Run;
use serde_json::{Value, json};

use crate::context::{Context, Refusal};
use crate::request::AssessRequest;
use crate::run::plan_files::{self, PlanFiles};
use crate::run::production;
use crate::run::profilers::{specs, startable, subject, subjects};
use crate::run::slowdown;

/// Runs everything that is not stored yet, and judges.
///
/// # Errors
/// When something cannot be measured.
pub(super) fn run(
    context: &mut Context,
    request: &AssessRequest,
    effort: Effort,
) -> anyhow::Result<Assessed> {
    let specs = specs(context, request)?;
    let given = given(context, request)?;
    let filler = match &given {
        Some(plan) => slowdown::of_plan(context, plan.filler()?)?,
        None => slowdown::chosen(context, request.filler)?,
    };
    let asked = lab_request(request, &specs, effort, given)?;
    let mut plans = PlanFiles::of_run(context);
    let labs = context.labs(with_controls(&specs)?);
    let about = context.about(filler);
    let mut session = context.experiment(&labs, &about, &mut plans);
    let mut assessed = assess::run(&mut session, &asked)?;
    if request.c2 {
        production::cross_check(context, &specs, &mut assessed.assessment)?;
    }
    Ok(assessed)
}

/// Length of an iteration, ms, as the given plan or an interrupted run tells; none if neither does.
///
/// # Errors
/// When the plan cannot be read.
pub(in crate::run) fn known_iteration_ms(request: &AssessRequest) -> anyhow::Result<Option<f64>> {
    let plan = request.plan.as_deref().map(plan_files::read).transpose()?;
    let warm_up = plan.as_ref().and_then(|plan| plan.report.warm_up.as_ref());
    let stored = || {
        let run = proofmark_store::Run::open(request.program.out.as_deref()?).ok()?;
        assess::stored_iteration_ms(&run)
    };
    Ok(warm_up.map(|warm| warm.iteration_ms).or_else(stored))
}

/// What the laboratory's part would cost; nothing is started.
///
/// # Errors
/// When the command line asks for something that does not exist.
pub(super) fn cost(
    program: &str,
    request: &AssessRequest,
    effort: Effort,
    iteration_ms: f64,
) -> anyhow::Result<CostPlan> {
    let plan = request.plan.as_deref().map(plan_files::read).transpose()?;
    let specs = subjects(request).map(|name| startable(name, request.interval_ms));
    let specs: Result<Vec<ProfilerSpec>, SpecError> = specs.collect();
    let specs = specs.map_err(|error| Refusal::Usage(error.to_string()))?;
    let asked = lab_request(request, &specs, effort, plan)?;
    Ok(estimate::assessment(program, &asked, iteration_ms)?)
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

/// Options that decide plan and controls.
fn options(request: &AssessRequest, plan: Option<&Plan>) -> anyhow::Result<Value> {
    let of_plan = plan.map(|plan| serde_json::to_value(&plan.file));
    Ok(json!({
        "--target": request.targets_pct,
        "--singles": request.singles,
        "--heap": request.program.heap_mb,
        "--filler": request.filler.map(Filler::name),
        "--plan": of_plan.transpose()?.unwrap_or(Value::Null),
    }))
}

/// Refuses to go on with a run of other options, before anything is measured.
///
/// # Errors
/// With the option that differs, and what to do.
pub(super) fn as_before(request: &AssessRequest, run: &Run) -> anyhow::Result<()> {
    let plan = request.plan.as_deref().map(plan_files::read).transpose()?;
    let place = run.directory().display().to_string();
    match assess::other_options(run, &place, &options(request, plan.as_ref())?)? {
        Some(text) => Err(Refusal::Usage(text).into()),
        None => Ok(()),
    }
}

/// What is asked of the laboratory, in its own words.
fn lab_request(
    request: &AssessRequest,
    specs: &[ProfilerSpec],
    effort: Effort,
    plan: Option<Plan>,
) -> anyhow::Result<LabRequest> {
    let options = options(request, plan.as_ref())?;
    let budget_s = request.time_budget_s;
    Ok(LabRequest {
        subjects: specs.iter().map(|spec| subject(spec, budget_s)).collect(),
        safepoint: subject(&safepoint()?, None),
        targets_pct: request.targets_pct.clone(),
        singles: request.singles,
        margin_pt: request.margin_pt,
        time_budget_s: budget_s,
        runs: request.runs,
        cause: request.cause,
        c2: request.c2,
        to_assess: request.to_assess.clone(),
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
        AssessRequest::demo(queens.expect("a program of the suite"), None)
    }

    fn estimated(request: &AssessRequest) -> anyhow::Result<CostPlan> {
        cost("Queens", request, demo::effort(), 1.0)
    }

    #[test]
    fn costs_add_up() {
        let mut request = queens();
        request.profilers.push("async".into());
        assert_eq!(
            estimated(&request).unwrap().jvms,
            3,
            "laboratory, jfr, async"
        );
        request.cause = true;
        let plan = estimated(&request).unwrap();
        assert_eq!(plan.jvms, 4, "and jfr+nonsafepoints");
        assert!((plan.from("toolchain") - plan.total_s()).abs() < 1e-9);
        assert!(plan.from("async") < plan.from("jfr"));
        assert!(plan.precision.iter().all(|p| p.decides));
    }

    /// Every run of a profiler is a JVM of its own; plan, doses and controls are done once.
    #[test]
    fn runs_are_counted_and_cost_their_time() {
        let request = queens();
        let one = estimated(&request).unwrap();
        let three = estimated(&AssessRequest { runs: 3, ..request }).unwrap();
        assert_eq!((one.jvms, three.jvms), (2, 4));
        let more = three.total_s() - one.total_s();
        assert!((more - 2.0 * one.seconds_of("jfr")).abs() < 1e-6, "{more}");
        let width = |plan: &CostPlan| plan.precision[0].half_width_pt;
        assert!(width(&three) > width(&one), "few runs say little");
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
