//! An assessment: plan, controls, one process per profiler and run, verdicts.

use std::collections::VecDeque;

use proofmark_assess::{Assessment, Judgement, Role, Verdict};

use super::asked;
use super::doses;
use super::estimate;
use super::judge::{block_map, judge};
use super::laboratory::{Experiments, Prepared, laboratory};
use super::remedy;
use super::replication::replication;
use super::request::{AssessRequest, Subject};
use super::subject::{self, Given};
use super::windows::JvmWindows;
use crate::ExperimentError;
use crate::divine::{DivineReport, Plan};
use crate::dose::blocks::BlockDoses;
use crate::session::Session;

/// What was found.
#[derive(Debug, Clone)]
pub struct Assessed {
    /// Verdicts.
    pub assessment: Assessment,
    /// The plan that was used; of several the first one.
    pub plan: Plan,
    /// What is told about all of them, one for each target.
    pub plans: Vec<DivineReport>,
    /// Where time was reported that was added to blocks; none if nothing was dosed.
    pub block_doses: Option<BlockDoses>,
}

/// Runs everything that is not stored yet, and judges.
///
/// # Errors
/// When something cannot be measured.
pub fn run(
    session: &mut Session<'_>,
    request: &AssessRequest,
) -> Result<Assessed, ExperimentError> {
    asked::as_before(session, &request.options)?;
    session.progress.stage("laboratory");
    expect(session, request, estimate::ASSUMED_MS, estimate::PREPARE);
    let Prepared {
        plan,
        plans,
        experiments,
        controls,
    } = laboratory(session, request)?;
    let seen = subjects(session, request, (&plan, &experiments), &controls)?;
    subject::refuse_if_all_failed(&seen)?;
    let mut assessment = judge(
        session.about,
        request,
        (&plan, &experiments),
        &seen,
        &controls,
    )?;
    remedy::tell(&mut assessment, request, experiments.iteration_ms);
    tell_runs(&mut assessment, &seen);
    tell_control(&mut assessment, &experiments, &controls);
    let all = seen.iter().chain(&controls);
    Ok(Assessed {
        assessment,
        plan,
        plans,
        block_doses: doses::block_doses(&experiments.doses, all, request.margin_pt),
    })
}

/// The windows of every profiler; one that is wrong is followed by what may explain it.
fn subjects(
    session: &mut Session<'_>,
    request: &AssessRequest,
    (plan, experiments): (&Plan, &Experiments),
    controls: &[JvmWindows],
) -> Result<Vec<JvmWindows>, ExperimentError> {
    let block_map = block_map(request, experiments, controls);
    let given = Given {
        plan,
        experiments,
        block_map: block_map.as_ref(),
    };
    let mut queue: VecDeque<Subject> = request.subjects.clone().into();
    let mut seen: Vec<JvmWindows> = Vec::new();
    while let Some(subject) = queue.pop_front() {
        seen.push(subject::profiler(session, request, &subject, given)?);
        let Some(explained) = subject.explained.filter(|_| request.cause) else {
            continue;
        };
        if queue.iter().any(|other| other.name == explained.name) {
            continue;
        }
        let what = (plan, experiments);
        let judged = judge(session.about, request, what, &seen, controls)?;
        if is_wrong(&judged.profilers, &subject.name) {
            session.progress.note(&format!(
                "{} is wrong: running it again with DebugNonSafepoints to test the cause",
                subject.name
            ));
            queue.push_front(*explained);
        }
    }
    Ok(seen)
}

/// Says how long everything from a step on will take.
pub(super) fn expect(
    session: &Session<'_>,
    request: &AssessRequest,
    iteration_ms: f64,
    step: &str,
) {
    if let Ok(cost) = estimate::assessment("", request, iteration_ms) {
        session.progress.expect(cost.from(step));
    }
}

/// The same from a run of a profiler on: earlier runs of it are done.
pub(super) fn expect_run(
    session: &Session<'_>,
    request: &AssessRequest,
    iteration_ms: f64,
    (profiler, run): (&str, u32),
) {
    if let Ok(cost) = estimate::assessment("", request, iteration_ms) {
        let done = f64::from(run) / f64::from(request.runs.max(1));
        let left = cost.from(profiler) - done * cost.seconds_of(profiler);
        session.progress.expect(left);
    }
}

/// Says of every profiler that was seen what its intervals speak for, and which of its runs failed.
fn tell_runs(assessment: &mut Assessment, seen: &[JvmWindows]) {
    for windows in seen.iter().filter(|windows| windows.failure.is_none()) {
        let says = replication(windows.runs().len() as u32).says;
        let mut judgements = assessment.profilers.iter_mut();
        if let Some(judgement) = judgements.find(|judgement| judgement.name == windows.name) {
            judgement.notes.push(says);
            judgement.notes.extend(windows.failed_runs.iter().cloned());
        }
    }
}

/// Says of the safepoint control how much of what was dosed it saw, if that is not all.
fn tell_control(assessment: &mut Assessment, experiments: &Experiments, controls: &[JvmWindows]) {
    let is_control = |windows: &&JvmWindows| windows.role == Role::SafepointControl;
    let Some(control) = controls.iter().find(is_control) else {
        return;
    };
    let (seen, all) = (control.dosed().len(), experiments.doses.len());
    let mut judgements = assessment.profilers.iter_mut();
    let judgement = judgements.find(|judgement| judgement.role == Role::SafepointControl);
    if let Some(judgement) = judgement.filter(|_| seen < all) {
        judgement.notes.push(format!(
            "time was added to {seen} of {all} methods and blocks under its eyes: more are not needed to find it wrong"
        ));
    }
}

fn is_wrong(judgements: &[Judgement], name: &str) -> bool {
    judgements.iter().any(|judgement| {
        judgement.name == name
            && judgement.verdict == Verdict::Wrong
            && judgement
                .tests
                .absolute
                .as_ref()
                .is_some_and(|t| t.result.verdict == Verdict::Wrong)
    })
}
