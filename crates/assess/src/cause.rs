//! Why a profiler is wrong, where that can be told.

use crate::{Judgement, Role, UNATTRIBUTED, Verdict};
use proofmark_rules::CAUSE_PART;

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

/// Sets the cause of every wrong profiler: tested against its twin with the flag if that was judged too, else by the pattern.
pub(crate) fn set_causes(judgements: &mut [Judgement]) {
    let causes: Vec<Option<String>> = judgements
        .iter()
        .map(|j| {
            let twin = judgements.iter().find(|t| {
                WITH.iter()
                    .any(|with| t.name.strip_suffix(with) == Some(&j.name))
            });
            let tested = twin.and_then(|t| explain(j, t));
            tested.or_else(|| of_the_jvm(j)).or_else(|| pattern(j))
        })
        .collect();
    judgements
        .iter_mut()
        .zip(causes)
        .for_each(|(j, cause)| j.cause = cause);
}

/// The profiler is wrong, but right when measured against the JVM's own debug information.
fn of_the_jvm(j: &Judgement) -> Option<String> {
    let wrong = j.tests.absolute.as_ref()?.result.verdict == Verdict::Wrong;
    let debug_info = j.tests.debug_info.as_ref()?;
    (wrong && debug_info.verdict == Verdict::Right).then(|| {
        format!(
            "the JVM's debug information, which the profiler reports to within {} pt",
            rounded(debug_info.error_pt.value)
        )
    })
}

/// What the blames look like.
fn pattern(j: &Judgement) -> Option<String> {
    if j.verdict != Verdict::Wrong {
        return None;
    }
    if j.role == Role::SafepointControl {
        return Some("takes samples only at safepoints, on purpose".into());
    }
    let all: f64 = j.blames.iter().map(|b| b.points.value).sum();
    let lost = j.blames.iter().filter(|b| b.to == UNATTRIBUTED);
    let lost: f64 = lost.map(|b| b.points.value).sum();
    (all > 0.0 && lost > CAUSE_PART * all)
        .then(|| "samples that the profiler could not attribute (failed stack walks)".into())
}

/// One digit below ten points, none above, as in the table.
fn rounded(points: f64) -> String {
    if points < 9.95 {
        format!("{points:.1}")
    } else {
        format!("{points:.0}")
    }
}
