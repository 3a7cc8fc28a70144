//! The published search: unit after unit, one instruction more each time, then by halves.
//!
//! So plans are searched for in "Divining Profiler Accuracy" (2025). It is here so that its runs and hours can be compared
//! with those of [`crate::Search`], on the same machine and in the same windows. Published are: every block begins with
//! one instruction and gets one more in every run in which it is under the target, ten more if it needs hundreds; after the
//! first run in which it is over, halves between the last number that was under and the first that was over; the number that
//! came closest is kept. All blocks of a compilation unit are searched in the same runs, one unit after the other.
//!
//! Not published, and chosen here:
//!
//! - Units go by their time in the first baseline windows, the hottest first. While one is searched no other has instructions,
//!   so that none changes what another shows.
//! - A block needs hundreds if it has ten instructions or more and, by a straight line through what it has gained, would need
//!   a hundred. One that is still under with 2,000 (a pool: with 256) is left where it came closest. With these steps the
//!   published plan of NBody (1,072 instructions in one block) would take some 120 runs; 50 are published.
//! - A block whose number is known keeps it in the unit's further runs.
//! - A run is a round of the laboratory: windows of the baseline and of the plan by turns, where the published search
//!   compares with one run of the baseline. A block's time under the plan is its share of the samples times the ratio of
//!   totals in the round; its baseline share is that of all baseline windows so far.
//! - What is searched are the same tunables that [`crate::Search`] sets. A pool of small blocks, which the published search does
//!   not have, counts as a block: an instruction is one in a block of mean weight.
//! - At the end the whole plan is measured once.
//! - It ends when its plans are used up or it is told to; blocks have then what came closest so far, those that were not
//!   begun nothing.
//!
//! *Accuracy.* A number that was over is believed after one run, so that noise ends steps too early: short by about what one
//! round leaves unsure of a block's time. Blocks that take time from each other are not looked at again. Where neither is so
//! it comes to within half an instruction (tests).

use crate::admit::{admitted, searchable};
use crate::ladder::Ladder;
use crate::model::Model;
use crate::outcome::{Known, describe};
use crate::reduce::{distinct_plans, reduce, round_ratio};
use crate::{Observation, Outcome, Round, SearchError, Searching, Settings, Step, Stop, Tunable};

/// A search for the plan that brings every tunable to baseline x (1 + target), as published.
#[derive(Debug, Clone, PartialEq)]
pub struct Stepwise {
    tunables: Vec<Tunable>,
    settings: Settings,
    /// Counts of each tunable for one instruction.
    scales: Vec<u32>,
    rounds: Vec<Round>,
    /// Tunables of each unit that have baseline samples, the hottest unit first; empty before the baseline was seen.
    units: Vec<Vec<usize>>,
    ladders: Vec<Ladder>,
    /// Samples in all baseline windows: of every tunable, and all.
    baseline: (Vec<f64>, f64),
    ended: bool,
}

/// Tunables of the unit that is searched, each with the instructions to try next; none where they are known.
type Active = Vec<(usize, Option<u32>)>;

impl Stepwise {
    /// Starts a search over these tunables; `scales`: counts of each one for an instruction (1 for a block, [`crate::POOL_STEPS`]
    /// for blocks with a common density). Of the settings it takes target, clock, `max_plans` and `max_count`.
    ///
    /// # Errors
    /// If there are no tunables, one is never executed, a setting is out of range, or there is not one scale for each tunable.
    pub fn new(
        tunables: Vec<Tunable>,
        settings: Settings,
        scales: Vec<u32>,
    ) -> Result<Self, SearchError> {
        searchable(&tunables, &settings)?;
        if scales.len() != tunables.len() || scales.contains(&0) {
            return Err(SearchError::BadSettings("scales"));
        }
        Ok(Stepwise {
            ladders: vec![Ladder::default(); tunables.len()],
            baseline: (vec![0.0; tunables.len()], 0.0),
            tunables,
            settings,
            scales,
            rounds: Vec::new(),
            units: Vec::new(),
            ended: false,
        })
    }

    /// The unit that is searched now; none once all are.
    fn active(&self) -> Option<Active> {
        let next = |c: &usize| {
            let most = self.settings.max_count / self.scales[*c];
            (*c, self.ladders[*c].next(self.settings.target, most))
        };
        let units = self.units.iter();
        let mut units = units.map(|unit| unit.iter().map(next).collect::<Active>());
        units.find(|unit| unit.iter().any(|(_, next)| next.is_some()))
    }

    /// Counts of a run for that unit.
    fn counts_of(&self, active: &Active) -> Vec<u32> {
        let mut counts = vec![0; self.tunables.len()];
        for (c, next) in active {
            counts[*c] = self.scales[*c] * next.unwrap_or_else(|| self.closest(*c));
        }
        counts
    }

    fn closest(&self, c: usize) -> u32 {
        self.ladders[c].closest(self.settings.target)
    }

    /// What came closest, everywhere. A plan without any instruction cannot be told from the baseline: then the first tunable of
    /// the hottest unit has one.
    fn whole(&self) -> Vec<u32> {
        let count = |c: usize| self.scales[c] * self.closest(c);
        let mut counts: Vec<u32> = (0..self.tunables.len()).map(count).collect();
        if counts.iter().all(|&k| k == 0) {
            let first = self.units.first().map_or(0, |unit| unit[0]);
            counts[first] = self.scales[first];
        }
        counts
    }

