//! All tunables together: single responses, then clusters, then the whole program.
//!
//! Blocks of a loop overlap, so a block's own response is ambiguous while the cluster's total is
//! conserved; and noise that pulls every small block towards the prior adds up in the total. So
//! what the tried plans show beyond the sum of the single predictions is estimated per cluster
//! (shrunk to 0) and shared among its tunables in proportion to their time; then the same for the
//! whole program, whose total is known best.

use crate::couplings::{Around, Couplings};
use crate::reduce::{PlanData, Reduced, Timed};
use crate::response::{At, Data, Miss, Response, first_count};
use crate::{Settings, Tunable, TunableKind};

/// Known size of what a cluster's total does beyond its tunables' responses, part of its slowed time.
const CLUSTER_WANDER: f64 = 0.03;
/// The same for the whole program.
const TOTAL_WANDER: f64 = 0.02;
/// Part of what a plan's total does beyond the prediction that a plan one step away from it does, too.
const KEPT: f64 = 0.7;
/// Weight of a plan one step older: the newest is nearest to the answer.
const AGEING: f64 = 0.6;
/// Part of the total by which the program may stay short before the tunables make up for time that
/// cannot be slowed, and the most they may be asked for beyond the target.
const ALLOWED_SHORT: f64 = 0.008;
const MOST_BEYOND: f64 = 0.06;

/// Prediction of a tunable under a count: overhead minus aim, parts of the tunable's baseline time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Error {
    pub(crate) mean: f64,
    pub(crate) variance: f64,
}

/// Fitted model of the program.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    pub(crate) data: Reduced,
    pub(crate) responses: Vec<Response>,
    /// Baseline share of every tunable.
    pub(crate) shares: Vec<f64>,
    /// Index of each tunable's cluster, dense.
    pub(crate) cluster_of: Vec<usize>,
    pub(crate) clusters: usize,
    /// Index of the set of tunables that each one is judged with, dense, and the sizes of these sets.
    pub(crate) group_of: Vec<usize>,
    pub(crate) group_sizes: Vec<u32>,
    /// Slowdown that the tunables are brought to (the target, or more where some time cannot be slowed).
    pub(crate) aim: f64,
    /// Time outside of tunables under a plan, part of the baseline total.
    pub(crate) outside: f64,
    /// Relative correction of each cluster's slowed time.
    corrections: Vec<f64>,
    /// Correction of the total, part of the baseline total.
    total_correction: f64,
    /// What each plan's own total does beyond that: where a changed count moves the code in its cache lines, and that
    /// its blocks' times by a tenth, no response of single blocks tells it.
    own_totals: Vec<f64>,
    /// Cycles per execution that a tunable would have if it were the whole program.
    cycles: Vec<f64>,
    couplings: Couplings,
    target: f64,
}

impl Model {
    /// Fits everything to the reduced rounds.
    pub(crate) fn fit(tunables: &[Tunable], settings: &Settings, data: Reduced) -> Self {
        let cycles: Vec<f64> = tunables
            .iter()
            .map(|c| data.baseline_ns * settings.clock_ghz / c.executions_per_iteration)
            .collect();
        let outside = outside(&data);
        let aim = aim(settings.target, outside);
        let (cluster_of, clusters) = dense_clusters(tunables);
        let (group_of, groups) = dense_groups(tunables);
        let taken: Vec<f64> = (data.baseline.tunables.iter().zip(&cycles))
            .map(|(baseline, cycles)| baseline.time * cycles)
            .collect();
        let guess: Vec<f64> = (taken.iter())
            .map(|&tau| first_count(tau, &settings.prior, aim))
            .collect();
        let couplings = Couplings::new(
            tunables,
            &cluster_of,
            settings,
            (&guess, &taken),
            &data.plans,
        );
        let fit = |c: usize| {
            let wander = settings.noise.wander;
            let tunable = tunable_data(&data, &couplings, c, cycles[c]);
            Response::fit(tunable, &settings.prior, aim, wander)
        };
        let responses: Vec<Response> = (0..tunables.len()).map(fit).collect();
        let shares = responses
            .iter()
            .zip(&cycles)
            .map(|(r, cycles)| r.baseline() / cycles)
            .collect();
        let mut model = Model {
            data,
            responses,
            shares,
            cluster_of,
            corrections: vec![0.0; clusters],
            clusters,
            group_sizes: members_each(&group_of, groups),
            group_of,
            aim,
            outside,
            total_correction: 0.0,
            own_totals: Vec::new(),
            cycles,
            couplings,
            target: settings.target,
        };
        model.correct_clusters();
        model.correct_total();
        model.own_totals = (0..model.data.plans.len())
            .map(|j| model.own_total(j))
            .collect();
        model
    }

