//! `divine --fresh`: the published protocol, every window of the search in a JVM of its own.
//!
//! Baseline and plan alternate; each JVM loads the profiles of the first one, so that it compiles the
//! same code, and runs once through all shifts in the cache line sampled, and once not sampled.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;
use proofmark_blocks::BlockKey;
use proofmark_divine::{Observation, Round};
use proofmark_jvm::{Bench, UnitTable, WindowSpec, abba};

use super::cells::{Cells, tables};
use super::divine::Request;
use super::journal::Tally;
use super::observe::observations;
use super::renumber::{Renumbering, names};

/// JVMs per side and round.
const JVMS: usize = 3;
/// Tries for one window, if a JVM compiles other code.
const TRIES: usize = 3;

/// How JVMs are started: with the profiles and units of the first one.
pub struct Fresh<'a> {
    /// Starts one.
    pub start: Box<dyn Fn(Vec<String>) -> anyhow::Result<Bench> + 'a>,
}

impl Fresh<'_> {
    /// A round of the search; `main` is the JVM whose numbers the cells have.
    ///
    /// # Errors
    /// When a JVM fails or keeps compiling other code.
    pub fn round(
        &self,
        main: &Bench,
        request: &Request,
        cells: &Cells,
        counts: &[u32],
        tally: &mut Tally,
    ) -> anyhow::Result<Round> {
        let slowed = counts.iter().any(|count| *count > 0);
        let none = vec![0; counts.len()];
        let mut round = Round::default();
        for side in abba(JVMS) {
            let counts = if side == 0 { &none[..] } else { counts };
            let seen = self.windows(main, request, cells, counts, tally)?;
            if side == 1 && slowed {
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
        main: &Bench,
        request: &Request,
        cells: &Cells,
        counts: &[u32],
        tally: &mut Tally,
    ) -> anyhow::Result<Vec<Observation>> {
        let instructions = cells.instructions(counts);
        let needed: BTreeSet<u32> = instructions.keys().map(|key| key.unit).collect();
        let wanted: Vec<String> = needed
            .iter()
            .map(|unit| main.unit_name(*unit).to_owned())
            .collect();
        let mut difference = String::new();
        for _ in 0..TRIES {
            let mut bench = (self.start)(wanted.clone())?;
            match Renumbering::new(&names(main), &bench, &needed) {
                Ok(there) => {
                    let seen = watch(
                        &mut bench,
                        main,
                        request,
                        (cells, counts),
                        &translated(&instructions, &there),
                        tally,
                    );
                    bench.stop();
                    return seen;
                }
                Err(text) => {
                    difference = text;
                    tally.repeats += 1;
                    bench.stop();
                }
            }
        }
        Err(anyhow::anyhow!(difference)).with_context(|| {
            format!("{TRIES} fresh JVMs in a row compiled other code than the first one")
        })
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

fn watch(
    bench: &mut Bench,
    main: &Bench,
    request: &Request,
    (cells, counts): (&Cells, &[u32]),
    instructions: &BTreeMap<BlockKey, u32>,
    tally: &mut Tally,
) -> anyhow::Result<Vec<Observation>> {
    let (filler, placement) = request.filler;
    let tables: Vec<UnitTable> = tables(instructions, filler, placement);
    let side = if tables.is_empty() {
        bench.baseline()
    } else {
        bench.side(&tables)?
    };
    let back =
        Renumbering::new(&names(bench), main, &BTreeSet::new()).map_err(anyhow::Error::msg)?;
    let effort = request.effort;
    let mut seen = Vec::new();
    for (seconds, rate_hz) in [
        (effort.watched_s, Some(effort.rate_hz)),
        (effort.unwatched_s, None),
    ] {
        let shifts = bench.shifts();
        let spec = WindowSpec {
            label: "fresh",
            seconds: seconds / (2 * JVMS * shifts) as f64,
            iterations: 3,
            rate_hz,
        };
        let order = vec![0; shifts];
        let mut measured = bench.window(&spec, std::slice::from_ref(&side), &order, &mut ())?;
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
        seen.extend(observations(cells, counts, &watched, &unwatched, shifts));
    }
    Ok(seen)
}
