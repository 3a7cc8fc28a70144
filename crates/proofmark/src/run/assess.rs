//! `proofmark assess`: plan, controls, one JVM per profiler, verdicts.

mod asked;
mod cost;
mod judge;
mod laboratory;
mod schedule;
mod subject;

use std::collections::VecDeque;

use proofmark_assess::{Assessment, Judgement, Verdict};
use proofmark_jvm::ProfilerSpec;

pub use cost::cost;

use super::divine::Effort;
use super::divine_command::Plan;
use super::estimate;
use super::production;
use super::profilers::specs;
use super::windows::JvmWindows;
use crate::args::AssessArguments;
use crate::context::Context;
use judge::judge;
use laboratory::laboratory;

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
    let judged = |context: &Context, seen: &[JvmWindows]| {
        judge(
            context,
            arguments,
            &plan,
            &experiments.excluded,
            seen,
            &controls,
        )
    };
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
        seen.push(subject::profiler(
            context,
            arguments,
            &spec,
            &plan,
            &experiments,
        )?);
        if let Some(explained) = spec.with_debug_info().filter(|_| !arguments.no_cause)
            && !queue.iter().any(|other| other.name == explained.name)
            && is_wrong(&judged(context, &seen)?.profilers, &spec.name)
        {
            context.progress.note(&format!(
                "{} is wrong: running it again with DebugNonSafepoints to test the cause",
                spec.name
            ));
            queue.push_front(explained);
        }
    }
    subject::refuse_if_all_failed(&seen)?;
    let mut assessment = judged(context, &seen)?;
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
