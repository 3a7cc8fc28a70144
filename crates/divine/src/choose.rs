//! The next plan: integer counts with the smallest expected squared error.
//!
//! Objective, with w the baseline share, e the predicted error of a cell, E of a cluster's mean:
//! `sum w (mean(e)² + var(e)) + CLUSTER sum W mean(E)² + total weight (total error)²`, minimised by
//! coordinate descent from a measured plan. Every step is judged with all the cells that it moves
//! (see `couplings`); the variances grow with the distance from what was measured, which keeps the
//! steps short where the neighbours' answers are not known. The weight of the total is raised in
//! stages, so that blocks are set first and roundings then cancel.

use crate::model::{Error, Model};
use crate::{Cell, CellKind, Settings};

/// Weight of a cluster's mean error against that of its blocks.
const CLUSTER: f64 = 2.0;
/// Weight of the program's error while blocks are being set.
pub(crate) const TOTAL: f64 = 15.0;
/// The same when one of the measured plans is taken: two points of the total weigh as much as a mean
/// block error of twelve.
pub(crate) const TOTAL_PICK: f64 = 40.0;
/// The same when only the total remains to be set.
pub(crate) const TOTAL_LAST: f64 = 300.0;
/// Weight of a pool's error: its blocks are not judged, only the total is.
const POOL: f64 = 0.2;
/// Weight of the variances: what turns out badly need not be taken, and tells about the neighbours.
const CAUTION: f64 = 0.3;
const PASSES: usize = 12;
/// Largest error that counts in full: a block that is far off for good must not steer the others.
const FAR: f64 = 0.6;

/// A plan with what it is expected to do.
#[derive(Debug, Clone)]
pub(crate) struct Proposal {
    pub(crate) counts: Vec<u32>,
    pub(crate) errors: Vec<Error>,
    pub(crate) loss: f64,
}

/// Best new plan, stepping from the measured plan `from`.
pub(crate) fn propose(
    model: &Model,
    cells: &[Cell],
    settings: &Settings,
    from: usize,
    total: f64,
) -> Proposal {
    let mut descent = Descent::new(model, cells, settings, from);
    for weight in [0.0, 0.1 * total, 0.4 * total, total] {
        descent.total_weight = weight;
        for _ in 0..PASSES {
            if !descent.pass() {
                break;
            }
        }
    }
    Proposal {
        loss: loss(model, cells, &descent.errors, total),
        counts: descent.counts,
        errors: descent.errors,
    }
}

/// A plan that was measured, with what is now known of it.
pub(crate) fn measured(model: &Model, cells: &[Cell], plan: usize, total: f64) -> Proposal {
    let errors = model.errors_of(plan);
    Proposal {
        counts: model.data.plans[plan].counts.clone(),
        loss: loss(model, cells, &errors, total),
        errors,
    }
}

/// The objective.
pub(crate) fn loss(model: &Model, cells: &[Cell], errors: &[Error], total_weight: f64) -> f64 {
    let own: f64 = (0..cells.len())
        .map(|c| own_loss(model, cells, c, errors[c]))
        .sum();
    let (clusters, total) = sums(model, errors);
    let of_cluster = |(share, sum): &(f64, f64)| sum * sum / share.max(1e-12);
    own + CLUSTER * clusters.iter().map(of_cluster).sum::<f64>() + total_weight * total * total
}

/// Time and time-weighted error per cluster, and the total's error.
fn sums(model: &Model, errors: &[Error]) -> (Vec<(f64, f64)>, f64) {
    let mut clusters = vec![(0.0, 0.0); model.clusters];
    for (c, error) in errors.iter().enumerate() {
        let cluster = &mut clusters[model.cluster_of[c]];
        cluster.0 += model.shares[c];
        cluster.1 += model.shares[c] * error.mean;
    }
    let means: Vec<f64> = errors.iter().map(|e| e.mean).collect();
    (clusters, model.total_error(&means))
}

