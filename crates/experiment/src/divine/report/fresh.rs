//! What a plan does in processes of their own, beside what it does where it was divined.

use proofmark_divine::{Evaluation, Observation, Tunable, TunableKind, TunableResult};
use proofmark_rules::FRESH_LEAST_PART;
use proofmark_stats::{Estimate, mean, paired_ratio_robust, sample_variance};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// From here on all of a plan fits.
const ALL_OF_IT: f64 = 0.995;

/// A plan in processes of their own without loaded profiles, a window each, beside the one process in which it was divined.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FreshResult {
    /// Pairs of processes, one with the plan and one without.
    pub pairs: u64,
    /// Those with the plan in which all of it fitted: every unit had the same code as in the laboratory.
    pub whole: u64,
    /// Part of the time that the plan adds that fitted, mean over the processes with it, %. None without any.
    pub fitted_pct: Option<f64>,
    /// Processes that failed, with the reason.
    pub failures: Vec<String>,
    /// Overhead of the program; n: pairs of processes of which at least half of the plan fitted. None below two.
    pub total: Option<Compared>,
    /// Standard deviation of the overhead between pairs of processes, points; none below two.
    pub spread_pt: Option<f64>,
    /// Standard deviation of an iteration's time between processes without the plan, % of it; none below two.
    pub baseline_spread_pct: Option<f64>,
    /// Sets of blocks that are judged.
    pub sets: Agreement,
    /// Judged blocks, each on its own.
    pub blocks: Agreement,
}

/// An overhead by both protocols.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Compared {
    /// In the process in which the plan was divined, %.
    pub quick_pct: Estimate,
    /// In processes of their own, %; n: pairs of them.
    pub fresh_pct: Estimate,
    /// The latter minus the former, points.
    pub bias_pt: Estimate,
    /// Whether the interval of the difference holds 0.
    pub agrees: bool,
}

/// Sets, or blocks, by both protocols.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Agreement {
    /// How many both protocols know.
    pub compared: u64,
    /// Those that agree. Where the protocols do not differ 95 % do.
    pub agree: u64,
    /// Mean difference, weighted by time, points; none without any.
    pub bias_pt: Option<f64>,
    /// Mean absolute difference, weighted by time, points: noise is in it. None without any.
    pub off_pt: Option<f64>,
    /// Each of them, largest share first.
    pub rows: Vec<ComparedRow>,
}

/// A set, or a block, by both protocols.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ComparedRow {
    /// Unit of its hottest row.
    pub unit: String,
    /// Block id of that row.
    pub block: u32,
    /// Share of the program's baseline time, %.
    pub share_pct: f64,
    /// Its overhead.
    pub overhead: Compared,
}

/// What one process showed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Process {
    /// Whether it had the plan.
    pub slowed: bool,
    /// CPU time of an iteration, not sampled, ns.
    pub iteration_ns: f64,
    /// Time of an iteration in every tunable, ns; none where its code is another one here.
    #[serde(alias = "cell_ns")]
    pub tunable_ns: Vec<Option<f64>>,
    /// Part of the time that the plan adds that fits here, 0 to 1.
    pub part: f64,
}

impl Process {
    /// From its windows; `in_place`: the tunables whose code is the same here.
    pub fn of(seen: &[Observation], in_place: &[bool], slowed: bool) -> Self {
        let plain = seen.iter().filter(|o| !o.sampled);
        let plain: Vec<f64> = plain.map(Observation::ns_per_iteration).collect();
        let iteration_ns = mean(&plain);
        let watched = || seen.iter().filter(|o| o.sampled);
        let all: f64 = watched().map(Observation::all_samples).sum();
        let ns = |(tunable, there): (usize, &bool)| {
            let samples: f64 = watched().map(|o| o.samples[tunable]).sum();
            there.then(|| samples / all.max(1.0) * iteration_ns)
        };
        Process {
            slowed,
            iteration_ns,
            tunable_ns: in_place.iter().enumerate().map(ns).collect(),
            part: 0.0,
        }
    }

    /// With the part of the plan that fits.
    pub fn with_part(self, part: f64) -> Self {
        Process { part, ..self }
    }

