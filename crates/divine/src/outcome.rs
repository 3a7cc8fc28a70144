//! What the search found, and why it stopped.

use proofmark_rules::TOO_WIDE_PT;
use proofmark_stats::{Estimate, clustered_share, folded_normal_mean, normal_cdf};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{Error, Model};
use crate::{Observation, Settings, Tunable, TunableKind};

/// Standard errors on each side of a 95 % interval.
const Z95: f64 = 1.959_963_985;

/// What the laboratory should do next.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Measure one round: baseline windows interleaved with windows under these counts. If all
    /// counts are 0 only the baseline is wanted. The same counts may be asked for again: that is
    /// more windows under the same plan, not a new plan.
    Measure {
        /// Slowdown instructions per tunable.
        counts: Vec<u32>,
    },
    /// Nothing more to measure.
    Finished(Outcome),
}

/// Why the search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// Block errors and total are within the tolerances, their intervals included.
    WithinTolerance,
    /// Another plan is not expected to be better: each change re-rolls overlap and port binding.
    NoBetterPlan,
    /// The number of plans or rounds, or the time, is used up.
    Budget,
    /// Step by step: every block was searched to the count that came closest.
    EveryBlock,
}

/// What became of a tunable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Its time is as wanted, within the tolerance or within what can be told.
    OnTarget,
    /// Too few samples to tell its time to 15 points.
    TooSmall,
    /// One single instruction already slows it by more than the target or twice the tolerance off it.
    OneInstructionTooSlow,
    /// The step of one instruction is more than twice the tolerance.
    Coarse,
    /// It hardly slows down at all, whatever the count.
    NotResponding,
    /// Off on its own, but its loop cluster is on target: the processor overlaps these blocks.
    Overlaps,
    /// Off target when the search ended.
    OffTarget,
    /// Too short to be told from its neighbours on this machine: the set is judged that it is in.
    InSet,
    /// Too short to be told on this machine, and alone: no code around it that it could be judged with.
    Unresolved,
    /// Part of a pool: slowed with a common density, not judged.
    Pooled,
}

/// What is known about one tunable at the end.
#[derive(Debug, Clone, PartialEq)]
pub struct TunableOutcome {
    /// Slowdown instructions.
    pub count: u32,
    /// Share of the program's baseline time, %.
    pub share_pct: f64,
    /// Baseline cycles per execution.
    pub cycles: f64,
    /// Cost of one instruction beyond the hinge, cycles; n: plans it was fitted to.
    pub slope_cycles: Estimate,
    /// Instructions that are free; n: plans it was fitted to.
    pub hinge: Estimate,
    /// Slowdown achieved, % of the tunable's baseline time; n: samples under the plan.
    pub overhead_pct: Estimate,
    /// What became of it.
    pub reason: Reason,
}

/// Result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The plan: slowdown instructions per tunable.
    pub counts: Vec<u32>,
    /// Per tunable, in the same order.
    pub tunables: Vec<TunableOutcome>,
    /// Expected overhead of the whole program, %; n: rounds under the plan.
    pub overhead_pct: Estimate,
    /// Expected mean absolute error of the judged blocks, weighted by time, points; n: judged blocks.
    pub block_error_pt: Estimate,
    /// What the tunables were brought to, %: more than the target where some time cannot be slowed.
    pub aim_pct: f64,
    /// Share of the baseline time in judged blocks, %.
    pub coverage_pct: f64,
    /// Share of the baseline time that cannot be slowed, %.
    pub outside_pct: f64,
    /// The same with its interval; n: samples of baseline windows. None with fewer than two such windows.
    pub outside_share_pct: Option<Estimate>,
    /// Distinct plans measured.
    pub plans_tried: u32,
    /// Rounds measured, the first (baseline only) included.
    pub rounds: u32,
    /// Why it ended.
    pub stop: Stop,
}

/// A measured plan and what is known of it.
pub(crate) struct Known<'a> {
    pub(crate) model: &'a Model,
    pub(crate) tunables: &'a [Tunable],
    pub(crate) settings: &'a Settings,
    /// Its place among the plans of the model.
    pub(crate) plan: usize,
}

/// Describes a measured plan.
pub(crate) fn describe(known: &Known<'_>, (plans, rounds): (usize, usize), stop: Stop) -> Outcome {
    let &Known {
        model,
        tunables,
        settings,
        plan,
    } = known;
    let errors = model.errors_of(plan);
    let clusters = cluster_errors(model, &errors);
    let of = |c: usize| {
        let reason = known.reason(c, errors[c], clusters[model.cluster_of[c]]);
        tunable_outcome(model, c, plan, errors[c], reason)
    };
    Outcome {
        counts: model.data.plans[plan].counts.clone(),
        tunables: (0..tunables.len()).map(of).collect(),
        overhead_pct: total_overhead(model, settings, plan, &errors),
        block_error_pt: block_error(model, tunables, settings, &errors),
        aim_pct: 100.0 * model.aim,
        coverage_pct: 100.0 * model.coverage(tunables),
        outside_pct: 100.0 * model.data.baseline.outside,
        outside_share_pct: model.data.outside_share.map(|share| share.scaled(100.0)),
        plans_tried: whole(plans),
        rounds: whole(rounds),
        stop,
    }
}

/// Share of the time of windows that is outside of tunables; none with fewer than two sampled windows.
///
/// # Accuracy
/// By the spread from window to window, and never better than the number of samples allows ([`clustered_share`]).
pub(crate) fn outside_share(windows: &[&Observation]) -> Option<Estimate> {
    let sampled = || windows.iter().filter(|window| window.sampled);
    let outside: Vec<f64> = sampled().map(|window| window.outside_samples).collect();
    let all: Vec<f64> = sampled().map(|window| window.all_samples()).collect();
    clustered_share(&outside, &all).map(|share| share.estimate())
}

