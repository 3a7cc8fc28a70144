//! Blocks too short to be set, or to be judged, on their own join the block they follow.
//!
//! A block of less than a cycle has nothing that an instruction could be measured against: one alone
//! is +20 to +200 %, and what instructions in front of it cost shows at its first wait (up to +1,700 %
//! in the laboratory). Together with the block that control came from it can be set.
//!
//! The processor adds time in whole cycles per execution (in Queens one instruction more or less in
//! blocks of 2.5 to 3 cycles changed their time by 1.03 to 1.1 cycles or not at all), and what one
//! block gains at its border its neighbour loses: in Towers the block that calls and the block that
//! is called exchanged up to 1.5 cycles from plan to plan while their sum stayed. How well a border is
//! known is measured on every machine ([`proofmark_blocks::Resolution`]); a block shorter than eight
//! borders is judged together with its neighbours.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use proofmark_blocks::{BlockKey, CodeMap, Flow};

/// Cycles per execution from which a block is set on its own.
const SET_ALONE: f64 = 1.0;

/// Passages, against the closest neighbour's, from which a neighbour is close.
const CLOSE: f64 = 0.3;

/// Cycles per iteration and executions per iteration of a block.
pub type Cost = (f64, f64);

/// Which blocks are set, and which are judged, together.
pub struct Joined {
    /// Blocks that are set together, by their longest one, which takes the instructions.
    pub set: BTreeMap<BlockKey, Vec<BlockKey>>,
    /// Number of the set of blocks that each block is judged with.
    pub judged: BTreeMap<BlockKey, u32>,
}

/// Joins blocks until each group is long enough to be set, and to be judged: `judged_alone` cycles per execution.
pub fn join(map: &CodeMap, costs: &HashMap<BlockKey, Cost>, judged_alone: f64) -> Joined {
    let mut groups = Groups::new(costs);
    join_below(&mut groups, map, SET_ALONE, Groups::closest);
    let set = groups.finished();
    join_below(&mut groups, map, judged_alone, Groups::shortest);
    join_groups(&mut groups, map, judged_alone);
    Joined {
        set,
        judged: groups.numbers(),
    }
}

/// With which neighbour a block joins, if with any.
type Choice<'a> = fn(&Groups<'a>, BlockKey, &[BlockKey]) -> Option<BlockKey>;

fn join_below<'a>(groups: &mut Groups<'a>, map: &CodeMap, shortest: f64, choice: Choice<'a>) {
    let mut flows: HashMap<u32, Flow> = HashMap::new();
    let costs = groups.costs;
    let mut order: Vec<BlockKey> = costs.keys().copied().collect();
    order.sort_by(|a, b| cycles(costs[a]).total_cmp(&cycles(costs[b])).then(a.cmp(b)));
    for key in order {
        if groups.cycles(key) >= shortest {
            continue;
        }
        let unit = &map.units()[key.unit as usize];
        let flow = flows.entry(key.unit).or_insert_with(|| Flow::of(unit));
        let neighbours = neighbours(flow, key, |at| unit.blocks[at].id);
        if let Some(neighbour) = choice(groups, key, &neighbours) {
            groups.join(key, neighbour);
        }
    }
}

/// Joins groups that are still too short, the shortest first, until each is long enough or has all blocks around it.
fn join_groups(groups: &mut Groups<'_>, map: &CodeMap, shortest: f64) {
    let mut around: BTreeMap<BlockKey, Vec<BlockKey>> = BTreeMap::new();
    let mut flows: HashMap<u32, Flow> = HashMap::new();
    for key in groups.costs.keys() {
        let unit = &map.units()[key.unit as usize];
        let flow = flows.entry(key.unit).or_insert_with(|| Flow::of(unit));
        around.insert(*key, neighbours(flow, *key, |at| unit.blocks[at].id));
    }
    let mut whole: BTreeSet<BlockKey> = BTreeSet::new();
    loop {
        let firsts: BTreeSet<BlockKey> = groups.of.values().copied().collect();
        let short = firsts
            .difference(&whole)
            .map(|key| (*key, groups.cycles(*key)));
        let short = short.filter(|(_, cycles)| *cycles < shortest);
        let Some((key, _)) = short.min_by(|a, b| a.1.total_cmp(&b.1)) else {
            return;
        };
        match groups.next_to(key, &around) {
            Some(other) => groups.join(key, other),
            None => drop(whole.insert(key)),
        }
    }
}

