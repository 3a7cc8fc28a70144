//! A plan measured once more, in processes of their own without loaded profiles: with the plan and without it by turns.
//!
//! Each process warms up, takes its code under control as it has compiled it, and is looked at for some seconds, sampled and
//! not. A unit that it has compiled otherwise than the laboratory is not slowed there, and its blocks are not looked at. What
//! a process says of a set of blocks is one observation.
//!
//! *Accuracy.* Two processes that follow each other make a pair, so that the machine's drift hardly matters. Where not
//! all of the plan fits, what the program gained is brought to the whole plan in proportion to the time that the laboratory
//! saw the fitting part gain; a process of which less than half fits does not count for the total.

use std::collections::BTreeSet;

use proofmark_blocks::BlockKey;
use serde::{Deserialize, Serialize};

use super::fresh::translated;
use super::identity::{TunableName, order, tunable_names};
use super::observe::observations;
use super::renumber::{Renumbering, names};
use super::report::{FreshResult, Process};
use super::{Divined, Series};
use crate::ExperimentError;
use crate::lab::{
    Failure, GroupData, Lab, LabError, Labs, Measured, Preparation, Variant, WindowSpec, abba,
    unit_name,
};
use crate::select::tables;
use crate::session::Session;
use crate::steps;

/// Seconds of sampled windows in a process, and of others.
const EACH_S: f64 = 4.0;
/// Turns through all alignments in either.
const TURNS: usize = 2;
/// Processes that may fail before no further one is started.
const FAILURES: usize = 3;

/// A plan and the laboratory in which it was divined.
pub(super) struct Apart<'a> {
    pub(super) main: &'a dyn Lab,
    pub(super) found: &'a Divined,
    pub(super) series: &'a Series,
    pub(super) target: f64,
}

/// What one process showed, by names that are the same in all of them.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    /// Its place in the order of processes.
    at: usize,
    #[serde(alias = "cells")]
    tunables: Vec<TunableName>,
    /// Slowdown instructions of the plan.
    counts: Vec<u32>,
    seen: Process,
}

