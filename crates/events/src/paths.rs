//! Ball-Larus path counting (MICRO 1996) with cut edges: from path numbers back to blocks.

use crate::error::EventsError;
use crate::graph::Graph;

/// What an edge does to the path register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The path goes on; its number grows by so much.
    Add(u64),
    /// The path ends after adding `last`, is counted, and a new one begins at the edge's target with `first`.
    Cut {
        /// Added before the path is counted.
        last: u64,
        /// Number with which the next path begins.
        first: u64,
    },
}

/// Numbering of the paths of one code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbering {
    /// What each edge of the graph does; every edge into the root ends a path.
    pub steps: Vec<Step>,
    /// Counter of path 0.
    pub base: usize,
    /// Number of paths: numbers are 0 to `paths - 1`.
    pub paths: u64,
}

/// Where a path may begin or go on.
#[derive(Clone, Copy)]
struct Choice {
    value: u64,
    edge: usize,
    /// None where the path ends with this edge.
    next: Option<usize>,
}

impl Numbering {
    /// Blocks of the path with this number, in order of execution.
    ///
    /// # Errors
    /// When the numbering gives no path this number.
    pub fn blocks(&self, graph: &Graph, number: u64) -> Result<Vec<usize>, EventsError> {
        let starts = self.starts(graph);
        let ways = self.ways(graph);
        let wrong = || EventsError::NoPath { number };
        let mut left = number;
        let first = take(&starts, &mut left).ok_or_else(wrong)?;
        let mut at = first.next;
        let mut blocks = Vec::new();
        while let Some(block) = at {
            // A path without cuts is acyclic: longer than all blocks is a cycle in a broken table.
            if blocks.len() == graph.blocks.len() {
                return Err(wrong());
            }
            blocks.push(block);
            at = take(&ways[block], &mut left).ok_or_else(wrong)?.next;
        }
        if left == 0 { Ok(blocks) } else { Err(wrong()) }
    }

    /// Executions of every block.
    ///
    /// # Errors
    /// When a counter that is not 0 belongs to no path.
    pub fn executions(
        &self,
        graph: &Graph,
        counters: &dyn Fn(usize) -> i64,
    ) -> Result<Vec<i64>, EventsError> {
        let mut executions = vec![0i64; graph.blocks.len()];
        for number in 0..self.paths {
            let at = usize::try_from(number).map_err(|_| EventsError::NoPath { number })?;
            let count = counters(self.base + at);
            if count != 0 {
                for block in self.blocks(graph, number)? {
                    executions[block] += count;
                }
            }
        }
        Ok(executions)
    }

    /// Beginnings of paths, the smallest number first.
    fn starts(&self, graph: &Graph) -> Vec<Choice> {
        let mut starts = Vec::new();
        for (edge, step) in self.steps.iter().enumerate() {
            let next = Some(graph.edges[edge].to);
            match *step {
                Step::Cut { first, .. } => starts.push(Choice {
                    value: first,
                    edge,
                    next,
                }),
                Step::Add(value) if graph.edges[edge].from == graph.root() => {
                    starts.push(Choice { value, edge, next });
                }
                Step::Add(_) => {}
            }
        }
        sorted(starts)
    }

    /// How a path goes on after each block.
    fn ways(&self, graph: &Graph) -> Vec<Vec<Choice>> {
        let mut ways = vec![Vec::new(); graph.vertices()];
        for (edge, step) in self.steps.iter().enumerate() {
            let (from, to) = (graph.edges[edge].from, graph.edges[edge].to);
            let (value, next) = match *step {
                Step::Cut { last, .. } => (last, None),
                Step::Add(value) => (value, (to != graph.root()).then_some(to)),
            };
            ways[from].push(Choice { value, edge, next });
        }
        ways.into_iter().map(sorted).collect()
    }
}

fn sorted(mut choices: Vec<Choice>) -> Vec<Choice> {
    choices.sort_by_key(|choice| (choice.value, choice.edge));
    // Cut edges into the same block begin the same paths.
    choices.dedup_by(|b, a| a.value == b.value && a.next == b.next && a.next.is_some());
    choices
}

/// The choice with the largest value that is not above what is left: values of a vertex divide its numbers
/// into ranges.
fn take(choices: &[Choice], left: &mut u64) -> Option<Choice> {
    let behind = choices.partition_point(|choice| choice.value <= *left);
    let choice = *choices.get(behind.checked_sub(1)?)?;
    *left -= choice.value;
    Some(choice)
}
