//! Causes that a known profile shows: what a profiler with one fault and no other reports of the same program.

use super::{Case, Cause, CauseKind, explains, rounded};
use crate::absolute::absolute;
use crate::deviation::View;
use crate::replay::{Names, instead};
use crate::{
    Condition, ProfilerEvidence, ProfilerWindow, Role, TestResult, TruthStream, TruthWindow,
    Verdict,
};

/// The profiler names every sample by the root method of the compiled unit.
pub(super) fn inlining(case: &Case<'_>) -> Option<Cause> {
    let by_roots = explained(case, &instead(case.p, Names::Roots)?)?;
    let says = format!(
        "inlined methods: their time is shown in the method that they were inlined into (to within {} pt)",
        rounded(by_roots.error_pt.value)
    );
    Some(Cause::new(CauseKind::Inlining, says))
}

/// The profiler shows what the safepoint-biased control shows.
pub(super) fn safepoints(case: &Case<'_>) -> Option<Cause> {
    let is_control = |p: &&ProfilerEvidence| p.role == Role::SafepointControl;
    let control = case.e.profilers.iter().find(is_control)?;
    let verdict = case.all.iter().find(|j| j.role == Role::SafepointControl)?;
    if verdict.verdict != Verdict::Wrong {
        return None;
    }
    let against = ProfilerEvidence {
        truth: control.windows.iter().map(as_truth).collect(),
        border_doubt: Vec::new(),
        ..case.p.clone()
    };
    let by_control = explained(case, &against)?;
    let says = format!(
        "safepoint bias: it shows what {} shows, which takes samples only at safepoints (to within {} pt)",
        control.name,
        rounded(by_control.error_pt.value)
    );
    Some(Cause::new(CauseKind::SafepointBias, says))
}

/// The absolute test against another profile, if that explains the error.
fn explained(case: &Case<'_>, against: &ProfilerEvidence) -> Option<TestResult> {
    let view = View::of(against, Condition::Baseline)?;
    let test = absolute(case.e, against, &view, case.settings)?.result;
    explains(&test, case.wrong()?).then_some(test)
}

/// A profile in the place of the truth.
fn as_truth(window: &ProfilerWindow) -> TruthWindow {
    TruthWindow {
        at: window.at,
        streams: vec![TruthStream {
            methods: window.methods.clone(),
            outside: window.native,
            ..TruthStream::default()
        }],
    }
}
