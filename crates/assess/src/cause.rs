//! Why a profiler is wrong, where evidence of the same run tells it.
//!
//! A cause is named only if it explains the error, never because it is likely, and nothing is taken off the error for it.
//! For most causes there is a profile that a profiler with this fault and no other would show: it must be within the margin
//! of what the profiler does show, and that profile less than half as far from it as the truth. Which profile it is:
//!
//! | cause | what the profiler is compared with |
//! | --- | --- |
//! | debug information between safepoints is off | itself in a JVM with it on |
//! | the JVM's debug information, the rule by which it is read, skid | our samples, named by the JVM's own tables ([`crate::ReplayTest`]) |
//! | inlining | our samples, named by the root methods of compiled units |
//! | safepoint bias | the safepoint-biased control in the same program |
//! | code outside of compiled methods, lost samples | the truth, from which only one side may differ (`shifted`) |
//! | samples without a name | its own count of them |
//! | sampling period | its own windows, which scatter more than counting and program let them (`period`) |
//!
//! Profiles look alike for different reasons: between loop polls the JVM's records name what a safepoint-biased profiler
//! shows, or the root of a unit. So the flag and the records are asked first, which know of the very samples; only if neither
//! explains the error, roots and the control are; and only then what could have moved shares in this direction.

mod alike;
mod period;
mod records;
mod shifted;

use crate::{
    Evidence, Judgement, ProfilerEvidence, Role, Settings, TestResult, UNATTRIBUTED, Verdict,
};
use proofmark_rules::CAUSE_PART;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What explains an error.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum CauseKind {
    /// The JVM keeps source positions at safepoints only (`-XX:+DebugNonSafepoints` is off).
    NonSafepointsOff,
    /// The JVM's debug information has no position, or another one, for the instructions that took the time.
    DebugInfo,
    /// The profiler takes another record of that debug information than that of the instruction that took the time.
    PcRule,
    /// Samples name instructions behind the one that took the time.
    Skid,
    /// The JVM's debug information of code that Proofmark slowed: instructions that were put in have none of their own.
    InsertedCode,
    /// Time of inlined methods is shown in the method that they were inlined into.
    Inlining,
    /// Samples are taken at safepoints only.
    SafepointBias,
    /// Time outside of compiled methods (stubs and intrinsics of the VM, native code) is shown in Java methods.
    Stubs,
    /// Samples that were lost.
    LostSamples,
    /// Samples that the profiler could not name.
    FailedWalks,
    /// The sampling period and an iteration have a whole ratio.
    Period,
}

/// A cause with what was found about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Cause {
    /// Which.
    pub kind: CauseKind,
    /// In words, with figures in parentheses.
    pub says: String,
}

impl Cause {
    fn new(kind: CauseKind, says: impl Into<String>) -> Self {
        let says = says.into();
        Self { kind, says }
    }
}

/// Suffixes of the name of the same profiler with `-XX:+DebugNonSafepoints`, as it is written now and as it was.
const WITH: [&str; 2] = ["+nonsafepoints", "+dns"];

/// Compares a profiler with itself in a JVM with DebugNonSafepoints on; `None` if the first is not wrong or nothing changed.
#[must_use]
pub fn explain(without: &Judgement, with_flag: &Judgement) -> Option<String> {
    if without.verdict != Verdict::Wrong {
        return None;
    }
    let (before, after) = (without.error()?, with_flag.error()?);
    let with = format!(
        "with it: {}, {} pt",
        with_flag.verdict,
        rounded(after.value)
    );
    if with_flag.verdict == Verdict::Right {
        return Some(format!("DebugNonSafepoints is off ({with})"));
    }
    let smaller = after.high < before.low;
    smaller.then(|| {
        format!(
            "DebugNonSafepoints is off explains a part ({with} instead of {} pt)",
            rounded(before.value)
        )
    })
}

/// A profiler with everything that may explain its error.
struct Case<'a> {
    e: &'a Evidence,
    p: &'a ProfilerEvidence,
    j: &'a Judgement,
    all: &'a [Judgement],
    settings: &'a Settings,
}

