//! Which blocks can be dosed: those whose instructions all belong to one method.
//!
//! A processor works on many instructions at a time, so that few ones in a block hide other work, or are hidden by it, and the time
//! that they take moves to code of other methods. The amount 1 is therefore as much in every block as a processor looks ahead, and no less
//! than hides in the block itself; a method gets it in few blocks.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_assess::ExcludedBlock;
use proofmark_blocks::{BlockKey, Weight};
use proofmark_rules::{BLOCK_DOSE_SHARE, DOSE_AHEAD_CYCLES};
use proofmark_stats::Estimate;

use super::{HINGE, Known, MOST_GROWTH};
use crate::lab::Lab;

/// Blocks of a method below this share of its blocks' time get nothing.
const LEAST_PART: f64 = 0.005;
/// Single blocks that are tried at most.
const TRIED: usize = 8;
/// Blocks of a method that get something at most.
const BLOCKS: usize = 4;

/// Blocks of one method.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    /// The method.
    pub owner: String,
    /// Words for them.
    pub label: String,
    /// The blocks with their cycles per execution.
    pub blocks: BTreeMap<BlockKey, f64>,
    /// Their share of the program's time, 0 to 1.
    pub share: Estimate,
    /// Growth of the program under the amount 1, as a part of its time, if each instruction took a cycle.
    pub growth: f64,
}

/// Instructions of the amount 1 in a block that takes so many cycles.
fn one(cycles: f64) -> f64 {
    DOSE_AHEAD_CYCLES.max(HINGE * cycles)
}

impl Candidate {
    /// Instructions per block for an amount; one at least.
    pub fn instructions(&self, amount: f64) -> BTreeMap<BlockKey, u32> {
        let of = |(key, cycles): (&BlockKey, &f64)| {
            let count = (amount * one(*cycles)).round();
            (*key, count.clamp(1.0, f64::from(u32::MAX)) as u32)
        };
        self.blocks.iter().map(of).collect()
    }

    /// The largest amount with so many instructions in a block and in a unit.
    pub fn most(&self, (in_block, in_unit): (f64, f64)) -> f64 {
        let mut units: BTreeMap<u32, f64> = BTreeMap::new();
        for (key, cycles) in &self.blocks {
            *units.entry(key.unit).or_default() += one(*cycles);
        }
        let longest = self.blocks.values().copied().map(one).fold(0.0, f64::max);
        let largest = units.into_values().fold(0.0, f64::max);
        (in_block / longest).min(in_unit / largest)
    }

    /// Instructions in the longest block for an amount.
    pub fn largest(&self, amount: f64) -> f64 {
        let counts = self.instructions(amount);
        counts.values().copied().max().map_or(0.0, f64::from)
    }
}

/// Methods and blocks, the largest share first, and what cannot be dosed.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    pub methods: Vec<Candidate>,
    pub blocks: Vec<Candidate>,
    pub excluded: Vec<ExcludedBlock>,
}

/// What can be dosed.
pub(super) fn candidates(lab: &dyn Lab, known: &Known<'_>) -> Candidates {
    let mut found = Candidates::default();
    let mut owned: BTreeMap<String, Vec<BlockKey>> = BTreeMap::new();
    for key in executed(lab) {
        let owners: BTreeSet<String> = (lab.map().owners_of_block(key.unit, key.block).iter())
            .map(ToString::to_string)
            .collect();
        match owners.first().filter(|_| owners.len() == 1) {
            Some(owner) => owned.entry(owner.clone()).or_default().push(key),
            None => found.excluded.extend(shared(lab, known, key, &owners)),
        }
    }
    for (owner, keys) in owned {
        let times = known.times;
        let all = times.weight_of_blocks(keys.iter().copied()).sum;
        let counts = |key: &BlockKey| weight(known, *key).sum >= LEAST_PART * all;
        let keys: Vec<BlockKey> = keys.into_iter().filter(counts).collect();
        let large = |key: &&BlockKey| times.block_share(**key).value >= BLOCK_DOSE_SHARE;
        let single = |key: &BlockKey| candidate(lab, known, &owner, &[*key]);
        let of_all = times.method_share(&owner).value;
        let owned = times.share_of_blocks(keys.iter().copied()).value;
        let mut alone: Vec<BlockKey> = keys.iter().filter(large).copied().collect();
        if of_all >= BLOCK_DOSE_SHARE && owned >= BLOCK_DOSE_SHARE / 2.0 {
            let some = candidate(lab, known, &owner, &hottest(lab, known, keys));
            // The only block of a method's test has no other one.
            alone.retain(|key| some.blocks.len() > 1 || !some.blocks.contains_key(key));
            found.methods.push(some);
        }
        found.blocks.extend(alone.iter().map(single));
    }
    found.methods.sort_by(larger);
    found.blocks.sort_by(larger);
    found.blocks = by_turns(found.blocks);
    found.blocks.truncate(TRIED);
    let by_share =
        |a: &ExcludedBlock, b: &ExcludedBlock| b.share_pct.value.total_cmp(&a.share_pct.value);
    found.excluded.sort_by(by_share);
    found
}

