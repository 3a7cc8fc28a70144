//! Uniform test: every block slowed; shares must change only as block times really did.
//!
//! Its error is reported as it is, and the verdict rests on it. What the JVM's debug information makes of the slowed code,
//! whose new instructions have no position of their own, stands beside it as a cause ([`crate::CauseKind::InsertedCode`])
//! and is never taken off.

use crate::block_map;
use crate::deviation::{Deviation, View, largest, share_change};
use crate::judge::method_name;
use crate::largest::{Amount, Limits, judge_largest};
use crate::totals::ratio_of;
use crate::{Condition, Evidence, MethodChange, ProfilerEvidence, Settings, UniformTest};
use proofmark_rules::PUBLISHED_PT;
use proofmark_stats::pearson;

/// Judges the change of shares from unslowed windows to windows slowed by `target_pct`.
pub(crate) fn uniform(
    e: &Evidence,
    p: &ProfilerEvidence,
    baseline: &View,
    target_pct: u32,
    settings: &Settings,
) -> Option<UniformTest> {
    let condition = Condition::Uniform(target_pct);
    let slowed = View::of(p, condition)?;
    let compared = changed_methods(baseline, &slowed, settings.judged_share_pct());
    let deviations: Vec<Deviation> = compared
        .iter()
        .map(|m| baseline.change(&slowed, *m))
        .collect();
    let limits = Limits {
        wrong_above: settings.margin_pt,
        right_below: settings.margin_pt,
    };
    let amount = both(baseline, &slowed);
    let result = judge_largest(&deviations, limits, amount, |m| method_name(e, m))?;
    let changes: Vec<MethodChange> = compared
        .iter()
        .map(|m| MethodChange {
            method: method_name(e, *m),
            seen_pt: share_change(&baseline.profiler, &slowed.profiler, *m),
            expected_pt: share_change(&baseline.truth.side, &slowed.truth.side, *m),
        })
        .collect();
    let top = top_methods(baseline, settings.top_methods);
    let shares = |view: &View| {
        top.iter()
            .map(|m| view.profiler.shares[*m].share)
            .collect::<Vec<f64>>()
    };
    let (before, after) = (shares(baseline), shares(&slowed));
    let moved = before
        .iter()
        .zip(&after)
        .filter(|(a, b)| ((*b - *a) * 100.0).abs() > PUBLISHED_PT)
        .count();
    let corrected = top
        .iter()
        .filter(|m| baseline.change(&slowed, **m).points.abs() > PUBLISHED_PT)
        .count();
    Some(UniformTest {
        target_pct,
        overhead_pct: ratio_of(p, (Condition::Baseline, condition))
            .map(|(ratio, _, _)| ratio.map_increasing(|r| (r - 1.0) * 100.0)),
        result,
        debug_info: None,
        counts: block_map::decides(e, p),
        correlation: pearson(&before, &after),
        off_by_5_pt: moved,
        off_by_5_pt_corrected: corrected,
        top: top.len(),
        changes,
    })
}

/// Amount of data of both sides of a comparison.
pub(crate) fn both(before: &View, after: &View) -> Amount {
    Amount {
        samples: before.profiler.samples + after.profiler.samples,
        seconds: before.profiler.seconds + after.profiler.seconds,
    }
}

/// Methods large enough before or after. If none is, those that are largest before and after together: one that is picked
/// by what it has in one of the two alone has more than usual there, and would seem to move.
pub(crate) fn changed_methods(before: &View, after: &View, share_pct: f64) -> Vec<usize> {
    let mut methods = before.reaching(share_pct);
    methods.extend(after.reaching(share_pct));
    if methods.is_empty() {
        return largest(&[before, after]);
    }
    methods.sort_unstable();
    methods.dedup();
    methods
}

/// The profiler's hottest named methods in unslowed windows.
fn top_methods(view: &View, count: usize) -> Vec<usize> {
    let shares = &view.profiler.shares;
    let mut order: Vec<usize> = (0..shares.len() - 1)
        .filter(|m| shares[*m].share > 0.0)
        .collect();
    order.sort_by(|a, b| shares[*b].share.total_cmp(&shares[*a].share));
    order.truncate(count);
    order
}