/// Square near the aim, linear far from it.
fn own_loss(model: &Model, cells: &[Cell], c: usize, error: Error) -> f64 {
    let pool = cells[c].kind == CellKind::Pool;
    let square = error.mean * error.mean + CAUTION * error.variance;
    let size = square.sqrt();
    let capped = if size > FAR {
        FAR * (2.0 * size - FAR)
    } else {
        square
    };
    model.shares[c] * capped * if pool { POOL } else { 1.0 }
}

/// A step of one cell.
struct Found {
    /// Change of the objective.
    change: f64,
    k: u32,
    /// Errors that the cells get whose times it moves.
    changed: Vec<(usize, Error)>,
}

/// A plan on its way down, with the errors it is expected to have.
struct Descent<'a> {
    model: &'a Model,
    cells: &'a [Cell],
    settings: &'a Settings,
    counts: Vec<u32>,
    errors: Vec<Error>,
    total_weight: f64,
}

impl<'a> Descent<'a> {
    fn new(model: &'a Model, cells: &'a [Cell], settings: &'a Settings, from: usize) -> Self {
        let counts = model.data.plans[from].counts.clone();
        let errors = (0..cells.len()).map(|c| model.error(c, &counts)).collect();
        Descent {
            model,
            cells,
            settings,
            counts,
            errors,
            total_weight: 0.0,
        }
    }

    /// One pass over all cells; true if any count changed.
    fn pass(&mut self) -> bool {
        let mut moved = false;
        for c in 0..self.cells.len() {
            moved |= self.move_cell(c);
        }
        moved
    }

    /// Takes the best step of one cell; true if there is one.
    fn move_cell(&mut self, c: usize) -> bool {
        let now = self.counts[c];
        let (clusters, total) = sums(self.model, &self.errors);
        let mut best: Option<Found> = None;
        for k in steps(now, self.settings.max_count) {
            self.counts[c] = k;
            let changed: Vec<(usize, Error)> = self
                .model
                .touched(c)
                .map(|t| (t, self.model.error(t, &self.counts)))
                .collect();
            let change = self.change(&changed, &clusters, total);
            if change < best.as_ref().map_or(-1e-9, |b| b.change) {
                best = Some(Found { change, k, changed });
            }
        }
        self.counts[c] = best.as_ref().map_or(now, |b| b.k);
        let moved = best.is_some();
        for (t, error) in best.map_or(Vec::new(), |b| b.changed) {
            self.errors[t] = error;
        }
        moved
    }

    /// Change of the objective if these cells get these errors.
    fn change(&self, changed: &[(usize, Error)], clusters: &[(f64, f64)], total: f64) -> f64 {
        let (mut own, mut all) = (0.0, 0.0);
        let mut moved: Vec<(usize, f64)> = Vec::new();
        for &(t, error) in changed {
            own += own_loss(self.model, self.cells, t, error)
                - own_loss(self.model, self.cells, t, self.errors[t]);
            let step = self.model.shares[t] * (error.mean - self.errors[t].mean);
            all += step;
            match moved.iter_mut().find(|m| m.0 == self.model.cluster_of[t]) {
                Some(m) => m.1 += step,
                None => moved.push((self.model.cluster_of[t], step)),
            }
        }
        let of_cluster = |&(cluster, step): &(usize, f64)| {
            let (share, sum) = clusters[cluster];
            ((sum + step).powi(2) - sum * sum) / share.max(1e-12)
        };
        let total = (total + all).powi(2) - total * total;
        own + CLUSTER * moved.iter().map(of_cluster).sum::<f64>() + self.total_weight * total
    }
}

/// Counts tried from a count: near ones, and far ones in growing steps.
fn steps(now: u32, most: u32) -> impl Iterator<Item = u32> {
    let sizes = [1, 2, 4, 8, 16, 32, 64].into_iter();
    let near = sizes.filter(move |&size| size <= now / 2 + 4);
    near.flat_map(move |size| [now.checked_sub(size), now.checked_add(size)])
        .flatten()
        .filter(move |&k| k <= most)
}