    /// Time of an iteration in all of these tunables; none if the code of one is another, or no sample fell there.
    fn time(&self, tunables: &[usize]) -> Option<f64> {
        let times: Option<Vec<f64>> = tunables.iter().map(|at| self.tunable_ns[*at]).collect();
        let sum: f64 = times?.iter().sum();
        (sum > 0.0).then_some(sum)
    }
}

/// A process without the plan and the one with it beside it.
type Pair<'a> = (&'a Process, &'a Process);

impl FreshResult {
    /// From processes by their place in the order, of which two and two are pairs, and what the laboratory's windows say.
    pub fn new(
        seen: &[(usize, Process)],
        failures: Vec<String>,
        (tunables, evaluation): (&[Tunable], &Evaluation),
    ) -> Self {
        let pairs = pairs(seen);
        let counts = |pair: &&Pair<'_>| pair.1.part >= FRESH_LEAST_PART;
        let totals: Vec<(f64, f64)> = pairs.iter().filter(counts).map(totals).collect();
        let overheads: Vec<f64> = totals.iter().map(|(a, b)| 100.0 * (b / a - 1.0)).collect();
        let parts: Vec<f64> = pairs.iter().map(|(_, slowed)| slowed.part).collect();
        let plain: Vec<f64> = pairs.iter().map(|(plain, _)| plain.iteration_ns).collect();
        let spread = |values: &[f64]| sample_variance(values).map(f64::sqrt);
        let row = |members: &[usize], result: &TunableResult| {
            let hottest = members.iter().copied().max_by(|a, b| {
                let share = |at: usize| evaluation.tunables[at].share_pct;
                share(*a).total_cmp(&share(*b))
            })?;
            ComparedRow::of(&pairs, members, (&tunables[hottest], result))
        };
        let sets = evaluation.sets.iter();
        let judged = (0..tunables.len()).filter(|at| tunables[*at].kind == TunableKind::Block);
        FreshResult {
            pairs: pairs.len() as u64,
            whole: parts.iter().filter(|part| **part >= ALL_OF_IT).count() as u64,
            fitted_pct: (!parts.is_empty()).then(|| 100.0 * mean(&parts)),
            failures,
            total: percent(&totals).map(|fresh| Compared::of(evaluation.overhead_pct, fresh)),
            spread_pt: spread(&overheads),
            baseline_spread_pct: spread(&plain).map(|ns| 100.0 * ns / mean(&plain)),
            sets: Agreement::of(
                sets.filter_map(|set| row(&set.tunables, &set.result))
                    .collect(),
            ),
            blocks: Agreement::of(
                judged
                    .filter_map(|at| row(&[at], &evaluation.tunables[at]))
                    .collect(),
            ),
        }
    }
}

fn pairs(seen: &[(usize, Process)]) -> Vec<Pair<'_>> {
    let of = |pair: usize, slowed: bool| {
        let mut of_pair = seen.iter().filter(|(at, _)| at / 2 == pair);
        let found = of_pair.find(|(_, process)| process.slowed == slowed);
        found.map(|(_, process)| process)
    };
    let last = seen.iter().map(|(at, _)| at / 2 + 1).max().unwrap_or(0);
    let both = |pair: usize| Some((of(pair, false)?, of(pair, true)?));
    (0..last).filter_map(both).collect()
}

/// Times of an iteration without and with all of the plan, ns.
fn totals((plain, slowed): &Pair<'_>) -> (f64, f64) {
    let without = plain.iteration_ns;
    let added = (slowed.iteration_ns - without) / slowed.part;
    (without, without + added)
}

/// Overhead of these pairs of times, %; none below two.
fn percent(pairs: &[(f64, f64)]) -> Option<Estimate> {
    let ratio = paired_ratio_robust(pairs)?;
    Some(ratio.map_increasing(|ratio| 100.0 * (ratio - 1.0)))
}

impl Compared {
    /// Two overheads that know nothing of each other, %.
    #[must_use]
    pub fn of(quick_pct: Estimate, fresh_pct: Estimate) -> Self {
        let half = quick_pct.half_width().hypot(fresh_pct.half_width());
        let bias_pt = Estimate::around(fresh_pct.value - quick_pct.value, half, fresh_pct.n);
        Compared {
            quick_pct,
            fresh_pct,
            bias_pt,
            agrees: bias_pt.covers(0.0),
        }
    }
}

