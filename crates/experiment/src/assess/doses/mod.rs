//! What is dosed in the laboratory: blocks of the hottest methods, and single blocks; and how much, by the clock.
//!
//! Nothing is left out because our own samples did not find it again: what was tried and is not used does not respond to
//! instructions, or does not belong to one method, and is told with the reason.

mod control;
mod found;
mod order;
mod targets;

use std::collections::{BTreeMap, BTreeSet};

use proofmark_assess::ExcludedBlock;
use proofmark_blocks::{BlockKey, BlockTimes};
use proofmark_stats::Estimate;
use serde::{Deserialize, Serialize};

pub use control::{CONTROL_METHODS, dosed_under};
pub use found::{block_doses, watched};
pub use order::{conditions, seconds};
use targets::Candidate;

use crate::dose::blocks::{AmountSettings, Amounts, find_amounts};
use crate::lab::{Insertion, Lab, LabError, Variant, WindowSpec, abba};
use crate::progress::Progress;
use crate::select;
use crate::tables::NamedTable;

/// Methods that are dosed besides single blocks, at most.
pub const METHODS: u32 = 4;
/// Most instructions in one block, and in a unit.
const MOST: (f64, f64) = (20_000.0, 100_000.0);
/// Free instructions per cycle of a block.
const HINGE: f64 = 1.6;
/// Growth of the program, as a part of its time, that the least dose may have by what is known before anything is tried.
const MOST_GROWTH: f64 = 6.0;

/// Blocks of one method with their instructions under both doses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DoseTarget {
    /// The method that owns them.
    pub owner: String,
    /// Words for the report: `block 138 of UNIT`, `26 blocks of METHOD`.
    pub label: String,
    /// Number of blocks.
    pub blocks: usize,
    /// Their share of the program's time, 0 to 1.
    pub share: Estimate,
    /// Instructions under the low dose.
    pub low: Vec<NamedTable>,
    /// Instructions under the high dose.
    pub high: Vec<NamedTable>,
}

impl DoseTarget {
    /// Instructions in all blocks under both doses.
    #[must_use]
    pub fn instructions(&self) -> [u64; 2] {
        let counts = |tables: &[NamedTable]| {
            let all = tables.iter().flat_map(|table| table.counts.values());
            all.map(|count| u64::from(*count)).sum()
        };
        [counts(&self.low), counts(&self.high)]
    }

    /// Instructions in the block that got most, under both doses.
    #[must_use]
    pub fn most(&self) -> [u16; 2] {
        let most = |tables: &[NamedTable]| {
            let all = tables.iter().flat_map(|table| table.counts.values());
            u16::try_from(all.copied().max().unwrap_or(0)).unwrap_or(u16::MAX)
        };
        [most(&self.low), most(&self.high)]
    }
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chosen {
    /// What is dosed: methods, then single blocks.
    pub targets: Vec<DoseTarget>,
    /// What was looked at and is not, with the reason.
    pub excluded: Vec<ExcludedBlock>,
}

/// What is known of processor and program before anything is tried.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// Where the time goes when nothing is slowed.
    pub times: &'a BlockTimes,
    /// Core clock, GHz.
    pub clock_ghz: f64,
    /// Cycles that a slowdown instruction mostly costs.
    pub slope_cycles: f64,
}

/// Chooses up to [`METHODS`] methods and `singles` single blocks, of different methods where possible, and finds a low and
/// a high dose for each.
///
/// # Errors
/// When the laboratory fails.
pub fn choose(
    lab: &mut dyn Lab,
    known: &Known<'_>,
    singles: usize,
    progress: &dyn Progress,
) -> Result<Chosen, LabError> {
    let found = targets::candidates(lab, known);
    let mut chosen = Chosen {
        targets: Vec::new(),
        excluded: found.excluded,
    };
    for (candidates, most) in [(found.methods, METHODS as usize), (found.blocks, singles)] {
        let mut used = 0;
        for candidate in candidates {
            if used == most {
                break;
            }
            match dosed(lab, &candidate, known, progress)? {
                Ok(target) => {
                    used += 1;
                    chosen.targets.push(target);
                }
                Err(reason) => chosen.excluded.push(ExcludedBlock {
                    label: candidate.label.clone(),
                    share_pct: candidate.share.scaled(100.0),
                    reason,
                }),
            }
        }
    }
    Ok(chosen)
}

