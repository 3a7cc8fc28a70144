//! Windows of a search: which code, for how long, and what was seen.

use proofmark_divine::Round;

use super::baseline_profile::BaselineProfile;
use super::fresh::{Fresh, JUDGING_JVMS, SEARCHING_JVMS};
use super::journal::Tally;
use super::known::chosen_for;
use super::observe::observations;
use super::{Effort, Request};
use crate::ExperimentError;
use crate::lab::{Lab, LabError, Labs, Measured, Variant, WindowSpec, abba};
use crate::progress::Progress;
use crate::select::{Baseline, SelectionSettings, Tunables, tables};

/// The laboratory at work for one search.
pub(super) struct Runs<'a> {
    pub(super) lab: &'a mut dyn Lab,
    pub(super) request: &'a Request,
    pub(super) progress: &'a dyn Progress,
    pub(super) tally: Tally,
    /// Starts a JVM for every window; none: all in this one.
    pub(super) fresh: Option<&'a dyn Labs>,
}

impl Runs<'_> {
    pub(super) fn say(&self, text: &str) {
        self.progress.step(text);
    }

    /// A first watched window of the baseline, over several placements.
    pub(super) fn baseline_profile(&mut self) -> Result<BaselineProfile, ExperimentError> {
        self.say("sampling the baseline");
        let effort = self.request.effort;
        let variant = self.lab.baseline();
        let placements = self.placements(effort.watched_s / 2.0);
        let seen = self.window(
            "baseline",
            &[variant],
            &vec![0; placements],
            Some(effort.rate_hz),
        )?;
        let iterations: usize = seen.groups.iter().map(|g| g.iterations.len()).sum();
        let cpu: f64 = seen.groups.iter().map(|g| g.cpu_ns()).sum();
        Ok(BaselineProfile::new(
            self.lab,
            seen.times(),
            cpu / iterations.max(1) as f64,
        ))
    }

    /// Placements that fit into so many seconds, discarded iterations included.
    fn placements(&self, seconds: f64) -> usize {
        let iteration = self.lab.warm().iteration_ns / 1e9;
        let each = self.request.effort.placement_s.max(iteration) + 1.5 * iteration;
        let alignments = self.lab.alignments();
        ((seconds / each / alignments as f64) as usize).clamp(2, 64) * alignments
    }

    fn window(
        &mut self,
        label: &str,
        variants: &[Variant],
        order: &[usize],
        rate_hz: Option<f64>,
    ) -> Result<Measured, LabError> {
        let spec = WindowSpec {
            label,
            seconds: self.request.effort.placement_s,
            iterations: 1,
            rate_hz,
        };
        let measured = self.lab.window(&spec, variants, order)?;
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

    pub(super) fn choose(&self, profile: &BaselineProfile) -> Tunables {
        let executions = profile.executions();
        let baseline = Baseline {
            map: self.lab.map(),
            times: &profile.times,
            executions: &executions,
            iteration_ns: profile.iteration_ns,
            clock_ghz: self.request.clock_ghz,
        };
        let effort = self.request.effort;
        // Baseline samples that the evaluation will have.
        let samples =
            f64::from(effort.evaluation_rounds) * effort.watched_s / 2.0 * effort.rate_hz * 0.7;
        let settings = SelectionSettings {
            ratio: 1.0 + chosen_for(self.request),
            standard_error: 0.10,
            shortest_block_cycles: 0.0,
            shortest_judged_cycles: self.lab.resolution().shortest_judged_cycles(),
            samples: Some(samples),
            ..SelectionSettings::default()
        };
        Tunables::choose(&baseline, &settings)
    }

    /// The code of a plan, compiled once.
    pub(super) fn variant(
        &mut self,
        tunables: &Tunables,
        counts: &[u32],
        known: &mut Vec<(Vec<u32>, Variant)>,
    ) -> Result<Variant, LabError> {
        if let Some((_, variant)) = known.iter().find(|(plan, _)| plan == counts) {
            return Ok(variant.clone());
        }
        let tables = tables(&tunables.instructions(counts), self.request.insertion);
        let variant = self.lab.variant(&tables)?;
        known.push((counts.to_vec(), variant.clone()));
        Ok(variant)
    }

    /// Baseline and plan interleaved, watched and unwatched.
    pub(super) fn round(
        &mut self,
        tunables: &Tunables,
        counts: &[u32],
        variant: &Variant,
        lengths: Lengths,
    ) -> Result<Round, ExperimentError> {
        if let Some(labs) = self.fresh {
            let fresh = Fresh {
                labs,
                main: &*self.lab,
                request: self.request,
                tunables,
            };
            return fresh.round(counts, lengths.jvms, &mut self.tally);
        }
        let effort = self.request.effort;
        let variants = [self.lab.baseline(), variant.clone()];
        let watched = self.window(
            "search",
            &variants,
            &abba(self.placements(lengths.watched * effort.watched_s / 2.0)),
            Some(effort.rate_hz),
        )?;
        let unwatched = self.window(
            "search",
            &variants,
            &abba(self.placements(lengths.unwatched * effort.unwatched_s / 2.0)),
            None,
        )?;
        let none = vec![0; counts.len()];
        let slowed = counts.iter().any(|count| *count > 0);
        let mut round = Round::default();
        let alignments = self.lab.alignments();
        let seen = |variant: usize, counts: &[u32]| {
            let [watched, unwatched] =
                [&watched, &unwatched].map(|all| all.of_variant(variant).collect::<Vec<_>>());
            observations(tunables, counts, &watched, &unwatched, alignments)
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
    /// Processes on each side, where every window is in one of its own.
    jvms: usize,
}

/// The total is what the evaluation must know best.
pub(super) const JUDGING: Lengths = Lengths {
    watched: 1.0,
    unwatched: 2.4,
    jvms: JUDGING_JVMS,
};

/// Rounds of the search are short, but longer where the time is spread over many tunables: the noise of
/// the mean error goes with the sum of the roots of the shares (2.4 for Towers, 5.5 for Queens).
pub(super) fn searching(
    profile: &BaselineProfile,
    tunables: &Tunables,
    effort: &Effort,
) -> Lengths {
    let (samples, _) = tunables.samples(&profile.times);
    let roots: f64 = samples
        .iter()
        .map(|y| (y / profile.times.total.sum.max(1.0)).sqrt())
        .sum();
    Lengths {
        watched: (0.3 * roots).clamp(0.75, 2.0),
        unwatched: effort.search_unwatched,
        jvms: SEARCHING_JVMS,
    }
}