impl ComparedRow {
    /// Of these tunables; none where too few processes have their code.
    fn of(
        pairs: &[Pair<'_>],
        members: &[usize],
        (tunable, quick): (&Tunable, &TunableResult),
    ) -> Option<Self> {
        let both = |(plain, slowed): &Pair<'_>| Some((plain.time(members)?, slowed.time(members)?));
        let times: Vec<(f64, f64)> = pairs.iter().filter_map(both).collect();
        let fresh = percent(&times)?;
        Some(ComparedRow {
            unit: tunable.unit.clone(),
            block: tunable.block,
            share_pct: quick.share_pct,
            overhead: Compared::of(quick.achieved_overhead_pct?, fresh),
        })
    }
}

impl Agreement {
    fn of(mut rows: Vec<ComparedRow>) -> Self {
        rows.sort_by(|a, b| b.share_pct.total_cmp(&a.share_pct));
        let shares: f64 = rows.iter().map(|row| row.share_pct).sum();
        let weighted = |of: &dyn Fn(f64) -> f64| {
            let each = rows
                .iter()
                .map(|row| row.share_pct * of(row.overhead.bias_pt.value));
            (shares > 0.0).then(|| each.sum::<f64>() / shares)
        };
        Agreement {
            compared: rows.len() as u64,
            agree: rows.iter().filter(|row| row.overhead.agrees).count() as u64,
            bias_pt: weighted(&|bias| bias),
            off_pt: weighted(&f64::abs),
            rows,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(slowed: bool, iteration_ns: f64, tunables: [Option<f64>; 2], part: f64) -> Process {
        Process {
            slowed,
            iteration_ns,
            tunable_ns: tunables.to_vec(),
            part,
        }
    }

    /// Without the plan first, then with it, then the other way round.
    fn seen(slowed: &[(f64, f64)]) -> Vec<(usize, Process)> {
        let both = |(at, (ns, part)): (usize, &(f64, f64))| {
            let plain = process(false, 100.0, [Some(60.0), Some(40.0)], 1.0);
            let there = (*part == 1.0).then_some(88.0);
            let slow = process(true, *ns, [Some(120.0), there], *part);
            let order = [2 * at, 2 * at + 1];
            [(order[at % 2], plain), (order[1 - at % 2], slow)]
        };
        slowed.iter().enumerate().flat_map(both).collect()
    }

    #[test]
    fn what_fits_in_part_is_brought_to_the_whole_plan() {
        let all = seen(&[(210.0, 1.0), (210.0, 1.0), (188.0, 0.8), (130.0, 0.3)]);
        let pairs = pairs(&all);
        assert_eq!(pairs.len(), 4);
        let found: Vec<(f64, f64)> = pairs.iter().take(3).map(totals).collect();
        for (without, with) in found {
            assert!((with / without - 2.1).abs() < 1e-9, "{without} {with}");
        }
        assert_eq!(pairs[1].1.time(&[0, 1]), Some(208.0));
        let elsewhere = pairs[2].1.time(&[0, 1]);
        assert_eq!(elsewhere, None, "its code is another one there");
    }

    #[test]
    fn a_pair_without_its_partner_does_not_count() {
        let mut all = seen(&[(200.0, 1.0), (200.0, 1.0)]);
        all.retain(|(at, _)| *at != 3);
        assert_eq!(pairs(&all).len(), 1);
        assert!(pairs(&[]).is_empty());
    }

    #[test]
    fn overheads_agree_if_their_difference_may_be_none() {
        let compared = |fresh: f64| {
            let quick = Estimate::around(100.0, 3.0, 30);
            Compared::of(quick, Estimate::around(fresh, 4.0, 10))
        };
        let near = compared(104.9);
        assert!(near.agrees && (near.bias_pt.half_width() - 5.0).abs() < 1e-9);
        assert!(!compared(94.9).agrees);
        assert_eq!(near.bias_pt.n, 10);
    }
}
