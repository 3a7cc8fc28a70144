//! Steps of a search: go on from the journal, search, evaluate, reject.

use proofmark_divine::{Observation, Outcome, Round, SearchKind, Searching, Step};

use super::identity::tunable_names;
use super::journal::{Journal, Part};
use super::runs::{JUDGING, Lengths, Runs};
use crate::ExperimentError;
use crate::lab::{LabError, Variant};
use crate::select::Tunables;

/// A search at work.
pub(super) struct Work<'a, 'run> {
    pub(super) runs: Runs<'a>,
    pub(super) journal: &'a mut Journal<'run>,
    pub(super) tunables: &'a Tunables,
    /// Plans that were compiled.
    pub(super) variants: Vec<(Vec<u32>, Variant)>,
    /// Wall time until the search's last round was measured, s.
    pub(super) searched_s: f64,
    /// The search begins with what one for another target has measured.
    pub(super) further: bool,
}

/// Rounds that a search of so many usually still takes after some. One that took more takes some more.
fn more(usual: f64, done: usize) -> f64 {
    const AGAIN: f64 = 0.25;
    (usual - done as f64).max(AGAIN * done as f64).max(1.0)
}

impl Work<'_, '_> {
    /// Gives the search what the journal holds; returns the rounds of the last evaluation that rejected a plan.
    pub(super) fn resume(
        &mut self,
        search: &mut dyn Searching,
    ) -> Result<Vec<Round>, ExperimentError> {
        let (known, tally) = self
            .journal
            .rounds(Part::Search, self.runs.lab, self.tunables)?;
        self.searched_s = tally.wall_s;
        self.runs.tally = tally;
        let (evaluated, _) = self
            .journal
            .rounds(Part::Evaluation, self.runs.lab, self.tunables)?;
        let (mut rejected, mut searched) = (Vec::<Round>::new(), false);
        for round in known {
            if !evaluated.contains(&round) {
                searched = true;
                search.observe(round)?;
                continue;
            }
            // Between two rejections something was measured.
            if std::mem::take(&mut searched) {
                rejected.clear();
            }
            rejected.push(round.clone());
            search.learn(round)?;
        }
        let left = left_of(&rejected, evaluated, search.rounds(), self.evaluations());
        if !searched && !left.is_empty() {
            rejected.extend(left.iter().cloned());
            self.reject(search, left)?;
        }
        Ok(rejected)
    }

    /// Whether the time of the search is over.
    pub(super) fn is_late(&self) -> bool {
        self.journal.spent_s() >= self.runs.request.effort.most_search_s
    }

    /// Measures what the search asks for until it has a plan, or its time is over.
    pub(super) fn search(
        &mut self,
        search: &mut dyn Searching,
        lengths: Lengths,
    ) -> Result<Outcome, ExperimentError> {
        let effort = self.runs.request.effort;
        loop {
            if self.is_late() {
                search.end();
            }
            let counts = match search.step() {
                Step::Finished(outcome) => return Ok(outcome),
                Step::Measure { counts } => counts,
            };
            let done = search.own_rounds().len();
            let usual = effort.rounds(self.further);
            let left = more(usual, done) + self.evaluations();
            self.journal.rounds_left(left);
            self.runs.say(&format!(
                "round {}, plan {}",
                done + 1,
                search.plans_tried() + 1
            ));
            let round = self.measure(Part::Search, &counts, lengths)?;
            self.searched_s = self.journal.spent_s();
            search.observe(round)?;
            // Hundreds of plans are measured once each: their code need not stay.
            if effort.kind == SearchKind::Stepwise {
                self.forget(&counts)?;
            }
        }
    }

    /// Rounds of the plan that the journal holds; none that the search has seen.
    pub(super) fn evaluated(
        &mut self,
        search: &dyn Searching,
        outcome: &Outcome,
    ) -> Result<Vec<Round>, ExperimentError> {
        let (stored, tally) =
            self.journal
                .rounds(Part::Evaluation, self.runs.lab, self.tunables)?;
        let rounds = fit_to_judge(stored, &outcome.counts, search.rounds());
        if !rounds.is_empty() {
            self.runs.tally = tally;
        }
        Ok(rounds)
    }

