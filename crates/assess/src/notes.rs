//! What a reader of one judgement must know besides the numbers.

use crate::{Losses, ProfilerEvidence, Settings, Tests};
use proofmark_rules::LOSS_WORTH_SAYING_PCT;

/// Fewer windows than this make t quantiles large.
const FEW_WINDOWS: usize = 8;

/// Sentences, most important first.
pub(crate) fn notes(
    p: &ProfilerEvidence,
    tests: &Tests,
    losses: &Losses,
    settings: &Settings,
) -> Vec<String> {
    let mut out = Vec::new();
    if p.looks > 1 {
        out.push("undecided after the first half of its windows, and measured once more; both times at 95 %".to_owned());
    }
    if let Some(differ) = tests.absolute.as_ref().and_then(|t| t.streams_differ_pt)
        && differ.low > settings.margin_pt / 5.0
    {
        out.push(format!(
            "our two sampling streams differ by {:.1} pt: aliasing or skid in the truth",
            differ.value
        ));
    }
    for t in tests.uniform.iter().filter(|t| !t.counts) {
        let off = t.result.error_pt;
        out.push(format!(
            "slowed by {} %, it is off by {:.1} pt ({:.1} to {:.1}) as the JVM's debug information of inserted code is, and that does not count",
            t.target_pct, off.value, off.low, off.high
        ));
    }
    for t in tests.single.iter().filter(|t| !t.counts) {
        out.push(format!(
            "the verdict does not rest on what was added to {}: our own samples show that time elsewhere too",
            t.label
        ));
    }
    if let Some(aa) = tests.aa.as_ref().filter(|aa| aa.drift) {
        out.push(format!(
            "shares drift: first and second half of the unslowed windows differ by {:.1} pt",
            aa.drift_pt.value
        ));
    }
    let worth =
        |part: Option<proofmark_stats::Estimate>| part.filter(|e| e.value > LOSS_WORTH_SAYING_PCT);
    if let Some(lost) = worth(losses.lost_pct) {
        out.push(format!(
            "{:.1} % of the profiler's samples were lost; shares rest on the others",
            lost.value
        ));
    }
    if let Some(unnamed) = worth(losses.unattributed_pct) {
        out.push(format!(
            "{:.1} % of the profiler's Java samples have no method",
            unnamed.value
        ));
    }
    let baseline = p
        .windows
        .iter()
        .filter(|w| w.at.condition == crate::Condition::Baseline)
        .count();
    if baseline < FEW_WINDOWS && p.failure.is_none() {
        out.push(format!("only {baseline} unslowed windows: intervals are wider than the samples alone would make them"));
    }
    out
}
