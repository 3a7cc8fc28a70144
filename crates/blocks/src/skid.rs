//! Which blocks waited when the processor reports the first address of a block?

use std::collections::{HashMap, HashSet};

use crate::layout::Layout;
use crate::{Arrival, EdgeCounts, Flow, Unit};

/// What the address of a sample means; a property of the machine and its event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skid {
    /// The instruction that was being waited for (`cycles:pp`).
    None,
    /// The instruction after the one whose retirement was being waited for (`cpu-clock`).
    NextInstruction,
    /// What follows a pair of instructions that retire together: one of the two before it, in equal parts.
    RetirePair,
}

/// Blocks that share the time of samples at a block's first address.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Waiting {
    /// Block ids with fractions that add up to 1; empty: the block itself.
    pub blocks: Vec<(u32, f64)>,
    /// True if the fractions rest on no execution counts.
    pub uncounted: bool,
}

/// Finds the blocks that waited at the start of a block of one code.
///
/// # Accuracy
/// The refill after a mispredicted branch is seen at the branch's target, half of it at the first
/// address: that half moves to the predecessors together with the time that is truly theirs.
pub(crate) struct Waiters<'a> {
    pub unit: &'a Unit,
    pub flow: &'a Flow,
    pub layout: &'a Layout,
    pub counts: Option<&'a EdgeCounts>,
}

impl Waiters<'_> {
    /// Predecessors in proportion to how often control came from them, those aside that end in an
    /// unconditional jump (it takes no time, and the wait before it is seen on it). Blocks without
    /// bytes pass the question on.
    pub fn of(&self, block: u32) -> Waiting {
        let Some(at) = self.flow.index_of(block) else {
            return Waiting::default();
        };
        let mut shares = HashMap::new();
        let mut visited = HashSet::from([at]);
        self.collect(at, 1.0, &mut shares, &mut visited);
        let sum: f64 = shares.values().sum();
        let mut blocks: Vec<(u32, f64)> = shares
            .into_iter()
            .filter(|(_, share)| *share > 0.0)
            .map(|(at, share)| (self.unit.blocks[at].id, share / sum))
            .collect();
        blocks.sort_unstable_by_key(|(id, _)| *id);
        let uncounted = self.counts.is_none() && blocks.len() > 1;
        Waiting { blocks, uncounted }
    }

    fn collect(
        &self,
        to: usize,
        scale: f64,
        shares: &mut HashMap<usize, f64>,
        visited: &mut HashSet<usize>,
    ) {
        for incoming in self.flow.predecessors(to) {
            if incoming.arrival == Arrival::Jump {
                continue;
            }
            let share = scale * self.passages(incoming.from, to);
            if self
                .layout
                .last_of(self.unit.blocks[incoming.from].id)
                .is_some()
            {
                *shares.entry(incoming.from).or_default() += share;
            } else if visited.insert(incoming.from) {
                let before: f64 = self
                    .flow
                    .predecessors(incoming.from)
                    .iter()
                    .map(|before| self.passages(before.from, incoming.from))
                    .sum();
                if before > 0.0 {
                    self.collect(incoming.from, share / before, shares, visited);
                }
            }
        }
    }

    /// How often control went along an edge; 1 where nothing was counted.
    fn passages(&self, from: usize, to: usize) -> f64 {
        let id = |at: usize| self.unit.blocks[at].id;
        self.counts.map_or(1.0, |counts| {
            counts
                .edge(Some(id(from)), id(to))
                .map_or(0.0, |edge| edge.count)
        })
    }
}
