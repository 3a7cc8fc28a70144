//! One profiler under test, in a process of its own in every run.

use proofmark_assess::{BlockMap, Role};

use super::asked;
use super::judge::again;
use super::laboratory::Experiments;
use super::request::{AssessRequest, Subject};
use super::run::expect_run;
use super::schedule::{Who, windows};
use super::windows::JvmWindows;
use crate::ExperimentError;
use crate::divine::Plan;
use crate::lab::Preparation;
use crate::session::Session;
use crate::steps;

/// What every profiler is measured with.
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// What is done to the program.
    pub experiments: &'a Experiments,
    /// What the controls' doses say of the block map; none if it was not tested.
    pub block_map: Option<&'a BlockMap>,
}

/// What was seen of one profiler in all runs, or why nothing was: a profiler that fails, or that brings the JVM down, is a
/// result too, and the others are judged all the same. Asked for again in the same place, what failed is tried again.
///
/// # Errors
/// When something failed that is not the profiler's: an interrupt, a full disk, our own sampler.
pub fn profiler(
    session: &mut Session<'_>,
    request: &AssessRequest,
    subject: &Subject,
    given: Given<'_>,
) -> Result<JvmWindows, ExperimentError> {
    let mut runs = Vec::new();
    for run in 0..request.runs.max(1) {
        let name = in_run(&subject.name, run);
        session.progress.stage(&name);
        let whole = (subject.name.as_str(), run);
        expect_run(session, request, given.experiments.iteration_ms, whole);
        let seen = measured(session, request, subject, given, run).or_else(|error| {
            let reason = failure(&error).ok_or(error)?;
            session.progress.note(&format!("{name} failed: {reason}"));
            Ok::<_, ExperimentError>(JvmWindows::failed(&subject.name, reason))
        })?;
        runs.push(seen.in_run(run));
    }
    let seen = JvmWindows::of_runs(runs);
    seen.ok_or_else(|| ExperimentError::Usage("no run".into()))
}

/// A name in a run: that of the first run is the name itself.
fn in_run(name: &str, run: u32) -> String {
    match run {
        0 => name.to_owned(),
        run => format!("{name}, run {}", run + 1),
    }
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

/// One run of one profiler in a process of its own; taken from the finished steps if it is there. What a run shows does not
/// depend on how many there are: those that are there stay when more are asked for.
fn measured(
    session: &mut Session<'_>,
    request: &AssessRequest,
    subject: &Subject,
    given: Given<'_>,
    run: u32,
) -> Result<JvmWindows, ExperimentError> {
    let name = in_run(&subject.name, run);
    let step = format!("profiler {name}");
    let options_step = format!("settings of {name}");
    if let Some(stored) = steps::result_of::<JvmWindows>(session.steps, &step)?
        && asked::same(session, &options_step, &subject.options)?
    {
        let note = format!("{name}: taken from the run before");
        session.progress.note(&note);
        return Ok(stored);
    }
    let Given {
        plan, experiments, ..
    } = given;
    let tables = experiments.uniform.iter().flat_map(|(_, tables)| tables);
    let file = match run {
        0 => subject.file.clone(),
        run => format!("{}-run{}", subject.file, run + 1),
    };
    let files = format!("{file}.files");
    let mut lab = session.labs.prepare(&Preparation {
        name: file,
        run,
        wanted: tables.map(|table| table.unit.clone()).collect(),
        profiler: Some(subject.name.clone()),
        filler: Some(session.about.filler),
    })?;
    lab.start_profiler(&subject.name, &files)?;
    let pace = subject.pace(request.time_budget_s, experiments.iteration_ms);
    let who = Who {
        name: &subject.name,
        role: Role::Subject,
        pace: &pace,
        run,
        before: None,
    };
    let what = (plan, experiments);
    let mut seen = windows(session, request, &mut *lab, what, &who)?;
    seen.add_profile(lab.stop_profiler()?);
    if again(session, request, given.block_map, &seen)? {
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
