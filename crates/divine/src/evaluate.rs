//! Judging a plan in fresh windows that the search did not use.
//!
//! Overhead: unsampled interleaved windows, pseudomedian of the pair ratios with Wilcoxon's interval
//! (below six pairs Student's), because a neighbour on the machine disturbs some (Towers: a
//! half-width of 2.4 points by means, 1.2 so).
//! Sets of blocks: `share slowed / share baseline * ratio of totals`, against 1 + target. Their standard
//! errors are those of counting samples, plus what the windows (each with its own code placements) differ
//! beyond it, plus that of the total. Figures are as measured, with intervals for the true values (`figures`).
//!
//! *Accuracy.* With the simulated laboratory the intervals of block and loop errors hold the truth in 93 to 97 % of
//! evaluations (tests).

use proofmark_stats::{Estimate, paired_ratio_robust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::chosen::{Chosen, Pair, at_one_speed, every};
use crate::denoise::Miss;
use crate::figures::{Figures, apart, figures};
use crate::model::{dense_clusters, dense_groups};
use crate::noise::draw;
use crate::ratios::{Ratio, ratios};
use crate::watched::sampler_cost;
use crate::{Round, SearchError, Tunable, TunableKind};

pub(crate) const Z95: f64 = 1.959_963_985;

/// What a plan does, measured apart from the search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evaluation {
    /// Overhead of the program, %; n: pairs of interleaved windows (unsampled where there are any).
    pub overhead_pct: Estimate,
    /// Pairs of windows, sampled or not, that were measured.
    #[serde(default)]
    pub window_pairs: u64,
    /// Those of them that were measured while the machine was faster or slower than usual. They do not count where
    /// six others of their kind are left. Earlier versions: while it was slower than at its fastest.
    #[serde(default)]
    pub disturbed_pairs: u64,
    /// Overhead of the program in those of them that `overhead_pct` leaves out, %; n: pairs. Another speed of the machine may slow the added
    /// code by another factor. None where it leaves out none, or one.
    #[serde(default)]
    pub disturbed_overhead_pct: Option<Estimate>,
    /// How much longer an iteration of the baseline takes while it is sampled, %; n: rounds. None where not both kinds of
    /// windows were measured.
    #[serde(default)]
    pub sampler_pct: Option<Estimate>,
    /// Sets of blocks that are judged: blocks that cannot be told apart are one. Of a single set the error is that of the
    /// total.
    pub judged_sets: u64,
    /// Mean absolute miss of the judged sets as measured, weighted by baseline time, points; interval for the true one; n:
    /// pairs of sampled windows (of this and the following).
    pub block_error_pt: Estimate,
    /// What it would be if every set were exactly on target; interval: where it then would be in 95 % of evaluations.
    pub block_error_noise_pt: Estimate,
    /// The mean with the measuring noise removed; none below 20 sets.
    pub block_error_denoised_pt: Option<Estimate>,
    /// Largest absolute miss of a judged set as measured, points.
    pub block_error_worst_pt: Estimate,
    /// As `block_error_pt`, with every block on its own, also those that are judged together.
    pub short_block_error_pt: Estimate,
    /// As `block_error_noise_pt`, with every block on its own.
    pub short_block_error_noise_pt: Estimate,
    /// Loop clusters with judged blocks.
    pub judged_loops: u64,
    /// As `block_error_pt`, per loop cluster.
    pub cluster_error_pt: Estimate,
    /// As `block_error_noise_pt`, per loop cluster.
    pub cluster_error_noise_pt: Estimate,
    /// Overhead of all judged code together, %; n: slowed samples. More than the target where it makes up for time that cannot
    /// be slowed. None in results of earlier versions.
    #[serde(default)]
    pub judged_overhead_pct: Option<Estimate>,
    /// Mean absolute distance of the loops from `judged_overhead_pct`, weighted by time, points: how unevenly they are slowed.
    /// None in results of earlier versions.
    #[serde(default)]
    pub cluster_apart_pt: Option<Estimate>,
    /// Part of the judged time in sets within 10 points of the target, as measured, %.
    pub within_10_pt_pct: Estimate,
    /// Share of the program's baseline time in judged blocks, %.
    pub coverage_pct: f64,
    /// Per tunable, in their order.
    pub tunables: Vec<TunableResult>,
    /// Per judged set. Empty in results of earlier versions.
    #[serde(default)]
    pub sets: Vec<SetResult>,
}

