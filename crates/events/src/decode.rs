//! From counters to events, for one code.

use std::collections::BTreeMap;

use crate::error::EventsError;
use crate::flow::{Flow, measured};
use crate::forest::Forest;
use crate::graph::{Edge, Graph, Measure};
use crate::potential::{Slack, Weights};
use crate::table::{Code, EventType, Reading};

/// A number of events that may be off by what was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Total {
    /// Events.
    pub value: i64,
    /// Fewest that the losses allow.
    pub low: i64,
    /// Most that the losses allow; `i64::MAX` if they set no limit.
    pub high: i64,
}

impl Total {
    /// A number without doubt.
    #[must_use]
    pub fn exact(value: i64) -> Self {
        Total {
            value,
            low: value,
            high: value,
        }
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Total {
            value: self.value + other.value,
            low: self.low.saturating_add(other.low),
            high: self.high.saturating_add(other.high),
        }
    }
}

/// What one code counted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Decoded {
    /// By index of type.
    pub totals: Vec<Total>,
    /// By index of type and of position, where the counters say so; 0 is left out.
    pub positions: BTreeMap<(usize, Option<usize>), i64>,
    /// Executions by index of block; none where the counters do not say.
    pub blocks: Vec<Option<i64>>,
    /// Traversals that entered the code and are missing at its exits, as far as the counters show it.
    pub lost: u64,
}

/// Decodes the counters of one code, each counter's value given by `counters` (0 if unknown). `left` is the
/// number of traversals that are known from elsewhere to have left it without passing an edge
/// (deoptimisations that the VM reported); it widens the bounds.
///
/// # Accuracy
/// Exact for complete executions. Each lost traversal moves a total by one potential of a leaking block at
/// most; [`Total::low`] and [`Total::high`] hold that. Where it may have been lost in a loop whose count is
/// held in a register, all iterations of that activation are lost with it, and there is no upper limit.
///
/// # Errors
/// When the table does not fit the counters.
pub fn decode(
    code: &Code,
    types: &[EventType],
    counters: &dyn Fn(usize) -> i64,
    left: u64,
) -> Result<Decoded, EventsError> {
    match &code.reading {
        Reading::Edges => edges(code, types, counters, left),
        Reading::Paths(numbering) => {
            let executions = numbering.executions(&code.graph, counters)?;
            let blocks: Vec<Option<i64>> = executions.into_iter().map(Some).collect();
            let mut decoded = of_blocks(code, types.len(), &blocks);
            let lost = lost_paths(code, left);
            for (kind, total) in decoded.totals.iter_mut().enumerate() {
                total.high += lost * most_of_a_path(code, kind);
            }
            decoded.lost = left;
            Ok(decoded)
        }
        Reading::Direct(direct) => {
            let mut decoded = Decoded {
                totals: vec![Total::default(); types.len()],
                blocks: vec![None; code.graph.blocks.len()],
                ..Decoded::default()
            };
            for one in direct {
                let count = one.times.wrapping_mul(counters(one.counter));
                decoded.totals[one.kind] = decoded.totals[one.kind].plus(Total::exact(count));
                if count != 0 {
                    *decoded
                        .positions
                        .entry((one.kind, one.position))
                        .or_default() += count;
                }
            }
            Ok(decoded)
        }
    }
}

fn lost_paths(code: &Code, left: u64) -> i64 {
    let leaks = code.graph.blocks.iter().any(|block| block.leaks);
    if leaks {
        i64::try_from(left).unwrap_or(i64::MAX)
    } else {
        0
    }
}

/// No path passes a block twice.
fn most_of_a_path(code: &Code, kind: usize) -> i64 {
    (0..code.graph.blocks.len())
        .map(|block| code.graph.events_of(block, kind))
        .sum()
}

