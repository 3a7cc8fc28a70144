//! The next plan: integer counts with the smallest expected squared error.
//!
//! Objective, with w the baseline share, e the predicted error of a cell, E of a cluster's mean:
//! `sum w (mean(e)² + var(e)) + CLUSTER sum W mean(E)² + TOTAL (total error)²`, minimised by
//! coordinate descent over the few counts around each cell's own optimum. The cluster and total
//! terms make the roundings cancel (error diffusion weighted by executions): where one block can
//! only be 20 points too fast or 30 too slow, its neighbours make up for it.

use crate::model::{Error, Model};
use crate::{Cell, CellKind, Settings};

/// Weight of a cluster's mean error against that of its blocks.
const CLUSTER: f64 = 2.0;
/// Weight of the program's error.
const TOTAL: f64 = 60.0;
/// Weight of a pool's error: its blocks are not judged, only the total is.
const POOL: f64 = 0.5;
/// Counts tried on each side of a cell's own optimum.
const AROUND: u32 = 3;
const PASSES: usize = 6;
/// A cell within this many standard errors of the aim keeps its count.
const FROZEN: f64 = 2.0;

/// A plan with what it is expected to do.
#[derive(Debug, Clone)]
pub(crate) struct Proposal {
    pub(crate) counts: Vec<u32>,
    pub(crate) errors: Vec<Error>,
    pub(crate) loss: f64,
}

/// Best new plan; cells that are near the aim under the plan `from` keep its counts.
pub(crate) fn propose(model: &Model, cells: &[Cell], settings: &Settings, from: usize) -> Proposal {
    let candidates: Vec<Vec<(u32, Error)>> = (0..cells.len())
        .map(|c| candidates(model, settings, c, from))
        .collect();
    let mut picks: Vec<usize> = candidates.iter().map(|list| own_best(list)).collect();
    let errors = |picks: &[usize]| -> Vec<Error> {
        picks
            .iter()
            .zip(&candidates)
            .map(|(&i, l)| l[i].1)
            .collect()
    };
    for _ in 0..PASSES {
        if !improve(model, cells, &candidates, &mut picks) {
            break;
        }
    }
    let errors = errors(&picks);
    let counts = picks
        .iter()
        .zip(&candidates)
        .map(|(&i, list)| list[i].0)
        .collect();
    Proposal {
        counts,
        loss: loss(model, cells, &errors),
        errors,
    }
}

/// A plan that was measured, with what is now known of it.
pub(crate) fn measured(model: &Model, cells: &[Cell], plan: usize) -> Proposal {
    let errors = model.errors_of(plan);
    Proposal {
        counts: model.data.plans[plan].counts.clone(),
        loss: loss(model, cells, &errors),
        errors,
    }
}

/// The objective.
pub(crate) fn loss(model: &Model, cells: &[Cell], errors: &[Error]) -> f64 {
    let mut sums = Sums::new(model, errors);
    sums.own = (0..cells.len())
        .map(|c| own_loss(model, cells, c, errors[c]))
        .sum();
    sums.loss()
}

/// Running sums of the objective, so that moving one cell costs nothing.
struct Sums<'a> {
    model: &'a Model,
    own: f64,
    /// Time and time-weighted error per cluster.
    clusters: Vec<(f64, f64)>,
    total: f64,
}

impl<'a> Sums<'a> {
    fn new(model: &'a Model, errors: &[Error]) -> Self {
        let mut clusters = vec![(0.0, 0.0); model.clusters];
        for (c, error) in errors.iter().enumerate() {
            let cluster = &mut clusters[model.cluster_of[c]];
            cluster.0 += model.shares[c];
            cluster.1 += model.shares[c] * error.mean;
        }
        let means: Vec<f64> = errors.iter().map(|e| e.mean).collect();
        Sums {
            model,
            own: 0.0,
            clusters,
            total: model.total_error(&means),
        }
    }