impl Evaluation {
    /// Part of all pairs of windows that were measured at another speed of the machine than usual, 0 to 1.
    #[must_use]
    pub fn disturbed_part(&self) -> f64 {
        self.disturbed_pairs as f64 / self.window_pairs.max(1) as f64
    }
}

/// A judged set in the evaluation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SetResult {
    /// Its tunables, by index.
    pub tunables: Vec<usize>,
    /// All of them together.
    pub result: TunableResult,
}

/// A tunable in the evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TunableResult {
    /// Share of the program's baseline time, %.
    pub share_pct: f64,
    /// Overhead achieved, %; n: slowed samples. None if it had no baseline sample.
    pub achieved_overhead_pct: Option<Estimate>,
}

/// Evaluates rounds measured under one plan against the target (1.0 = +100 %).
///
/// # Errors
/// If a window is impossible or there are less than two pairs of sampled windows or of windows that
/// give the total.
pub fn evaluate(
    tunables: &[Tunable],
    rounds: &[Round],
    target: f64,
    seed: u64,
) -> Result<Evaluation, SearchError> {
    evaluate_pairs(tunables, rounds, (target, seed), at_one_speed)
}

/// As [`evaluate`], with every pair of windows: for windows in processes of their own, which have speeds of their own.
///
/// # Errors
/// As [`evaluate`].
pub fn evaluate_all(
    tunables: &[Tunable],
    rounds: &[Round],
    target: f64,
    seed: u64,
) -> Result<Evaluation, SearchError> {
    evaluate_pairs(tunables, rounds, (target, seed), every)
}

fn evaluate_pairs(
    tunables: &[Tunable],
    rounds: &[Round],
    (target, seed): (f64, u64),
    choose: fn(&[Round]) -> Chosen<'_>,
) -> Result<Evaluation, SearchError> {
    let windows = || {
        rounds
            .iter()
            .flat_map(|r| r.baseline.iter().chain(&r.slowed))
    };
    windows().try_for_each(|o| o.check(tunables.len()))?;
    let Chosen { sampled, unsampled } = choose(rounds);
    let of_total = match unsampled.counted.len() {
        0 | 1 => &sampled,
        _ => &unsampled,
    };
    let total = paired_ratio_robust(&times(&of_total.counted))
        .ok_or(SearchError::BadRound("fewer than two pairs of windows"))?;
    let left_out = paired_ratio_robust(&times(&of_total.left_out));
    if sampled.counted.len() < 2 {
        return Err(SearchError::BadRound(
            "fewer than two pairs of sampled windows",
        ));
    }
    let measured = Measured {
        pairs: &sampled.counted,
        total,
        target,
        seed,
    };
    let view = View::new(tunables);
    let blocks = measured.figures(&view.blocks);
    let alone = measured.figures(&view.alone);
    let loops = measured.figures(&view.clusters);
    let of_sets = measured.ratios(&view.blocks);
    let together = measured.ratios(&[view.alone.concat()]);
    let achieved = |ratio: &Ratio| ratio.result().achieved_overhead_pct;
    let set = |(tunables, ratio): (&Vec<usize>, &Ratio)| SetResult {
        tunables: tunables.clone(),
        result: ratio.result(),
    };
    Ok(Evaluation {
        window_pairs: (sampled.measured() + unsampled.measured()) as u64,
        disturbed_pairs: (sampled.disturbed + unsampled.disturbed) as u64,
        disturbed_overhead_pct: left_out.map(overhead_pct),
        sampler_pct: sampler_cost(rounds),
        overhead_pct: overhead_pct(total),
        judged_sets: blocks.sets,
        block_error_pt: blocks.mean,
        block_error_noise_pt: blocks.noise,
        block_error_denoised_pt: blocks.denoised,
        block_error_worst_pt: blocks.worst,
        short_block_error_pt: alone.mean,
        short_block_error_noise_pt: alone.noise,
        judged_loops: loops.sets,
        cluster_error_pt: loops.mean,
        cluster_error_noise_pt: loops.noise,
        judged_overhead_pct: together.first().and_then(achieved),
        cluster_apart_pt: Some(measured.apart(&view.clusters)),
        within_10_pt_pct: blocks.near_pct,
        coverage_pct: 100.0 * of_sets.iter().map(|r| r.share).sum::<f64>(),
        sets: view.blocks.iter().zip(&of_sets).map(set).collect(),
        tunables: measured
            .ratios(&view.tunables)
            .iter()
            .map(Ratio::result)
            .collect(),
    })
}

