//! From exact block counts to edge counts.

use std::collections::HashMap;

use crate::bounds::System;
use crate::split::split;
use crate::{Flow, Unit};

/// How often control went along an edge.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    /// Id of the block that control came from; none for callers and the runtime.
    pub from: Option<u32>,
    /// Id of the block that control went to.
    pub to: u32,
    /// Executions in the stretch that was counted.
    pub count: f64,
    /// Smallest count that the block counts allow.
    pub low: u64,
    /// Largest count that the block counts allow.
    pub high: u64,
}

/// Edge counts of one unit.
#[derive(Debug, Clone, PartialEq)]
pub struct EdgeCounts {
    /// Edges with different ends; parallel edges count as one.
    pub edges: Vec<Edge>,
    /// True if control left in the middle of blocks (deoptimisation, exceptions): edges out of
    /// a block then add up to its count or less.
    pub leaks: bool,
    /// True if the counts contradict each other even so (lost or racing increments): a count may
    /// then be a compromise although `low` and `high` are equal.
    pub contradiction: bool,
    index: HashMap<(Option<u32>, u32), usize>,
}

impl EdgeCounts {
    /// Solves the flow equations of `unit` for the executions per block id in `counts`; blocks
    /// that are missing there were never executed.
    ///
    /// # Accuracy
    /// Where the equations leave several solutions, the count lies between `low` and `high`, and the
    /// one given is the solution with the most entropy among those that are in proportion to
    /// the counts of both ends. It is a guess and never used as a count of executions.
    #[must_use]
    pub fn solve(unit: &Unit, counts: &HashMap<u32, u64>) -> Self {
        let flow = Flow::of(unit);
        let blocks: Vec<u64> = unit
            .blocks
            .iter()
            .map(|block| counts.get(&block.id).copied().unwrap_or(0))
            .collect();
        let strict = System::solve(&flow, &blocks, false);
        let leaks = strict.contradiction;
        let system = if leaks {
            System::solve(&flow, &blocks, true)
        } else {
            strict
        };
        let values = split(&system, &blocks);
        let edge = |((from, to), (bounds, count)): (&(Option<usize>, usize), _)| {
            let bounds: &crate::bounds::Bounds = bounds;
            Edge {
                from: from.map(|from| unit.blocks[from].id),
                to: unit.blocks[*to].id,
                count,
                low: bounds.low,
                high: bounds.high,
            }
        };
        let edges = system
            .edges
            .iter()
            .zip(system.bounds.iter().zip(values))
            .map(edge)
            .collect();
        Self {
            edges,
            leaks,
            contradiction: system.contradiction,
            index: HashMap::new(),
        }
        .indexed()
    }

    fn indexed(mut self) -> Self {
        let key = |(at, edge): (usize, &Edge)| ((edge.from, edge.to), at);
        self.index = self.edges.iter().enumerate().map(key).collect();
        self
    }

