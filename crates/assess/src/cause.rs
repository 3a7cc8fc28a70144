//! Why a profiler is wrong, where that can be told.

use crate::{Evidence, Judgement, Role, SEVERAL, UNATTRIBUTED, Verdict};

/// Suffix of the name of the same profiler with `-XX:+DebugNonSafepoints`.
const WITH: &str = "+dns";
/// Part of the blamed points that must fit a pattern before it is named.
const MOST: f64 = 0.5;

/// Compares a profiler with itself in a JVM with DebugNonSafepoints on; `None` if the first is not wrong or nothing changed.
#[must_use]
pub fn explain(without_dns: &Judgement, with_dns: &Judgement) -> Option<String> {
    if without_dns.verdict != Verdict::Wrong {
        return None;
    }
    let (before, after) = (without_dns.error()?, with_dns.error()?);
    let with = format!("with it: {}, {} pt", with_dns.verdict, rounded(after.value));
    if with_dns.verdict == Verdict::Right {
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

/// Sets the cause of every wrong profiler: tested against its `+dns` twin if that was judged too, else by the pattern.
pub(crate) fn set_causes(e: &Evidence, judgements: &mut [Judgement]) {
    let causes: Vec<Option<String>> = judgements
        .iter()
        .map(|j| {
            let twin = judgements
                .iter()
                .find(|t| t.name == format!("{}{WITH}", j.name));
            let tested = twin.and_then(|t| explain(j, t));
            tested
                .or_else(|| of_the_jvm(j))
                .or_else(|| pattern(e, j, twin.is_some()))
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
fn pattern(e: &Evidence, j: &Judgement, dns_tested: bool) -> Option<String> {
    if j.verdict != Verdict::Wrong {
        return None;
    }
    if j.role == Role::SafepointControl {
        return Some("takes samples only at safepoints, on purpose".into());
    }
    let all: f64 = j.blames.iter().map(|b| b.points.value).sum();
    let part = |fits: &dyn Fn(&crate::Blame) -> bool| {
        j.blames
            .iter()
            .filter(|b| fits(b))
            .map(|b| b.points.value)
            .sum::<f64>()
            > MOST * all
    };
    if all <= 0.0 {
        return None;
    }
    if part(&|b| b.to == UNATTRIBUTED) {
        return Some("samples that the profiler could not attribute (failed stack walks)".into());
    }
    let inlining = if dns_tested || j.name.ends_with(WITH) {
        "time of inlined methods is charged to the method they are inlined into, with DebugNonSafepoints on as well"
    } else {
        "time of inlined methods is charged to the method they are inlined into; possibly DebugNonSafepoints is off (not tested)"
    };
    if part(&|b| inlined(e, &b.from) == Some(b.to.as_str())) {
        return Some(inlining.into());
    }
    if part(&|b| b.from != SEVERAL && b.to != SEVERAL && !inlined_anywhere(e, &b.to)) {
        return Some("possibly samples only at safepoints: time moves to other compiled methods (not tested)".into());
    }
    None
}

fn inlined<'a>(e: &'a Evidence, method: &str) -> Option<&'a str> {
    let index = e.methods.iter().position(|m| m == method)?;
    let root = e.inlined_into.get(index).copied().flatten()?;
    e.methods.get(root).map(String::as_str)
}

fn inlined_anywhere(e: &Evidence, method: &str) -> bool {
    e.inlined_into.is_empty() || inlined(e, method).is_some()
}

/// One digit below ten points, none above, as in the table.
fn rounded(points: f64) -> String {
    if points < 9.95 {
        format!("{points:.1}")
    } else {
        format!("{points:.0}")
    }
}
