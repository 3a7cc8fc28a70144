//! `proofmark assess`: plan, controls, one JVM per profiler, verdicts.

mod asked;
mod cost;
mod judge;
mod laboratory;
mod schedule;

use std::collections::VecDeque;

use proofmark_assess::{Assessment, Judgement, Role, Verdict};
use proofmark_jvm::{Bench, ProfilerSpec, Running};

pub use cost::cost;

use super::divine::Effort;
use super::divine_command::Plan;
use super::estimate;
use super::production;
use super::profilers::{Pace, specs};
use super::windows::JvmWindows;
use crate::args::AssessArguments;
use crate::context::{Context, file_name};
use judge::judge;
use laboratory::{Experiments, laboratory};
use schedule::{Who, windows};

/// What was found.
pub struct Assessed {
    /// Verdicts.
    pub assessment: Assessment,
    /// The plan that was used.
    pub plan: Plan,
}

/// Runs everything that is not stored yet, and judges.
///
/// # Errors
/// When something cannot be measured.
pub fn run(
    context: &mut Context,
    arguments: &AssessArguments,
    effort: Effort,
) -> anyhow::Result<Assessed> {
    let specs = specs(context, arguments)?;
    asked::as_before(context, arguments)?;
    context.progress.stage("laboratory");
    expect(
        context,
        arguments,
        &effort,
        estimate::ASSUMED_MS,
        estimate::PREPARE,
    );
    let (plan, experiments, controls) = laboratory(context, arguments, effort)?;
    let mut queue: VecDeque<ProfilerSpec> = specs.clone().into();
    let mut seen: Vec<JvmWindows> = Vec::new();
    while let Some(spec) = queue.pop_front() {
        context.progress.stage(&spec.name);
        expect(
            context,
            arguments,
            &effort,
            experiments.iteration_ms,
            &spec.name,
        );
        let windows = profiler(context, arguments, &spec, &plan, &experiments)?;
        seen.push(windows);
        let wrong = || {
            Ok::<_, anyhow::Error>(
                judge(
                    context,
                    arguments,
                    &plan,
                    &experiments.excluded,
                    &seen,
                    &controls,
                )?
                .profilers,
            )
        };
        if let Some(explained) = spec.with_debug_info().filter(|_| !arguments.no_cause)
            && !queue.iter().any(|other| other.name == explained.name)
            && is_wrong(&wrong()?, &spec.name)
        {
            context.progress.note(&format!(
                "{} is wrong: running it again with DebugNonSafepoints to test the cause",
                spec.name
            ));
            queue.push_front(explained);
        }
    }
    let mut assessment = judge(
        context,
        arguments,
        &plan,
        &experiments.excluded,
        &seen,
        &controls,
    )?;
    if arguments.c2 {
        production::cross_check(context, &specs, &mut assessment)?;
    }
    Ok(Assessed { assessment, plan })
}

/// Says how long everything from a step on will take.
fn expect(
    context: &Context,
    arguments: &AssessArguments,
    effort: &Effort,
    iteration_ms: f64,
    step: &str,
) {
    if let Ok(cost) = estimate::assessment("", arguments, effort, iteration_ms) {
        context.progress.expect(estimate::from(&cost, step));
    }
}

fn is_wrong(judgements: &[Judgement], name: &str) -> bool {
    judgements.iter().any(|judgement| {
        judgement.name == name
            && judgement
                .tests
                .absolute
                .as_ref()
                .is_some_and(|t| t.result.verdict == Verdict::Wrong)
    })
}

/// One profiler in a JVM of its own.
fn profiler(
    context: &mut Context,
    arguments: &AssessArguments,
    spec: &ProfilerSpec,
    plan: &Plan,
    experiments: &Experiments,
) -> anyhow::Result<JvmWindows> {
    let step = format!("profiler {}", spec.name);
    let settings_step = format!("settings of {}", spec.name);
    let asked = asked::of_profiler(spec, arguments);
    if let Some(stored) = context.run.result_of::<JvmWindows>(&step)?
        && asked::same(context, &settings_step, &asked)?
    {
        context
            .progress
            .note(&format!("{}: taken from the interrupted run", spec.name));
        return Ok(stored);
    }
    let wanted = experiments
        .uniform
        .iter()
        .flat_map(|(_, tables)| tables)
        .map(|table| table.unit.clone())
        .collect();
    let name = file_name(&spec.name);
    let mut settings = context.bench(&name, context.file("profiles"), wanted)?;
    spec.prepare(&mut settings.launch);
    let mut bench = Bench::prepare(&context.kit, &context.workload, settings)?;
    let running = Running::start(
        spec,
        bench.lab_mut(),
        context.file(&format!("{name}.files")),
    )?;
    let pace = Pace::of(spec, arguments.time_budget, experiments.iteration_ms);
    let who = Who {
        name: &spec.name,
        role: Role::Subject,
        pace: &pace,
    };
    let seen = windows(
        context,
        arguments,
        &mut bench,
        (plan, experiments),
        &who,
        Some(running),
    )?;
    bench.stop();
    context.run.finish_step(&settings_step, &asked)?;
    context.run.finish_step(&step, &seen)?;
    Ok(seen)
}