/// Predecessors first: time moves downstream.
fn neighbours(flow: &Flow, key: BlockKey, id: impl Fn(usize) -> u32) -> Vec<BlockKey> {
    let Some(at) = flow.index_of(key.block) else {
        return Vec::new();
    };
    let before = flow.predecessors(at).iter().map(|edge| edge.from);
    let after = flow.successors(at).iter().copied();
    before
        .chain(after)
        .map(|at| BlockKey {
            unit: key.unit,
            block: id(at),
        })
        .collect()
}

fn cycles((cycles, executions): Cost) -> f64 {
    cycles / executions.max(1e-12)
}

struct Groups<'a> {
    costs: &'a HashMap<BlockKey, Cost>,
    /// Group of each block: the smallest key in it.
    of: BTreeMap<BlockKey, BlockKey>,
}

impl<'a> Groups<'a> {
    fn new(costs: &'a HashMap<BlockKey, Cost>) -> Self {
        Groups {
            costs,
            of: costs.keys().map(|key| (*key, *key)).collect(),
        }
    }

    fn members(&self, key: BlockKey) -> impl Iterator<Item = BlockKey> {
        let group = self.of[&key];
        self.of
            .iter()
            .filter(move |(_, of)| **of == group)
            .map(|(member, _)| *member)
    }

    /// Longest block of a group: it takes the instructions.
    fn lead(&self, key: BlockKey) -> BlockKey {
        let by_time = |a: &BlockKey, b: &BlockKey| self.costs[a].0.total_cmp(&self.costs[b].0);
        self.members(key).max_by(by_time).unwrap_or(key)
    }

    /// Cycles of the whole group per execution of its lead.
    fn cycles(&self, key: BlockKey) -> f64 {
        let time: f64 = self.members(key).map(|member| self.costs[&member].0).sum();
        cycles((time, self.costs[&self.lead(key)].1))
    }

    /// Neighbours outside of the block's own group with their passages.
    fn outside(&self, key: BlockKey, neighbours: &[BlockKey]) -> Vec<(BlockKey, f64)> {
        let passages = |other: BlockKey| self.costs[&other].1.min(self.costs[&key].1);
        let others = neighbours.iter().copied();
        others
            .filter(|other| {
                self.of
                    .get(other)
                    .is_some_and(|group| *group != self.of[&key])
            })
            .map(|other| (other, passages(other)))
            .filter(|(_, passages)| *passages > 0.0)
            .collect()
    }

    /// Neighbour with which it shares the most passages; the earlier one where they are even.
    fn closest(&self, key: BlockKey, neighbours: &[BlockKey]) -> Option<BlockKey> {
        let mut best: Option<(BlockKey, f64)> = None;
        for (other, passages) in self.outside(key, neighbours) {
            if best.is_none_or(|(_, known)| passages > 1.05 * known) {
                best = Some((other, passages));
            }
        }
        best.map(|(other, _)| other)
    }

    /// The one in the shortest group among the close neighbours, so that groups stay small.
    fn shortest(&self, key: BlockKey, neighbours: &[BlockKey]) -> Option<BlockKey> {
        self.shortest_of(&self.outside(key, neighbours))
    }

    /// The same for all members of a group.
    fn next_to(
        &self,
        key: BlockKey,
        around: &BTreeMap<BlockKey, Vec<BlockKey>>,
    ) -> Option<BlockKey> {
        let members = self.members(key);
        let outside = members.flat_map(|member| self.outside(member, &around[&member]));
        self.shortest_of(&outside.collect::<Vec<_>>())
    }

    fn shortest_of(&self, outside: &[(BlockKey, f64)]) -> Option<BlockKey> {
        let most = outside.iter().map(|(_, n)| *n).fold(0.0, f64::max);
        let close = outside.iter().filter(|(_, n)| *n >= CLOSE * most);
        close
            .map(|(other, _)| *other)
            .min_by(|a, b| self.cycles(*a).total_cmp(&self.cycles(*b)))
    }

    fn join(&mut self, a: BlockKey, b: BlockKey) {
        let (a, b) = (self.of[&a], self.of[&b]);
        for group in self
            .of
            .values_mut()
            .filter(|group| **group == a || **group == b)
        {
            *group = a.min(b);
        }
    }

