//! What instructions in one block do to the time of another.
//!
//! Sampled time is retirement time: instructions inserted behind a stall retire in its shadow, and
//! what they cost shows where retirement next waits, often one block later; loads and branches that
//! are issued later because of them wait longer, or less. Measured in the laboratory (docs/search.md):
//! of the time that instructions cost, about half shows in their own block, up to all of it in the next
//! one, and other blocks of the same loop lose or gain a quarter. No block's response can be
//! known without its neighbours' counts.
//!
//! Most goes to the block that control reaches next; others of the cluster get a part of unknown sign.
//!
//! A tunable's time therefore carries, beside its own response, a Gaussian process over the counts of
//! all tunables of its cluster: a linear part of unknown sign per neighbour, and a rough part (Brownian in
//! the count) for everything that is not linear, which also makes far steps uncertain.
//!
//! Time also shows across loops and methods, where the processor waits next. A tunable behind a loop or at the entry of a
//! method takes longer once the rest of the program is slowed, whatever its own count. In recorded searches (14 programs,
//! Zen 4) one behind a loop took 6.1 times as long with 49 instructions in it, and 6.6 times with one (Mandelbrot); short
//! blocks around a loop took 2.5 times as long with a count of 45, and 2.4 times with 3 (Havlak). So every tunable carries a
//! time of unknown sign, which is the same in all plans that slow the program as much.
//!
//! *Accuracy.* Every plan but the first of those searches was predicted from the rounds before it. Without what is carried
//! totals were 2.0 points above the prediction in the mean, in Havlak 6.4; with it 1.0, and 1.8. Sets were off the
//! prediction by 4.9 points, and by 3.7. Sizes of 0.4 to 1.2 are as good, on either half of the programs; on four searches
//! that the choice did not know of it was 6.1, and 4.6 with 0.5. Against simulated programs: crates/divine/tests/sets.rs.

use crate::linalg::Matrix;
use crate::reduce::PlanData;
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

/// What a tunable's time depends on beside its own count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Around<'a> {
    /// Counts of all tunables.
    pub(crate) counts: &'a [u32],
    /// How much longer the program takes, part of its baseline time.
    pub(crate) overhead: f64,
}

impl<'a> From<&'a PlanData> for Around<'a> {
    fn from(plan: &'a PlanData) -> Self {
        Around {
            counts: &plan.counts,
            overhead: plan.total.time - 1.0,
        }
    }
}

/// Links into every tunable.
#[derive(Debug, Clone)]
pub(crate) struct Couplings {
    links: Vec<Vec<Link>>,
    /// Variance of the time that every tunable carries at an overhead of 1, square cycles per execution.
    carried: Vec<f64>,
}

impl Couplings {
    /// `cluster_of` as in the model; `guess`: first counts; `cycles`: per execution in the baseline.
    pub(crate) fn new(
        tunables: &[Tunable],
        cluster_of: &[usize],
        settings: &Settings,
        (guess, cycles): (&[f64], &[f64]),
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
        let carried = |cycles: &f64| (settings.noise.carried * cycles).powi(2);
        Couplings {
            links: (0..tunables.len()).map(into).collect(),
            carried: cycles.iter().map(carried).collect(),
        }
    }

    /// Covariance of a tunable's time under two plans, square cycles per execution.
    pub(crate) fn covariance(&self, to: usize, a: Around<'_>, b: Around<'_>) -> f64 {
        let of = |link: &Link| {
            let [a, b] = [a, b].map(|plan| f64::from(plan.counts[link.from]));
            link.linear * a * b + link.rough * a.min(b)
        };
        // Half of it is there as soon as the program is slowed, half grows with how much it is.
        let carried = self.carried[to] * (1.0 + a.overhead * b.overhead) / 2.0;
        self.links[to].iter().map(of).sum::<f64>() + carried
    }

    /// The same for all pairs of plans.
    pub(crate) fn matrix(&self, to: usize, plans: &[Around<'_>]) -> Matrix {
        let row = |a: &Around<'_>| plans.iter().map(|b| self.covariance(to, *a, *b)).collect();
        plans.iter().map(row).collect()
    }

    /// Tunables whose count moves this tunable's time.
    pub(crate) fn neighbours(&self, to: usize) -> impl Iterator<Item = usize> {
        self.links[to].iter().map(|link| link.from)
    }
}
