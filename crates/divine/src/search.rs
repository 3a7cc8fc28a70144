//! The search as a state machine: it asks for rounds and is given them.
//!
//! The state is the rounds themselves; every decision is a pure function of them, so a search
//! that was killed continues identically once it has been given them again.

use std::ops::Range;

use crate::admit::{admitted, searchable};
use crate::choose::{Proposal, TOTAL, TOTAL_LAST, TOTAL_PICK, measured, propose};
use crate::mend::{Rejected, scaled};
use crate::model::Model;
use crate::outcome::{Known, block_error, describe, total_overhead};
use crate::reduce::{Reduced, distinct_plans, reduce};
use crate::response::first_count;
use crate::{Outcome, Round, SearchError, Searching, Settings, Step, Stop, Tunable};

/// A new plan must promise an error (root of the loss) this much smaller than the best one's.
const WORTH_IT: f64 = 0.97;
/// Plans that are tried before "no better plan" may end the search.
const LEAST_PLANS: usize = 2;
/// Tunables of fewer cycles per execution start without any instruction: one alone may be too much,
/// and their neighbours' instructions often slow them enough.
const SHORT: f64 = 0.7;
/// Rounds that the plan must have that is taken: the best of several is best by luck too.
const LEAST_ROUNDS: u32 = 2;
/// Rounds spent on one plan to make sure of its total.
const MOST_ROUNDS: u32 = 4;
/// So many plans in a row that are no better than those before end the search: it promises more than it gains.
const PATIENCE: usize = 2;
/// Plans that may set the total once blocks have stopped gaining.
const OF_TOTAL: usize = 3;
/// Plans kept for the total: one for the search, and one for when the evaluation finds it off.
const RESERVE: usize = 2;
/// Evaluations that may reject a plan: what is taken because of its evaluation looks a little better than it is.
const REJECTIONS: usize = 2;
/// Plans that may be tried to mend the total of rejected ones, all together; [`Settings::max_plans`] does not bound them.
const MENDING: usize = 4;
/// Rounds that a search may measure after evaluations rejected its plans.
const ROUNDS_AGAIN: usize = 2 * MOST_ROUNDS as usize;

/// A search for the plan that brings every tunable to baseline x (1 + target).
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    tunables: Vec<Tunable>,
    settings: Settings,
    rounds: Vec<Round>,
    /// Rounds that were measured to evaluate a plan, whose total was off.
    rejected: Rejected,
    /// How many of the rounds, the first ones, were measured for another target.
    known: usize,
    /// Whether it was told to end.
    ended: bool,
}

impl Search {
    /// Starts a search over these tunables.
    ///
    /// # Errors
    /// If there are no tunables, one is never executed, or a setting is out of range.
    pub fn new(tunables: Vec<Tunable>, settings: Settings) -> Result<Self, SearchError> {
        searchable(&tunables, &settings)?;
        Ok(Search {
            tunables,
            settings,
            rounds: Vec::new(),
            rejected: Rejected::default(),
            known: 0,
            ended: false,
        })
    }

    /// Starts a search that knows what another one, for another target over the same tunables, has measured. How every tunable
    /// responds is known then; no plan or round of the other one counts as its own.
    ///
    /// # Errors
    /// As [`Search::new`] and [`Searching::observe`].
    pub fn knowing(
        tunables: Vec<Tunable>,
        settings: Settings,
        rounds: &[Round],
    ) -> Result<Self, SearchError> {
        let mut search = Search::new(tunables, settings)?;
        (rounds.iter().cloned()).try_for_each(|round| search.observe(round))?;
        search.known = search.rounds.len();
        Ok(search)
    }

    fn own_plans(&self) -> usize {
        distinct_plans(self.own_rounds()).len()
    }

    fn first_plan(&self, data: &Reduced) -> Vec<u32> {
        let first = Model::fit(&self.tunables, &self.settings, data.clone());
        let count = |c: usize| {
            if first.tau(c) < SHORT {
                return 0;
            }
            let k = first_count(first.tau(c), &self.settings.prior, first.aim);
            k.round().clamp(0.0, f64::from(self.settings.max_count)) as u32
        };
        let mut counts: Vec<u32> = (0..self.tunables.len()).map(count).collect();
        if counts.iter().all(|&k| k == 0) {
            counts[0] = 1;
        }
        counts
    }

