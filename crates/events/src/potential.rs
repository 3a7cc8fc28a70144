//! Totals of events straight from the counters: Ball's event counting (ACM TOPLAS 16(5), 1994).
//!
//! Let `v(e)` be the events on an edge (those of the block it leads to). With any potential `p` of the vertices,
//! the sum over all edges of `f(e) v(e)` equals the sum of `f(e) w(e)`, `w(e) = v(e) + p(from) - p(to)`, as long as
//! `f` is a circulation. Choosing `p` along the open edges makes their `w` zero, and what is left is a dot product
//! of counters and weights.

use crate::forest::Forest;
use crate::graph::Graph;

/// Weights of one event type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights {
    /// `w(e)` by edge; 0 for open edges.
    pub edges: Vec<i64>,
    /// `p` by vertex: what the total is off by if one traversal is lost at that vertex instead of at the
    /// root of its tree.
    pub potentials: Vec<i64>,
}

/// How far a total can be off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Slack {
    /// Events to add at least.
    pub low: i64,
    /// Events to add at most.
    pub high: i64,
}

impl Weights {
    /// Weights of a type; none if an open edge closes a cycle with another open one on which the type does
    /// not cancel: the counters then do not determine the total.
    #[must_use]
    pub fn of(graph: &Graph, open: &[bool], kind: usize) -> Option<Self> {
        Self::along(graph, &Forest::of(graph, open), open, kind)
    }

    pub(crate) fn along(
        graph: &Graph,
        forest: &Forest,
        open: &[bool],
        kind: usize,
    ) -> Option<Self> {
        let mut potentials = vec![0i64; graph.vertices()];
        for &vertex in &forest.order {
            if let Some(link) = forest.links[vertex] {
                let parent = potentials[link.parent];
                potentials[vertex] = if link.downwards {
                    parent + graph.events_of(vertex, kind)
                } else {
                    parent - graph.events_of(link.parent, kind)
                };
            }
        }
        let weight = |edge: &crate::graph::Edge| {
            graph.events_of(edge.to, kind) + potentials[edge.from] - potentials[edge.to]
        };
        let edges: Vec<i64> = graph.edges.iter().map(weight).collect();
        let determined = edges.iter().zip(open).all(|(w, open)| !open || *w == 0);
        determined.then_some(Weights { edges, potentials })
    }

    /// Total of the type: the dot product.
    #[must_use]
    pub fn total(&self, measured: &[Option<i64>]) -> i64 {
        let products = self.edges.iter().zip(measured);
        products.map(|(w, count)| w * count.unwrap_or(0)).sum()
    }

    /// What one traversal lost at any of the blocks changes.
    pub(crate) fn slack(&self, blocks: impl Iterator<Item = usize>) -> Slack {
        blocks.fold(Slack::default(), |slack, block| Slack {
            low: slack.low.min(self.potentials[block]),
            high: slack.high.max(self.potentials[block]),
        })
    }
}
