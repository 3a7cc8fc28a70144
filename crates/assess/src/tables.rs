//! Tables of the answer that no test needs: shares per condition, amounts of data, what is in no share.

use crate::judge::{conditions, method_name};
use crate::shares::{profiler_side, truth_side};
use crate::{
    ConditionShare, ConditionSize, Evidence, Losses, MethodShares, ProfilerEvidence,
    ProfilerWindow, Settings, TruthStream,
};
use proofmark_stats::clustered_share;

/// Shares of every method that reaches the blame limit anywhere, largest first.
pub(crate) fn method_shares(
    e: &Evidence,
    p: &ProfilerEvidence,
    settings: &Settings,
) -> Vec<MethodShares> {
    let sides: Vec<_> = conditions(p)
        .into_iter()
        .map(|c| {
            (
                c,
                profiler_side(p, |at| at.condition == c),
                truth_side(p, |at| at.condition == c),
            )
        })
        .collect();
    let mut rows: Vec<(f64, MethodShares)> = (0..=e.methods.len())
        .map(|m| {
            let by_condition: Vec<ConditionShare> = sides
                .iter()
                .map(|(condition, profiler, truth)| ConditionShare {
                    condition: *condition,
                    truth_pct: truth
                        .as_ref()
                        .map(|t| t.side.shares[m].estimate().scaled(100.0)),
                    profiler_pct: profiler
                        .as_ref()
                        .map(|s| s.shares[m].estimate().scaled(100.0)),
                })
                .collect();
            let values = by_condition
                .iter()
                .flat_map(|c| [c.truth_pct, c.profiler_pct])
                .flatten()
                .map(|e| e.value);
            (
                values.fold(0.0, f64::max),
                MethodShares {
                    method: method_name(e, m),
                    by_condition,
                },
            )
        })
        .filter(|(largest, _)| *largest >= settings.blame_share_pct)
        .collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    rows.into_iter().map(|(_, row)| row).collect()
}

/// Amount of data per condition.
pub(crate) fn sizes(p: &ProfilerEvidence) -> Vec<ConditionSize> {
    conditions(p)
        .into_iter()
        .map(|condition| {
            let windows = p.windows.iter().filter(|w| w.at.condition == condition);
            let truth = p.truth.iter().filter(|w| w.at.condition == condition);
            ConditionSize {
                condition,
                profiler_windows: windows.clone().count(),
                profiler_samples: windows
                    .clone()
                    .map(|w| w.methods.iter().sum::<f64>() + w.unattributed)
                    .sum(),
                truth_windows: truth.clone().count(),
                truth_samples: truth
                    .flat_map(|w| &w.streams)
                    .flat_map(|s| &s.methods)
                    .sum(),
                seconds: windows.map(|w| w.at.seconds).sum(),
            }
        })
        .collect()
}

/// Parts of the weight that are in no share, all conditions together.
pub(crate) fn losses(p: &ProfilerEvidence) -> Losses {
    let part = |hit: &[f64], rest: &[f64]| {
        let totals: Vec<f64> = hit.iter().zip(rest).map(|(h, r)| h + r).collect();
        Some(clustered_share(hit, &totals)?.estimate().scaled(100.0))
    };
    let of = |f: fn(&ProfilerWindow) -> f64| p.windows.iter().map(f).collect::<Vec<f64>>();
    let named = of(|w| w.methods.iter().sum());
    let java = of(|w| w.methods.iter().sum::<f64>() + w.unattributed);
    let own = of(|w| w.methods.iter().sum::<f64>() + w.unattributed + w.native);
    let sum = |f: fn(&TruthStream) -> f64| -> Vec<f64> {
        p.truth
            .iter()
            .map(|w| w.streams.iter().map(f).sum())
            .collect()
    };
    Losses {
        native_pct: part(&of(|w| w.native), &java),
        unattributed_pct: part(&of(|w| w.unattributed), &named),
        lost_pct: part(
            &of(|w| w.lost),
            &of(|w| w.methods.iter().sum::<f64>() + w.unattributed + w.native + w.other_threads),
        ),
        other_threads_pct: part(&of(|w| w.other_threads), &own),
        truth_outside_pct: part(&sum(|s| s.outside), &sum(|s| s.methods.iter().sum())),
    }
}
