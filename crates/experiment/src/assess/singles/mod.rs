//! Chooses blocks for single-block experiments and how much they are slowed.

mod screen;

use std::collections::{BTreeMap, BTreeSet};

use proofmark_assess::ExcludedBlock;
use proofmark_blocks::{BlockKey, BlockTimes};

use crate::lab::{Insertion, Lab, LabError, UnitTable, Variant, WindowSpec, abba};
use crate::progress::Progress;
use crate::select::{
    Baseline, BlockRate, Cells, SelectionSettings, SingleTarget, SlowingStep, single_targets,
    slowing_for,
};
use crate::tables::NamedTable;

/// Growth of the run time that is aimed at, as a part of it.
const GROWTH: f64 = 0.10;
/// Growth that ends the trying.
const WANTED: std::ops::RangeInclusive<f64> = GROWTH * 0.7..=GROWTH * 1.4;
/// Counts that are tried in one block at most.
const TRIES: u32 = 6;
/// Growth that will do.
const ACCEPTED: std::ops::RangeInclusive<f64> = 0.04..=0.25;
/// Most instructions in one block.
const MOST: u32 = 20_000;
/// Blocks that are tried at most.
const TRIED: usize = 8;
/// Smallest share of a block that is slowed.
const SHARE: f64 = 0.02;

/// One block that is slowed alone.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Single {
    /// The block with its number of instructions.
    pub table: NamedTable,
    /// The method that owns it.
    pub owner: String,
    /// Words for the report.
    pub label: String,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Chosen {
    /// Blocks that serve.
    pub singles: Vec<Single>,
    /// Blocks that were looked at and do not, with the reason.
    pub excluded: Vec<ExcludedBlock>,
}

/// What is known of processor and program before a block is tried.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// Where the time goes when nothing is slowed.
    pub times: &'a BlockTimes,
    /// Core clock, GHz.
    pub clock_ghz: f64,
    /// Cycles that a slowdown instruction mostly costs.
    pub slope_cycles: f64,
}

/// Chooses up to `most` blocks of different methods where possible and finds counts that slow the
/// program by about a tenth. A block serves only if a look at it shows that what is added stays its
/// method's.
///
/// # Errors
/// When the laboratory fails.
pub fn choose(
    lab: &mut dyn Lab,
    known: &Known<'_>,
    most: usize,
    progress: &dyn Progress,
) -> Result<Chosen, LabError> {
    let mut chosen = Chosen::default();
    let iteration_ns = lab.warm().iteration_ns;
    let baseline = Baseline {
        map: lab.map(),
        times: known.times,
        executions: lab.executions(),
        iteration_ns,
        clock_ghz: known.clock_ghz,
    };
    let cells = Cells::choose(&baseline, &settings(lab));
    let mut targets = single_targets(lab.map(), cells.selection());
    targets.retain(|target| target.share.value >= SHARE);
    for target in targets.into_iter().take(TRIED) {
        if chosen.singles.len() == most {
            break;
        }
        let rate = BlockRate {
            executions_per_s: lab.executions().get(&target.block).copied().unwrap_or(0.0)
                / (iteration_ns / 1e9),
            cycles_per_instruction: known.slope_cycles,
            clock_hz: known.clock_ghz * 1e9,
        };
        match tried(lab, &target, &rate, &chosen.singles, progress)? {
            Ok(single) => chosen.singles.push(single),
            Err(reason) => chosen.excluded.push(ExcludedBlock {
                label: label(lab, target.block),
                share_pct: target.share.scaled(100.0),
                reason,
            }),
        }
    }
    Ok(chosen)
}

/// The experiment with one block, or why it cannot be one.
fn tried(
    lab: &mut dyn Lab,
    target: &SingleTarget,
    rate: &BlockRate,
    chosen: &[Single],
    progress: &dyn Progress,
) -> Result<Result<Single, String>, LabError> {
    let known = |owner: &String| chosen.iter().any(|single| single.owner == *owner);
    let taken = |owner: &String| format!("another block of {owner} serves already");
    if let Some(owner) = target.owner.as_ref().filter(|owner| known(owner)) {
        return Ok(Err(taken(owner)));
    }
    let count = match calibrated(lab, target.block, rate, progress)? {
        Ok(count) => count,
        Err(reason) => return Ok(Err(reason)),
    };
    Ok(match keeper(lab, target.block, count, progress)? {
        Ok(owner) if known(&owner) => Err(taken(&owner)),
        Ok(owner) => Ok(single(lab, target.block, owner, count)),
        Err(reason) => Err(reason),
    })
}

fn single(lab: &dyn Lab, block: BlockKey, owner: String, count: u32) -> Single {
    let unit = &lab.map().units()[block.unit as usize];
    Single {
        table: NamedTable {
            unit: unit.name.clone(),
            signature: unit.signature.clone(),
            counts: BTreeMap::from([(block.block, count)]),
        },
        owner,
        label: label(lab, block),
    }
}

fn label(lab: &dyn Lab, block: BlockKey) -> String {
    let unit = &lab.map().units()[block.unit as usize];
    format!("block {} of {}", block.block, unit.name)
}

/// A block is slowed by so much that its own time need not be known well: every one of [`SHARE`] may serve.
fn settings(lab: &dyn Lab) -> SelectionSettings {
    SelectionSettings {
        samples: Some(1e9),
        shortest_judged_cycles: lab.resolution().shortest_judged_cycles(),
        ..SelectionSettings::default()
    }
}