    fn loss(&self) -> f64 {
        let clusters: f64 = self
            .clusters
            .iter()
            .map(|(share, sum)| sum * sum / share.max(1e-12))
            .sum();
        self.own + CLUSTER * clusters + TOTAL * self.total * self.total
    }

    /// Change of the cluster and total terms if cell c's error grows by `step`.
    fn change(&self, c: usize, step: f64) -> f64 {
        let moved = self.model.shares[c] * step;
        let (share, sum) = self.clusters[self.model.cluster_of[c]];
        let cluster = ((sum + moved).powi(2) - sum * sum) / share.max(1e-12);
        CLUSTER * cluster + TOTAL * ((self.total + moved).powi(2) - self.total * self.total)
    }

    fn apply(&mut self, c: usize, step: f64) {
        let moved = self.model.shares[c] * step;
        self.clusters[self.model.cluster_of[c]].1 += moved;
        self.total += moved;
    }
}

fn own_loss(model: &Model, cells: &[Cell], c: usize, error: Error) -> f64 {
    let weight = if cells[c].kind == CellKind::Pool {
        POOL
    } else {
        1.0
    };
    weight * model.shares[c] * (error.mean * error.mean + error.variance)
}

/// One pass over all cells; true if any count changed.
fn improve(
    model: &Model,
    cells: &[Cell],
    candidates: &[Vec<(u32, Error)>],
    picks: &mut [usize],
) -> bool {
    let errors: Vec<Error> = picks
        .iter()
        .zip(candidates)
        .map(|(&i, list)| list[i].1)
        .collect();
    let mut sums = Sums::new(model, &errors);
    let mut moved = false;
    for (c, list) in candidates.iter().enumerate() {
        let now = list[picks[c]].1;
        let gain = |&(_, error): &(u32, Error)| {
            own_loss(model, cells, c, error) - own_loss(model, cells, c, now)
                + sums.change(c, error.mean - now.mean)
        };
        let best = list
            .iter()
            .map(gain)
            .enumerate()
            .min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((i, change)) = best.filter(|(i, change)| *i != picks[c] && *change < -1e-12) {
            debug_assert!(change < 0.0);
            sums.apply(c, list[i].1.mean - now.mean);
            picks[c] = i;
            moved = true;
        }
    }
    moved
}

fn own_best(list: &[(u32, Error)]) -> usize {
    let square = |e: &Error| e.mean * e.mean + e.variance;
    let best = list
        .iter()
        .enumerate()
        .min_by(|a, b| square(&a.1.1).total_cmp(&square(&b.1.1)));
    best.map_or(0, |(i, _)| i)
}

/// Counts worth considering for a cell, each with its predicted error in a new plan.
fn candidates(model: &Model, settings: &Settings, c: usize, from: usize) -> Vec<(u32, Error)> {
    let current = model.data.plans[from].counts[c];
    let known = model.error(c, current, Some(from));
    let frozen =
        known.mean.abs() < FROZEN * known.variance.sqrt() && known.mean.abs() < settings.tolerance;
    let (low, high) = (
        current / 3,
        current
            .saturating_mul(3)
            .saturating_add(4)
            .min(settings.max_count),
    );
    let centre = if frozen {
        current
    } else {
        crossing(model, c, low, high.max(low + 1))
    };
    let reach = if frozen { 1 } else { AROUND };
    let mut counts: Vec<u32> =
        (centre.saturating_sub(reach).max(low)..=(centre + reach).min(high)).collect();
    if !counts.contains(&current) {
        counts.push(current);
    }
    counts
        .into_iter()
        .map(|k| (k, model.error(c, k, None)))
        .collect()
}

/// Count at which the predicted error changes its sign, by bisection.
fn crossing(model: &Model, c: usize, mut low: u32, mut high: u32) -> u32 {
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if model.error(c, middle, None).mean < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    if model.error(c, low, None).mean.abs() < model.error(c, high, None).mean.abs() {
        low
    } else {
        high
    }
}