    fn finished(&self) -> BTreeMap<BlockKey, Vec<BlockKey>> {
        let firsts: BTreeSet<BlockKey> = self.of.values().copied().collect();
        firsts
            .into_iter()
            .map(|key| (self.lead(key), self.members(key).collect()))
            .collect()
    }

    fn numbers(&self) -> BTreeMap<BlockKey, u32> {
        let firsts: BTreeSet<BlockKey> = self.of.values().copied().collect();
        let number: BTreeMap<BlockKey, u32> = firsts.into_iter().zip(0..).collect();
        self.of
            .iter()
            .map(|(key, first)| (*key, number[first]))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proofmark_blocks::{Block, Unit};

    use super::*;

    fn key(block: u32) -> BlockKey {
        BlockKey { unit: 0, block }
    }

    /// Blocks 0, 1, 2 ... in a row, each executed 100 times at so many cycles.
    fn row(cycles: &[f64]) -> (CodeMap, HashMap<BlockKey, Cost>) {
        let last = cycles.len() as u32 - 1;
        let block = |id: u32| Block {
            id,
            successors: if id < last { vec![id + 1] } else { Vec::new() },
            loop_header: None,
            loop_depth: 0,
            frequency: 1.0,
            cycles: None,
            operations: vec!["MOVE".into()],
        };
        let mut map = CodeMap::new();
        map.add_unit(Unit {
            name: "a.B.c()V".into(),
            signature: "s".into(),
            blocks: (0..cycles.len() as u32).map(block).collect(),
            positions: Vec::new(),
        })
        .expect("a unit");
        let cost = |(id, cycles): (usize, &f64)| (key(id as u32), (100.0 * cycles, 100.0));
        (map, cycles.iter().enumerate().map(cost).collect())
    }

    #[test]
    fn a_block_below_a_cycle_is_set_with_its_neighbour() {
        let (map, costs) = row(&[20.0, 0.5, 30.0]);
        let joined = join(&map, &costs, 8.0);
        assert_eq!(joined.set[&key(0)], [key(0), key(1)]);
        assert_eq!(joined.set[&key(2)], [key(2)]);
    }

    #[test]
    fn short_neighbours_are_set_alone_and_judged_together() {
        let (map, costs) = row(&[30.0, 5.0, 4.0, 40.0]);
        let joined = join(&map, &costs, 8.0);
        assert_eq!(joined.set.len(), 4);
        let judged = |block| joined.judged[&key(block)];
        assert_eq!(judged(1), judged(2));
        assert_ne!(judged(0), judged(1));
        assert_ne!(judged(2), judged(3));
    }

    #[test]
    fn sets_stay_small() {
        let (map, costs) = row(&[4.0, 5.0, 4.1, 5.1, 4.2, 5.2]);
        let judged = join(&map, &costs, 8.0).judged;
        for set in judged.values() {
            assert_eq!(judged.values().filter(|other| *other == set).count(), 2);
        }
    }

    #[test]
    fn sets_are_as_long_as_asked_where_the_code_is() {
        let (map, costs) = row(&[6.0, 5.0, 7.0, 4.0, 9.0, 3.0, 8.0, 6.0, 5.0, 7.0]);
        let of_lengths = |shortest: f64| {
            let judged = join(&map, &costs, shortest).judged;
            let mut lengths: BTreeMap<u32, f64> = BTreeMap::new();
            for (block, set) in &judged {
                *lengths.entry(*set).or_default() += cycles(costs[block]);
            }
            lengths
        };
        for shortest in [8.0, 20.0, 25.0] {
            let lengths = of_lengths(shortest);
            assert!(lengths.values().all(|one| *one >= shortest), "{lengths:?}");
            assert!(lengths.len() > 1, "{lengths:?}");
        }
        assert_eq!(
            of_lengths(160.0).len(),
            1,
            "all of the code is 60 cycles long"
        );
    }

    #[test]
    fn what_is_set_together_is_judged_together() {
        let (map, costs) = row(&[0.4, 0.4, 3.0, 0.2, 2.0, 0.9, 6.0, 0.5]);
        let joined = join(&map, &costs, 8.0);
        for members in joined.set.values() {
            let first = joined.judged[&members[0]];
            assert!(members.iter().all(|block| joined.judged[block] == first));
        }
    }
}