    fn decide(&self, model: &Model) -> Step {
        if let Some(first) = self.rejected.first() {
            return self.mend(model, first);
        }
        let (best, known) = self.best(model, TOTAL);
        let (last_best, last_known) = self.best(model, TOTAL_PICK);
        let finish = |stop| Step::Finished(self.describe(model, last_best, stop));
        let ended = self.ended && self.own_plans() > 0;
        if ended || self.own_rounds().len() >= self.most_rounds() {
            return finish(Stop::Budget);
        }
        if self.within_tolerance(model, best, &known) {
            return finish(Stop::WithinTolerance);
        }
        let tried = self.own_plans();
        let most = self.settings.max_plans as usize;
        let new = |p: &Proposal| !model.data.plans.iter().any(|plan| plan.counts == p.counts);
        let proposal = propose(model, &self.tunables, &self.settings, best, TOTAL);
        let promise = WORTH_IT * known.loss.sqrt();
        let worth = new(&proposal) && (proposal.loss.sqrt() < promise || tried < LEAST_PLANS);
        if worth && tried + RESERVE < most && self.gains(model, tried) {
            return Step::Measure {
                counts: proposal.counts,
            };
        }
        if self.total_is_unsure(model, last_best) {
            return Step::Measure {
                counts: last_known.counts,
            };
        }
        if tried < self.most_plans(model, tried) && self.total_is_off(model, last_best, &last_known)
        {
            let last = propose(model, &self.tunables, &self.settings, last_best, TOTAL_LAST);
            if new(&last) {
                return Step::Measure {
                    counts: last.counts,
                };
            }
        }
        finish(if worth {
            Stop::Budget
        } else {
            Stop::NoBetterPlan
        })
    }

    /// What to do next once an evaluation rejected a plan, whose first round is at this place: the plan, or what became of
    /// it, is scaled until its total is right.
    fn mend(&self, model: &Model, first: usize) -> Step {
        let since = distinct_plans(&self.rounds[first..]);
        let plans = model.data.plans.iter();
        let plans = plans.map(|plan| since.contains(&plan.counts)).enumerate();
        let plans = plans.filter_map(|(j, is_since)| is_since.then_some(j));
        let (best, known) = self.best_of(model, plans, TOTAL_LAST);
        let finish = |stop| Step::Finished(self.describe(model, best, stop));
        if self.ended || self.own_rounds().len() >= self.most_rounds() {
            return finish(Stop::Budget);
        }
        if self.total_is_unsure(model, best) {
            return Step::Measure {
                counts: known.counts,
            };
        }
        if self.within_tolerance(model, best, &known) {
            return finish(Stop::WithinTolerance);
        }
        let miss = model.total_error_of(best, &known.errors);
        let counts = scaled(model, best, -miss, self.settings.max_count);
        let new = model.data.plans.iter().all(|plan| plan.counts != counts);
        if !new || !self.total_is_off(model, best, &known) {
            return finish(Stop::NoBetterPlan);
        }
        if self.mended() >= MENDING {
            return finish(Stop::Budget);
        }
        Step::Measure { counts }
    }

    /// Own plans that were tried since an evaluation first rejected one.
    fn mended(&self) -> usize {
        let before = |first: usize| distinct_plans(&self.rounds[self.known..first]).len();
        (self.rejected.first()).map_or(0, |first| self.own_plans() - before(first))
    }

    /// Whether blocks are nearer under one of the last of so many own plans than under all before it.
    fn gains(&self, model: &Model, tried: usize) -> bool {
        let Some(before) = tried.checked_sub(PATIENCE).filter(|&before| before > 0) else {
            return true;
        };
        let first = model.data.plans.len() - self.own_plans();
        // The total is not asked: it is set last, and a machine's speed moves it more than blocks gain.
        let loss = |j: usize| measured(model, &self.tunables, j, 0.0).loss.sqrt();
        let best = |plans: Range<usize>| plans.map(loss).fold(f64::INFINITY, f64::min);
        let old = best(first..first + before);
        best(first + before..first + tried) < WORTH_IT * old
    }

