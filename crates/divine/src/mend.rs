//! A total that an evaluation finds off is mended by scaling the whole plan.
//!
//! A search that moves single blocks for the total's sake chooses those of which its model promises most, and that is not
//! what the program does (docs/search.md, the search). How it answers to more or fewer instructions *everywhere* is what all
//! rounds have shown, from none to those of the plan. So every count changes by the same part, and roundings are carried on
//! from tunable to tunable.
//!
//! *Accuracy.* The part rests on the fitted cost of instructions, and every change re-rolls the blocks, the total by a point
//! or more. So the scaled plan is measured, and scaled again if need be (tests: crates/divine/tests/mending.rs).

use std::borrow::Cow;

use crate::Round;
use crate::model::Model;

/// Most that every count changes by in one step, as a part of it.
const MOST: f64 = 0.25;

/// Counts of a measured plan, all of them more or fewer by the same part, so that the program's overhead changes by `wanted`
/// (part of the baseline total). No count becomes larger than `most`; a tunable without instructions stays so.
pub(crate) fn scaled(model: &Model, plan: usize, wanted: f64, most: u32) -> Vec<u32> {
    let data = &model.data.plans[plan];
    let costs: Vec<f64> = (data.counts.iter().enumerate())
        .map(|(c, &k)| model.cost(c, k))
        .collect();
    let instructions: f64 = (data.counts.iter().zip(&costs))
        .map(|(&k, cost)| f64::from(k) * cost)
        .sum();
    // The first instructions of a block are free, so the last ones cost more than all do in the mean.
    let all = instructions.max(data.total.time - 1.0).max(1e-9);
    let part = (wanted / all).clamp(-MOST, MOST);
    // What roundings have left to be added so far, part of the baseline total.
    let mut left = 0.0_f64;
    let rounded = |(&k, cost): (&u32, &f64)| {
        let exact = part * f64::from(k);
        let less = exact.floor();
        left += (exact - less) * cost;
        let up = exact > less && (left - cost).abs() < left.abs();
        if up {
            left -= cost;
        }
        let more = less + f64::from(u8::from(up));
        (f64::from(k) + more).clamp(0.0, f64::from(most)) as u32
    };
    data.counts.iter().zip(&costs).map(rounded).collect()
}

/// Rounds of evaluations that found a plan's total off, by their places among all rounds.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Rejected(Vec<usize>);

impl Rejected {
    /// Adds the round at this place, the last one so far.
    pub(crate) fn add(&mut self, place: usize) {
        self.0.push(place);
    }

    /// How many rounds they are.
    pub(crate) fn rounds(&self) -> usize {
        self.0.len()
    }

    /// Place of the first one; none if no plan was rejected.
    pub(crate) fn first(&self) -> Option<usize> {
        self.0.first().copied()
    }

    /// Evaluations that they are of: rounds of one follow each other.
    pub(crate) fn evaluations(&self) -> usize {
        let apart = self.0.windows(2).filter(|two| two[0] + 1 < two[1]);
        apart.count() + usize::from(!self.0.is_empty())
    }