/// % that a program takes longer whose times have this ratio.
fn overhead_pct(ratio: Estimate) -> Estimate {
    ratio.map_increasing(|ratio| 100.0 * (ratio - 1.0))
}

fn times(pairs: &[Pair<'_>]) -> Vec<(f64, f64)> {
    let of = |(a, b): &Pair<'_>| (a.ns_per_iteration(), b.ns_per_iteration());
    pairs.iter().map(of).collect()
}

/// Windows of an evaluation, and what the program's total did in them.
struct Measured<'a> {
    pairs: &'a [Pair<'a>],
    /// Ratio of totals.
    total: Estimate,
    target: f64,
    seed: u64,
}

impl Measured<'_> {
    /// Standard error of the ratio of totals, relative to it.
    fn total_se(&self) -> f64 {
        self.total.half_width() / (Z95 * self.total.value)
    }

    fn ratios(&self, sets: &[Vec<usize>]) -> Vec<Ratio> {
        ratios(sets, self.pairs, self.total.value, self.total_se().powi(2))
    }

    /// Figures of the sets that have baseline samples.
    fn figures(&self, sets: &[Vec<usize>]) -> Figures {
        let (misses, draws) = self.misses(sets);
        figures(&misses, &draws, self.pairs.len() as u64)
    }

    /// How unevenly the sets are slowed that have baseline samples.
    fn apart(&self, sets: &[Vec<usize>]) -> Estimate {
        let (misses, draws) = self.misses(sets);
        apart(&misses, &draws, self.pairs.len() as u64)
    }

    /// Misses of the sets that have baseline samples, and errors that measuring could have made of them.
    fn misses(&self, sets: &[Vec<usize>]) -> (Vec<Miss>, Vec<Vec<f64>>) {
        let all = self.ratios(sets);
        let seen = |at: &usize| all[*at].share > 0.0;
        let seen: Vec<usize> = (0..sets.len()).filter(seen).collect();
        let sets: Vec<Vec<usize>> = seen.iter().map(|at| sets[*at].clone()).collect();
        let ratios: Vec<Ratio> = seen.iter().map(|at| all[*at]).collect();
        let miss = |r: &Ratio| Miss {
            weight: r.share,
            miss: 100.0 * (r.ratio - 1.0 - self.target),
            se: 100.0 * r.variance.sqrt(),
        };
        let misses: Vec<Miss> = ratios.iter().map(miss).collect();
        let draws = draw(&sets, &ratios, self.pairs, self.total_se(), self.seed);
        (misses, draws)
    }
}

/// Which samples are added up to what.
struct View {
    /// Tunables of each judged set of blocks, of each judged block, of each cluster of them, and each tunable.
    blocks: Vec<Vec<usize>>,
    alone: Vec<Vec<usize>>,
    clusters: Vec<Vec<usize>>,
    tunables: Vec<Vec<usize>>,
}

impl View {
    fn new(tunables: &[Tunable]) -> Self {
        let judged: Vec<usize> = (0..tunables.len())
            .filter(|&c| tunables[c].kind == TunableKind::Block)
            .collect();
        let sets = |(of, n): (Vec<usize>, usize)| {
            let mut sets = vec![Vec::new(); n];
            judged.iter().for_each(|&c| sets[of[c]].push(c));
            sets.retain(|members| !members.is_empty());
            sets
        };
        View {
            blocks: sets(dense_groups(tunables)),
            clusters: sets(dense_clusters(tunables)),
            alone: judged.iter().map(|&c| vec![c]).collect(),
            tunables: (0..tunables.len()).map(|c| vec![c]).collect(),
        }
    }
}
