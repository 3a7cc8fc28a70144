//! Divining: the search over a laboratory, its journal, and the evaluation of what it found.

mod describe;
mod fresh;
mod identity;
mod journal;
mod known;
mod look;
mod observe;
mod plan;
mod renumber;
mod report;
mod runs;
mod series;
mod undisturbed;
mod verify;
mod work;

use proofmark_divine::{
    Evaluation, Outcome, Prior, Round, Search, SearchError, Settings, evaluate, evaluate_all,
};
use proofmark_rules::TOTAL_WANTED_PT;
use proofmark_stats::Estimate;

use crate::ExperimentError;
use crate::lab::{Filler, Insertion, Lab, Labs, Variant};
use crate::progress::Progress;
use crate::select::Cells;
use identity::cell_names;
use known::Known;
use runs::{Runs, searching};
use work::Work;

pub use journal::{Journal, Tally, wanted};
pub use plan::{DivineRequest, Plan, run};
pub use series::{Series, plans, run_series};
pub(crate) use undisturbed::iteration_ns;

pub use report::{
    BlockRow, DIVINE_SCHEMA, DebugInfo, DivineReport, Excluded, FreshJvm, Resolved, Sampling,
    SetRow, UnitRow, Verification, WarmUp,
};

/// Rounds of a search: the baseline, and as many plans as it mostly takes, some measured twice.
pub const ROUNDS: f64 = 8.0;

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// Samples per second while searching.
    pub rate_hz: f64,
    /// Seconds of watched windows per round, both sides together.
    pub watched_s: f64,
    /// Seconds of unwatched windows per round, both sides together; an evaluation takes 2.4 times as many.
    pub unwatched_s: f64,
    /// The same of a search's rounds, as a part of `unwatched_s`. Longer ones cost time and save plans: what is known of the
    /// total need not be found by trying (simulated with 3 watched and 2 unwatched turns, 16 plans allowed: 10.6 plans, blocks
    /// off by 7.9 points, the total by 2.0; with 6 unwatched ones and 10 plans: 8.0, 7.6, 1.2).
    pub search_unwatched: f64,
    /// Shortest stay at one placement, s.
    pub placement_s: f64,
    /// Rounds of the evaluation.
    pub evaluation_rounds: u32,
    /// Whether a plan whose total is off in its evaluation is searched on from. An assessment need not: it
    /// compares with what was achieved.
    pub search_on: bool,
    /// Plans that a search may try as long as it gains; measured twice or more are few of them.
    pub most_plans: u32,
}

impl Effort {
    /// For plans that are wanted for themselves.
    #[must_use]
    pub fn thorough() -> Self {
        Effort {
            search_unwatched: 2.0,
            search_on: true,
            most_plans: 10,
            ..Effort::default()
        }
    }
}

impl Default for Effort {
    fn default() -> Self {
        Effort {
            rate_hz: 8000.0,
            watched_s: 6.0,
            unwatched_s: 3.0,
            search_unwatched: 0.8,
            placement_s: 0.12,
            evaluation_rounds: 5,
            search_on: false,
            most_plans: Settings::default().max_plans,
        }
    }
}

/// What a search is told.
pub struct Request {
    /// 1.0 is +100 %.
    pub target: f64,
    /// Core clock, GHz.
    pub clock_ghz: f64,
    /// What is known about slowdown instructions.
    pub prior: Prior,
    /// The slowdown instruction and where it goes.
    pub insertion: Insertion,
    /// How much is measured.
    pub effort: Effort,
    /// Seed.
    pub seed: u64,
    /// What a search for another target measured in the same process; none if there was none.
    pub known: Option<Known>,
}

/// A finished search with its evaluation.
pub struct Divined {
    /// The cells.
    pub cells: Cells,
    /// What the search found.
    pub outcome: Outcome,
    /// What fresh windows say about it.
    pub evaluation: Evaluation,
    /// The slowdown instruction.
    pub filler: Filler,
    /// The code of the plan.
    pub variant: Variant,
    /// Samples taken in all windows.
    pub samples: u64,
    /// Samples that were lost in all windows.
    pub lost: u64,
    /// Times that the kernel throttled an event.
    pub throttled: u64,
    /// Windows that were repeated because the VM replaced code.
    pub repeats: usize,
    /// Overhead of a plan that was evaluated before this one and found off, %; its rounds went to the search.
    pub rejected: Option<Estimate>,
    /// Wall time of search and evaluation, in interrupted processes too, s.
    pub wall_s: f64,
    /// What a search for another target can begin with.
    pub known: Known,
}