    /// Rounds that say how plans do: of a rejected plan none that a search had measured before. It was taken for what they
    /// showed, by luck or because the program ran otherwise then.
    pub(crate) fn lasting<'a>(&self, rounds: &'a [Round]) -> Cow<'a, [Round]> {
        if self.0.is_empty() {
            return Cow::Borrowed(rounds);
        }
        let plan = |place: usize| rounds[place].slowed.first().map(|seen| &seen.counts);
        let is_overruled = |place: usize| {
            (self.0.iter()).any(|&later| later > place && plan(later) == plan(place))
        };
        let lasts = |place: &usize| self.0.contains(place) || !is_overruled(*place);
        let places = (0..rounds.len()).filter(lasts);
        Cow::Owned(places.map(|place| rounds[place].clone()).collect())
    }

    /// Whether anything was measured since the last one, of so many rounds; true if no plan was rejected.
    pub(crate) fn searched_since(&self, rounds: usize) -> bool {
        self.0.last().is_none_or(|last| last + 1 < rounds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::reduce;
    use crate::{Observation, Settings, Tunable, TunableKind};

    /// Shares of the time, in blocks of 15, 12 and 3 cycles.
    const SHARES: [f64; 3] = [0.5, 0.4, 0.1];

    fn tunable(block: u32) -> Tunable {
        Tunable {
            unit: "a.B.c()V".into(),
            block,
            cluster: block,
            group: None,
            executions_per_iteration: 100.0,
            before: Vec::new(),
            kind: TunableKind::Block,
        }
    }

    fn windows(counts: [u32; 3], ns: f64) -> Vec<Observation> {
        let window = |sampled: bool| Observation {
            counts: counts.to_vec(),
            iterations: 1.0,
            cpu_ns: ns,
            samples: match sampled {
                true => SHARES.map(|share| 10_000.0 * share).to_vec(),
                false => Vec::new(),
            },
            outside_samples: 0.0,
            placements: 4,
            sampled,
        };
        [true, false].repeat(4).into_iter().map(window).collect()
    }

    /// A program of 1,000 ns that takes so many times as long under these counts.
    fn round(counts: [u32; 3], ratio: f64) -> Round {
        Round {
            baseline: windows([0; 3], 1000.0),
            slowed: windows(counts, 1000.0 * ratio),
        }
    }

    fn model(counts: [u32; 3], ratio: f64) -> Model {
        let round = round(counts, ratio);
        let tunables = [0, 1, 2].map(tunable);
        let settings = Settings::default();
        let data = reduce(&tunables, &settings, &[round]).expect("samples");
        Model::fit(&tunables, &settings, data)
    }

    #[test]
    fn every_count_changes_by_the_same_part() {
        let counts = [90, 72, 0];
        let model = model(counts, 2.06);
        let change = |wanted: f64| {
            let scaled = scaled(&model, 0, wanted, 4096);
            let step = |c: usize| f64::from(scaled[c]) - f64::from(counts[c]);
            let [first, second, none] = [0, 1, 2].map(step);
            assert_eq!(none, 0.0, "{scaled:?}");
            assert!((first / 90.0 - second / 72.0).abs() < 0.026, "{scaled:?}");
            first * model.cost(0, 90) + second * model.cost(1, 72)
        };
        let (fewer, more) = (change(-0.06), change(0.06));
        assert!((-0.07..-0.035).contains(&fewer), "{fewer}");
        assert!((0.035..0.07).contains(&more), "{more}");
        assert_eq!(scaled(&model, 0, 0.0, 4096), counts);
    }

    #[test]
    fn counts_stay_within_what_is_allowed_and_one_step_is_not_too_long() {
        let model = model([90, 72, 0], 2.06);
        assert_eq!(scaled(&model, 0, 0.5, 80), [80, 80, 0]);
        let half = scaled(&model, 0, -5.0, 4096);
        assert!((66..=69).contains(&half[0]), "{half:?}");
    }

    #[test]
    fn rounds_of_one_evaluation_follow_each_other() {
        let mut rejected = Rejected::default();
        assert!(rejected.searched_since(3) && rejected.evaluations() == 0);
        [3, 4].into_iter().for_each(|place| rejected.add(place));
        assert!(!rejected.searched_since(5) && rejected.searched_since(6));
        assert_eq!((rejected.evaluations(), rejected.first()), (1, Some(3)));
        [7, 8].into_iter().for_each(|place| rejected.add(place));
        assert_eq!((rejected.evaluations(), rejected.rounds()), (2, 4));
    }

    #[test]
    fn of_a_rejected_plan_its_evaluation_speaks_and_what_follows() {
        let (taken, other) = ([90, 72, 0], [80, 64, 0]);
        let rounds = [
            round(other, 1.8),
            round(taken, 2.0),
            round(taken, 2.06),
            round(taken, 2.07),
            round(other, 1.9),
            round(taken, 2.05),
        ];
        let mut rejected = Rejected::default();
        assert_eq!(*rejected.lasting(&rounds), rounds);
        [2, 3].into_iter().for_each(|place| rejected.add(place));
        let lasting = [0, 2, 3, 4, 5].map(|place: usize| rounds[place].clone());
        assert_eq!(*rejected.lasting(&rounds), lasting);
    }
}
