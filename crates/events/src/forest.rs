//! Depth-first forest over the edges that are not measured.

use crate::graph::Graph;

/// How a vertex hangs in the forest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    /// Vertex nearer to the tree's root.
    pub parent: usize,
    /// The edge between them.
    pub edge: usize,
    /// True if the edge points from the parent to the vertex.
    pub downwards: bool,
}

/// A spanning forest of the open edges. The tree that holds the graph's root hangs from it; every other
/// tree hangs from the vertex at which a loss is most likely.
#[derive(Debug)]
pub(crate) struct Forest {
    /// Vertices so that parents come before their children.
    pub order: Vec<usize>,
    /// How each vertex hangs; none for roots of trees.
    pub links: Vec<Option<Link>>,
    /// Root of each vertex's tree.
    pub roots: Vec<usize>,
    /// Open edges that are not part of the forest.
    pub closing: Vec<usize>,
    /// Whether the vertex's link is the only connection, along open edges, between its subtree and the rest.
    pub bridge: Vec<bool>,
}

impl Forest {
    /// Spans the edges for which `open` says so.
    pub(crate) fn of(graph: &Graph, open: &[bool]) -> Self {
        let mut forest = Forest {
            order: Vec::with_capacity(graph.vertices()),
            links: vec![None; graph.vertices()],
            roots: vec![usize::MAX; graph.vertices()],
            closing: Vec::new(),
            bridge: vec![false; graph.vertices()],
        };
        let adjacent = adjacency(graph, open);
        let mut seen = vec![false; graph.vertices()];
        for root in tree_roots(graph) {
            if !seen[root] {
                forest.grow(graph, root, &adjacent, &mut seen);
            }
        }
        let mut in_tree = vec![false; graph.edges.len()];
        for link in forest.links.iter().flatten() {
            in_tree[link.edge] = true;
        }
        forest.closing = (0..graph.edges.len())
            .filter(|edge| open[*edge] && !in_tree[*edge])
            .collect();
        forest.find_bridges(graph);
        forest
    }

    fn grow(&mut self, graph: &Graph, root: usize, adjacent: &[Vec<usize>], seen: &mut [bool]) {
        // True depth-first order: every closing edge then joins a vertex with one of its ancestors.
        let mut stack = vec![(root, 0)];
        seen[root] = true;
        self.roots[root] = root;
        self.order.push(root);
        while let Some((at, next)) = stack.last_mut() {
            let at = *at;
            let Some(&edge) = adjacent[at].get(*next) else {
                stack.pop();
                continue;
            };
            *next += 1;
            let downwards = graph.edges[edge].from == at;
            let other = other_end(graph, edge, at);
            if !seen[other] {
                seen[other] = true;
                self.links[other] = Some(Link {
                    parent: at,
                    edge,
                    downwards,
                });
                self.roots[other] = root;
                self.order.push(other);
                stack.push((other, 0));
            }
        }
    }

    /// A link is a bridge unless a closing edge leads out of the subtree below it (Tarjan 1974).
    fn find_bridges(&mut self, graph: &Graph) {
        let mut depth = vec![0usize; graph.vertices()];
        for &vertex in &self.order {
            if let Some(link) = self.links[vertex] {
                depth[vertex] = depth[link.parent] + 1;
            }
        }
        // Smallest depth that the subtree reaches by closing edges.
        let mut reach = depth.clone();
        for &edge in &self.closing {
            let (from, to) = (graph.edges[edge].from, graph.edges[edge].to);
            reach[from] = reach[from].min(depth[to]);
            reach[to] = reach[to].min(depth[from]);
        }
        for &vertex in self.order.iter().rev() {
            if let Some(link) = self.links[vertex] {
                self.bridge[vertex] = reach[vertex] >= depth[vertex];
                reach[link.parent] = reach[link.parent].min(reach[vertex]);
            }
        }
    }
}

fn adjacency(graph: &Graph, open: &[bool]) -> Vec<Vec<usize>> {
    let mut adjacent = vec![Vec::new(); graph.vertices()];
    for (at, edge) in graph.edges.iter().enumerate() {
        if open[at] && edge.from != edge.to {
            adjacent[edge.from].push(at);
            adjacent[edge.to].push(at);
        }
    }
    adjacent
}

fn other_end(graph: &Graph, edge: usize, at: usize) -> usize {
    let edge = &graph.edges[edge];
    if edge.from == at { edge.to } else { edge.from }
}

/// The graph's root first, then leaking blocks, the most frequent first, then all others.
fn tree_roots(graph: &Graph) -> Vec<usize> {
    let mut blocks: Vec<usize> = (0..graph.blocks.len()).collect();
    blocks.sort_by(|a, b| {
        let (a, b) = (&graph.blocks[*a], &graph.blocks[*b]);
        b.leaks
            .cmp(&a.leaks)
            .then(b.frequency.total_cmp(&a.frequency))
    });
    std::iter::once(graph.root()).chain(blocks).collect()
}
