//! `divine --fresh`: every window of the search in a JVM of its own, as the published protocol has it.
//!
//! Baseline and plan alternate; each JVM runs once through all alignments in the cache line sampled, and once not sampled. It
//! compiles by what it has seen itself, or loads the profiles of the first one. One that compiled other code than the first
//! one cannot take its plan, and another one is started instead.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_blocks::BlockKey;
use proofmark_divine::{Observation, Round, TunableKind};

use super::Request;
use super::journal::Tally;
use super::observe::observations;
use super::renumber::{Renumbering, names};
use crate::ExperimentError;
use crate::lab::{Failure, Lab, LabError, Labs, Preparation, WindowSpec, abba, unit_name};
use crate::select::{SMALL_UNITS, Tunables, tables};

/// JVMs per variant in a round of the search.
pub(super) const SEARCHING_JVMS: usize = 3;
/// JVMs per variant in a round of the evaluation.
pub(super) const JUDGING_JVMS: usize = 5;
/// Rounds of the evaluation: ten JVMs with the plan and ten without.
pub(super) const JUDGING_ROUNDS: u32 = 2;
/// Tries for one window, if a JVM compiles other code.
const TRIES: usize = 3;

/// Windows of a search in JVMs of their own.
pub struct Fresh<'a> {
    /// Starts them.
    pub labs: &'a dyn Labs,
    /// The first one, whose numbers the tunables have.
    pub main: &'a dyn Lab,
    /// What is searched for.
    pub request: &'a Request,
    /// What is judged.
    pub tunables: &'a Tunables,
}

impl Fresh<'_> {
    /// A round in so many JVMs with these counts, and as many without.
    ///
    /// # Errors
    /// When a JVM fails or keeps compiling other code.
    pub fn round(
        &self,
        counts: &[u32],
        jvms: usize,
        tally: &mut Tally,
    ) -> Result<Round, ExperimentError> {
        let slowed = counts.iter().any(|count| *count > 0);
        let none = vec![0; counts.len()];
        let mut round = Round::default();
        for variant in abba(jvms) {
            let counts = if variant == 0 { &none[..] } else { counts };
            let seen = self.windows(counts, tally)?;
            if variant == 1 && slowed {
                round.slowed.extend(seen)
            } else {
                round.baseline.extend(seen)
            }
        }
        Ok(round)
    }

    /// Two windows in one JVM that compiled the same code as the first one.
    fn windows(
        &self,
        counts: &[u32],
        tally: &mut Tally,
    ) -> Result<Vec<Observation>, ExperimentError> {
        let main = self.main;
        let instructions = self.tunables.instructions(counts);
        let needed = self.judged();
        let units: BTreeSet<u32> = instructions.keys().map(|key| key.unit).collect();
        let wanted: Vec<String> = units
            .iter()
            .map(|unit| unit_name(main, *unit).to_owned())
            .collect();
        let mut difference = String::new();
        for _ in 0..TRIES {
            let mut lab = self.labs.prepare(&Preparation {
                name: "fresh".into(),
                wanted: wanted.clone(),
                run: 0,
                profiler: None,
                filler: Some(main.filler()),
            })?;
            match Renumbering::new(&names(main), &*lab, &needed) {
                Ok(there) => {
                    let there = translated(&instructions, &there);
                    let seen = self.watch(&mut *lab, counts, &there, tally);
                    lab.stop();
                    return seen;
                }
                Err(text) => {
                    difference = text;
                    tally.repeats += 1;
                    lab.stop();
                }
            }
        }
        let text = format!(
            "{TRIES} fresh JVMs in a row compiled other code than the first one: {difference}"
        );
        Err(LabError::new(Failure::UnitsLost, text).into())
    }

    /// Units with judged blocks. Small ones, of which only the total is known, may have other code in some JVMs.
    fn judged(&self) -> BTreeSet<u32> {
        let tunables = self.tunables.as_slice().iter().enumerate();
        let judged = tunables
            .filter(|(_, tunable)| {
                tunable.kind == TunableKind::Block && tunable.unit != SMALL_UNITS
            })
            .flat_map(|(at, _)| self.tunables.blocks(at));
        judged.map(|key| key.unit).collect()
    }

    fn watch(
        &self,
        lab: &mut dyn Lab,
        counts: &[u32],
        instructions: &BTreeMap<BlockKey, u32>,
        tally: &mut Tally,
    ) -> Result<Vec<Observation>, ExperimentError> {
        let tables = tables(instructions, self.request.insertion);
        let variant = if tables.is_empty() {
            lab.baseline()
        } else {
            lab.variant(&tables)?
        };
        let back = Renumbering::new(&names(lab), self.main, &BTreeSet::new())
            .map_err(|text| LabError::new(Failure::UnitsLost, text))?;
        let effort = self.request.effort;
        let mut seen = Vec::new();
        for (seconds, rate_hz) in [
            (effort.watched_s, Some(effort.rate_hz)),
            (effort.unwatched_s, None),
        ] {
            let alignments = lab.alignments();
            let spec = WindowSpec {
                label: "fresh",
                seconds: seconds / (2 * SEARCHING_JVMS * alignments) as f64,
                iterations: 3,
                rate_hz,
            };
            let order = vec![0; alignments];
            let mut measured = lab.window(&spec, std::slice::from_ref(&variant), &order)?;
            tally.lost += measured.loss.lost;
            tally.throttled += measured.loss.throttled;
            tally.repeats += measured.repeats;
            for group in &mut measured.groups {
                tally.samples += group.times.total.sum as u64;
                group.times = back.times(&group.times);
            }
            let groups: Vec<_> = measured.groups.iter().collect();
            let (watched, unwatched) = match rate_hz {
                Some(_) => (groups, Vec::new()),
                None => (Vec::new(), groups),
            };
            seen.extend(observations(
                self.tunables,
                counts,
                &watched,
                &unwatched,
                alignments,
            ));
        }
        Ok(seen)
    }
}

/// Instructions of blocks there; those of code that is not there are left out.
pub(super) fn translated(
    instructions: &BTreeMap<BlockKey, u32>,
    there: &Renumbering,
) -> BTreeMap<BlockKey, u32> {
    instructions
        .iter()
        .filter_map(|(key, count)| Some((there.block(*key)?, *count)))
        .collect()
}
