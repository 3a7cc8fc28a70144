//! A sampling period that meets the same part of an iteration again and again.
//!
//! If the period and an iteration have a small whole ratio, the samples of a window all meet the same few points of the
//! iteration, and those of the next window others. Each window then shows another profile, which counting samples does not
//! explain, and which our own samples of the same program, of two periods without a common multiple, do not show.

use super::{Case, Cause, CauseKind};
use crate::between;
use crate::{Condition, ProfilerEvidence, WindowAt};
use proofmark_rules::{
    RESONANCE_LEAST_WINDOWS, RESONANCE_MOST, RESONANCE_PHASE, RESONANCE_SCATTER,
};
use proofmark_stats::{ClusteredShare, clustered_share, mean};

/// The period is a whole multiple of an iteration, or a whole part of one, and windows scatter as they then must.
pub(super) fn period(case: &Case<'_>) -> Option<Cause> {
    let (period_ms, iteration_ms) = (period_ms(case.p)?, iteration_ms(case.p)?);
    if !resonates(period_ms, iteration_ms) || !scatters(case) {
        return None;
    }
    let says = format!(
        "sampling period: every sample of a window meets the same part of an iteration (one each {period_ms:.3} ms, an iteration takes {iteration_ms:.3} ms)"
    );
    Some(Cause::new(CauseKind::Period, says))
}

fn resonates(period_ms: f64, iteration_ms: f64) -> bool {
    let ratio = (period_ms / iteration_ms).max(iteration_ms / period_ms);
    let whole = ratio.round();
    whole <= RESONANCE_MOST && (ratio - whole).abs() <= RESONANCE_PHASE
}

fn is_baseline(at: &WindowAt) -> bool {
    at.condition == Condition::Baseline
}

/// Time of unslowed windows for each sample that the profiler took or lost.
fn period_ms(p: &ProfilerEvidence) -> Option<f64> {
    let windows = p.windows.iter().filter(|w| is_baseline(&w.at));
    let (seconds, samples) = windows.fold((0.0, 0.0), |(seconds, samples), w| {
        let named: f64 = w.methods.iter().sum();
        let all = named + w.unattributed + w.native + w.lost;
        (seconds + w.at.seconds, samples + all)
    });
    (samples > 0.0).then(|| 1000.0 * seconds / samples)
}

/// Mean of an iteration in unslowed windows.
fn iteration_ms(p: &ProfilerEvidence) -> Option<f64> {
    let windows = p.totals.iter().filter(|w| is_baseline(&w.at));
    let times: Vec<f64> = windows.flat_map(|w| &w.iteration_ms).copied().collect();
    (!times.is_empty())
        .then(|| mean(&times))
        .filter(|ms| *ms > 0.0)
}

/// Whether shares scatter from window to window inside of any run: what differs between runs is no matter of the period.
fn scatters(case: &Case<'_>) -> bool {
    let runs = between::runs_of(case.p);
    let in_run = |run: &u32| scatters_in(case, |at| is_baseline(at) && at.run == *run);
    match runs.is_empty() {
        true => scatters_in(case, is_baseline),
        false => runs.iter().any(in_run),
    }
}

/// Whether the share of any method scatters from one of these windows to another far more than counting samples makes it,
/// and than our own samples do.
fn scatters_in(case: &Case<'_>, keep: impl Fn(&WindowAt) -> bool) -> bool {
    let seen = case.p.windows.iter().filter(|w| keep(&w.at));
    let seen: Vec<(&[f64], f64)> = seen
        .map(|w| {
            (
                &w.methods[..],
                w.methods.iter().sum::<f64>() + w.unattributed,
            )
        })
        .collect();
    let real = case.p.truth.iter().filter(|w| keep(&w.at));
    let real = real.flat_map(|w| w.streams.first());
    let real: Vec<(&[f64], f64)> = real
        .map(|s| (&s.methods[..], s.methods.iter().sum::<f64>()))
        .collect();
    let share = |windows: &[(&[f64], f64)], method: usize| -> Option<ClusteredShare> {
        let hits: Vec<f64> = windows.iter().map(|(all, _)| all[method]).collect();
        let totals: Vec<f64> = windows.iter().map(|(_, total)| *total).collect();
        clustered_share(&hits, &totals)
    };
    let least = case.settings.judged_share_pct() / 100.0;
    (0..case.e.methods.len()).any(|method| {
        let (Some(seen), Some(real)) = (share(&seen, method), share(&real, method)) else {
            return false;
        };
        let known = seen.windows.min(real.windows) >= RESONANCE_LEAST_WINDOWS;
        let large = seen.share.max(real.share) >= least;
        let beyond_counting = seen.spread.between > RESONANCE_SCATTER * seen.spread.floor;
        // One stream has counting noise of its own, so that this asks for rather more.
        let beyond_program = seen.spread.between > RESONANCE_SCATTER * real.spread.between;
        known && large && beyond_counting && beyond_program
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_whole_ratios_resonate_either_way_round() {
        for (period, iteration) in [(10.0, 10.2), (10.0, 5.0), (5.0, 15.1), (1.0, 1.0)] {
            assert!(resonates(period, iteration), "{period} and {iteration}");
        }
        for (period, iteration) in [(10.0, 12.0), (10.0, 4.1), (1.0, 10.0), (20.0, 0.5)] {
            assert!(!resonates(period, iteration), "{period} and {iteration}");
        }
    }
}