    /// Adds fresh rounds of the plan until there are so many.
    pub(super) fn evaluate(
        &mut self,
        outcome: &Outcome,
        rounds: &mut Vec<Round>,
        wanted: u32,
    ) -> Result<(), ExperimentError> {
        for at in rounds.len() as u32..wanted {
            self.journal.rounds_left(f64::from(wanted - at));
            self.runs
                .say(&format!("evaluating, round {} of {wanted}", at + 1));
            rounds.push(self.measure(Part::Evaluation, &outcome.counts, JUDGING)?);
        }
        Ok(())
    }

    /// The plan's total is off: what its evaluation has seen goes to the search.
    pub(super) fn reject(
        &mut self,
        search: &mut dyn Searching,
        rounds: Vec<Round>,
    ) -> Result<(), ExperimentError> {
        self.runs
            .say("the program is off in the evaluation: scaling the plan");
        for round in rounds {
            self.keep(Part::Search, &round)?;
            search.learn(round)?;
        }
        Ok(())
    }

    /// The code of a plan, compiled once.
    pub(super) fn variant(&mut self, counts: &[u32]) -> Result<Variant, LabError> {
        self.runs.variant(self.tunables, counts, &mut self.variants)
    }

    /// Lets the code of a plan go.
    fn forget(&mut self, counts: &[u32]) -> Result<(), LabError> {
        let known = self.variants.iter().position(|(plan, _)| plan == counts);
        match known.map(|at| self.variants.swap_remove(at)) {
            Some((_, variant)) if counts.iter().any(|k| *k > 0) => self.runs.lab.forget(&variant),
            _ => Ok(()),
        }
    }

    fn evaluations(&self) -> f64 {
        f64::from(self.runs.request.effort.evaluation_rounds)
    }

    fn measure(
        &mut self,
        part: Part,
        counts: &[u32],
        lengths: Lengths,
    ) -> Result<Round, ExperimentError> {
        let variant = self.variant(counts)?;
        let round = self.runs.round(self.tunables, counts, &variant, lengths)?;
        self.keep(part, &round)?;
        Ok(round)
    }

    fn keep(&mut self, part: Part, round: &Round) -> Result<(), ExperimentError> {
        let tunables = tunable_names(self.runs.lab, self.tunables);
        self.journal.keep(part, tunables, round, self.runs.tally)
    }
}

/// Of the rounds that were measured to evaluate, those of this plan that no search has learned from.
fn fit_to_judge(mut rounds: Vec<Round>, counts: &[u32], searched: &[Round]) -> Vec<Round> {
    let of_plan = |seen: &Observation| seen.counts == counts;
    rounds.retain(|round| round.slowed.iter().all(of_plan) && !searched.contains(round));
    rounds
}

/// What is left of an evaluation that rejected a plan, if a process ended before the search had learned all of it.
fn left_of(
    rejected: &[Round],
    evaluated: Vec<Round>,
    searched: &[Round],
    usual: f64,
) -> Vec<Round> {
    let plan = (rejected.first()).and_then(|round| round.slowed.first());
    match plan {
        Some(seen) if (rejected.len() as f64) < usual => {
            fit_to_judge(evaluated, &seen.counts, searched)
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use proofmark_divine::{Observation, Round};

    use super::{fit_to_judge, left_of};

    fn round(count: u32, cpu_ns: f64) -> Round {
        let seen = |count| Observation {
            counts: vec![count],
            iterations: 1.0,
            cpu_ns,
            samples: Vec::new(),
            outside_samples: 0.0,
            placements: 4,
            sampled: false,
        };
        Round {
            baseline: vec![seen(0)],
            slowed: vec![seen(count)],
        }
    }

    #[test]
    fn what_was_searched_with_judges_nothing() {
        let rounds = vec![round(3, 1.0), round(3, 2.0), round(4, 3.0)];
        let searched = [round(2, 1.0), round(3, 1.0)];
        assert_eq!(fit_to_judge(rounds, &[3], &searched), [round(3, 2.0)]);
    }

    #[test]
    fn a_rejection_that_was_cut_off_is_completed() {
        let evaluated = [0.0, 1.0, 2.0, 3.0].map(|ns| round(3, ns)).to_vec();
        // The plan was rejected before, by the first of them.
        let left = |rejected, known| left_of(rejected, evaluated.clone(), known, 3.0);
        assert_eq!(left(&evaluated[1..2], &evaluated[..2]), evaluated[2..]);
        assert!(left(&evaluated[1..], &evaluated[..]).is_empty());
        assert!(left(&[], &[]).is_empty());
    }
}
