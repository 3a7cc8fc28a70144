//! `proofmark divine`: the search, and the evaluation of what it found.

use anyhow::Context as _;
use proofmark_blocks::{BlockTimes, SelectionSettings};
use proofmark_divine::{Evaluation, Outcome, Prior, Round, Search, Settings, Step, evaluate};
use proofmark_jvm::{Bench, Filler, Measured, Placement, Side, WindowSpec, abba};

use super::cells::{Baseline, Cells, tables};
use super::estimate::ROUNDS;
use super::fresh::Fresh;
use super::journal::{Journal, Look, Part, Tally};
use super::observe::observations;

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

struct Runs<'a> {
    bench: &'a mut Bench,
    request: &'a Request,
    tally: Tally,
    fresh: Option<&'a Fresh<'a>>,
}

impl Runs<'_> {
    fn say(&self, text: &str) {
        (self.bench.settings().progress)(text);
    }

    /// A first watched window of the baseline, over several placements.
    fn look(&mut self) -> anyhow::Result<Look> {
        self.say("sampling the baseline");
        let effort = self.request.effort;
        let side = self.bench.baseline();
        let placements = self.placements(effort.watched_s / 2.0);
        let seen = self.window(
            "baseline",
            &[side],
            &vec![0; placements],
            Some(effort.rate_hz),
        )?;
        let mut times = BlockTimes::default();
        seen.groups
            .iter()
            .for_each(|group| times.merge(&group.times));
        let iterations: usize = seen.groups.iter().map(|g| g.iterations.len()).sum();
        let cpu: f64 = seen.groups.iter().map(|g| g.cpu_ns()).sum();
        Ok(Look::new(self.bench, times, cpu / iterations.max(1) as f64))
    }

    /// Placements that fit into so many seconds, discarded iterations included.
    fn placements(&self, seconds: f64) -> usize {
        let iteration = self.bench.warm().iteration_ns / 1e9;
        let each = self.request.effort.placement_s.max(iteration) + 1.5 * iteration;
        let shifts = self.bench.shifts();
        ((seconds / each / shifts as f64) as usize).clamp(2, 64) * shifts
    }

    fn window(
        &mut self,
        label: &str,
        sides: &[Side],
        order: &[usize],
        rate_hz: Option<f64>,
    ) -> anyhow::Result<Measured> {
        let spec = WindowSpec {
            label,
            seconds: self.request.effort.placement_s,
            iterations: 1,
            rate_hz,
        };
        let measured = self.bench.window(&spec, sides, order, &mut ())?;
        let tally = &mut self.tally;
        tally.samples += measured
            .groups
            .iter()
            .map(|group| group.times.total.sum as u64)
            .sum::<u64>();
        tally.lost += measured.loss.lost;
        tally.throttled += measured.loss.throttled;
        tally.repeats += measured.repeats;
        Ok(measured)
    }

    fn choose(&self, look: &Look) -> Cells {
        let executions = look.executions();
        let baseline = Baseline {
            map: self.bench.lab().map(),
            times: &look.times,
            executions: &executions,
            iteration_ns: look.iteration_ns,
            clock_ghz: self.request.clock_ghz,
        };
        let effort = self.request.effort;
        // Baseline samples that the evaluation will have.
        let samples =
            f64::from(effort.evaluation_rounds) * effort.watched_s / 2.0 * effort.rate_hz * 0.7;
        let settings = SelectionSettings {
            ratio: 1.0 + self.request.target,
            standard_error: 0.10,
            shortest_block_cycles: 0.0,
            samples: Some(samples),
            ..SelectionSettings::default()
        };
        Cells::choose(&baseline, &settings)
    }

    /// The code of a plan, compiled once.
    fn side(
        &mut self,
        cells: &Cells,
        counts: &[u32],
        known: &mut Vec<(Vec<u32>, Side)>,
    ) -> anyhow::Result<Side> {
        if let Some((_, side)) = known.iter().find(|(plan, _)| plan == counts) {
            return Ok(side.clone());
        }
        let (filler, placement) = self.request.filler;
        let side = self
            .bench
            .side(&tables(&cells.instructions(counts), filler, placement))?;
        known.push((counts.to_vec(), side.clone()));
        Ok(side)
    }

    /// Baseline and plan interleaved, watched and unwatched.
    fn round(
        &mut self,
        cells: &Cells,
        counts: &[u32],
        side: &Side,
        lengths: Lengths,
    ) -> anyhow::Result<Round> {
        if let Some(fresh) = self.fresh {
            return fresh.round(self.bench, self.request, cells, counts, &mut self.tally);
        }
        let effort = self.request.effort;
        let sides = [self.bench.baseline(), side.clone()];
        let watched = self.window(
            "search",
            &sides,
            &abba(self.placements(lengths.watched * effort.watched_s / 2.0)),
            Some(effort.rate_hz),
        )?;
        let unwatched = self.window(
            "search",
            &sides,
            &abba(self.placements(lengths.unwatched * effort.unwatched_s / 2.0)),
            None,
        )?;
        let none = vec![0; counts.len()];
        let slowed = counts.iter().any(|count| *count > 0);
        let mut round = Round::default();
        let shifts = self.bench.shifts();
        for (measured, sampled) in [(&watched, true), (&unwatched, false)] {
            let of_side = |side| measured.of_side(side).collect::<Vec<_>>();
            let seen = |side, counts| observations(cells, counts, &of_side(side), shifts, sampled);
            round.baseline.extend(seen(0, &none));
            let second = if slowed {
                &mut round.slowed
            } else {
                &mut round.baseline
            };
            second.extend(seen(1, counts));
        }
        Ok(round)
    }
}

/// Lengths of a round's windows against those of [`Effort`].
#[derive(Debug, Clone, Copy)]
struct Lengths {
    watched: f64,
    unwatched: f64,
}

/// The total is what the evaluation must know best.
const JUDGING: Lengths = Lengths {
    watched: 1.0,
    unwatched: 2.4,
};

/// Rounds of the search are short, but longer where the time is spread over many cells: the noise of
/// the mean error goes with the sum of the roots of the shares (2.4 for Towers, 5.5 for Queens).
fn searching(look: &Look, cells: &Cells) -> Lengths {
    let (samples, _) = cells.samples(&look.times);
    let roots: f64 = samples
        .iter()
        .map(|y| (y / look.times.total.sum.max(1.0)).sqrt())
        .sum();
    Lengths {
        watched: (0.3 * roots).clamp(0.75, 2.0),
        unwatched: 0.8,
    }
}
