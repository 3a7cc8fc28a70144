//! One profiler under test, in a JVM of its own.

use proofmark_assess::Role;
use proofmark_jvm::{Bench, LabError, ProfilerSpec, Running};

use super::super::divine_command::Plan;
use super::super::profilers::Pace;
use super::super::windows::JvmWindows;
use super::asked;
use super::judge::again;
use super::laboratory::Experiments;
use super::schedule::{Who, windows};
use crate::args::AssessArguments;
use crate::context::{Context, Refusal, file_name};

/// What was seen of one profiler, or why nothing was: a profiler that fails, or that brings the JVM down, is a
/// result too, and the others are judged all the same. The next run in the same directory tries it again.
///
/// # Errors
/// When something failed that is not the profiler's: an interrupt, a full disk, our own sampler.
pub fn profiler(
    context: &mut Context,
    arguments: &AssessArguments,
    spec: &ProfilerSpec,
    plan: &Plan,
    experiments: &Experiments,
) -> anyhow::Result<JvmWindows> {
    measured(context, arguments, spec, plan, experiments).or_else(|error| {
        let reason = failure(&error).ok_or(error)?;
        context
            .progress
            .note(&format!("{} failed: {reason}", spec.name));
        Ok(JvmWindows::failed(&spec.name, reason))
    })
}

/// The profiler's failure in words; none if the error is not the profiler's.
fn failure(error: &anyhow::Error) -> Option<String> {
    if let Some(Refusal::Cannot(text)) = error.downcast_ref::<Refusal>() {
        return Some(text.clone());
    }
    match error.downcast_ref::<LabError>()? {
        LabError::Interrupted
        | LabError::Sampler(_)
        | LabError::Protocol { .. }
        | LabError::Code(_) => None,
        LabError::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => None,
        failure => Some(failure.to_string()),
    }
}

/// # Errors
/// With the first failure, if no profiler did anything else.
pub fn refuse_if_all_failed(seen: &[JvmWindows]) -> anyhow::Result<()> {
    let failures: Vec<&str> = seen
        .iter()
        .filter_map(|windows| windows.failure.as_deref())
        .collect();
    match failures.first() {
        Some(first) if failures.len() == seen.len() => {
            Err(Refusal::Cannot((*first).to_owned()).into())
        }
        _ => Ok(()),
    }
}

/// One profiler in a JVM of its own; taken from the run directory if it is there.
fn measured(
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
            .note(&format!("{}: taken from the run before", spec.name));
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
    let files = context.file(&format!("{name}.files"));
    let running = Running::start(spec, bench.lab_mut(), files.clone())?;
    let pace = Pace::of(spec, arguments.time_budget, experiments.iteration_ms);
    let who = Who {
        name: &spec.name,
        role: Role::Subject,
        pace: &pace,
        before: None,
    };
    let what = (plan, experiments);
    let mut seen = windows(context, arguments, &mut bench, what, &who, Some(running))?;
    if again(context, arguments, plan, &seen)? {
        let running = Running::start(spec, bench.lab_mut(), files.join("again"))?;
        let who = Who {
            before: Some(&seen),
            ..who
        };
        let more = windows(context, arguments, &mut bench, what, &who, Some(running))?;
        seen.append(more);
    }
    bench.stop();
    context.run.finish_step(&settings_step, &asked)?;
    context.run.finish_step(&step, &seen)?;
    Ok(seen)
}