    /// Plans that may be tried before an evaluation: blocks have stopped gaining after some of them, and a few more may
    /// set the total. On a machine whose speed wanders the total is never surely right.
    fn most_plans(&self, model: &Model, tried: usize) -> usize {
        let most = self.settings.max_plans as usize;
        let of_blocks = (1..tried).find(|&plans| !self.gains(model, plans));
        (of_blocks.unwrap_or(tried) + OF_TOTAL).min(most - 1)
    }

    fn most_rounds(&self) -> usize {
        let learned = self.rejected.rounds();
        let again = if learned > 0 { ROUNDS_AGAIN } else { 0 };
        self.settings.max_rounds as usize + learned + again
    }

    /// The measured plan with the smallest expected loss; all data speak, not only its own windows,
    /// so that it is not picked for its luck.
    fn best(&self, model: &Model, total: f64) -> (usize, Proposal) {
        self.best_of(model, 0..model.data.plans.len(), total)
    }

    /// The same of these plans.
    fn best_of(
        &self,
        model: &Model,
        plans: impl Iterator<Item = usize>,
        total: f64,
    ) -> (usize, Proposal) {
        let plans = plans.map(|j| (j, measured(model, &self.tunables, j, total)));
        let best = plans.min_by(|a, b| a.1.loss.total_cmp(&b.1.loss));
        best.unwrap_or_else(|| {
            (
                0,
                Proposal {
                    counts: Vec::new(),
                    errors: Vec::new(),
                    loss: f64::INFINITY,
                },
            )
        })
    }

    fn describe(&self, model: &Model, plan: usize, stop: Stop) -> Outcome {
        let known = Known {
            model,
            tunables: &self.tunables,
            settings: &self.settings,
            plan,
        };
        describe(&known, (self.own_plans(), self.own_rounds().len()), stop)
    }

    fn within_tolerance(&self, model: &Model, plan: usize, known: &Proposal) -> bool {
        let blocks = block_error(model, &self.tunables, &self.settings, &known.errors);
        blocks.high / 100.0 <= self.settings.tolerance
            && !self.total_is_off(model, plan, known)
            && !self.total_is_unsure(model, plan)
    }

    fn total_is_off(&self, model: &Model, plan: usize, known: &Proposal) -> bool {
        let total = total_overhead(model, &self.settings, plan, &known.errors);
        (total.value / 100.0 - self.settings.target).abs() > self.settings.total_tolerance
    }

    fn total_is_unsure(&self, model: &Model, plan: usize) -> bool {
        let plan = &model.data.plans[plan];
        let unsure = plan.total.variance.sqrt() > self.settings.total_tolerance;
        plan.rounds < LEAST_ROUNDS || unsure && plan.rounds < MOST_ROUNDS
    }
}

impl Searching for Search {
    fn step(&self) -> Step {
        let rounds = self.rejected.lasting(&self.rounds);
        let Some(data) = reduce(&self.tunables, &self.settings, &rounds) else {
            return Step::Measure {
                counts: vec![0; self.tunables.len()],
            };
        };
        if data.plans.is_empty() {
            return Step::Measure {
                counts: self.first_plan(&data),
            };
        }
        self.decide(&Model::fit(&self.tunables, &self.settings, data))
    }

    fn observe(&mut self, round: Round) -> Result<(), SearchError> {
        self.rounds.push(admitted(round, self.tunables.len())?);
        Ok(())
    }

    /// From then on that plan is scaled, and nothing else changed; whatever plan comes of it must be evaluated in other rounds.
    fn learn(&mut self, round: Round) -> Result<(), SearchError> {
        self.observe(round)?;
        self.rejected.add(self.rounds.len() - 1);
        Ok(())
    }

    fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    fn own_rounds(&self) -> &[Round] {
        &self.rounds[self.known..]
    }

    fn plans_tried(&self) -> u32 {
        u32::try_from(self.own_plans()).unwrap_or(u32::MAX)
    }

    /// Not if the last plan was rejected and nothing was measured since.
    fn may_go_on(&self) -> bool {
        self.rejected.evaluations() < REJECTIONS
            && self.mended() < MENDING
            && self.rejected.searched_since(self.rounds.len())
    }

    /// The best plan that was measured is the answer. One is measured at least.
    fn end(&mut self) {
        self.ended = true;
    }
}
