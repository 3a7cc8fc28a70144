//! What is judged: from the times of a baseline to the tunables of a search, and back to tables for the compiler.

mod baseline;
mod choice;
mod joined;
mod selection;
mod small;

pub use baseline::Baseline;
pub use choice::select;
pub use selection::Tunable as SelectedTunable;
pub use selection::{
    Exclusion, Member as SelectedMember, Reason, SelectedCluster, Selection, SelectionSettings,
};

pub use small::SMALL_UNITS;

use joined::Joined;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use proofmark_blocks::{BlockKey, BlockTimes};
use proofmark_divine::{Member, Pool, Tunable, TunableKind};

use crate::lab::{Insertion, UnitTable};

/// What one tunable of the search stands for.
enum Content {
    /// A judged block, which takes the instructions, and all blocks whose time is its own:
    /// itself and the short ones that join it.
    Block {
        lead: BlockKey,
        blocks: Vec<BlockKey>,
    },
    /// Small blocks with a common density; the pool's block numbers index the list.
    Pool { pool: Pool, blocks: Vec<BlockKey> },
}

/// The tunables of a search over a program, with everything that is not judged in pools.
pub struct Tunables {
    tunables: Vec<Tunable>,
    contents: Vec<Content>,
    selection: Selection,
}

impl Tunables {
    /// Selects what is judged; every other executed block of a unit under control goes into a pool.
    pub fn choose(baseline: &Baseline<'_>, settings: &SelectionSettings) -> Self {
        let selection = select(baseline.map, baseline.times, &baseline.costs(), settings);
        let mut chosen = Tunables {
            tunables: Vec::new(),
            contents: Vec::new(),
            selection,
        };
        let mut rest: BTreeSet<BlockKey> = baseline
            .executions
            .iter()
            .filter(|(_, e)| **e > 0.0)
            .map(|(key, _)| *key)
            .collect();
        let mut next_cluster = chosen.selection.clusters.len() as u32;
        let joined = baseline.joined(settings.shortest_judged_cycles);
        let judged: BTreeMap<BlockKey, Option<u32>> = judged_blocks(&chosen.selection);
        for (lead, members) in &joined.set {
            if let Some(cluster) = members.iter().find_map(|key| judged.get(key)) {
                members.iter().for_each(|key| _ = rest.remove(key));
                let cluster = cluster.unwrap_or(next_cluster);
                chosen.add_block(baseline, cluster, *lead, members.clone());
                if let Some(tunable) = chosen.tunables.last_mut() {
                    tunable.group = joined.judged.get(lead).copied();
                }
            }
        }
        chosen.add_short(baseline, &joined, &mut rest);
        chosen.release_lonely();
        for tunable in chosen.selection.tunables.clone() {
            let blocks: Vec<BlockKey> = tunable
                .members
                .iter()
                .map(|member| member.block)
                .filter(|key| rest.remove(key))
                .collect();
            let cluster = tunable.cluster.unwrap_or(next_cluster);
            next_cluster += u32::from(tunable.cluster.is_none());
            chosen.add_pool(baseline, cluster, blocks);
        }
        let shortest = settings.shortest_judged_cycles;
        let small = chosen.add_small_units(baseline, shortest, next_cluster, &mut rest);
        next_cluster += u32::from(small);
        chosen.add_pool(baseline, next_cluster, rest.into_iter().collect());
        chosen.connect(baseline);
        chosen
    }

    /// Blocks that are too small to be judged alone, in sets that are not: one tunable per set, which is
    /// judged with it.
    fn add_short(
        &mut self,
        baseline: &Baseline<'_>,
        joined: &Joined,
        rest: &mut BTreeSet<BlockKey>,
    ) {
        let mut sets: BTreeMap<u32, Vec<BlockKey>> = BTreeMap::new();
        for (key, set) in &joined.judged {
            sets.entry(*set).or_default().push(*key);
        }
        for (set, blocks) in sets {
            let unit = blocks[0].unit;
            let share = baseline.times.share_of_blocks(blocks.iter().copied()).value;
            if !self.selection.units.contains(&unit) || share < self.selection.detectable_share {
                continue;
            }
            let short: Vec<BlockKey> = blocks.into_iter().filter(|key| rest.remove(key)).collect();
            let Some(cluster) = short.first().and_then(|key| self.cluster_of(*key)) else {
                rest.extend(short);
                continue;
            };
            if let Some(tunable) = self.add_pool(baseline, cluster, short) {
                tunable.kind = TunableKind::Block;
                tunable.group = Some(set);
            }
        }
    }

    /// Index of the cluster that holds a block of a selected unit.
    fn cluster_of(&self, key: BlockKey) -> Option<u32> {
        let holds = |cluster: &SelectedCluster| {
            cluster.unit == key.unit && cluster.blocks.contains(&key.block)
        };
        let at = self.selection.clusters.iter().position(holds)?;
        u32::try_from(at).ok()
    }

    /// A tunable without company is judged alone.
    fn release_lonely(&mut self) {
        let groups: Vec<Option<u32>> = self.tunables.iter().map(|tunable| tunable.group).collect();
        for tunable in &mut self.tunables {
            let together = groups
                .iter()
                .filter(|group| **group == tunable.group)
                .count();
            tunable.group = tunable.group.filter(|_| together > 1);
        }
    }

