//! Executions of every edge from those that were measured.

use crate::forest::Forest;
use crate::graph::{Graph, Measure};

/// Traversals of all edges and what contradicts them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flow {
    /// Traversals by edge; none where the measured edges leave several solutions.
    pub edges: Vec<Option<i64>>,
    /// Executions by block; none where they are not determined.
    pub blocks: Vec<Option<i64>>,
    /// Regions that control entered more or less often than it left them.
    pub imbalances: Vec<Imbalance>,
    /// Largest negative count that came out, as a positive number: so many traversals at least were lost.
    pub negative: i64,
}

/// A connected region of the graph whose borders are all measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imbalance {
    /// Blocks of the region, as indices.
    pub blocks: Vec<usize>,
    /// Traversals that entered it minus those that left it. Positive: control left without passing an edge
    /// (deoptimisation in the middle of a block) or was still inside. Negative: it was inside at the start.
    pub excess: i64,
}

/// Traversals that the counters say, by edge; none for open edges.
///
/// Counters behind the end of `counters` are 0. A counter with a scale that does not divide it is rounded
/// towards zero.
#[must_use]
pub fn measured(graph: &Graph, counters: &dyn Fn(usize) -> i64) -> Vec<Option<i64>> {
    let of_edge = |measure: Measure| match measure {
        Measure::Open => None,
        Measure::Counter { counter, scale, .. } => Some(counters(counter) / scale),
    };
    graph
        .edges
        .iter()
        .map(|edge| of_edge(edge.measure))
        .collect()
}

impl Flow {
    /// Solves the equations "as much goes in as comes out" for the open edges (those with none in `measured`).
    ///
    /// Exact integers; linear in the size of the graph. An open edge is determined exactly if it is the only
    /// open connection between two parts of the graph. What is in excess in a region is taken to have left
    /// at the region's most frequent leaking block.
    #[must_use]
    pub fn solve(graph: &Graph, measured: &[Option<i64>]) -> Self {
        let open: Vec<bool> = measured.iter().map(Option::is_none).collect();
        let forest = Forest::of(graph, &open);
        let excess = subtree_excess(graph, measured, &forest);
        let mut edges = measured.to_vec();
        for (vertex, link) in forest.links.iter().enumerate() {
            if let Some(link) = link.filter(|_| forest.bridge[vertex]) {
                let into = excess[vertex];
                edges[link.edge] = Some(if link.downwards { -into } else { into });
            }
        }
        let blocks = executions(graph, &edges);
        let negative = edges.iter().flatten().map(|count| -count).max();
        Flow {
            imbalances: imbalances(graph, &forest, &excess),
            negative: negative.unwrap_or(0).max(0),
            edges,
            blocks,
        }
    }

    /// Traversals that are missing at least: those that entered a region and did not leave it.
    #[must_use]
    pub fn lost(&self) -> u64 {
        let entered: i64 = self.imbalances.iter().map(|i| i.excess.max(0)).sum();
        entered.max(self.negative).unsigned_abs()
    }
}

/// Measured traversals into minus out of the subtree below each vertex.
pub(crate) fn subtree_excess(graph: &Graph, measured: &[Option<i64>], forest: &Forest) -> Vec<i64> {
    let mut excess = vec![0i64; graph.vertices()];
    for (edge, count) in graph.edges.iter().zip(measured) {
        let count = count.unwrap_or(0);
        excess[edge.to] += count;
        excess[edge.from] -= count;
    }
    for &vertex in forest.order.iter().rev() {
        if let Some(link) = forest.links[vertex] {
            excess[link.parent] += excess[vertex];
        }
    }
    excess
}

fn executions(graph: &Graph, edges: &[Option<i64>]) -> Vec<Option<i64>> {
    let mut into = vec![Some(0i64); graph.vertices()];
    let mut out = vec![Some(0i64); graph.vertices()];
    for (edge, count) in graph.edges.iter().zip(edges) {
        let add = |sum: &mut Option<i64>| *sum = sum.zip(*count).map(|(a, b)| a + b);
        add(&mut into[edge.to]);
        add(&mut out[edge.from]);
    }
    // Entries first: what was lost in a block entered it.
    (0..graph.blocks.len())
        .map(|block| into[block].or(out[block]))
        .collect()
}

fn imbalances(graph: &Graph, forest: &Forest, excess: &[i64]) -> Vec<Imbalance> {
    let unbalanced = forest
        .order
        .iter()
        .filter(|v| forest.links[**v].is_none() && **v != graph.root() && excess[**v] != 0);
    unbalanced
        .map(|tree| Imbalance {
            blocks: (0..graph.blocks.len())
                .filter(|block| forest.roots[*block] == *tree)
                .collect(),
            excess: excess[*tree],
        })
        .collect()
}
