//! `divine --fresh`: the published protocol, every window of the search in a JVM of its own.
//!
//! Baseline and plan alternate; each JVM loads the profiles of the first one, so that it compiles the
//! same code, and runs once through all shifts in the cache line sampled, and once not sampled.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_blocks::BlockKey;
use proofmark_divine::{Observation, Round};

use super::Request;
use super::journal::Tally;
use super::observe::observations;
use super::renumber::{Renumbering, names};
use crate::ExperimentError;
use crate::lab::{Failure, Lab, LabError, Labs, Preparation, WindowSpec, abba, unit_name};
use crate::select::{Cells, tables};

/// JVMs per variant and round.
const JVMS: usize = 3;
/// Tries for one window, if a JVM compiles other code.
const TRIES: usize = 3;

/// Windows of a search in JVMs of their own.
pub struct Fresh<'a> {
    /// Starts them, with the profiles and units of the first one.
    pub labs: &'a dyn Labs,
    /// The first one, whose numbers the cells have.
    pub main: &'a dyn Lab,
    /// What is searched for.
    pub request: &'a Request,
    /// What is judged.
    pub cells: &'a Cells,
}

impl Fresh<'_> {
    /// A round of the search.
    ///
    /// # Errors
    /// When a JVM fails or keeps compiling other code.
    pub fn round(&self, counts: &[u32], tally: &mut Tally) -> Result<Round, ExperimentError> {
        let slowed = counts.iter().any(|count| *count > 0);
        let none = vec![0; counts.len()];
        let mut round = Round::default();
        for variant in abba(JVMS) {
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
        let instructions = self.cells.instructions(counts);
        let needed: BTreeSet<u32> = instructions.keys().map(|key| key.unit).collect();
        let wanted: Vec<String> = needed
            .iter()
            .map(|unit| unit_name(main, *unit).to_owned())
            .collect();
        let mut difference = String::new();
        for _ in 0..TRIES {
            let mut lab = self.labs.prepare(&Preparation {
                name: "fresh".into(),
                wanted: wanted.clone(),
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
            let shifts = lab.shifts();
            let spec = WindowSpec {
                label: "fresh",
                seconds: seconds / (2 * JVMS * shifts) as f64,
                iterations: 3,
                rate_hz,
            };
            let order = vec![0; shifts];
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
                self.cells, counts, &watched, &unwatched, shifts,
            ));
        }
        Ok(seen)
    }
}

fn translated(
    instructions: &BTreeMap<BlockKey, u32>,
    there: &Renumbering,
) -> BTreeMap<BlockKey, u32> {
    instructions
        .iter()
        .filter_map(|(key, count)| Some((there.block(*key)?, *count)))
        .collect()
}