    /// Tunables with samples by unit, the hottest unit first.
    fn in_order(&self, samples: &[f64]) -> Vec<Vec<usize>> {
        let mut units: Vec<(&str, Vec<usize>)> = Vec::new();
        for c in (0..self.tunables.len()).filter(|&c| samples[c] > 0.0) {
            let name = self.tunables[c].unit.as_str();
            match units.iter_mut().find(|(known, _)| *known == name) {
                Some((_, tunables)) => tunables.push(c),
                None => units.push((name, vec![c])),
            }
        }
        let time = |tunables: &[usize]| tunables.iter().map(|&c| samples[c]).sum::<f64>();
        units.sort_by(|a, b| time(&b.1).total_cmp(&time(&a.1)));
        units.into_iter().map(|(_, tunables)| tunables).collect()
    }

    /// Notes what a run of the active unit did.
    fn note(&mut self, round: &Round, active: &Active) {
        let Some(total) = round_ratio(round) else {
            return;
        };
        let (slowed, all) = samples(&round.slowed, self.tunables.len());
        let (baseline, baseline_all) = &self.baseline;
        for (c, next) in active {
            if let Some(instructions) = next {
                let ratio = (slowed[*c] / all) / (baseline[*c] / baseline_all) * total;
                self.ladders[*c].note(*instructions, ratio - 1.0 - self.settings.target);
            }
        }
    }

    /// What is known of a plan that was measured; none if it was not.
    fn describe(&self, counts: &[u32], stop: Stop) -> Option<Outcome> {
        let of_plan = |round: &Round| round.slowed.first().is_some_and(|o| o.counts == counts);
        let seen = |round: &Round| Round {
            baseline: round.baseline.clone(),
            slowed: match of_plan(round) {
                true => round.slowed.clone(),
                false => Vec::new(),
            },
        };
        if !self.rounds.iter().any(of_plan) {
            return None;
        }
        let seen: Vec<Round> = self.rounds.iter().map(seen).collect();
        let data = reduce(&self.tunables, &self.settings, &seen)?;
        if data.plans.is_empty() {
            return None;
        }
        let known = Known {
            model: &Model::fit(&self.tunables, &self.settings, data),
            tunables: &self.tunables,
            settings: &self.settings,
            plan: 0,
        };
        let tried = (distinct_plans(&self.rounds).len(), self.rounds.len());
        Some(Outcome {
            aim_pct: 100.0 * self.settings.target,
            ..describe(&known, tried, stop)
        })
    }
}

impl Searching for Stepwise {
    fn step(&self) -> Step {
        if self.units.is_empty() {
            let counts = vec![0; self.tunables.len()];
            return Step::Measure { counts };
        }
        let active = self.active();
        // The last plan is the whole one.
        let may = !self.ended && self.plans_tried() + 1 < self.settings.max_plans;
        if let Some(active) = active.as_ref().filter(|_| may) {
            let counts = self.counts_of(active);
            return Step::Measure { counts };
        }
        let stop = match active {
            Some(_) => Stop::Budget,
            None => Stop::EveryBlock,
        };
        let counts = self.whole();
        match self.describe(&counts, stop) {
            Some(outcome) => Step::Finished(outcome),
            None => Step::Measure { counts },
        }
    }

    fn observe(&mut self, round: Round) -> Result<(), SearchError> {
        let round = admitted(round, self.tunables.len())?;
        let (seen, all) = samples(&round.baseline, self.tunables.len());
        if self.units.is_empty() {
            let units = self.in_order(&seen);
            if units.is_empty() {
                return Err(SearchError::BadRound("no baseline sample in any tunable"));
            }
            self.units = units;
        }
        let active = self.active();
        let (baseline, baseline_all) = &mut self.baseline;
        for (sum, seen) in baseline.iter_mut().zip(seen) {
            *sum += seen;
        }
        *baseline_all += all;
        let counts = round.slowed.first().map(|o| &o.counts);
        // Another plan than the one that was asked for is the whole one.
        let asked = active.filter(|active| counts == Some(&self.counts_of(active)));
        if let Some(active) = asked {
            self.note(&round, &active);
        }
        self.rounds.push(round);
        Ok(())
    }

    /// It does not go on after an evaluation, and takes such a round like any other.
    fn learn(&mut self, round: Round) -> Result<(), SearchError> {
        self.observe(round)
    }

    fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    fn own_rounds(&self) -> &[Round] {
        &self.rounds
    }

    fn plans_tried(&self) -> u32 {
        u32::try_from(distinct_plans(&self.rounds).len()).unwrap_or(u32::MAX)
    }

    fn may_go_on(&self) -> bool {
        false
    }

    fn end(&mut self) {
        self.ended = true;
    }
}

/// Samples of every tunable in these windows, and all.
fn samples(windows: &[Observation], tunables: usize) -> (Vec<f64>, f64) {
    let (mut sums, mut all) = (vec![0.0; tunables], 0.0);
    for window in windows.iter().filter(|o| o.sampled) {
        all += window.all_samples();
        for (sum, samples) in sums.iter_mut().zip(&window.samples) {
            *sum += samples;
        }
    }
    (sums, all)
}
