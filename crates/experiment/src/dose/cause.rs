//! Why a row of sites is wrong, where what was measured in the same test tells it.
//!
//! A cause explains; no verdict rests on it. It is named only if something was seen that it alone, of those that are looked for,
//! or it and those that are named beside it, would show; never because it is likely. What is named first has the stronger evidence:
//!
//! | cause | what must be seen | strength |
//! | --- | --- | --- |
//! | [`RowCauseKind::MissingDebugInfo`] | the same profiler with all positions is right about the row | the flag was tried |
//! | [`RowCauseKind::PcRule`] | the same profiler by another rule of looking positions up is right about it | the rule was tried |
//! | [`RowCauseKind::ReadyThreads`] | the same profiler by CPU time is right about it, in a program with several threads | the clock was tried |
//! | [`RowCauseKind::SafepointBias`] | it is the control, or charges the method that the control charges | made so, or compared |
//! | [`RowCauseKind::OutsideJava`] | the work runs in stubs or in the JVM: in no Java method, or in another one | by the kind of work |
//! | [`RowCauseKind::UnseenThreads`], [`RowCauseKind::LostSamples`] | added time certainly left no sample | counted |
//! | [`RowCauseKind::JitDebugInfo`] | two kinds of profilers with all positions charge the same other method | compared |
//! | [`RowCauseKind::SafepointsOnly`] | it lacks positions, and one that has them is right, or the control charges the same | compared |
//! | [`RowCauseKind::FailedWalks`] | work of Java code is in no Java method | by the kind of work |
//! | [`RowCauseKind::Inlining`] | the JVM compiled both methods into one unit | circumstance |
//! | [`RowCauseKind::DependsOnJvm`] | right in some JVMs, wrong in others | says when, not why |
//!
//! - `found`: what must be seen for each;
//! - `case`: what is seen of a row, and beside it;
//! - `evidence`: what is known beside the rows;
//! - `profiler`: what a profiler's name says of it;
//! - `written`: how a cause is read from a document.

mod case;
mod evidence;
mod found;
mod profiler;
mod written;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Attribution;
use case::Case;
use found::Found;

pub(super) use evidence::{Around, Known, Units, certainly_missing};

/// What explains a wrong row.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum RowCauseKind {
    /// The JVM keeps source positions at safepoints only, so that time between two of them is shown where the next one is: the same
    /// profiler is right about the row where it keeps them all.
    MissingDebugInfo,
    /// The profiler takes another position than that of the instruction that took the time: the same profiler is right about the row
    /// where it looks positions up by another rule.
    PcRule,
    /// The profiler looks at threads that are ready to run, whether or not they have a processor: the same profiler by CPU time is
    /// right about the row.
    ReadyThreads,
    /// Samples are taken at safepoints only.
    SafepointBias,
    /// The added work runs in a stub or in the JVM's own code, which is no Java method and has no debug information.
    OutsideJava,
    /// The profiler does not look at all threads of the program.
    UnseenThreads,
    /// Samples of the added time, or of the program's own, are missing.
    LostSamples,
    /// The JIT compiler's debug information names another method for this code: profilers of different kinds that have all of it agree
    /// on the same wrong one.
    JitDebugInfo,
    /// The profiler knows safepoints only. Whether the JVM lacks positions between them or samples are taken at them only, what was
    /// measured does not tell.
    SafepointsOnly,
    /// Stacks of samples in Java code could not be walked, so that no method is shown for them.
    FailedWalks,
    /// The method that is charged and this one are one piece of machine code.
    Inlining,
    /// The row is right in some JVMs and wrong in others: it depends on what the JVM compiled.
    DependsOnJvm,
}

impl RowCauseKind {
    /// What it is, for people: `missing debug information between safepoints`.
    #[must_use]
    pub fn says(self) -> &'static str {
        match self {
            Self::MissingDebugInfo => "missing debug information between safepoints",
            Self::PcRule => "the rule by which positions are looked up",
            Self::ReadyThreads => "threads that wait for a processor are sampled too",
            Self::SafepointBias => "safepoint bias",
            Self::OutsideJava => "work in a stub or in the JVM's own code",
            Self::UnseenThreads => "threads that it does not look at",
            Self::LostSamples => "lost samples",
            Self::JitDebugInfo => "wrong debug information of the JIT compiler",
            Self::SafepointsOnly => {
                "safepoints only (no debug information between them, or samples at them only)"
            }
            Self::FailedWalks => "failed stack walks",
            Self::Inlining => "inlining",
            Self::DependsOnJvm => "it differs from JVM to JVM",
        }
    }
}

/// Why a row is wrong, as far as what was measured tells it. No verdict rests on it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RowCause {
    /// What explains it, the strongest evidence first; one at least.
    pub kinds: Vec<RowCauseKind>,
    /// Each of them and what was seen, in words.
    pub says: String,
    /// Whether a known fault of the compiler C2 where numbers are boxed may be behind it. Earlier versions said it in words alone.
    #[serde(default)]
    pub boxing_fault: bool,
    /// The method that is charged, where the JVM inlined this one into it. Earlier versions said it in words alone.
    #[serde(default)]
    pub inlined_into: Option<String>,
}

impl RowCause {
    fn of(found: &[Found]) -> Option<Self> {
        let says: Vec<String> = found
            .iter()
            .map(|one| format!("{}: {}", one.kind.says(), one.seen))
            .collect();
        (!found.is_empty()).then(|| Self {
            kinds: found.iter().map(|one| one.kind).collect(),
            says: says.join("; "),
            boxing_fault: found.iter().any(|one| one.boxing_fault),
            inlined_into: found.iter().find_map(|one| one.inlined_into.clone()),
        })
    }
}

/// Names what explains each wrong row, where anything does.
pub(super) fn set_causes(all: &mut BTreeMap<String, Attribution>, around: &Around<'_>) {
    let seen = &*all;
    let of_row = |name: &str, at: usize| {
        let case = Case::new((name, at), seen, around)?;
        RowCause::of(&case.causes())
    };
    let of_profiler = |(name, one): (&String, &Attribution)| -> Vec<Option<RowCause>> {
        let rows = 0..one.rows.len();
        rows.map(|at| of_row(name, at)).collect()
    };
    let causes: Vec<Vec<Option<RowCause>>> = seen.iter().map(of_profiler).collect();
    for (one, causes) in all.values_mut().zip(causes) {
        for (row, cause) in one.rows.iter_mut().zip(causes) {
            row.cause = cause;
        }
    }
}

#[cfg(test)]
mod tests;