    fn add_block(
        &mut self,
        baseline: &Baseline<'_>,
        cluster: u32,
        lead: BlockKey,
        blocks: Vec<BlockKey>,
    ) {
        let unit = baseline.map.units()[lead.unit as usize].name.clone();
        let executions_per_iteration = baseline.executions[&lead];
        self.tunables.push(Tunable {
            unit,
            block: lead.block,
            cluster,
            group: None,
            executions_per_iteration,
            before: Vec::new(),
            kind: TunableKind::Block,
        });
        self.contents.push(Content::Block { lead, blocks });
    }

    /// Adds the blocks as one tunable, if there are any.
    fn add_pool(
        &mut self,
        baseline: &Baseline<'_>,
        cluster: u32,
        blocks: Vec<BlockKey>,
    ) -> Option<&mut Tunable> {
        let member = |(at, key): (usize, &BlockKey)| Member {
            block: at as u32,
            executions_per_iteration: baseline.executions[key],
            weight: baseline.guessed_cycles(*key),
        };
        let pool = Pool::new(blocks.iter().enumerate().map(member).collect())?;
        let first = blocks
            .iter()
            .find(|key| baseline.executions[*key] > 0.0)
            .copied()
            .unwrap_or(blocks[0]);
        let mut tunable = pool.tunable(&baseline.map.units()[first.unit as usize].name, cluster);
        tunable.block = first.block;
        self.tunables.push(tunable);
        self.contents.push(Content::Pool { pool, blocks });
        self.tunables.last_mut()
    }

    /// Notes which tunable control comes from: along an edge at most as often as its rarer end runs.
    fn connect(&mut self, baseline: &Baseline<'_>) {
        let of: HashMap<BlockKey, usize> = (0..self.tunables.len())
            .flat_map(|tunable| self.blocks(tunable).iter().map(move |key| (*key, tunable)))
            .collect();
        let executions = |key: &BlockKey| baseline.executions.get(key).copied().unwrap_or(0.0);
        for (key, from) in &of {
            let unit = &baseline.map.units()[key.unit as usize];
            let block = unit.blocks.iter().find(|block| block.id == key.block);
            for successor in block.iter().flat_map(|block| &block.successors) {
                let next = BlockKey {
                    block: *successor,
                    ..*key
                };
                let passages = executions(key).min(executions(&next));
                match of.get(&next) {
                    Some(to) if to != from && passages > 0.0 => {
                        let before = &mut self.tunables[*to].before;
                        match before.iter_mut().find(|(tunable, _)| tunable == from) {
                            Some((_, known)) => *known += passages,
                            None => before.push((*from, passages)),
                        }
                    }
                    _ => {}
                }
            }
        }
        for tunable in &mut self.tunables {
            tunable.before.sort_by_key(|(from, _)| *from);
        }
    }

    /// The tunables in the order of all counts.
    pub fn as_slice(&self) -> &[Tunable] {
        &self.tunables
    }

    /// All blocks of a tunable, the one that takes the instructions and those that join it.
    pub fn blocks(&self, tunable: usize) -> &[BlockKey] {
        let (Content::Block { blocks, .. } | Content::Pool { blocks, .. }) =
            &self.contents[tunable];
        blocks
    }

    /// What was selected, and what was left out and why.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Samples per tunable, and those in no tunable.
    pub fn samples(&self, times: &BlockTimes) -> (Vec<f64>, f64) {
        let of = |key: &BlockKey| times.blocks.get(key).map_or(0.0, |weight| weight.sum);
        let samples: Vec<f64> = self
            .contents
            .iter()
            .map(|content| match content {
                Content::Block { blocks, .. } | Content::Pool { blocks, .. } => {
                    blocks.iter().map(of).sum()
                }
            })
            .collect();
        let outside = (times.total.sum - samples.iter().sum::<f64>()).max(0.0);
        (samples, outside)
    }

    /// Instructions per block for counts per tunable.
    pub fn instructions(&self, counts: &[u32]) -> BTreeMap<BlockKey, u32> {
        let mut table = BTreeMap::new();
        for (content, count) in self.contents.iter().zip(counts) {
            match content {
                Content::Block { lead, .. } => {
                    table.insert(*lead, *count);
                }
                Content::Pool { pool, blocks } => {
                    table.extend(
                        pool.counts(*count)
                            .into_iter()
                            .map(|(at, count)| (blocks[at as usize], count)),
                    );
                }
            }
        }
        table
    }

    /// The block of a judged tunable that takes the instructions; none for a pool.
    pub fn judged_block(&self, tunable: usize) -> Option<BlockKey> {
        match &self.contents[tunable] {
            Content::Block { lead, .. } => Some(*lead),
            Content::Pool { .. } => None,
        }
    }
}

/// Judged blocks with their clusters.
fn judged_blocks(selection: &Selection) -> BTreeMap<BlockKey, Option<u32>> {
    let tunables = selection
        .tunables
        .iter()
        .filter(|tunable| !tunable.is_pool());
    tunables
        .flat_map(|tunable| {
            tunable
                .members
                .iter()
                .map(|member| (member.block, tunable.cluster))
        })
        .collect()
}

/// Tables for the compiler, one per unit that has any instruction.
#[must_use]
pub fn tables(instructions: &BTreeMap<BlockKey, u32>, insertion: Insertion) -> Vec<UnitTable> {
    let mut units: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
    for (key, count) in instructions.iter().filter(|(_, count)| **count > 0) {
        units.entry(key.unit).or_default().push((key.block, *count));
    }
    units
        .into_iter()
        .map(|(unit, counts)| UnitTable::new(unit, insertion, counts))
        .collect()
}
