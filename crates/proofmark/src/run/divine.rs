//! `proofmark divine`: the search, and the evaluation of what it found.

mod runs;

use anyhow::Context as _;
use proofmark_divine::{Evaluation, Outcome, Prior, Search, Settings, Step, evaluate};
use proofmark_jvm::{Bench, Filler, Placement, Side};

use super::cells::Cells;
use super::estimate::ROUNDS;
use super::fresh::Fresh;
use super::journal::{Journal, Part, Tally};
use runs::{JUDGING, Runs, searching};

/// How much is measured.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Samples per second while searching.
    pub rate_hz: f64,
    /// Seconds of watched windows per round, both sides together.
    pub watched_s: f64,
    /// Seconds of unwatched windows per round, both sides together.
    pub unwatched_s: f64,
    /// Shortest stay at one placement, s.
    pub placement_s: f64,
    /// Rounds of the evaluation.
    pub evaluation_rounds: u32,
}

impl Default for Effort {
    fn default() -> Self {
        Effort {
            rate_hz: 8000.0,
            watched_s: 6.0,
            unwatched_s: 3.0,
            placement_s: 0.12,
            evaluation_rounds: 5,
        }
    }
}

/// What a search over a bench is told.
pub struct Request {
    /// 1.0 is +100 %.
    pub target: f64,
    /// Core clock, GHz.
    pub clock_ghz: f64,
    /// What is known about slowdown instructions.
    pub prior: Prior,
    /// The slowdown instruction and where it goes.
    pub filler: (Filler, Placement),
    /// How much is measured.
    pub effort: Effort,
    /// Seed.
    pub seed: u64,
}

/// A finished search with its evaluation.
pub struct Divined {
    /// The cells.
    pub cells: Cells,
    /// What the search found.
    pub outcome: Outcome,
    /// What fresh windows say about it.
    pub evaluation: Evaluation,
    /// The code of the plan.
    pub side: Side,
    /// Samples taken in all windows.
    pub samples: u64,
    /// Samples that were lost in all windows.
    pub lost: u64,
    /// Times that the kernel throttled an event.
    pub throttled: u64,
    /// Windows that were repeated because the VM replaced code.
    pub repeats: usize,
}

/// Searches and evaluates.
///
/// # Errors
/// When the laboratory fails.
pub fn divine(bench: &mut Bench, request: &Request) -> anyhow::Result<Divined> {
    divine_with(bench, request, &mut Journal::none(), None)
}

/// As [`divine`], with what the journal holds, and keeping there what is measured; with `fresh`, every
/// window after the first look is in a JVM of its own.
///
/// # Errors
/// When the laboratory fails or a round cannot be stored.
pub fn divine_with(
    bench: &mut Bench,
    request: &Request,
    journal: &mut Journal<'_>,
    fresh: Option<&Fresh<'_>>,
) -> anyhow::Result<Divined> {
    let mut runs = Runs {
        bench,
        request,
        tally: Tally::default(),
        fresh,
    };
    let look = match journal.look(runs.bench) {
        Some(look) => look,
        None => {
            let look = runs.look()?;
            journal.begin(&look)?;
            look
        }
    };
    let cells = runs.choose(&look);
    let settings = Settings {
        target: request.target,
        clock_ghz: request.clock_ghz,
        prior: request.prior,
        seed: request.seed,
        ..Settings::default()
    };
    let mut search = Search::new(cells.cells().to_vec(), settings)?;
    let mut sides: Vec<(Vec<u32>, Side)> = Vec::new();
    let (known, tally) = journal.rounds(Part::Search, runs.bench, &cells)?;
    runs.tally = tally;
    for round in known {
        search.observe(round)?;
    }
    let evaluations = f64::from(request.effort.evaluation_rounds);
    let searching = searching(&look, &cells);
    let outcome = loop {
        match search.next() {
            Step::Finished(outcome) => break outcome,
            Step::Measure { counts } => {
                journal.rounds_left((ROUNDS - search.rounds().len() as f64).max(1.0) + evaluations);
                runs.say(&format!(
                    "round {}, plan {}",
                    search.rounds().len() + 1,
                    search.plans_tried() + 1
                ));
                let side = runs.side(&cells, &counts, &mut sides)?;
                let round = runs.round(&cells, &counts, &side, searching)?;
                journal.keep(Part::Search, runs.bench, &cells, &round, runs.tally)?;
                search.observe(round)?;
            }
        }
    };
    let side = runs.side(&cells, &outcome.counts, &mut sides)?;
    let (mut rounds, tally) = journal.rounds(Part::Evaluation, runs.bench, &cells)?;
    rounds.retain(|round| {
        round
            .slowed
            .iter()
            .all(|seen| seen.counts == outcome.counts)
    });
    runs.tally = if rounds.is_empty() { runs.tally } else { tally };
    for at in rounds.len() as u32..request.effort.evaluation_rounds {
        journal.rounds_left(evaluations - f64::from(at));
        runs.say(&format!(
            "evaluating, round {} of {}",
            at + 1,
            request.effort.evaluation_rounds
        ));
        let round = runs.round(&cells, &outcome.counts, &side, JUDGING)?;
        journal.keep(Part::Evaluation, runs.bench, &cells, &round, runs.tally)?;
        rounds.push(round);
    }
    let evaluation = evaluate(cells.cells(), &rounds, request.target, request.seed)
        .context("evaluating the plan")?;
    let Tally {
        samples,
        lost,
        throttled,
        repeats,
    } = runs.tally;
    Ok(Divined {
        cells,
        outcome,
        evaluation,
        side,
        samples,
        lost,
        throttled,
        repeats,
    })
}
