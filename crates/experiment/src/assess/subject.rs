//! One profiler under test, in a process of its own.

use proofmark_assess::Role;

use super::asked;
use super::judge::again;
use super::laboratory::Experiments;
use super::request::{AssessRequest, Subject};
use super::schedule::{Who, windows};
use super::windows::JvmWindows;
use crate::ExperimentError;
use crate::divine::Plan;
use crate::lab::Preparation;
use crate::session::Session;
use crate::steps;

/// What was seen of one profiler, or why nothing was: a profiler that fails, or that brings the JVM down, is a
/// result too, and the others are judged all the same. The next run in the same directory tries it again.
///
/// # Errors
/// When something failed that is not the profiler's: an interrupt, a full disk, our own sampler.
pub fn profiler(
    session: &mut Session<'_>,
    request: &AssessRequest,
    subject: &Subject,
    plan: &Plan,
    experiments: &Experiments,
) -> Result<JvmWindows, ExperimentError> {
    measured(session, request, subject, plan, experiments).or_else(|error| {
        let reason = failure(&error).ok_or(error)?;
        session
            .progress
            .note(&format!("{} failed: {reason}", subject.name));
        Ok(JvmWindows::failed(&subject.name, reason))
    })
}

/// The profiler's failure in words; none if the error is not the profiler's.
fn failure(error: &ExperimentError) -> Option<String> {
    match error {
        ExperimentError::Cannot(text) => Some(text.clone()),
        ExperimentError::Lab(error) if error.failure.is_the_processes_own() => {
            Some(error.to_string())
        }
        _ => None,
    }
}

/// # Errors
/// With the first failure, if no profiler did anything else.
pub fn refuse_if_all_failed(seen: &[JvmWindows]) -> Result<(), ExperimentError> {
    let failures: Vec<&str> = seen
        .iter()
        .filter_map(|windows| windows.failure.as_deref())
        .collect();
    match failures.first() {
        Some(first) if failures.len() == seen.len() => {
            Err(ExperimentError::Cannot((*first).to_owned()))
        }
        _ => Ok(()),
    }
}

/// One profiler in a process of its own; taken from the finished steps if it is there.
fn measured(
    session: &mut Session<'_>,
    request: &AssessRequest,
    subject: &Subject,
    plan: &Plan,
    experiments: &Experiments,
) -> Result<JvmWindows, ExperimentError> {
    let step = format!("profiler {}", subject.name);
    let options_step = format!("settings of {}", subject.name);
    if let Some(stored) = steps::result_of::<JvmWindows>(session.steps, &step)?
        && asked::same(session, &options_step, &subject.options)?
    {
        let note = format!("{}: taken from the run before", subject.name);
        session.progress.note(&note);
        return Ok(stored);
    }
    let tables = experiments.uniform.iter().flat_map(|(_, tables)| tables);
    let mut lab = session.labs.prepare(&Preparation {
        name: subject.file.clone(),
        wanted: tables.map(|table| table.unit.clone()).collect(),
        profiler: Some(subject.name.clone()),
        filler: Some(session.about.filler),
    })?;
    let files = format!("{}.files", subject.file);
    lab.start_profiler(&subject.name, &files)?;
    let pace = subject.pace(request.time_budget_s, experiments.iteration_ms);
    let who = Who {
        name: &subject.name,
        role: Role::Subject,
        pace: &pace,
        before: None,
    };
    let what = (plan, experiments);
    let mut seen = windows(session, request, &mut *lab, what, &who)?;
    seen.add_profile(lab.stop_profiler()?);
    if again(session, request, plan, &seen)? {
        lab.start_profiler(&subject.name, &format!("{files}/again"))?;
        let who = Who {
            before: Some(&seen),
            ..who
        };
        let mut more = windows(session, request, &mut *lab, what, &who)?;
        more.add_profile(lab.stop_profiler()?);
        seen.append(more);
    }
    lab.stop();
    steps::finish(session.steps, &options_step, &subject.options)?;
    steps::finish(session.steps, &step, &seen)?;
    Ok(seen)
}
