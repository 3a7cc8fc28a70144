//! Steps of a search: go on from the journal, search, evaluate, reject.

use proofmark_divine::{Observation, Outcome, Round, Search, Step};
use proofmark_jvm::Side;

use super::super::cells::Cells;
use super::super::estimate::ROUNDS;
use super::super::journal::{Journal, Part};
use super::runs::{JUDGING, Lengths, Runs};

/// A search at work.
pub(super) struct Work<'a, 'run> {
    pub(super) runs: Runs<'a>,
    pub(super) journal: &'a mut Journal<'run>,
    pub(super) cells: &'a Cells,
    /// Plans that were compiled.
    pub(super) sides: Vec<(Vec<u32>, Side)>,
}

impl Work<'_, '_> {
    /// Gives the search what the journal holds; returns those of the rounds that once evaluated a plan.
    pub(super) fn resume(&mut self, search: &mut Search) -> anyhow::Result<Vec<Round>> {
        let (known, tally) = self
            .journal
            .rounds(Part::Search, self.runs.bench, self.cells)?;
        self.runs.tally = tally;
        let (evaluated, _) = self
            .journal
            .rounds(Part::Evaluation, self.runs.bench, self.cells)?;
        let mut rejected = Vec::new();
        for round in known {
            if evaluated.contains(&round) {
                rejected.push(round.clone());
                search.learn(round)?;
            } else {
                search.observe(round)?;
            }
        }
        Ok(rejected)
    }

    /// Measures what the search asks for until it has a plan.
    pub(super) fn search(
        &mut self,
        search: &mut Search,
        lengths: Lengths,
    ) -> anyhow::Result<Outcome> {
        loop {
            let counts = match search.next() {
                Step::Finished(outcome) => return Ok(outcome),
                Step::Measure { counts } => counts,
            };
            let done = search.rounds().len();
            let left = (ROUNDS - done as f64).max(1.0) + self.evaluations();
            self.journal.rounds_left(left);
            self.runs.say(&format!(
                "round {}, plan {}",
                done + 1,
                search.plans_tried() + 1
            ));
            let round = self.measure(Part::Search, &counts, lengths)?;
            search.observe(round)?;
        }
    }

    /// Fresh rounds of the plan; none that the search has seen.
    pub(super) fn evaluate(
        &mut self,
        search: &Search,
        outcome: &Outcome,
    ) -> anyhow::Result<Vec<Round>> {
        let (mut rounds, tally) =
            self.journal
                .rounds(Part::Evaluation, self.runs.bench, self.cells)?;
        rounds.retain(|round| {
            let of_plan = |seen: &Observation| seen.counts == outcome.counts;
            round.slowed.iter().all(of_plan) && !search.rounds().contains(round)
        });
        if !rounds.is_empty() {
            self.runs.tally = tally;
        }
        let wanted = self.runs.request.effort.evaluation_rounds;
        for at in rounds.len() as u32..wanted {
            self.journal.rounds_left(self.evaluations() - f64::from(at));
            self.runs
                .say(&format!("evaluating, round {} of {wanted}", at + 1));
            rounds.push(self.measure(Part::Evaluation, &outcome.counts, JUDGING)?);
        }
        Ok(rounds)
    }

    /// The plan's total is off: what its evaluation has seen goes to the search.
    pub(super) fn reject(&mut self, search: &mut Search, rounds: Vec<Round>) -> anyhow::Result<()> {
        self.runs
            .say("the program is off in the evaluation: searching on");
        for round in rounds {
            self.keep(Part::Search, &round)?;
            search.learn(round)?;
        }
        Ok(())
    }

    /// The code of a plan, compiled once.
    pub(super) fn side(&mut self, counts: &[u32]) -> anyhow::Result<Side> {
        self.runs.side(self.cells, counts, &mut self.sides)
    }

    fn evaluations(&self) -> f64 {
        f64::from(self.runs.request.effort.evaluation_rounds)
    }

    fn measure(&mut self, part: Part, counts: &[u32], lengths: Lengths) -> anyhow::Result<Round> {
        let side = self.side(counts)?;
        let round = self.runs.round(self.cells, counts, &side, lengths)?;
        self.keep(part, &round)?;
        Ok(round)
    }

    fn keep(&mut self, part: Part, round: &Round) -> anyhow::Result<()> {
        self.journal
            .keep(part, self.runs.bench, self.cells, round, self.runs.tally)
    }
}
