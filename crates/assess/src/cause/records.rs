//! Causes that the JVM's own tables show.

use super::{Case, Cause, CauseKind, explains, rounded};
use crate::{Judgement, ReplayTest, UniformTest, Verdict};
use proofmark_stats::Estimate;

/// The profiler is wrong, but right when measured against the JVM's debug information: what of it, the three figures say.
pub(super) fn of_unslowed(case: &Case<'_>) -> Option<Cause> {
    let error = case.wrong()?;
    let by_records = case.j.tests.debug_info.as_ref()?;
    if !explains(by_records, error) {
        return None;
    }
    let within = rounded(by_records.error_pt.value);
    let Some(replay) = &case.j.tests.replay else {
        let says = format!(
            "the JVM's debug information, which the profiler reports to within {within} pt"
        );
        return Some(Cause::new(CauseKind::DebugInfo, says));
    };
    let margin_pt = case.settings.margin_pt;
    let figures = figures(replay);
    let right = |truth_pt: Estimate| truth_pt.wholly_below(margin_pt);
    let mut others = replay.rules.iter().filter(|fit| fit.rule != replay.rule);
    let better = others.find(|fit| right(fit.truth_pt));
    Some(if let Some(better) = better {
        let says = format!(
            "the rule by which it looks addresses up in the JVM's debug information ({} instead of {}, which would be off by {} pt; {figures})",
            replay.rule,
            better.rule,
            rounded(better.truth_pt.value)
        );
        Cause::new(CauseKind::PcRule, says)
    } else if right(replay.debug_info_pt) {
        let says = format!(
            "skid: samples name instructions behind the one that took the time ({figures})"
        );
        Cause::new(CauseKind::Skid, says)
    } else {
        let says = format!(
            "the JVM's debug information, which the profiler reports to within {within} pt ({figures})"
        );
        Cause::new(CauseKind::DebugInfo, says)
    })
}

/// `debug information 14 pt, skid 1.2 pt, the rest 0.9 pt`
fn figures(replay: &ReplayTest) -> String {
    format!(
        "debug information {} pt, skid {} pt, the rest {} pt",
        rounded(replay.debug_info_pt.value),
        rounded(replay.skid_pt.value),
        rounded(replay.rest_pt.value)
    )
}

/// Wrong about slowed code, but right when measured against what the JVM says of it.
pub(super) fn of_inserted(j: &Judgement) -> Option<Cause> {
    let explained = |test: &&UniformTest| {
        let wrong = test.counts && test.result.verdict == Verdict::Wrong;
        let by_records = test.debug_info.as_ref();
        wrong && by_records.is_some_and(|by_records| explains(by_records, &test.result))
    };
    let test = j.tests.uniform.iter().find(explained)?;
    let within = test.debug_info.as_ref()?.error_pt.value;
    let says = format!(
        "the JVM's debug information of code slowed by {} %, which the profiler reports to within {} pt",
        test.target_pct,
        rounded(within)
    );
    Some(Cause::new(CauseKind::InsertedCode, says))
}