    /// The edge between two blocks, `from` none for the world outside of the unit.
    #[must_use]
    pub fn edge(&self, from: Option<u32>, to: u32) -> Option<&Edge> {
        match self.index.get(&(from, to)) {
            Some(at) => self.edges.get(*at),
            None => self
                .edges
                .iter()
                .find(|edge| edge.from == from && edge.to == to),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Block;
    use crate::test_units::{block, unit};

    /// Executions by edge.
    type Passages = HashMap<(Option<u32>, u32), u64>;

    /// A random walk: executions per block and per edge. It starts anew at every block without
    /// successors, and goes on until the choices are used up and it has reached such a block.
    fn walk(blocks: &[Block], choices: &[usize]) -> (HashMap<u32, u64>, Passages) {
        let (mut counts, mut edges) = (HashMap::new(), HashMap::new());
        let (mut from, mut at) = (None, 0);
        let mut choices = choices.iter();
        loop {
            *edges.entry((from, at)).or_insert(0) += 1;
            *counts.entry(at).or_insert(0) += 1;
            let successors = &blocks[at as usize].successors;
            let choice = choices.next();
            let next = match choice {
                Some(choice) => successors.get(choice % successors.len().max(1)),
                None => successors.iter().max(),
            };
            match (next, choice) {
                (Some(next), _) => (from, at) = (Some(at), *next),
                (None, Some(_)) => (from, at) = (None, 0),
                (None, None) => return (counts, edges),
            }
        }
    }

    /// Blocks 0..n whose largest successor lies ahead, so that every walk can end; n - 1 is the end.
    fn graphs() -> impl Strategy<Value = Vec<Block>> {
        prop::collection::vec(
            prop::collection::vec(any::<prop::sample::Index>(), 1..4),
            2..14,
        )
        .prop_map(|picks| {
            let count = picks.len();
            let successors = |(at, picks): (usize, &Vec<prop::sample::Index>)| {
                let mut ids: Vec<u32> = picks[1..]
                    .iter()
                    .map(|pick| u32::try_from(pick.index(count)).unwrap())
                    .collect();
                let ahead = at + 1 + picks[0].index((count - at - 1).max(1));
                ids.push(u32::try_from(ahead.min(count - 1)).unwrap());
                if at == count - 1 { Vec::new() } else { ids }
            };
            let id = |at: usize| u32::try_from(at).unwrap();
            picks
                .iter()
                .enumerate()
                .map(|(at, p)| block(id(at), &successors((at, p))))
                .collect()
        })
    }

    proptest! {
        #[test]
        fn bounds_hold_the_truth_of_a_random_walk(
            blocks in graphs(),
            choices in prop::collection::vec(0usize..6, 0..400),
        ) {
            let (counts, edges) = walk(&blocks, &choices);
            let solved = EdgeCounts::solve(&unit(blocks.clone()), &counts);
            prop_assert!(!solved.leaks && !solved.contradiction);
            for edge in &solved.edges {
                let truth = edges.get(&(edge.from, edge.to)).copied().unwrap_or(0);
                prop_assert!(edge.low <= truth && truth <= edge.high, "{:?}, truth {}", edge, truth);
                prop_assert!(edge.low as f64 <= edge.count && edge.count <= edge.high as f64);
            }
            for to in &blocks {
                let into: f64 = solved.edges.iter().filter(|e| e.to == to.id).map(|e| e.count).sum();
                let count = counts.get(&to.id).copied().unwrap_or(0) as f64;
                prop_assert!((into - count).abs() <= 0.02 * count + 1e-6, "{into} into {count}");
            }
        }
    }

    #[test]
    fn a_loop_with_a_branch_is_determined() {
        let blocks = vec![
            block(0, &[1]),
            block(1, &[2, 4]),
            block(2, &[3, 1]),
            block(3, &[1]),
            block(4, &[]),
        ];
        let counts = HashMap::from([(0, 10), (1, 1010), (2, 1000), (3, 300), (4, 10)]);
        let solved = EdgeCounts::solve(&unit(blocks), &counts);
        assert!(
            solved.edges.iter().all(|edge| edge.low == edge.high),
            "{solved:?}"
        );
        assert_eq!(solved.edge(Some(2), 1).unwrap().low, 700);
        assert_eq!(solved.edge(None, 0).unwrap().low, 10);
    }

    #[test]
    fn crossing_edges_are_split_and_said_to_be_open() {
        let blocks = vec![
            block(0, &[1, 2]),
            block(1, &[3, 4]),
            block(2, &[3, 4]),
            block(3, &[]),
            block(4, &[]),
        ];
        let counts = HashMap::from([(0, 100), (1, 80), (2, 20), (3, 50), (4, 50)]);
        let solved = EdgeCounts::solve(&unit(blocks), &counts);
        let edge = solved.edge(Some(1), 3).unwrap();
        assert_eq!((edge.low, edge.high), (30, 50));
        assert!((edge.count - 40.0).abs() < 0.01, "{edge:?}");
    }

    #[test]
    fn control_that_leaves_a_block_in_the_middle_is_noticed() {
        let blocks = vec![block(0, &[1]), block(1, &[])];
        let solved = EdgeCounts::solve(&unit(blocks), &HashMap::from([(0, 100), (1, 97)]));
        assert!(solved.leaks && !solved.contradiction);
        assert_eq!(solved.edge(Some(0), 1).unwrap().low, 97);
    }

    #[test]
    fn impossible_counts_are_called_a_contradiction() {
        let blocks = vec![block(0, &[1]), block(1, &[])];
        let solved = EdgeCounts::solve(&unit(blocks), &HashMap::from([(0, 5), (1, 9)]));
        assert!(solved.contradiction);
    }
}
