//! Path numbers against an enumeration of all paths and against random executions.

use std::collections::HashMap;

use crate::common::{graphs, walk};
use proofmark_events::{Graph, Numbering, Step};
use proptest::prelude::*;

/// Numbers the paths as published: edges backwards and those chosen are cut; values are sums of the numbers of
/// paths below. Pseudo edges: one from the start to every target of a cut edge, one from each cut edge's source to the end.
fn numbering(graph: &Graph, chosen: &[bool]) -> Numbering {
    let cut: Vec<bool> = graph
        .edges
        .iter()
        .enumerate()
        .map(|(at, edge)| {
            let inside = edge.from != graph.root() && edge.to != graph.root();
            inside && (edge.to <= edge.from || chosen[at % chosen.len()])
        })
        .collect();
    let mut below = vec![1u64; graph.vertices()];
    let mut steps = vec![Step::Add(0); graph.edges.len()];
    for block in (0..graph.blocks.len()).rev() {
        let mut sum = 0;
        for at in (0..graph.edges.len()).filter(|at| graph.edges[*at].from == block) {
            steps[at] = if cut[at] {
                Step::Cut {
                    last: sum,
                    first: 0,
                }
            } else {
                Step::Add(sum)
            };
            sum += if cut[at] {
                1
            } else {
                below[graph.edges[at].to]
            };
        }
        below[block] = sum;
    }
    let mut sum = below[graph.edges[0].to];
    let mut starts: HashMap<usize, u64> = HashMap::new();
    for at in (0..graph.edges.len()).filter(|at| cut[*at]) {
        let to = graph.edges[at].to;
        let first = *starts.entry(to).or_insert_with(|| {
            let here = sum;
            sum += below[to];
            here
        });
        if let Step::Cut { last, .. } = steps[at] {
            steps[at] = Step::Cut { last, first };
        }
    }
    Numbering {
        steps,
        base: 5,
        paths: sum,
    }
}

/// All paths with their numbers, by going everywhere.
fn enumerate(graph: &Graph, numbering: &Numbering) -> HashMap<u64, Vec<usize>> {
    let mut found = HashMap::new();
    let mut open: Vec<(u64, Vec<usize>)> = vec![(0, vec![graph.edges[0].to])];
    for (at, step) in numbering.steps.iter().enumerate() {
        if let Step::Cut { first, .. } = step {
            open.push((*first, vec![graph.edges[at].to]));
        }
    }
    while let Some((number, blocks)) = open.pop() {
        let at = *blocks.last().unwrap();
        for edge in (0..graph.edges.len()).filter(|e| graph.edges[*e].from == at) {
            match numbering.steps[edge] {
                Step::Cut { last, .. } => drop(found.insert(number + last, blocks.clone())),
                Step::Add(value) if graph.edges[edge].to == graph.root() => {
                    found.insert(number + value, blocks.clone());
                }
                Step::Add(value) => {
                    let mut longer = blocks.clone();
                    longer.push(graph.edges[edge].to);
                    open.push((number + value, longer));
                }
            }
        }
    }
    found
}

/// Counters after random executions, as inserted code would leave them.
fn count(graph: &Graph, numbering: &Numbering, choices: &[usize]) -> HashMap<usize, i64> {
    let mut counters = HashMap::new();
    let mut choices = choices.iter();
    loop {
        let (mut at, mut register) = (graph.edges[0].to, 0);
        let mut more = true;
        while at != graph.root() {
            let out: Vec<usize> = (0..graph.edges.len())
                .filter(|e| graph.edges[*e].from == at)
                .collect();
            let choice = choices.next();
            more = choice.is_some();
            let edge = match choice {
                Some(choice) => out[choice % out.len()],
                None => *out.iter().max_by_key(|e| graph.edges[**e].to).unwrap(),
            };
            at = graph.edges[edge].to;
            let ended = match numbering.steps[edge] {
                Step::Add(value) => {
                    register += value;
                    (at == graph.root()).then_some(register)
                }
                Step::Cut { last, first } => Some(std::mem::replace(&mut register, first) + last),
            };
            if let Some(number) = ended {
                *counters
                    .entry(numbering.base + usize::try_from(number).unwrap())
                    .or_insert(0) += 1;
            }
        }
        if !more || choices.as_slice().is_empty() {
            return counters;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn numbers_lead_back_to_paths(
        graph in graphs(),
        chosen in prop::collection::vec(prop::bool::weighted(0.4), 16),
        choices in prop::collection::vec(0usize..6, 0..300),
    ) {
        let numbering = numbering(&graph, &chosen);
        prop_assume!(numbering.paths < 2000);
        let all = enumerate(&graph, &numbering);
        prop_assert_eq!(all.len() as u64, numbering.paths);
        for (number, blocks) in &all {
            prop_assert_eq!(&numbering.blocks(&graph, *number).unwrap(), blocks, "path {}", number);
        }
        prop_assert!(numbering.blocks(&graph, numbering.paths + 7).is_err());
        let counters = count(&graph, &numbering, &choices);
        let of = |counter| counters.get(&counter).copied().unwrap_or(0);
        let truth = walk(&graph, &choices, false);
        prop_assert_eq!(numbering.executions(&graph, &of).unwrap(), truth.blocks);
    }
}
