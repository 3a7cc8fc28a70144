//! Two profiles laid over each other: one tree of contexts with the weights of both.

use std::collections::HashMap;

use proofmark_profile::{CountFile, MethodId};

use crate::result::{FirstDifference, Pair};

/// A calling context of either profile.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// Own bytecodes in A and B.
    weight: [u64; 2],
    /// Whether the context is in A and B at all.
    present: [bool; 2],
    /// The caller's place plus one; 0 at the roots.
    above: usize,
    /// Number of its method.
    method: usize,
    /// Callers.
    depth: usize,
}

/// The contexts of two profiles, threads put together.
#[derive(Debug, Default)]
pub(crate) struct Overlay<'a> {
    nodes: Vec<Node>,
    /// Methods by their number.
    methods: Vec<&'a MethodId>,
    /// By caller's place plus one (0 at the roots) and method.
    places: HashMap<(usize, usize), usize>,
}

impl<'a> Overlay<'a> {
    /// Lays B over A.
    pub(crate) fn new(a: &'a CountFile, b: &'a CountFile) -> Self {
        let mut overlay = Self::default();
        let mut methods = HashMap::new();
        for (side, file) in [a, b].into_iter().enumerate() {
            overlay.add(side, file, &mut methods);
        }
        overlay
    }

    fn add(
        &mut self,
        side: usize,
        file: &'a CountFile,
        methods: &mut HashMap<&'a MethodId, usize>,
    ) {
        let mut number = |methods: &mut HashMap<&'a MethodId, usize>, id| {
            let next = methods.len();
            *methods.entry(id).or_insert_with(|| {
                self.methods.push(id);
                next
            })
        };
        let numbers: Vec<usize> = file.methods.iter().map(|id| number(methods, id)).collect();
        for thread in &file.threads {
            let mut places: Vec<usize> = Vec::with_capacity(thread.contexts.len());
            for context in &thread.contexts {
                let above = context
                    .parent
                    .map_or(0, |parent| places[parent as usize] + 1);
                let next = self.nodes.len();
                let key = (above, numbers[context.method as usize]);
                let place = *self.places.entry(key).or_insert(next);
                if place == next {
                    let depth = match above {
                        0 => 0,
                        caller => self.nodes[caller - 1].depth + 1,
                    };
                    let method = key.1;
                    self.nodes.push(Node {
                        above,
                        method,
                        depth,
                        ..Node::default()
                    });
                }
                self.nodes[place].weight[side] += context.bytecodes;
                self.nodes[place].present[side] = true;
                places.push(place);
            }
        }
    }

    /// Contexts in A, in B and in both.
    pub(crate) fn sizes(&self) -> (u64, u64, u64) {
        let count =
            |of: fn(&Node) -> bool| self.nodes.iter().filter(|node| of(node)).count() as u64;
        (
            count(|node| node.present[0]),
            count(|node| node.present[1]),
            count(|node| node.present[0] && node.present[1]),
        )
    }

    /// Overlap percentage, 0 to 100: sum over contexts of the smaller of the two relative shares (Arnold and Ryder,
    /// A framework for reducing the cost of instrumented code, 2001). 0 where one side has no weight.
    pub(crate) fn overlap_pct(&self) -> f64 {
        let [a, b] = [0, 1].map(|side| self.weight(side, |_| true));
        if a == 0 || b == 0 {
            return 0.0;
        }
        // Over a common denominator, so that equal profiles give exactly 100.
        let shared: u128 = self
            .nodes
            .iter()
            .map(|node| {
                let [x, y] = node.weight.map(u128::from);
                (x * u128::from(b)).min(y * u128::from(a))
            })
            .sum();
        shared as f64 / (u128::from(a) * u128::from(b)) as f64 * 100.0
    }

    /// Part of A's weight, 0 to 100, that lies in contexts that B has too.
    pub(crate) fn coverage_pct(&self) -> f64 {
        let all = self.weight(0, |_| true);
        let common = self.weight(0, |node| node.present[1]);
        if all == 0 {
            0.0
        } else {
            common as f64 / all as f64 * 100.0
        }
    }

    /// Where the own bytecodes of a context differ nearest to the root; of several such, the first by its names.
    pub(crate) fn first_difference(&self) -> Option<FirstDifference> {
        let differs = |node: &&Node| node.weight[0] != node.weight[1];
        let differing = self.nodes.iter().filter(differs);
        let contexts = differing.clone().count() as u64;
        let nearest = differing.clone().map(|node| node.depth).min()?;
        let (path, node) = differing
            .filter(|node| node.depth == nearest)
            .map(|node| (self.path(node), node))
            .min_by(|a, b| a.0.cmp(&b.0))?;
        let mut callers: Vec<String> = path.iter().map(ToString::to_string).collect();
        Some(FirstDifference {
            method: callers.pop()?,
            callers,
            bytecodes: Pair {
                a: node.weight[0],
                b: node.weight[1],
            },
            contexts,
        })
    }

    /// Methods from the root to the context.
    fn path(&self, node: &Node) -> Vec<&MethodId> {
        let mut path = vec![self.methods[node.method]];
        let mut above = node.above;
        while above > 0 {
            let caller = &self.nodes[above - 1];
            path.push(self.methods[caller.method]);
            above = caller.above;
        }
        path.reverse();
        path
    }

    fn weight(&self, side: usize, of: impl Fn(&Node) -> bool) -> u64 {
        let nodes = self.nodes.iter().filter(|node| of(node));
        nodes.map(|node| node.weight[side]).sum()
    }
}