    /// Error of a tunable in a new plan with these counts.
    pub(crate) fn error(&self, c: usize, counts: &[u32]) -> Error {
        let new = Around {
            counts,
            overhead: self.target,
        };
        let at = At {
            plan: None,
            coupled: self.couplings.with_measured(c, new),
            variance: self.couplings.variance(c, new),
        };
        self.as_error(c, self.responses[c].miss(counts[c], &at, 1.0 + self.aim))
    }

    /// Tunables whose time depends on the count of this one, itself included.
    pub(crate) fn touched(&self, c: usize) -> impl Iterator<Item = usize> {
        self.couplings.neighbours(c)
    }

    fn miss_of(&self, c: usize, plan: usize) -> Miss {
        let at = self.responses[c].measured(plan);
        self.responses[c].miss(self.data.plans[plan].counts[c], &at, 1.0 + self.aim)
    }

    fn as_error(&self, c: usize, Miss { mean, variance }: Miss) -> Error {
        let baseline = self.shares[c] * self.cycles[c];
        let correction = self.corrections[self.cluster_of[c]];
        let mean = mean / baseline;
        let corrected = mean + correction * (1.0 + self.aim + mean);
        Error {
            mean: corrected,
            variance: variance / (baseline * baseline),
        }
    }

    /// Overhead of the program minus the target, parts of the baseline total, under a measured plan.
    pub(crate) fn total_error_of(&self, plan: usize, errors: &[Error]) -> f64 {
        let means: Vec<f64> = errors.iter().map(|e| e.mean).collect();
        self.total_error(&means) + self.own_totals[plan]
    }

    /// What a plan one step away from a measured one is expected to do beyond [`Model::total_error`].
    pub(crate) fn kept_of(&self, plan: usize) -> f64 {
        KEPT * self.own_totals[plan]
    }

    /// Overhead of the program minus the target, parts of the baseline total, if the tunables have these errors.
    pub(crate) fn total_error(&self, errors: &[f64]) -> f64 {
        let tunables: f64 = errors
            .iter()
            .zip(&self.shares)
            .map(|(e, share)| share * (1.0 + self.aim + e))
            .sum();
        (tunables + self.outside + self.total_correction) / self.whole() - 1.0 - self.target
    }

    /// Baseline total as the posterior has it; 1 but for the difference to the sampled shares.
    fn whole(&self) -> f64 {
        self.shares.iter().sum::<f64>() + self.data.baseline.outside
    }

    fn correct_clusters(&mut self) {
        let (mut weights, mut sums) = (vec![0.0; self.clusters], vec![0.0; self.clusters]);
        for (age, j) in (0..self.data.plans.len()).rev().enumerate() {
            let (seen, predicted) = (self.seen(j), self.predicted(j));
            for cluster in 0..self.clusters {
                let noise = seen[cluster].variance / predicted[cluster].powi(2).max(1e-12);
                let weight = AGEING.powi(i32::try_from(age).unwrap_or(i32::MAX)) / noise.max(1e-12);
                weights[cluster] += weight;
                sums[cluster] +=
                    weight * (seen[cluster].time / predicted[cluster].max(1e-12) - 1.0);
            }
        }
        let prior = 1.0 / CLUSTER_WANDER.powi(2);
        let several = members_each(&self.cluster_of, self.clusters);
        let shrunk = |cluster: usize| {
            if several[cluster] > 1 {
                sums[cluster] / (weights[cluster] + prior)
            } else {
                0.0
            }
        };
        self.corrections = (0..self.clusters).map(shrunk).collect();
    }

    fn correct_total(&mut self) {
        let (mut weight, mut sum) = (0.0, 0.0);
        for (age, j) in (0..self.data.plans.len()).rev().enumerate() {
            let plan = &self.data.plans[j];
            let errors: Vec<f64> = self.errors_of(j).iter().map(|e| e.mean).collect();
            let precision = AGEING.powi(i32::try_from(age).unwrap_or(i32::MAX))
                / plan.total.variance.max(1e-12);
            weight += precision;
            sum += precision * (plan.total.time - 1.0 - self.target - self.total_error(&errors));
        }
        self.total_correction = sum / (weight + 1.0 / (TOTAL_WANDER * (1.0 + self.target)).powi(2));
    }

    fn own_total(&self, plan: usize) -> f64 {
        let errors: Vec<f64> = self.errors_of(plan).iter().map(|e| e.mean).collect();
        let measured = &self.data.plans[plan].total;
        let beyond = measured.time - 1.0 - self.target - self.total_error(&errors);
        let known = (TOTAL_WANDER * (1.0 + self.target)).powi(2);
        beyond * known / (known + measured.variance)
    }

    /// Errors of all tunables under a plan that was measured.
    pub(crate) fn errors_of(&self, plan: usize) -> Vec<Error> {
        (0..self.shares.len())
            .map(|c| self.as_error(c, self.miss_of(c, plan)))
            .collect()
    }