/// The candidate with its doses, or why it has none.
fn dosed(
    lab: &mut dyn Lab,
    candidate: &Candidate,
    known: &Known<'_>,
    progress: &dyn Progress,
) -> Result<Result<DoseTarget, String>, LabError> {
    // In code that is passed so often that this much is too much, a pass overlaps with the next one of the same block.
    let expected = candidate.growth * known.slope_cycles;
    let settings = AmountSettings {
        least: f64::min(1.0, MOST_GROWTH / expected),
        ..AmountSettings::default()
    };
    let guess = f64::max(1.0, settings.low / expected).min(MOST_GROWTH / expected);
    let most = candidate.most(MOST);
    let mut strangers = None;
    let clock = |amount: f64| {
        progress.step(&format!("dosing {}", candidate.label));
        let (growth, owners) = growth(lab, &candidate.instructions(amount))?;
        if owners.iter().any(|owner| *owner != candidate.owner) {
            strangers = Some(owners);
        }
        Ok(growth)
    };
    let found = find_amounts(clock, (guess, most), &settings)?;
    if let Some(owners) = strangers {
        let owners: Vec<String> = owners.into_iter().collect();
        return Ok(Err(format!(
            "what is put into it belongs to several methods: {}",
            owners.join(", ")
        )));
    }
    let Amounts { low, high } = match found {
        Ok(amounts) => amounts,
        Err(growth) => {
            return Ok(Err(format!(
                "up to {:.0} instructions in a block change the run time by {:+.0} %, and no two doses differ enough",
                candidate.largest(most),
                100.0 * growth
            )));
        }
    };
    progress.step(&format!(
        "{}: {:+.0} and {:+.0} %",
        candidate.label,
        100.0 * low.1,
        100.0 * high.1
    ));
    Ok(Ok(DoseTarget {
        owner: candidate.owner.clone(),
        label: candidate.label.clone(),
        blocks: candidate.blocks.len(),
        share: candidate.share,
        low: named(lab, &candidate.instructions(low.0)),
        high: named(lab, &candidate.instructions(high.0)),
    }))
}

/// Instructions by block, by name.
fn named(lab: &dyn Lab, instructions: &BTreeMap<BlockKey, u32>) -> Vec<NamedTable> {
    let mut tables: BTreeMap<u32, NamedTable> = BTreeMap::new();
    for (key, count) in instructions {
        let unit = &lab.map().units()[key.unit as usize];
        let table = tables.entry(key.unit).or_insert_with(|| NamedTable {
            unit: unit.name.clone(),
            signature: unit.signature.clone(),
            counts: BTreeMap::new(),
        });
        table.counts.insert(key.block, *count);
    }
    tables.into_values().collect()
}

/// Growth of the run time under these instructions, unwatched and interleaved, and the methods that own them.
fn growth(
    lab: &mut dyn Lab,
    instructions: &BTreeMap<BlockKey, u32>,
) -> Result<(f64, BTreeSet<String>), LabError> {
    let insertion = Insertion::plan(lab.filler());
    let slowed = lab.variant(&select::tables(instructions, insertion))?;
    let owners = owners(lab, &slowed);
    let spec = WindowSpec {
        label: "growth",
        seconds: 0.08,
        iterations: 2,
        rate_hz: None,
    };
    let variants = [lab.baseline(), slowed.clone()];
    let measured = lab.window(&spec, &variants, &abba(4))?;
    lab.forget(&slowed)?;
    let per_iteration = |variant: usize| {
        let groups = measured.of_variant(variant);
        let (cpu, n) = groups.fold((0.0, 0.0), |(cpu, n), group| {
            (cpu + group.cpu_ns(), n + group.iterations.len() as f64)
        });
        cpu / n
    };
    Ok((per_iteration(1) / per_iteration(0) - 1.0, owners))
}

/// Methods that own what was put into a variant's code.
fn owners(lab: &dyn Lab, variant: &Variant) -> BTreeSet<String> {
    let codes = variant.aligned.iter().flatten();
    codes
        .flat_map(|code| lab.map().owners_of_inserted(*code))
        .map(|owner| owner.to_string())
        .collect()
}
