//! Windows of a search: which code, for how long, and what was seen.

use proofmark_blocks::{BlockTimes, SelectionSettings};
use proofmark_divine::Round;
use proofmark_jvm::{Bench, Measured, Side, WindowSpec, abba};

use super::super::cells::{Baseline, Cells, tables};
use super::super::fresh::Fresh;
use super::super::journal::{Look, Tally};
use super::super::observe::observations;
use super::Request;

/// The bench at work for one search.
pub(super) struct Runs<'a> {
    pub(super) bench: &'a mut Bench,
    pub(super) request: &'a Request,
    pub(super) tally: Tally,
    pub(super) fresh: Option<&'a Fresh<'a>>,
}

impl Runs<'_> {
    pub(super) fn say(&self, text: &str) {
        (self.bench.settings().progress)(text);
    }

    /// A first watched window of the baseline, over several placements.
    pub(super) fn look(&mut self) -> anyhow::Result<Look> {
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

    pub(super) fn choose(&self, look: &Look) -> Cells {
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
    pub(super) fn side(
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
    pub(super) fn round(
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
        let seen = |side: usize, counts: &[u32]| {
            let [watched, unwatched] =
                [&watched, &unwatched].map(|all| all.of_side(side).collect::<Vec<_>>());
            observations(cells, counts, &watched, &unwatched, shifts)
        };
        round.baseline = seen(0, &none);
        let second = if slowed {
            &mut round.slowed
        } else {
            &mut round.baseline
        };
        second.extend(seen(1, counts));
        Ok(round)
    }
}

/// Lengths of a round's windows against those of [`Effort`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Lengths {
    watched: f64,
    unwatched: f64,
}

/// The total is what the evaluation must know best.
pub(super) const JUDGING: Lengths = Lengths {
    watched: 1.0,
    unwatched: 2.4,
};

/// Rounds of the search are short, but longer where the time is spread over many cells: the noise of
/// the mean error goes with the sum of the roots of the shares (2.4 for Towers, 5.5 for Queens).
pub(super) fn searching(look: &Look, cells: &Cells) -> Lengths {
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
