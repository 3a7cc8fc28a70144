//! Simulated code: random graphs, random executions of them, and what these truly did.
#![allow(dead_code, reason = "every test file uses its own part")]

use proofmark_events::{Block, Edge, Event, Graph, Measure};
use proptest::prelude::*;
use proptest::sample::Index;

/// Types of events in simulated code.
pub const KINDS: usize = 3;

/// A graph whose largest successor of each block lies ahead, so that every execution can end. Block 0 is the
/// entry, the last block and some others have an edge to the outside.
pub fn graphs() -> impl Strategy<Value = Graph> {
    let block = (
        prop::collection::vec(any::<Index>(), 1..4),
        prop::collection::vec((0..KINDS, 1u64..4), 0..3),
        any::<bool>(),
        prop::bool::weighted(0.15),
    );
    prop::collection::vec(block, 1..12).prop_map(|blocks| {
        let count = blocks.len();
        let mut graph = Graph::default();
        let mut edges = vec![(count, 0)];
        for (at, (picks, events, leaks, exits)) in blocks.iter().enumerate() {
            graph.blocks.push(Block {
                id: 10 + 3 * u32::try_from(at).unwrap(),
                frequency: 1.0,
                events: events
                    .iter()
                    .map(|(kind, count)| Event {
                        kind: *kind,
                        count: *count,
                        position: None,
                    })
                    .collect(),
                leaks: *leaks,
            });
            edges.extend(picks[1..].iter().map(|pick| (at, pick.index(count))));
            let ahead = at + 1 + picks[0].index(count - at);
            edges.push((at, ahead.min(count)));
            if *exits && ahead < count {
                edges.push((at, count));
            }
        }
        graph.edges = edges
            .into_iter()
            .map(|(from, to)| Edge {
                from,
                to,
                measure: Measure::Open,
            })
            .collect();
        graph
    })
}

/// What executions of a graph truly did.
#[derive(Debug, Clone, Default)]
pub struct Truth {
    /// Traversals by edge.
    pub edges: Vec<i64>,
    /// Executions by block.
    pub blocks: Vec<i64>,
    /// Events by type.
    pub events: Vec<i64>,
    /// Executions that left in the middle of a block.
    pub left: u64,
    /// Executions begun.
    pub entered: i64,
}

/// Executions by random choices; afterwards the last one is led out. With `leaky`, a choice of 0 leaves in
/// the middle of a block that can be left so.
pub fn walk(graph: &Graph, choices: &[usize], leaky: bool) -> Truth {
    let mut truth = Truth {
        edges: vec![0; graph.edges.len()],
        blocks: vec![0; graph.blocks.len()],
        events: vec![0; KINDS],
        ..Truth::default()
    };
    let mut choices = choices.iter();
    loop {
        truth.entered += 1;
        truth.edges[0] += 1;
        let mut at = graph.edges[0].to;
        let mut more = true;
        while at != graph.root() {
            truth.blocks[at] += 1;
            for kind in 0..KINDS {
                truth.events[kind] += graph.events_of(at, kind);
            }
            let choice = choices.next();
            more = choice.is_some();
            if leaky && choice == Some(&0) && graph.blocks[at].leaks {
                truth.left += 1;
                break;
            }
            let out: Vec<usize> = (0..graph.edges.len())
                .filter(|e| graph.edges[*e].from == at)
                .collect();
            let edge = match choice {
                Some(choice) => out[choice % out.len()],
                None => *out.iter().max_by_key(|e| graph.edges[**e].to).unwrap(),
            };
            truth.edges[edge] += 1;
            at = graph.edges[edge].to;
        }
        if !more || choices.as_slice().is_empty() {
            return truth;
        }
    }
}

/// Which edges stay open: a spanning tree that takes edges in the order of `keys`, as a compiler takes them by frequency.
pub fn spanning_tree(graph: &Graph, keys: &[u32]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..graph.edges.len()).collect();
    order.sort_by_key(|edge| keys[edge % keys.len()].wrapping_add(*edge as u32));
    let mut part: Vec<usize> = (0..graph.vertices()).collect();
    let mut open = vec![false; graph.edges.len()];
    for edge in order {
        let (a, b) = (part[graph.edges[edge].from], part[graph.edges[edge].to]);
        if a != b {
            open[edge] = true;
            part.iter_mut().filter(|p| **p == b).for_each(|p| *p = a);
        }
    }
    open
}

/// True traversals of the edges that are not open.
pub fn measure(truth: &Truth, open: &[bool]) -> Vec<Option<i64>> {
    let of = |(count, open): (&i64, &bool)| (!open).then_some(*count);
    truth.edges.iter().zip(open).map(of).collect()
}

/// Counter `n` for the `n`-th edge, where it is not open.
pub fn counted(graph: &Graph, open: &[bool]) -> Graph {
    let mut graph = graph.clone();
    for (at, edge) in graph.edges.iter_mut().enumerate() {
        if !open[at] {
            edge.measure = Measure::Counter {
                counter: at,
                scale: 1,
                held: false,
            };
        }
    }
    graph
}