/// The blocks of a method that get something, the largest first: as many as let the program grow by what is allowed, one at least.
fn hottest(lab: &dyn Lab, known: &Known<'_>, mut keys: Vec<BlockKey>) -> Vec<BlockKey> {
    keys.sort_by(|a, b| weight(known, *b).sum.total_cmp(&weight(known, *a).sum));
    let growth = |key: &BlockKey| known.slope_cycles * growth(lab, known, *key);
    let mut sum = 0.0;
    let mut few = Vec::new();
    for key in keys.into_iter().take(BLOCKS) {
        sum += growth(&key);
        if sum > MOST_GROWTH / 2.0 && !few.is_empty() {
            break;
        }
        few.push(key);
    }
    few
}

fn larger(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    b.share.value.total_cmp(&a.share.value)
}

/// The largest block of each method first, then the second of each.
fn by_turns(blocks: Vec<Candidate>) -> Vec<Candidate> {
    let mut met: BTreeMap<String, usize> = BTreeMap::new();
    let mut numbered: Vec<(usize, Candidate)> = Vec::new();
    for block in blocks {
        let turn = met.entry(block.owner.clone()).or_default();
        numbered.push((*turn, block));
        *turn += 1;
    }
    numbered.sort_by_key(|(turn, _)| *turn);
    numbered.into_iter().map(|(_, block)| block).collect()
}

/// Executed blocks of units under control, in a fixed order.
fn executed(lab: &dyn Lab) -> BTreeSet<BlockKey> {
    let units: BTreeSet<u32> = lab.units().into_iter().collect();
    let all = lab.executions().iter();
    all.filter(|(key, executions)| **executions > 0.0 && units.contains(&key.unit))
        .map(|(key, _)| *key)
        .collect()
}

/// A block of several methods, if it matters.
fn shared(
    lab: &dyn Lab,
    known: &Known<'_>,
    key: BlockKey,
    owners: &BTreeSet<String>,
) -> Option<ExcludedBlock> {
    let share = known.times.block_share(key);
    let names: Vec<&str> = owners.iter().map(String::as_str).collect();
    (share.value >= BLOCK_DOSE_SHARE).then(|| ExcludedBlock {
        label: block_label(lab, key),
        share_pct: share.scaled(100.0),
        reason: format!(
            "its instructions belong to several methods: {}",
            names.join(", ")
        ),
    })
}

/// Cycles of an iteration.
fn iteration_cycles(lab: &dyn Lab, known: &Known<'_>) -> f64 {
    lab.warm().iteration_ns * known.clock_ghz
}

/// Cycles of a block per execution, one at least.
fn per_execution(lab: &dyn Lab, known: &Known<'_>, key: BlockKey) -> f64 {
    let share = weight(known, key).sum / known.times.total.sum;
    (share * iteration_cycles(lab, known) / executions(lab, key)).max(1.0)
}

/// Executions of a block in an iteration.
fn executions(lab: &dyn Lab, key: BlockKey) -> f64 {
    lab.executions().get(&key).copied().unwrap_or(0.0)
}

/// Growth under the amount 1 in a block, if each instruction took a cycle.
fn growth(lab: &dyn Lab, known: &Known<'_>, key: BlockKey) -> f64 {
    one(per_execution(lab, known, key)) * executions(lab, key) / iteration_cycles(lab, known)
}

fn candidate(lab: &dyn Lab, known: &Known<'_>, owner: &str, keys: &[BlockKey]) -> Candidate {
    let cycles = |key: &BlockKey| (*key, per_execution(lab, known, *key));
    let blocks = keys.iter().map(cycles).collect();
    let label = match keys {
        [key] => owned_label(lab, *key, owner),
        _ => format!("{} blocks of {owner}", keys.len()),
    };
    Candidate {
        owner: owner.to_owned(),
        label,
        blocks,
        share: known.times.share_of_blocks(keys.iter().copied()),
        growth: keys.iter().map(|key| growth(lab, known, *key)).sum(),
    }
}

fn weight(known: &Known<'_>, key: BlockKey) -> Weight {
    known.times.blocks.get(&key).copied().unwrap_or_default()
}

/// `block 138 of UNIT (METHOD)`; a unit's own method is not named twice.
fn owned_label(lab: &dyn Lab, key: BlockKey, owner: &str) -> String {
    let block = block_label(lab, key);
    match lab.map().units()[key.unit as usize].name == owner {
        true => block,
        false => format!("{block} ({owner})"),
    }
}

fn block_label(lab: &dyn Lab, key: BlockKey) -> String {
    let unit = &lab.map().units()[key.unit as usize];
    format!("block {} of {}", key.block, unit.name)
}
