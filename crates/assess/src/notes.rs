//! What a reader of one judgement must know besides the numbers.

use crate::between;
use crate::block_map;
use crate::judge::counting;
use crate::{Evidence, Losses, ProfilerEvidence, Settings, Tests, Verdict};
use proofmark_rules::{FEW_WINDOWS, LOSS_WORTH_SAYING_PCT, STREAMS_APART_MARGINS};

/// Sentences, most important first.
pub(crate) fn notes(
    e: &Evidence,
    p: &ProfilerEvidence,
    tests: &Tests,
    losses: &Losses,
    settings: &Settings,
) -> Vec<String> {
    let mut out: Vec<String> = block_map::doubt(e, p).into_iter().collect();
    if p.analyses > 1 {
        out.push("undecided after the first half of its windows, and measured once more; both times at 95 %".to_owned());
    }
    out.extend(of_fewer_runs(p, tests));
    if let Some(differ) = tests.absolute.as_ref().and_then(|t| t.streams_differ_pt)
        && differ.low > STREAMS_APART_MARGINS * settings.margin_pt
    {
        out.push(format!(
            "our two sampling streams differ by {:.1} pt: there may be aliasing or skid in the truth",
            differ.value
        ));
    }
    for t in &tests.uniform {
        let (off, by_records) = (t.result.error_pt, t.debug_info.as_ref());
        let records = by_records.filter(|records| records.verdict == Verdict::Right);
        if let Some(records) = records.filter(|_| t.result.verdict != Verdict::Right) {
            out.push(format!(
                "slowed by {} %, it is off by {:.1} pt ({:.1} to {:.1}); what the JVM's debug information says of the slowed code it repeats to within {:.1} pt",
                t.target_pct, off.value, off.low, off.high, records.error_pt.value
            ));
        }
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

/// Which tests rest on fewer runs than there are.
fn of_fewer_runs(p: &ProfilerEvidence, tests: &Tests) -> Option<String> {
    let runs = between::runs_of(p).len();
    let counting = counting(tests).into_iter();
    let few = counting.filter(|(_, result)| (result.runs as usize) < runs);
    let few: Vec<String> = few
        .map(|(name, result)| format!("{name} {}", result.runs))
        .collect();
    (!few.is_empty()).then(|| {
        format!(
            "not every test has windows of all {runs} runs, because code was compiled otherwise or samples are too few; runs with windows: {}",
            few.join(", ")
        )
    })
}
