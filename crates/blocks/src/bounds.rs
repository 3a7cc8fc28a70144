//! What block counts say about edge counts: bounds that close in on the truth.

use std::collections::VecDeque;

use crate::Flow;

/// Smallest and largest count that an edge can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub low: u64,
    pub high: u64,
}

impl Bounds {
    pub fn determined(self) -> bool {
        self.low == self.high
    }
}

/// One flow equation: the edges on one side of a block add up to its count.
#[derive(Debug, Clone)]
struct Equation {
    edges: Vec<usize>,
    sum: u64,
    /// The edges may also add up to less (control left in the middle of the block).
    leaks: bool,
}

/// Edges with their bounds and the equations they occur in.
#[derive(Debug, Clone)]
pub(crate) struct System {
    /// From and to, as indices in emission order; none is the world outside of the unit.
    pub edges: Vec<(Option<usize>, usize)>,
    pub bounds: Vec<Bounds>,
    /// True if the equations contradict each other, so that some bounds are compromises.
    pub contradiction: bool,
    equations: Vec<Equation>,
    of_edge: Vec<Vec<usize>>,
}

/// Every equation is looked at this often at most, which ends slow races between bounds.
const VISITS: usize = 64;

impl System {
    /// Sets up and solves the equations. `counts` holds executions per block in emission order.
    /// With `leaks`, control may leave in the middle of a block.
    pub fn solve(flow: &Flow, counts: &[u64], leaks: bool) -> Self {
        let mut system = Self {
            edges: edges(flow),
            bounds: Vec::new(),
            contradiction: false,
            equations: Vec::new(),
            of_edge: Vec::new(),
        };
        system.of_edge = vec![Vec::new(); system.edges.len()];
        system.bounds = vec![
            Bounds {
                low: 0,
                high: u64::MAX
            };
            system.edges.len()
        ];
        for (at, count) in counts.iter().enumerate() {
            system.add_equation(*count, false, |(_, to)| to == at);
            if !flow.successors(at).is_empty() {
                system.add_equation(*count, leaks, |(from, _)| from == Some(at));
            }
        }
        system.propagate();
        system
    }

    fn add_equation(
        &mut self,
        sum: u64,
        leaks: bool,
        has: impl Fn((Option<usize>, usize)) -> bool,
    ) {
        let edges: Vec<usize> = (0..self.edges.len())
            .filter(|at| has(self.edges[*at]))
            .collect();
        for edge in &edges {
            self.of_edge[*edge].push(self.equations.len());
        }
        self.equations.push(Equation { edges, sum, leaks });
    }

    fn propagate(&mut self) {
        let mut visits = vec![0; self.equations.len()];
        let mut queue: VecDeque<usize> = (0..self.equations.len()).collect();
        while let Some(at) = queue.pop_front() {
            visits[at] += 1;
            for edge in self.tighten(at) {
                let again = self.of_edge[edge]
                    .iter()
                    .filter(|other| visits[**other] < VISITS);
                queue.extend(again.filter(|other| **other != at));
            }
        }
    }

    /// Tightens the bounds of an equation's edges; returns those that changed.
    fn tighten(&mut self, at: usize) -> Vec<usize> {
        let Equation { edges, sum, leaks } = self.equations[at].clone();
        let low: u64 = edges
            .iter()
            .fold(0, |all, edge| all.saturating_add(self.bounds[*edge].low));
        let unbounded = edges
            .iter()
            .filter(|edge| self.bounds[**edge].high == u64::MAX)
            .count();
        let high: u64 = edges
            .iter()
            .map(|edge| self.bounds[*edge].high)
            .filter(|high| *high != u64::MAX)
            .fold(0, u64::saturating_add);
        self.contradiction |= low > sum || (!leaks && unbounded == 0 && high < sum);
        let mut changed = Vec::new();
        for edge in edges {
            let old = self.bounds[edge];
            let others_unbounded = unbounded - usize::from(old.high == u64::MAX);
            let others_high = if old.high == u64::MAX {
                high
            } else {
                high - old.high
            };
            let need = if leaks || others_unbounded > 0 {
                0
            } else {
                sum.saturating_sub(others_high)
            };
            let room = sum.saturating_sub(low - old.low);
            let new_high = old.high.min(room).max(old.low);
            let new = Bounds {
                low: old.low.max(need).min(new_high),
                high: new_high,
            };
            if new != old {
                self.bounds[edge] = new;
                changed.push(edge);
            }
        }
        changed
    }

    /// What is left of each equation for the edges without a determined count.
    pub fn remainders(&self) -> impl Iterator<Item = (Vec<usize>, u64, bool)> {
        self.equations.iter().map(|equation| {
            let (known, open): (Vec<usize>, Vec<usize>) = equation
                .edges
                .iter()
                .partition(|edge| self.bounds[**edge].determined());
            let used = known
                .iter()
                .map(|edge| self.bounds[*edge].low)
                .fold(0, u64::saturating_add);
            (open, equation.sum.saturating_sub(used), equation.leaks)
        })
    }
}

/// Edges inside of the unit, then those from outside: into the entry (the block emitted first) and
/// into blocks that nothing else leads to (exception handlers, on-stack replacement).
fn edges(flow: &Flow) -> Vec<(Option<usize>, usize)> {
    let inside = (0..flow.len()).flat_map(|from| {
        flow.successors(from)
            .iter()
            .map(move |to| (Some(from), *to))
    });
    let entered = |to: &usize| *to == 0 || flow.predecessors(*to).is_empty();
    inside
        .chain((0..flow.len()).filter(entered).map(|to| (None, to)))
        .collect()
}
