//! Which blocks can be dosed: those whose instructions all belong to one method.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_assess::ExcludedBlock;
use proofmark_blocks::{BlockKey, Weight};
use proofmark_rules::BLOCK_DOSE_SHARE;
use proofmark_stats::Estimate;

use super::Known;
use crate::lab::Lab;

/// Blocks of a method below this share of its blocks' time get nothing.
const LEAST_PART: f64 = 0.005;
/// Single blocks that are tried at most.
const TRIED: usize = 8;

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
}

impl Candidate {
    /// Instructions per block for so many per cycle of each block; one at least.
    pub fn instructions(&self, amount: f64) -> BTreeMap<BlockKey, u32> {
        let of = |(key, cycles): (&BlockKey, &f64)| {
            let count = (amount * cycles).round().clamp(1.0, f64::from(u32::MAX)) as u32;
            (*key, count)
        };
        self.blocks.iter().map(of).collect()
    }

    /// The largest amount with so many instructions in a block and in a unit.
    pub fn most(&self, (in_block, in_unit): (f64, f64)) -> f64 {
        let mut units: BTreeMap<u32, f64> = BTreeMap::new();
        for (key, cycles) in &self.blocks {
            *units.entry(key.unit).or_default() += cycles;
        }
        let longest = self.blocks.values().copied().fold(0.0, f64::max);
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
        let whole = candidate(lab, known, &owner, &keys);
        let of_all = times.method_share(&owner).value;
        if of_all >= BLOCK_DOSE_SHARE && whole.share.value >= BLOCK_DOSE_SHARE / 2.0 {
            found.methods.push(whole);
            // A method of one block has no other test.
            if keys.len() == 1 {
                continue;
            }
        }
        found.blocks.extend(keys.iter().filter(large).map(single));
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

fn candidate(lab: &dyn Lab, known: &Known<'_>, owner: &str, keys: &[BlockKey]) -> Candidate {
    let cycles = lab.warm().iteration_ns * known.clock_ghz;
    let per_execution = |key: &BlockKey| {
        let executions = lab.executions().get(key).copied().unwrap_or(0.0);
        let share = weight(known, *key).sum / known.times.total.sum;
        (share * cycles / executions).max(1.0)
    };
    let blocks = keys.iter().map(|key| (*key, per_execution(key))).collect();
    let label = match keys {
        [key] => owned_label(lab, *key, owner),
        _ => format!("{} blocks of {owner}", keys.len()),
    };
    Candidate {
        owner: owner.to_owned(),
        label,
        blocks,
        share: known.times.share_of_blocks(keys.iter().copied()),
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