/// Expected overhead of the program; the interval is that of the plan's own unsampled rounds.
pub(crate) fn total_overhead(
    model: &Model,
    settings: &Settings,
    plan: usize,
    errors: &[Error],
) -> Estimate {
    let value = 100.0 * (settings.target + model.total_error_of(plan, errors));
    let half = 100.0 * Z95 * model.data.plans[plan].total.variance.sqrt();
    let n = u64::from(model.data.plans[plan].rounds);
    Estimate {
        value,
        low: value - half,
        high: value + half,
        n,
    }
}

/// Posterior mean of the weighted absolute error of what is judged against the target, with its
/// interval (tunables taken as independent).
pub(crate) fn block_error(
    model: &Model,
    tunables: &[Tunable],
    settings: &Settings,
    errors: &[Error],
) -> Estimate {
    let (mut mean, mut variance, mut weight, mut n) = (0.0, 0.0, 0.0, 0);
    for (share, error) in judged_errors(model, tunables, errors) {
        let miss = error.mean + model.aim - settings.target;
        let absolute = folded_normal_mean(miss, error.variance.sqrt());
        mean += share * absolute;
        variance += share.powi(2) * (miss * miss + error.variance - absolute * absolute).max(0.0);
        weight += share;
        n += 1;
    }
    let weight = weight.max(1e-12);
    let (value, half) = (
        100.0 * mean / weight,
        100.0 * Z95 * variance.sqrt() / weight,
    );
    Estimate {
        value,
        low: (value - half).max(0.0),
        high: value + half,
        n,
    }
}

/// Share and error of every set of blocks that is judged as one.
fn judged_errors(model: &Model, tunables: &[Tunable], errors: &[Error]) -> Vec<(f64, Error)> {
    let mut sums = vec![(0.0, 0.0, 0.0); model.group_sizes.len()];
    let judged = (0..tunables.len()).filter(|&c| tunables[c].kind == TunableKind::Block);
    for c in judged {
        let sum: &mut (f64, f64, f64) = &mut sums[model.group_of[c]];
        let share = model.shares[c];
        sum.0 += share;
        sum.1 += share * errors[c].mean;
        sum.2 += share * share * errors[c].variance;
    }
    let some = sums.into_iter().filter(|sum| sum.0 > 0.0);
    let error = |(share, error, variance): (f64, f64, f64)| {
        let mean = error / share;
        (
            share,
            Error {
                mean,
                variance: variance / (share * share),
            },
        )
    };
    some.map(error).collect()
}

fn tunable_outcome(
    model: &Model,
    c: usize,
    plan: usize,
    error: Error,
    reason: Reason,
) -> TunableOutcome {
    let plans = model.data.plans.len() as u64;
    let from = |[low, value, high]: [f64; 3]| Estimate {
        value,
        low,
        high,
        n: plans,
    };
    let value = 100.0 * (model.aim + error.mean);
    let half = 100.0 * Z95 * error.variance.sqrt();
    let samples = model.data.plans[plan].tunables[c].time / model.data.plans[plan].total.time
        * model.data.plans[plan].samples;
    TunableOutcome {
        count: model.data.plans[plan].counts[c],
        share_pct: 100.0 * model.shares[c],
        cycles: model.tau(c),
        slope_cycles: from(model.responses[c].slope_interval()),
        hinge: from(model.responses[c].hinge_interval()),
        overhead_pct: Estimate {
            value,
            low: value - half,
            high: value + half,
            n: samples.round() as u64,
        },
        reason,
    }
}

/// Time-weighted mean error per cluster.
fn cluster_errors(model: &Model, errors: &[Error]) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); model.clusters];
    for (c, error) in errors.iter().enumerate() {
        let sum: &mut (f64, f64) = &mut sums[model.cluster_of[c]];
        sum.0 += model.shares[c];
        sum.1 += model.shares[c] * error.mean;
    }
    sums.iter()
        .map(|(share, sum)| sum / share.max(1e-12))
        .collect()
}

impl Known<'_> {
    /// Why a tunable is where it is; `cluster` is the mean error of its cluster.
    fn reason(&self, c: usize, error: Error, cluster: f64) -> Reason {
        let (model, settings) = (self.model, self.settings);
        let sd = error.variance.sqrt();
        let step = model.responses[c].slope() / model.tau(c);
        let count = model.data.plans[self.plan].counts[c];
        let reached = model.aim + error.mean;
        // Probability that the error is beyond twice the tolerance, on the side where it is.
        let surely_off =
            normal_cdf((error.mean.abs() - 2.0 * settings.tolerance) / sd.max(1e-9)) > 0.5;
        match () {
            () if self.tunables[c].kind == TunableKind::Pool => Reason::Pooled,
            () if !surely_off && sd <= TOO_WIDE_PT / 100.0 => Reason::OnTarget,
            () if sd > TOO_WIDE_PT / 100.0 && error.mean.abs() < 2.0 * sd => Reason::TooSmall,
            () if count <= 1 && step > 2.0 * settings.tolerance => Reason::OneInstructionTooSlow,
            () if step > 2.0 * settings.tolerance => Reason::Coarse,
            () if reached + 2.0 * sd < 0.3 * settings.target => Reason::NotResponding,
            () if cluster.abs() <= settings.tolerance => Reason::Overlaps,
            () => Reason::OffTarget,
        }
    }
}

fn whole(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