/// A count that slows the program by about [`GROWTH`], found by trying; words if the block does not respond.
fn calibrated(
    lab: &mut dyn Lab,
    block: BlockKey,
    rate: &BlockRate,
    progress: &dyn Progress,
) -> Result<Result<u32, String>, LabError> {
    let first = slowing_for(rate, GROWTH, MOST).unwrap_or(SlowingStep {
        instructions: 1,
        growth: GROWTH,
    });
    let mut tried = Tried::default();
    let mut count = first.instructions.max(1);
    loop {
        let growth = growth(lab, block, count, progress)?;
        tried.note(count, growth);
        match tried.next(count, growth) {
            Some(next) if tried.times < TRIES => count = next,
            _ if ACCEPTED.contains(&growth) => return Ok(Ok(count)),
            _ => {
                return Ok(Err(format!(
                    "{count} instructions in it change the run time by {:+.1} %, and no other number brings it to {:.0} to {:.0} %",
                    growth * 100.0,
                    ACCEPTED.start() * 100.0,
                    ACCEPTED.end() * 100.0
                )));
            }
        }
    }
}

/// Counts of one block between which the wanted growth lies. The first instructions are often free, so
/// that growth is no proportion of the count.
#[derive(Default)]
struct Tried {
    /// Largest count that was too small.
    low: Option<u32>,
    /// Smallest count that was too large.
    high: Option<u32>,
    times: u32,
}

impl Tried {
    fn note(&mut self, count: u32, growth: f64) {
        self.times += 1;
        if growth < GROWTH {
            self.low = Some(self.low.map_or(count, |low| low.max(count)));
        } else {
            self.high = Some(self.high.map_or(count, |high| high.min(count)));
        }
    }

    /// The next count to try; none if this one will do or there is none between.
    fn next(&self, count: u32, growth: f64) -> Option<u32> {
        if WANTED.contains(&growth) {
            return None;
        }
        let next = match (self.low, self.high) {
            (Some(low), Some(high)) => (low + high) / 2,
            (Some(low), None) => low.saturating_mul(3).min(MOST),
            (None, _) => count / 3,
        };
        let outside = Some(next) == self.low || Some(next) == self.high || next == 0;
        (!outside).then_some(next)
    }
}

/// The code with instructions in one block.
fn variant(lab: &mut dyn Lab, block: BlockKey, count: u32) -> Result<Variant, LabError> {
    let counts = vec![(block.block, count)];
    let insertion = Insertion::single(lab.filler());
    lab.variant(&[UnitTable::new(block.unit, insertion, counts)])
}

/// The one method that owns what is inserted into a block, if all the added time stays with it; else words.
fn keeper(
    lab: &mut dyn Lab,
    block: BlockKey,
    count: u32,
    progress: &dyn Progress,
) -> Result<Result<String, String>, LabError> {
    progress.step("looking whether the added time stays where it was put");
    let slowed = variant(lab, block, count)?;
    let codes = slowed.shifted.first().into_iter().flatten();
    let owners: BTreeSet<_> = codes
        .flat_map(|code| lab.map().owners_of_inserted(*code))
        .collect();
    let keeper = match owners.first().filter(|_| owners.len() == 1) {
        Some(owner) => screen::stays(lab, &slowed, owner, progress)?.map(|()| owner.to_string()),
        None => Err("what is put into it belongs to several methods".to_owned()),
    };
    lab.forget(&slowed)?;
    Ok(keeper)
}

/// Growth of the run time, unwatched and interleaved.
fn growth(
    lab: &mut dyn Lab,
    block: BlockKey,
    count: u32,
    progress: &dyn Progress,
) -> Result<f64, LabError> {
    progress.step(&format!("trying {count} instructions in one block"));
    let slowed = variant(lab, block, count)?;
    let variants = [lab.baseline(), slowed.clone()];
    let spec = WindowSpec {
        label: "growth",
        seconds: 0.08,
        iterations: 2,
        rate_hz: None,
    };
    let measured = lab.window(&spec, &variants, &abba(8))?;
    lab.forget(&slowed)?;
    let per_iteration = |variant: usize| {
        let (cpu, n) = measured
            .of_variant(variant)
            .fold((0.0, 0), |(cpu, n), group| {
                (cpu + group.cpu_ns(), n + group.iterations.len())
            });
        cpu / f64::from(u32::try_from(n.max(1)).unwrap_or(u32::MAX))
    };
    Ok(per_iteration(1) / per_iteration(0) - 1.0)
}

#[cfg(test)]
mod tests {
    use super::{Tried, WANTED};

    /// Counts until the growth will do, where the first 30 instructions are free and each other one costs 0.5 %.
    #[test]
    fn counts_close_in_on_the_wanted_growth() {
        let mut tried = Tried::default();
        let mut count = 12;
        let growth = |count: u32| f64::from(count.saturating_sub(30)) * 0.005;
        for _ in 0..8 {
            tried.note(count, growth(count));
            let Some(next) = tried.next(count, growth(count)) else {
                break;
            };
            count = next;
        }
        assert!(WANTED.contains(&growth(count)), "{count}");
        assert!(tried.times <= 5, "{}", tried.times);
    }
}
