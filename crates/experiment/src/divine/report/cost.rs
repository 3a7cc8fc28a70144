//! A static cost model beside measured times: where the time of a program ought to be by what the compiler believes of its
//! blocks, and where it is.
//!
//! A model gives every block a cost per execution and a number of executions. Compared are shares of the judged time, so
//! that the unit of a model does not matter. A plan made by such a model instead of by measuring would miss a target of
//! +100 % by twice what the overlap lacks, in the mean over time: 70 % of overlap are 60 points.
//!
//! # Accuracy
//! Intervals hold what windows differ by, not how well a border between blocks is known: blocks that cannot be told apart
//! are compared as one set, and single blocks beside them. Noise makes an overlap smaller, never larger, which the upper
//! end of its interval allows for: simulated, at least 90 % of the intervals hold the truth whether the model is right or
//! wrong (tests). The interval of a correlation takes blocks for independent of each other.

use proofmark_divine::Tunable;
use proofmark_rules::PUBLISHED_PT;
use proofmark_stats::{
    Confidence, Estimate, mean, pearson, percentile_interval, sample_variance, t_quantile,
};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the time of blocks is told without measuring it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CostModel {
    /// The compiler's estimate of cycles, times counted executions.
    Cycles,
    /// The compiler's estimate of cycles, times the executions that it expects by its profile; units are entered as often
    /// as was counted.
    Expected,
    /// The same for every operation of machine code, times counted executions.
    Operations,
}

impl CostModel {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Cycles, Self::Expected, Self::Operations];
}

/// What a static cost model says of a program, beside what was measured in the windows that judged a plan, nothing slowed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StaticCost {
    /// The model.
    pub model: CostModel,
    /// Judged sets of blocks: blocks that cannot be told apart are one. None if there are less than two.
    pub sets: Option<CostFigures>,
    /// Judged blocks, each on its own. None if there are less than two.
    pub blocks: Option<CostFigures>,
}

/// How far the shares of a model and the measured ones go together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostFigures {
    /// Sets, or blocks, that were compared.
    pub compared: u64,
    /// Correlation of the shares; n: sets or blocks. None below four.
    pub correlation: Option<Estimate>,
    /// Sum of the smaller shares, %: 100 where the model is right; n: windows.
    pub overlap_pct: Estimate,
    /// Overlap of one half of the windows with the other one, %: what measuring alone lacks.
    pub again_pct: f64,
    /// Part of the time in sets, or blocks, whose share the model misses by more than 5 points, %; n: windows.
    pub off_by_5_pt_pct: Estimate,
    /// The one whose share it misses most.
    pub worst: CostMiss,
}

/// A set of blocks, or a block, and how much of the judged time it takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostMiss {
    /// Unit.
    pub unit: String,
    /// Block id; of a set that of the block with most of its time.
    pub block: u32,
    /// Share by the model, %.
    pub model_pct: f64,
    /// Measured share, %; n: windows.
    pub measured_pct: Estimate,
}

impl CostMiss {
    /// By how much the model is off, points.
    #[must_use]
    pub fn off_pt(&self) -> f64 {
        self.model_pct - self.measured_pct.value
    }
}

/// Sets of windows that are drawn from those that were measured.
const DRAWS: usize = 400;
/// A mean of absolute values is above the true one by `b` where all of that is noise, and draws, which have the noise
/// twice, by `(sqrt(2) - 1) b` more: what the draws lack times this is what the overlap lacks.
const LACKING: f64 = 2.42;

/// Samples of several windows, per tunable.
pub(in crate::divine) struct Sampled {
    windows: usize,
    all: Vec<f64>,
    halves: [Vec<f64>; 2],
    /// Of as many windows, drawn with replacement.
    draws: Vec<Vec<f64>>,
}

impl Sampled {
    /// Of these windows; none if there are less than two.
    pub(in crate::divine) fn of(windows: &[&[f64]], seed: u64) -> Option<Self> {
        let n = windows.len();
        if n < 2 {
            return None;
        }
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut draw = || total(windows, (0..n).map(|_| random.random_range(0..n)));
        Some(Sampled {
            windows: n,
            all: total(windows, 0..n),
            halves: [0, 1].map(|first| total(windows, (first..n).step_by(2))),
            draws: (0..DRAWS).map(|_| draw()).collect(),
        })
    }