impl Apart<'_> {
    /// Measures what the session's steps do not hold yet. Processes that fail are told of.
    ///
    /// # Errors
    /// When the user stops it, or something cannot be stored.
    pub(super) fn run(&self, session: &mut Session<'_>) -> Result<FreshResult, ExperimentError> {
        let order = abba(self.series.effort.fresh_jvms as usize);
        let step = self.step();
        let names = tunable_names(self.main, &self.found.tunables);
        let mut seen = self.stored(session, &step, &names);
        let mut failures = Vec::new();
        for (at, variant) in order.iter().enumerate() {
            if seen.iter().any(|(known, _)| *known == at) {
                continue;
            }
            let slowed = *variant == 1;
            let with = if slowed { "with" } else { "without" };
            let text = format!("fresh JVM {} of {}, {with} the plan", at + 1, order.len());
            session.progress.step(&text);
            match self.process(session.labs, at, slowed) {
                Ok(process) => {
                    let kept = Kept {
                        at,
                        tunables: names.clone(),
                        counts: self.found.outcome.counts.clone(),
                        seen: process,
                    };
                    steps::finish(session.steps, &step, &kept)?;
                    seen.push((at, kept.seen));
                }
                Err(error) if error.failure.is_the_processes_own() => {
                    session
                        .progress
                        .note(&format!("fresh JVM {}: {error}", at + 1));
                    failures.push(error.to_string());
                }
                Err(error) => return Err(error.into()),
            }
            if failures.len() >= FAILURES {
                break;
            }
        }
        let (tunables, evaluation) = (self.found.tunables.as_slice(), &self.found.evaluation);
        Ok(FreshResult::new(&seen, failures, (tunables, evaluation)))
    }

    fn step(&self) -> String {
        let insertion = self.series.insertion;
        let target = 100.0 * self.target;
        format!(
            "fresh +{target:.1} % {:?} {:?}",
            insertion.filler, insertion.at
        )
    }

    /// Processes that an interrupted run has seen under this plan, in the order of the tunables here.
    fn stored(
        &self,
        session: &Session<'_>,
        step: &str,
        names: &[TunableName],
    ) -> Vec<(usize, Process)> {
        let counts = &self.found.outcome.counts;
        let of_plan = |kept: Kept| {
            let order = order(names, &kept.tunables)?;
            let same = order
                .iter()
                .zip(counts)
                .all(|(at, k)| kept.counts[*at] == *k);
            let tunables = order.iter().map(|at| kept.seen.tunable_ns[*at]).collect();
            same.then_some((
                kept.at,
                Process {
                    tunable_ns: tunables,
                    ..kept.seen
                },
            ))
        };
        let results = session.steps.results(step).into_iter();
        let kept = results.filter_map(|result| Kept::deserialize(result).ok());
        kept.filter_map(of_plan).collect()
    }

    /// One process, with the plan or without.
    fn process(&self, labs: &dyn Labs, at: usize, slowed: bool) -> Result<Process, LabError> {
        let (tunables, counts) = (&self.found.tunables, &self.found.outcome.counts);
        let instructions = tunables.instructions(counts);
        let units: BTreeSet<u32> = instructions.keys().map(|key| key.unit).collect();
        let name = |unit: &u32| unit_name(self.main, *unit).to_owned();
        let mut lab = labs.prepare_alone(&Preparation {
            name: format!("fresh-{at}"),
            wanted: units.iter().map(name).collect(),
            filler: Some(self.series.insertion.filler),
            ..Preparation::default()
        })?;
        let lost = |text: String| LabError::new(Failure::UnitsLost, text);
        let there = Renumbering::new(&names(self.main), &*lab, &BTreeSet::new()).map_err(lost)?;
        let back = Renumbering::new(&names(&*lab), self.main, &BTreeSet::new()).map_err(lost)?;
        let tables = tables(&translated(&instructions, &there), self.series.insertion);
        let variant = match slowed && !tables.is_empty() {
            true => lab.variant(&tables)?,
            false => lab.baseline(),
        };
        let rate_hz = self.series.effort.rate_hz;
        let mut windows = [
            window(&mut *lab, &variant, Some(rate_hz))?,
            window(&mut *lab, &variant, None)?,
        ];
        let alignments = lab.alignments();
        lab.stop();
        for group in windows.iter_mut().flat_map(|seen| &mut seen.groups) {
            group.times = back.times(&group.times);
        }
        let [watched, unwatched] = &windows;
        let (watched, unwatched) = (placements(watched), placements(unwatched));
        let seen = observations(tunables, counts, &watched, &unwatched, alignments);
        let is_there = |key: &BlockKey| there.block(*key).is_some();
        let in_place = |tunable: usize| tunables.blocks(tunable).iter().all(is_there);
        let in_place: Vec<bool> = (0..counts.len()).map(in_place).collect();
        Ok(Process::of(&seen, &in_place, slowed).with_part(self.part(&is_there)))
    }

    /// Part of the time that the plan adds, as the laboratory saw it, that is added where the code is the same, 0 to 1. Of a
    /// tunable that is there in part, that of its instructions.
    fn part(&self, is_there: &dyn Fn(&BlockKey) -> bool) -> f64 {
        let (tunables, executions) = (&self.found.tunables, self.main.executions());
        let instructions = tunables.instructions(&self.found.outcome.counts);
        let executed = |key: &BlockKey| {
            let each = executions.get(key).copied().unwrap_or(0.0);
            each * instructions.get(key).map_or(0.0, |count| f64::from(*count))
        };
        let (mut there, mut all) = (0.0, 0.0);
        for (tunable, seen) in self.found.evaluation.tunables.iter().enumerate() {
            let overhead = seen.achieved_overhead_pct.map_or(0.0, |pct| pct.value);
            let added = seen.share_pct * overhead.max(0.0);
            let blocks = tunables.blocks(tunable);
            let every: f64 = blocks.iter().map(&executed).sum();
            let fitting = blocks.iter().filter(|key| is_there(key));
            let found: f64 = fitting.map(&executed).sum();
            if every > 0.0 {
                all += added;
                there += added * found / every;
            }
        }
        if all > 0.0 { there / all } else { 0.0 }
    }
}

fn placements(window: &Measured) -> Vec<&GroupData> {
    window.groups.iter().collect()
}

/// Some turns through all alignments under one code.
fn window(
    lab: &mut dyn Lab,
    variant: &Variant,
    rate_hz: Option<f64>,
) -> Result<Measured, LabError> {
    let placements = TURNS * lab.alignments();
    let spec = WindowSpec {
        label: "fresh",
        seconds: EACH_S / placements as f64,
        iterations: 1,
        rate_hz,
    };
    lab.window(&spec, std::slice::from_ref(variant), &vec![0; placements])
}