    /// Measured time per cluster under plan j; the common error of the total counts only once.
    fn seen(&self, j: usize) -> Vec<Timed> {
        let mut seen = vec![
            Timed {
                time: 0.0,
                variance: 0.0
            };
            self.clusters
        ];
        for (tunable, &cluster) in self.data.plans[j].tunables.iter().zip(&self.cluster_of) {
            seen[cluster].time += tunable.time;
            seen[cluster].variance += tunable.variance;
        }
        let total: &PlanData = &self.data.plans[j];
        for cluster in &mut seen {
            cluster.variance +=
                cluster.time.powi(2) * total.total.variance / total.total.time.powi(2);
        }
        seen
    }

    /// Predicted time per cluster under plan j from the single responses.
    fn predicted(&self, j: usize) -> Vec<f64> {
        let mut predicted = vec![0.0; self.clusters];
        for c in 0..self.shares.len() {
            let miss = self.miss_of(c, j).mean;
            predicted[self.cluster_of[c]] +=
                (miss / self.cycles[c]) + (1.0 + self.aim) * self.shares[c];
        }
        predicted
    }

    /// Cycles per execution in the baseline.
    pub(crate) fn tau(&self, c: usize) -> f64 {
        self.shares[c] * self.cycles[c]
    }

    /// What the last of k instructions in a tunable adds to the program, part of the baseline total.
    pub(crate) fn cost(&self, c: usize, k: u32) -> f64 {
        self.responses[c].cost_at(k) / self.cycles[c] / self.whole()
    }

    /// Share of the program's baseline time in judged blocks.
    pub(crate) fn coverage(&self, tunables: &[Tunable]) -> f64 {
        let judged = tunables
            .iter()
            .zip(&self.shares)
            .filter(|(c, _)| c.kind == TunableKind::Block);
        judged.map(|(_, share)| share).sum::<f64>() / self.whole()
    }
}

fn tunable_data(data: &Reduced, couplings: &Couplings, c: usize, cycles: f64) -> Data {
    let scaled = |t: Timed| Timed {
        time: t.time * cycles,
        variance: t.variance * cycles * cycles,
    };
    let plans = data
        .plans
        .iter()
        .map(|plan| (plan.counts[c], scaled(plan.tunables[c])))
        .collect();
    let around: Vec<Around<'_>> = data.plans.iter().map(Around::from).collect();
    Data {
        baseline: scaled(data.baseline.tunables[c]),
        plans,
        coupled: couplings.matrix(c, &around),
    }
}

/// Time outside of tunables: nothing slows it, but neighbours push it around; plans and baseline
/// are weighted by their samples.
fn outside(data: &Reduced) -> f64 {
    let all = || data.plans.iter().chain([&data.baseline]);
    all().map(|p| p.outside * p.samples).sum::<f64>() / all().map(|p| p.samples).sum::<f64>()
}

/// Slowdown of the tunables with which the total stays at most [`ALLOWED_SHORT`] under the target.
fn aim(target: f64, outside: f64) -> f64 {
    let needed = (target - ALLOWED_SHORT) / (1.0 - outside).max(0.5);
    needed.clamp(target, target + MOST_BEYOND)
}

/// Clusters are numbered by the laboratory per unit; here densely, in order of appearance.
/// Pools belong to no loop: each is a cluster of its own.
pub(crate) fn dense_clusters(tunables: &[Tunable]) -> (Vec<usize>, usize) {
    let names = tunables.iter().map(|tunable| {
        let judged = tunable.kind == TunableKind::Block;
        (tunable.unit.as_str(), judged.then_some(tunable.cluster))
    });
    dense(names)
}

/// Sets of tunables that are judged together, densely, in order of appearance.
pub(crate) fn dense_groups(tunables: &[Tunable]) -> (Vec<usize>, usize) {
    let alone = |at: usize| u64::from(u32::MAX) + 1 + at as u64;
    let names = tunables.iter().enumerate().map(|(at, tunable)| {
        let group = tunable.group.filter(|_| tunable.kind == TunableKind::Block);
        (tunable.unit.as_str(), group.map_or(alone(at), u64::from))
    });
    dense(names)
}

/// Numbers equal names alike, in order of appearance.
fn dense<T: PartialEq>(names: impl Iterator<Item = T>) -> (Vec<usize>, usize) {
    let mut known: Vec<T> = Vec::new();
    let mut of = Vec::new();
    for name in names {
        let at = known.iter().position(|other| *other == name);
        of.push(at.unwrap_or(known.len()));
        if at.is_none() {
            known.push(name);
        }
    }
    (of, known.len())
}

fn members_each(of: &[usize], sets: usize) -> Vec<u32> {
    let mut members = vec![0; sets];
    of.iter().for_each(|&set| members[set] += 1);
    members
}
