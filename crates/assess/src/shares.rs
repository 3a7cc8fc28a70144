//! Shares of one condition, from the profiler's and from our windows.
//!
//! Index `methods.len()` stands for the profiler's Java samples without a name; its true share is zero.

use crate::between;
use crate::totals::ratio_of;
use crate::{Condition, ProfilerEvidence, ProfilerWindow, TruthStream, TruthWindow, WindowAt};
use proofmark_stats::ClusteredShare;

/// Shares of all methods (and one for "unattributed") on one side.
#[derive(Debug, Clone)]
pub(crate) struct Side {
    /// Per method, then unattributed.
    pub(crate) shares: Vec<ClusteredShare>,
    /// Numbers of the windows, ascending.
    pub(crate) windows: Vec<u32>,
    /// Length of the windows, seconds.
    pub(crate) seconds: f64,
    /// Samples in the shares.
    pub(crate) samples: f64,
}

/// How far the truth of each method reaches below and above its share (0 to 1).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Reach {
    /// Share counted for the method that may be another's.
    pub(crate) below: f64,
    /// Share counted elsewhere that may be the method's.
    pub(crate) above: f64,
    /// Share that samples around the method's borders may bring it or take from it: it reaches to both sides.
    pub(crate) border: f64,
}

/// Truth side with what source positions leave open.
#[derive(Debug, Clone)]
pub(crate) struct TruthSide {
    /// Shares.
    pub(crate) side: Side,
    /// Per method, then unattributed.
    pub(crate) reach: Vec<Reach>,
    /// Samples outside of compiled Java methods over all samples (0 to 1).
    pub(crate) outside: f64,
}

/// Profiler's shares over the windows that `keep` accepts; `None` below two windows with samples.
pub(crate) fn profiler_side(
    p: &ProfilerEvidence,
    keep: impl Fn(&WindowAt) -> bool,
) -> Option<Side> {
    let mut kept: Vec<&ProfilerWindow> = p.windows.iter().filter(|w| keep(&w.at)).collect();
    kept.sort_by_key(|w| w.at.window);
    let rows: Vec<Vec<f64>> = kept
        .iter()
        .map(|w| w.methods.iter().copied().chain([w.unattributed]).collect())
        .collect();
    side(&rows, kept.iter().map(|w| &w.at))
}

/// True shares over the windows that `keep` accepts, both streams together; `None` below two windows with samples.
pub(crate) fn truth_side(
    p: &ProfilerEvidence,
    keep: impl Fn(&WindowAt) -> bool,
) -> Option<TruthSide> {
    let kept = sorted_truth(p, keep);
    let side = truth_shares(&kept, |_| true)?;
    let outside = outside_part(&kept);
    Some(TruthSide {
        reach: reach_of(&kept, &side, (p, outside)),
        side,
        outside,
    })
}

/// True shares by one stream alone, for the check of the streams against each other.
pub(crate) fn stream_side(
    p: &ProfilerEvidence,
    keep: impl Fn(&WindowAt) -> bool,
    stream: usize,
) -> Option<Side> {
    let kept = sorted_truth(p, keep);
    if kept.iter().any(|w| w.streams.len() <= stream) {
        return None;
    }
    truth_shares(&kept, |s| s == stream)
}

fn sorted_truth(p: &ProfilerEvidence, keep: impl Fn(&WindowAt) -> bool) -> Vec<&TruthWindow> {
    let mut kept: Vec<&TruthWindow> = p.truth.iter().filter(|w| keep(&w.at)).collect();
    kept.sort_by_key(|w| w.at.window);
    kept
}

fn truth_shares(kept: &[&TruthWindow], stream: impl Fn(usize) -> bool) -> Option<Side> {
    let methods = kept
        .iter()
        .flat_map(|w| &w.streams)
        .map(|s| s.methods.len())
        .next()?;
    let rows: Vec<Vec<f64>> = kept
        .iter()
        .map(|w| {
            let mut row = vec![0.0; methods + 1];
            for (_, s) in w.streams.iter().enumerate().filter(|(i, _)| stream(*i)) {
                row.iter_mut()
                    .zip(&s.methods)
                    .for_each(|(sum, v)| *sum += v);
            }
            row
        })
        .collect();
    side(&rows, kept.iter().map(|w| &w.at))
}

fn side<'a>(rows: &[Vec<f64>], at: impl Iterator<Item = &'a WindowAt>) -> Option<Side> {
    let totals: Vec<f64> = rows.iter().map(|row| row.iter().sum()).collect();
    let at: Vec<&WindowAt> = at.collect();
    let runs: Vec<u32> = at.iter().map(|a| a.run).collect();
    let share = |m: usize| {
        let hits: Vec<f64> = rows.iter().map(|row| row[m]).collect();
        between::share(&hits, &totals, &runs)
    };
    let shares = (0..rows.first()?.len()).map(share);
    let shares: Vec<ClusteredShare> = shares.collect::<Option<_>>()?;
    Some(Side {
        shares,
        windows: at.iter().map(|a| a.window).collect(),
        seconds: at.iter().map(|a| a.seconds).sum(),
        samples: totals.iter().sum(),
    })
}

fn streams<'a>(kept: &'a [&TruthWindow]) -> impl Iterator<Item = &'a TruthStream> {
    kept.iter().flat_map(|w| &w.streams)
}

fn outside_part(kept: &[&TruthWindow]) -> f64 {
    let outside: f64 = streams(kept).map(|s| s.outside).sum();
    let inside: f64 = streams(kept).flat_map(|s| &s.methods).sum();
    outside / (outside + inside)
}

fn reach_of(
    kept: &[&TruthWindow],
    side: &Side,
    (p, outside): (&ProfilerEvidence, f64),
) -> Vec<Reach> {
    let methods = side.shares.len() - 1;
    let mut reach = vec![Reach::default(); methods + 1];
    for s in streams(kept) {
        let all: f64 = s.ambiguous.iter().sum();
        for (m, slot) in reach.iter_mut().take(methods).enumerate() {
            let own = s.ambiguous.get(m).copied().unwrap_or(0.0);
            slot.below += own / side.samples;
            slot.above += s.claimable.get(m).copied().unwrap_or(all - own) / side.samples;
        }
    }
    if !p.border_doubt.is_empty() {
        // Borders are known as parts of the whole unslowed program, shares are parts of what is inside of methods now.
        let inside = (1.0 - outside).max(1e-6) * times_as_long(kept, p);
        for (slot, doubt) in reach.iter_mut().zip(&p.border_doubt).take(methods) {
            slot.border = doubt / inside;
        }
    }
    reach
}

/// How many times as long as unslowed the program takes in these windows of one condition: by the clock, or as it was meant
/// to where the clock has too few windows. Each passage of a border moves as many cycles as ever, which are less of that.
fn times_as_long(kept: &[&TruthWindow], p: &ProfilerEvidence) -> f64 {
    match kept.first().map(|w| w.at.condition) {
        Some(slowed @ Condition::Uniform(percent)) => {
            let meant = 1.0 + f64::from(percent) / 100.0;
            let ratio = ratio_of(p, (Condition::Baseline, slowed));
            ratio.map_or(meant, |(_, log, _)| log.exp())
        }
        _ => 1.0,
    }
}