    /// Against a model's cost of every tunable, over these sets of tunables; none if there are less than two.
    pub(in crate::divine) fn compared(
        &self,
        model: &[f64],
        sets: &[Vec<usize>],
        tunables: &[Tunable],
    ) -> Option<CostFigures> {
        if sets.len() < 2 {
            return None;
        }
        let model = shares(model, sets)?;
        let seen = shares(&self.all, sets)?;
        let draws = self.draws.iter().filter_map(|draw| shares(draw, sets));
        let draws: Vec<Vec<f64>> = draws.collect();
        let over = |of: &dyn Fn(&[f64]) -> f64| draws.iter().map(|d| of(d)).collect::<Vec<f64>>();
        let together = |seen: &[f64]| overlap_pct(&model, seen);
        let missed = |seen: &[f64]| missed_pct(&model, seen);
        let off = |at: &usize| (model[*at] - seen[*at]).abs();
        let worst = (0..sets.len()).max_by(|a, b| off(a).total_cmp(&off(b)))?;
        let of_worst = self.half_width(&over(&|seen| seen[worst]));
        let named = self.longest(&sets[worst], tunables)?;
        let windows = self.windows as u64;
        let [one, other] = &self.halves;
        Some(CostFigures {
            compared: sets.len() as u64,
            correlation: pearson(&model, &seen),
            overlap_pct: self.overlap(together(&seen), &over(&together)),
            again_pct: overlap_pct(&shares(one, sets)?, &shares(other, sets)?),
            off_by_5_pt_pct: percentile_interval(missed(&seen), &over(&missed), windows)?,
            worst: CostMiss {
                unit: named.unit.clone(),
                block: named.block,
                model_pct: model[worst],
                measured_pct: Estimate::around(seen[worst], of_worst, windows).clamped(0.0, 100.0),
            },
        })
    }

    /// The tunable of a set with most of its time.
    fn longest<'a>(&self, set: &[usize], tunables: &'a [Tunable]) -> Option<&'a Tunable> {
        let by_time = |a: &&usize, b: &&usize| self.all[**a].total_cmp(&self.all[**b]);
        tunables.get(*set.iter().max_by(by_time)?)
    }

    fn overlap(&self, value: f64, draws: &[f64]) -> Estimate {
        let half = self.half_width(draws);
        let lacking = LACKING * (value - mean(draws)).max(0.0);
        Estimate {
            value,
            low: (value - half).max(0.0),
            high: (value + half + lacking).min(100.0),
            n: self.windows as u64,
        }
    }

    /// Half of a 95 % interval, of windows that are few.
    fn half_width(&self, draws: &[f64]) -> f64 {
        let n = self.windows as f64;
        let variance = sample_variance(draws).unwrap_or(0.0) * n / (n - 1.0);
        t_quantile(n - 1.0, Confidence::P95) * variance.sqrt()
    }
}

/// Samples of every tunable in the chosen windows together.
fn total(windows: &[&[f64]], chosen: impl Iterator<Item = usize>) -> Vec<f64> {
    let mut sums = vec![0.0; windows[0].len()];
    for at in chosen {
        for (sum, samples) in sums.iter_mut().zip(windows[at]) {
            *sum += samples;
        }
    }
    sums
}

/// Shares of sets of tunables, %; none if there is nothing in them.
fn shares(tunables: &[f64], sets: &[Vec<usize>]) -> Option<Vec<f64>> {
    let of = |set: &Vec<usize>| set.iter().map(|at| tunables[*at]).sum::<f64>();
    let sums: Vec<f64> = sets.iter().map(of).collect();
    let all: f64 = sums.iter().sum();
    (all > 0.0).then(|| sums.iter().map(|sum| 100.0 * sum / all).collect())
}

fn overlap_pct(model: &[f64], seen: &[f64]) -> f64 {
    let both = model.iter().zip(seen);
    both.map(|(a, b)| a.min(*b)).sum()
}