fn edges(
    code: &Code,
    types: &[EventType],
    counters: &dyn Fn(usize) -> i64,
    left: u64,
) -> Result<Decoded, EventsError> {
    let measured = measured(&code.graph, counters);
    let open: Vec<bool> = measured.iter().map(Option::is_none).collect();
    let forest = Forest::of(&code.graph, &open);
    let flow = Flow::solve(&code.graph, &measured);
    let mut decoded = of_blocks(code, types.len(), &flow.blocks);
    for (kind, named) in types.iter().enumerate() {
        let Some(weights) = Weights::along(&code.graph, &forest, &open, kind) else {
            return Err(EventsError::Undetermined {
                code: code.id,
                unit: code.unit.clone(),
                kind: named.name.clone(),
            });
        };
        let by_weights = weights.total(&measured);
        let by_flow = decoded.totals[kind].value;
        if by_flow != by_weights && both_ways_are_exact(code, kind, &flow) {
            return Err(EventsError::Contradiction {
                code: code.id,
                unit: code.unit.clone(),
                kind: named.name.clone(),
                by_weights,
                by_flow,
            });
        }
        decoded.totals[kind] = bounded(by_weights, &flow, &weights, code, left);
    }
    decoded.lost = flow.lost().max(left);
    if decoded.lost > 0 && held_loops_leak(&code.graph) {
        decoded
            .totals
            .iter_mut()
            .for_each(|total| total.high = i64::MAX);
    }
    Ok(decoded)
}

/// True if control can leave, without passing an edge, a loop whose count is held in a register.
fn held_loops_leak(graph: &Graph) -> bool {
    let held = |edge: &&Edge| matches!(edge.measure, Measure::Counter { held: true, .. });
    graph.edges.iter().filter(held).any(|back| {
        loop_blocks(graph, back)
            .into_iter()
            .any(|block| graph.blocks[block].leaks)
    })
}

/// Blocks of the natural loop of a back edge.
fn loop_blocks(graph: &Graph, back: &Edge) -> Vec<usize> {
    let root = graph.root();
    let mut inside = vec![back.to];
    let mut next = vec![back.from];
    while let Some(block) = next.pop() {
        if block != root && !inside.contains(&block) {
            inside.push(block);
            let into = graph.edges.iter().filter(|edge| edge.to == block);
            next.extend(into.map(|edge| edge.from));
        }
    }
    inside.retain(|block| *block != root);
    inside
}

/// Whether the two ways of decoding must agree: no traversal was lost and all blocks of the type are determined.
fn both_ways_are_exact(code: &Code, kind: usize, flow: &Flow) -> bool {
    let known = (0..code.graph.blocks.len())
        .all(|block| flow.blocks[block].is_some() || code.graph.events_of(block, kind) == 0);
    known && flow.imbalances.is_empty()
}

fn bounded(value: i64, flow: &Flow, weights: &Weights, code: &Code, left: u64) -> Total {
    let mut total = Total::exact(value);
    let mut widen = |slack: Slack, times: u64| {
        let times = i64::try_from(times).unwrap_or(i64::MAX);
        total.low = total.low.saturating_add(slack.low.saturating_mul(times));
        total.high = total.high.saturating_add(slack.high.saturating_mul(times));
    };
    for imbalance in &flow.imbalances {
        let slack = weights.slack(imbalance.blocks.iter().copied());
        widen(slack, imbalance.excess.unsigned_abs());
    }
    let leaking = (0..code.graph.blocks.len()).filter(|block| code.graph.blocks[*block].leaks);
    let placed: u64 = flow
        .imbalances
        .iter()
        .map(|imbalance| imbalance.excess.max(0).unsigned_abs())
        .sum();
    let elsewhere = left.max(flow.negative.unsigned_abs());
    widen(weights.slack(leaking), elsewhere.saturating_sub(placed));
    total
}

/// Events of blocks times their executions.
fn of_blocks(code: &Code, types: usize, blocks: &[Option<i64>]) -> Decoded {
    let mut decoded = Decoded {
        totals: vec![Total::default(); types],
        blocks: blocks.to_vec(),
        ..Decoded::default()
    };
    for (block, executions) in code.graph.blocks.iter().zip(blocks) {
        let Some(executions) = executions.filter(|executions| *executions != 0) else {
            continue;
        };
        for event in &block.events {
            let count = executions * event.count as i64;
            decoded.totals[event.kind] = decoded.totals[event.kind].plus(Total::exact(count));
            *decoded
                .positions
                .entry((event.kind, event.position))
                .or_default() += count;
        }
    }
    decoded
}
