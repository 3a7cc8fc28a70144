//! What instructions in one block do to the time of another.
//!
//! Sampled time is retirement time: instructions inserted behind a stall retire in its shadow, and
//! what they cost shows where retirement next waits, often one block later; loads and branches that
//! are issued later because of them wait longer, or less. Measured in the laboratory (docs/method.md):
//! of the time that instructions cost, about half shows in their own block, up to all of it in the next
//! one, and other blocks of the same loop lose or gain a quarter. No block's response can be
//! known without its neighbours' counts.
//!
//! Most goes to the block that control reaches next; others of the cluster get a part of unknown sign.
//!
//! A tunable's time therefore carries, beside its own response, a Gaussian process over the counts of
//! all tunables of its cluster: a linear part of unknown sign per neighbour, and a rough part (Brownian in
//! the count) for everything that is not linear, which also makes far steps uncertain.

use crate::linalg::Matrix;
use crate::{Settings, Tunable};

/// Standard deviation of what is not linear after the first guess's number of instructions,
/// against their linear cost; of the tunable itself and of its neighbours.
const ROUGH: (f64, f64) = (0.1, 0.2);

/// Coupling with a tunable that control does not come from directly, against one that it does.
const FAR: f64 = 0.6;

/// Effect of one tunable's count on another's time: variances in square cycles per execution.
#[derive(Debug, Clone, Copy)]
struct Link {
    from: usize,
    linear: f64,
    rough: f64,
}

/// Links into every tunable.
#[derive(Debug, Clone)]
pub(crate) struct Couplings {
    links: Vec<Vec<Link>>,
}

impl Couplings {
    /// `cluster_of` as in the model; `guess`: first counts.
    pub(crate) fn new(
        tunables: &[Tunable],
        cluster_of: &[usize],
        settings: &Settings,
        guess: &[f64],
    ) -> Self {
        let size = |c: usize| {
            cluster_of
                .iter()
                .filter(|&&other| other == cluster_of[c])
                .count() as f64
        };
        let link = |to: usize, from: usize| {
            let own = from == to;
            let passages = tunables[to]
                .before
                .iter()
                .find(|(before, _)| *before == from);
            let part = match passages {
                _ if own => 0.0,
                Some(_) => settings.noise.coupling,
                None if tunables[to].before.is_empty() => settings.noise.coupling / size(to).sqrt(),
                None => FAR * settings.noise.coupling / size(to).sqrt(),
            };
            let rough = if own { ROUGH.0 } else { ROUGH.1 * part };
            // Control passes from one to the other at most as often as the rarer one runs.
            let rarer = tunables[from]
                .executions_per_iteration
                .min(tunables[to].executions_per_iteration);
            let times = passages.map_or(rarer, |(_, n)| *n) / tunables[to].executions_per_iteration;
            let cost = settings.prior.slope_cycles * times;
            Link {
                from,
                linear: (part * cost).powi(2),
                rough: (rough * cost).powi(2) * guess[from].max(1.0),
            }
        };
        let into = |to: usize| {
            (0..tunables.len())
                .filter(|&from| cluster_of[from] == cluster_of[to])
                .map(|from| link(to, from))
                .collect()
        };
        Couplings {
            links: (0..tunables.len()).map(into).collect(),
        }
    }

    /// Covariance of a tunable's time under two plans, square cycles per execution.
    pub(crate) fn covariance(&self, to: usize, a: &[u32], b: &[u32]) -> f64 {
        let of = |link: &Link| {
            let (a, b) = (f64::from(a[link.from]), f64::from(b[link.from]));
            link.linear * a * b + link.rough * a.min(b)
        };
        self.links[to].iter().map(of).sum()
    }

    /// The same for all pairs of plans.
    pub(crate) fn matrix(&self, to: usize, plans: &[&[u32]]) -> Matrix {
        let row = |a: &&[u32]| plans.iter().map(|b| self.covariance(to, a, b)).collect();
        plans.iter().map(row).collect()
    }

    /// Tunables whose count moves this tunable's time.
    pub(crate) fn neighbours(&self, to: usize) -> impl Iterator<Item = usize> {
        self.links[to].iter().map(|link| link.from)
    }
}