/// Measured share of those whose share the model misses by more than [`PUBLISHED_PT`] points.
fn missed_pct(model: &[f64], seen: &[f64]) -> f64 {
    let both = model.iter().zip(seen);
    let missed = both.filter(|(a, b)| (*a - *b).abs() > PUBLISHED_PT);
    missed.map(|(_, seen)| seen).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Random;

    /// Ten tunables of falling shares.
    const TRUTH: [f64; 10] = [30.0, 20.0, 14.0, 10.0, 8.0, 6.0, 5.0, 4.0, 2.0, 1.0];

    fn tunables() -> Vec<Tunable> {
        let tunable = |block: u32| Tunable {
            unit: "a.B.c()V".into(),
            block,
            cluster: 0,
            group: None,
            executions_per_iteration: 1.0,
            before: Vec::new(),
            kind: proofmark_divine::TunableKind::Block,
        };
        (0..10).map(tunable).collect()
    }

    fn alone() -> Vec<Vec<usize>> {
        (0..10).map(|at| vec![at]).collect()
    }

    /// Windows of some thousand samples; each window moves every block by 3 % besides.
    fn windows(n: usize, seed: u64) -> Vec<Vec<f64>> {
        let mut random = Random::new(seed);
        let mut one = |share: &f64| {
            let moved = share * (1.0 + 0.03 * random.normal());
            random.poisson(200.0 * moved.max(0.0))
        };
        (0..n)
            .map(|_| TRUTH.iter().map(&mut one).collect())
            .collect()
    }

    fn compared(model: &[f64], sets: &[Vec<usize>], seed: u64) -> Option<CostFigures> {
        let windows = windows(10, seed);
        let windows: Vec<&[f64]> = windows.iter().map(|window| &window[..]).collect();
        Sampled::of(&windows, 1)?.compared(model, sets, &tunables())
    }

    /// What the interval of the overlap holds, and how large it is, over many programs.
    fn covered(model: &[f64]) -> (f64, f64) {
        let truth = overlap_pct(&shares(model, &alone()).expect("costs"), &TRUTH);
        let times = 300;
        let (mut held, mut width) = (0.0, 0.0);
        for seed in 0..times {
            let overlap = compared(model, &alone(), 7 + seed)
                .expect("ten")
                .overlap_pct;
            held += f64::from(u8::from(overlap.covers(truth))) / times as f64;
            width += overlap.half_width() / times as f64;
        }
        (held, width)
    }

    #[test]
    fn intervals_of_the_overlap_hold_the_truth_whether_the_model_is_right_or_wrong() {
        let backwards: Vec<f64> = TRUTH.iter().rev().copied().collect();
        let mut nearly = TRUTH;
        nearly[0] *= 1.2;
        for model in [&TRUTH[..], &nearly[..], &[1.0; 10][..], &backwards[..]] {
            let (held, width) = covered(model);
            assert!(held >= 0.90, "{model:?}: {held}");
            assert!(width < 2.0, "{model:?}: {width}");
        }
    }

    #[test]
    fn a_right_model_is_told_from_a_wrong_one() {
        let right = compared(&TRUTH.map(|share| 0.4 * share), &alone(), 3).expect("ten");
        assert!(right.overlap_pct.high > 99.5 && right.overlap_pct.value > 98.0);
        assert!(right.again_pct > 97.0 && right.again_pct < 100.0);
        assert!(right.correlation.expect("ten").value > 0.99);
        assert_eq!(right.off_by_5_pt_pct.value, 0.0);
        // By executions alone every block has a tenth: the first one has 30 %, and most of the time is missed.
        let wrong = compared(&[1.0; 10], &alone(), 3).expect("ten");
        assert!(wrong.overlap_pct.wholly_below(80.0), "{wrong:?}");
        assert_eq!(wrong.correlation, None, "every share is the same");
        assert_eq!((wrong.worst.block, wrong.worst.model_pct), (0, 10.0));
        assert!((wrong.worst.off_pt() + 20.0).abs() < 2.0, "{wrong:?}");
        assert!((wrong.worst.measured_pct.value - 30.0).abs() < 1.0);
        assert!(wrong.off_by_5_pt_pct.value > 50.0, "{wrong:?}");
    }

    #[test]
    fn what_cannot_be_told_apart_is_compared_as_one() {
        let pairs: Vec<Vec<usize>> = (0..5).map(|at| vec![2 * at, 2 * at + 1]).collect();
        let mut model = TRUTH;
        model.swap(0, 1);
        let sets = compared(&model, &pairs, 5).expect("five");
        assert_eq!(sets.compared, 5);
        assert!(sets.overlap_pct.high > 99.5, "{sets:?}");
        let blocks = compared(&model, &alone(), 5).expect("ten");
        assert!(blocks.overlap_pct.wholly_below(95.0), "{blocks:?}");
        assert_eq!(compared(&model, &pairs[..1], 5), None, "one has it all");
        assert!(Sampled::of(&[&TRUTH[..]], 1).is_none(), "one window");
    }
}