/// Searches and evaluates, going on from what the journal holds, and keeping there what is measured; with `fresh`,
/// every window after the first look is in a process of its own.
///
/// # Errors
/// When the laboratory fails or a round cannot be stored.
pub fn divine(
    lab: &mut dyn Lab,
    request: &Request,
    journal: &mut Journal<'_>,
    fresh: Option<&dyn Labs>,
    progress: &dyn Progress,
) -> Result<Divined, ExperimentError> {
    let mut runs = Runs {
        lab,
        request,
        progress,
        tally: Tally::default(),
        fresh,
    };
    let look = match journal.look(runs.lab) {
        Some(look) => look,
        None => {
            let look = match &request.known {
                Some(known) => known.look.clone(),
                None => runs.look()?,
            };
            journal.begin(&look)?;
            look
        }
    };
    let cells = runs.choose(&look);
    let settings = settings(request, fresh.is_some());
    let names = cell_names(runs.lab, &cells);
    let before = (request.known.as_ref()).map_or_else(Vec::new, |known| known.rounds(&names));
    let mut search = Search::knowing(cells.cells().to_vec(), settings, &before)?;
    let lengths = searching(&look, &cells, &request.effort);
    let mut work = Work {
        runs,
        journal,
        cells: &cells,
        variants: Vec::new(),
    };
    let rejected = work.resume(&mut search)?;
    let judge = match fresh {
        Some(_) => evaluate_all,
        None => evaluate,
    };
    let judged = |rounds: &[Round]| judge(cells.cells(), rounds, request.target, request.seed);
    let mut rejected = match rejected.len() {
        0 | 1 => None,
        _ => Some(judged(&rejected)?.overhead_pct),
    };
    let (outcome, evaluation) = loop {
        let outcome = work.search(&mut search, lengths)?;
        let (rounds, evaluation) = evaluated(&mut work, &search, &outcome, &judged)?;
        let miss = evaluation.overhead_pct.value - 100.0 * request.target;
        let search_on = request.effort.search_on && search.may_go_on();
        // Taking a plan because its evaluation is near the target leaves a bias, which is bounded: a plan that is truly off
        // by the limit is taken in half of the cases, and then looks better than it is by less than one standard error of
        // the evaluation (half a point on a quiet machine, up to 2.5 on a busy one).
        if miss.abs() <= TOTAL_WANTED_PT || !search_on {
            break (outcome, evaluation);
        }
        rejected = Some(evaluation.overhead_pct);
        work.reject(&mut search, rounds)?;
    };
    let variant = work.variant(&outcome.counts)?;
    let Tally {
        samples,
        lost,
        throttled,
        repeats,
        ..
    } = work.runs.tally;
    let wall_s = work.journal.spent_s();
    let known = Known::new(request, look, names, &search);
    Ok(Divined {
        known,
        filler: request.insertion.filler,
        cells,
        outcome,
        evaluation,
        variant,
        samples,
        lost,
        throttled,
        repeats,
        rejected,
        wall_s,
    })
}

fn settings(request: &Request, across_processes: bool) -> Settings {
    Settings {
        target: request.target,
        clock_ghz: request.clock_ghz,
        prior: request.prior,
        seed: request.seed,
        across_processes,
        max_plans: request.effort.most_plans,
        max_rounds: 2 * request.effort.most_plans - 2,
        ..Settings::default()
    }
}

/// Rounds of the plan, and what they say of it. Where the machine is disturbed in much of the time some more are measured:
/// that is told from the times of either side, not from their ratio.
fn evaluated(
    work: &mut Work<'_, '_>,
    search: &Search,
    outcome: &Outcome,
    judged: &dyn Fn(&[Round]) -> Result<Evaluation, SearchError>,
) -> Result<(Vec<Round>, Evaluation), ExperimentError> {
    /// Part of the pairs that may be disturbed, and rounds that may be added.
    const DISTURBED: f64 = 0.4;
    const MORE: u32 = 3;
    let usual = work.runs.request.effort.evaluation_rounds;
    let mut wanted = usual;
    let mut rounds = work.evaluated(search, outcome)?;
    loop {
        work.evaluate(outcome, &mut rounds, wanted)?;
        let evaluation = judged(&rounds)?;
        if evaluation.disturbed_part() <= DISTURBED || wanted >= usual + MORE {
            return Ok((rounds, evaluation));
        }
        wanted += 1;
    }
}
