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

/// Links into every tunable, and the plans that were measured.
#[derive(Debug, Clone)]
pub(crate) struct Couplings {
    links: Vec<Vec<Link>>,
    /// Of every tunable, its count in each measured plan.
    counts: Vec<Vec<f64>>,
    /// Of each measured plan.
    overheads: Vec<f64>,
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
        plans: &[PlanData],
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
            counts: (0..tunables.len())
                .map(|c| plans.iter().map(|p| f64::from(p.counts[c])).collect())
                .collect(),
            overheads: (plans.iter())
                .map(|plan| Around::from(plan).overhead)
                .collect(),
            carried: cycles.iter().map(carried).collect(),
        }
    }

    /// Covariances of a tunable's time under a plan with those under all measured ones, square cycles per execution.
    pub(crate) fn with_measured(&self, to: usize, plan: Around<'_>) -> Vec<f64> {
        let mut sums = vec![0.0; self.overheads.len()];
        // Link by link, all plans at a time: a search spends most of its time here.
        for link in &self.links[to] {
            let count = f64::from(plan.counts[link.from]);
            for (sum, &other) in sums.iter_mut().zip(&self.counts[link.from]) {
                let both = if other < count { other } else { count };
                *sum += link.linear * count * other + link.rough * both;
            }
        }
        for (sum, overhead) in sums.iter_mut().zip(&self.overheads) {
            *sum += self.carried(to, plan.overhead * overhead);
        }
        sums
    }

    /// Variance of a tunable's time under a plan, square cycles per execution.
    pub(crate) fn variance(&self, to: usize, plan: Around<'_>) -> f64 {
        let of = |link: &Link| {
            let count = f64::from(plan.counts[link.from]);
            link.linear * count * count + link.rough * count
        };
        let linked: f64 = self.links[to].iter().map(of).sum();
        linked + self.carried(to, plan.overhead * plan.overhead)
    }

    /// Half of what is carried is there as soon as the program is slowed, half grows with how much it is.
    fn carried(&self, to: usize, overheads: f64) -> f64 {
        self.carried[to] * (1.0 + overheads) / 2.0
    }

    /// Covariances for all pairs of these plans, which are those that were measured.
    pub(crate) fn matrix(&self, to: usize, plans: &[Around<'_>]) -> Matrix {
        let row = |plan: &Around<'_>| self.with_measured(to, *plan);
        plans.iter().map(row).collect()
    }

    /// Tunables whose count moves this tunable's time.
    pub(crate) fn neighbours(&self, to: usize) -> impl Iterator<Item = usize> {
        self.links[to].iter().map(|link| link.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three links, one of them the tunable's own, and two plans.
    fn couplings() -> Couplings {
        let link = |from, linear, rough| Link {
            from,
            linear,
            rough,
        };
        Couplings {
            links: vec![vec![
                link(0, 0.0, 0.5),
                link(1, 2.0, 0.25),
                link(2, 0.125, 4.0),
            ]],
            counts: vec![vec![3.0, 8.0], vec![10.0, 0.0], vec![7.0, 7.0]],
            overheads: vec![1.0, 0.5],
            carried: vec![6.0],
        }
    }

    fn around(counts: &[u32], overhead: f64) -> Around<'_> {
        Around { counts, overhead }
    }

    /// The definition, pair by pair.
    fn slow(couplings: &Couplings, a: Around<'_>, b: Around<'_>) -> f64 {
        let of = |link: &Link| {
            let [a, b] = [a, b].map(|plan| f64::from(plan.counts[link.from]));
            link.linear * a * b + link.rough * a.min(b)
        };
        let linked: f64 = couplings.links[0].iter().map(of).sum();
        linked + couplings.carried[0] * (1.0 + a.overhead * b.overhead) / 2.0
    }

    #[test]
    fn covariances_with_all_plans_are_those_of_pairs() {
        let couplings = couplings();
        let (first, second) = (around(&[3, 10, 7], 1.0), around(&[8, 0, 7], 0.5));
        let new = around(&[5, 4, 9], 2.0);
        for plan in [first, second, new] {
            let expected = [first, second].map(|other| slow(&couplings, plan, other));
            assert_eq!(couplings.with_measured(0, plan), expected);
            let variance = couplings.variance(0, plan);
            assert!((variance - slow(&couplings, plan, plan)).abs() < 1e-9);
        }
    }
}