/// Sets the causes of every profiler that is not right, what was tested by a second run first. In `judgements` they are in
/// the order of the evidence.
pub(crate) fn set_causes(e: &Evidence, judgements: &mut [Judgement], settings: &Settings) {
    let seen: &[Judgement] = judgements;
    let each = e.profilers.iter().zip(seen).map(|(p, j)| {
        let case = Case {
            e,
            p,
            j,
            all: seen,
            settings,
        };
        case.causes()
    });
    let causes: Vec<Vec<Cause>> = each.collect();
    for (j, causes) in judgements.iter_mut().zip(causes) {
        j.cause = causes.first().map(|cause| cause.says.clone());
        j.causes = causes;
    }
}

impl Case<'_> {
    fn causes(&self) -> Vec<Cause> {
        match (self.j.role, self.j.verdict) {
            (Role::OracleControl, _) | (_, Verdict::Right) => Vec::new(),
            (Role::SafepointControl, Verdict::Undecided) => Vec::new(),
            (Role::SafepointControl, Verdict::Wrong) => vec![Cause::new(
                CauseKind::SafepointBias,
                "takes samples only at safepoints, on purpose",
            )],
            (Role::Subject, Verdict::Undecided) => period::period(self).into_iter().collect(),
            (Role::Subject, Verdict::Wrong) => self.of_wrong(),
        }
    }

    /// Of what is wrong in unslowed code the strongest evidence speaks alone: weaker evidence fits there as well.
    fn of_wrong(&self) -> Vec<Cause> {
        let own = [self.tested(), records::of_unslowed(self)];
        let mut found: Vec<Cause> = own.into_iter().flatten().collect();
        if found.is_empty() {
            let alike = [alike::inlining(self), alike::safepoints(self)];
            found.extend(alike.into_iter().flatten());
        }
        if found.is_empty() {
            let shifted = [shifted::stubs(self), shifted::lost(self)];
            found.extend(shifted.into_iter().flatten());
        }
        let besides = [
            records::of_inserted(self.j),
            failed_walks(self.j),
            period::period(self),
        ];
        found.extend(besides.into_iter().flatten());
        found
    }

    /// The same profiler in a JVM with the flag, if that was judged too.
    fn tested(&self) -> Option<Cause> {
        let twin = self.all.iter().find(|twin| {
            let of_this = |with: &&str| twin.name.strip_suffix(*with) == Some(&self.j.name[..]);
            WITH.iter().any(of_this)
        });
        let says = explain(self.j, twin?)?;
        Some(Cause::new(CauseKind::NonSafepointsOff, says))
    }

    /// The absolute test, if it finds the profiler wrong.
    fn wrong(&self) -> Option<&TestResult> {
        let test = self.j.tests.absolute.as_ref()?;
        let wrong = test.counts && test.result.verdict == Verdict::Wrong;
        wrong.then_some(&test.result)
    }
}

/// Whether a profile explains an error: the profiler is right measured by it, and much nearer to it than to the truth.
fn explains(by_profile: &TestResult, error: &TestResult) -> bool {
    let near = by_profile.error_pt.value < CAUSE_PART * error.error_pt.value;
    by_profile.verdict == Verdict::Right && near
}

/// Most of what is blamed went to no method.
fn failed_walks(j: &Judgement) -> Option<Cause> {
    let all: f64 = j.blames.iter().map(|b| b.points.value).sum();
    let unnamed = j.blames.iter().filter(|b| b.to == UNATTRIBUTED);
    let unnamed: f64 = unnamed.map(|b| b.points.value).sum();
    let says = "samples that the profiler could not attribute (failed stack walks)";
    (all > 0.0 && unnamed > CAUSE_PART * all).then(|| Cause::new(CauseKind::FailedWalks, says))
}

/// One digit below ten points, none above, as in the table.
fn rounded(points: f64) -> String {
    if points < 9.95 {
        format!("{points:.1}")
    } else {
        format!("{points:.0}")
    }
}
