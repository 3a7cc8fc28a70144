//! Spanning trees, flows and potentials against random executions and against elimination over fractions.

use crate::common::{KINDS, counted, graphs, measure, spanning_tree, walk};
use proofmark_events::{Code, EventType, Flow, Graph, Reading, Strategy, Weights, decode};
use proptest::prelude::*;

/// Rows of exact fractions (numerators; every row has its own scale), reduced to echelon form.
struct Elimination {
    rows: Vec<Vec<i128>>,
    columns: usize,
}

impl Elimination {
    /// "As much goes in as comes out" at every vertex; the last column is the right-hand side.
    fn of(graph: &Graph, measured: &[Option<i64>]) -> Self {
        let columns = graph.edges.len();
        let mut rows = vec![vec![0i128; columns + 1]; graph.vertices()];
        for (at, edge) in graph.edges.iter().enumerate() {
            let mut add = |vertex: usize, sign: i128| match measured[at] {
                None => rows[vertex][at] += sign,
                Some(count) => rows[vertex][columns] -= sign * i128::from(count),
            };
            add(edge.to, 1);
            add(edge.from, -1);
        }
        let mut system = Elimination { rows, columns };
        system.reduce();
        system
    }

    fn reduce(&mut self) {
        let mut done = 0;
        for column in 0..self.columns {
            let Some(pivot) = (done..self.rows.len()).find(|row| self.rows[*row][column] != 0)
            else {
                continue;
            };
            self.rows.swap(done, pivot);
            for row in 0..self.rows.len() {
                if row != done {
                    subtract(&mut self.rows, row, done, column);
                }
            }
            done += 1;
        }
    }

    /// The sum of coefficients times open edges, if the equations determine it.
    fn value(&self, coefficients: &[i128]) -> Option<i128> {
        let mut rows = self.rows.clone();
        let mut wanted = coefficients.to_vec();
        wanted.push(0);
        rows.push(wanted);
        let last = rows.len() - 1;
        let mut scale = 1i128;
        for row in 0..last {
            if let Some(column) = (0..self.columns).find(|c| rows[row][*c] != 0)
                && rows[last][column] != 0
            {
                scale *= rows[row][column];
                subtract(&mut rows, last, row, column);
            }
        }
        let rest = &rows[last][..self.columns];
        rest.iter()
            .all(|c| *c == 0)
            .then(|| -rows[last][self.columns] / scale)
    }
}

/// Row `row` times the pivot minus the pivot's row times the entry.
fn subtract(rows: &mut [Vec<i128>], row: usize, pivot: usize, column: usize) {
    let (factor, entry) = (rows[pivot][column], rows[row][column]);
    let pivot = rows[pivot].clone();
    for (value, other) in rows[row].iter_mut().zip(pivot) {
        *value = *value * factor - other * entry;
    }
}

fn code(graph: Graph) -> Code {
    Code {
        id: 1,
        strategy: Strategy::Edge,
        unit: "p.C.m()V".into(),
        entry_bci: -1,
        size: 100,
        positions: Vec::new(),
        graph,
        reading: Reading::Edges,
    }
}

fn types() -> Vec<EventType> {
    let named = |at: usize| EventType {
        name: format!("type-{at}"),
        category: "all".into(),
    };
    (0..KINDS).map(named).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_spanning_tree_gives_every_edge_and_every_total_back(
        graph in graphs(),
        keys in prop::collection::vec(any::<u32>(), 8),
        choices in prop::collection::vec(0usize..6, 0..300),
    ) {
        let truth = walk(&graph, &choices, false);
        let open = spanning_tree(&graph, &keys);
        let flow = Flow::solve(&graph, &measure(&truth, &open));
        let edges: Vec<Option<i64>> = truth.edges.iter().map(|count| Some(*count)).collect();
        prop_assert_eq!(&flow.edges, &edges);
        prop_assert!(flow.imbalances.is_empty() && flow.negative == 0 && flow.lost() == 0);
        let decoded = decode(&code(counted(&graph, &open)), &types(), &|counter| truth.edges[counter], 0).unwrap();
        let totals: Vec<i64> = decoded.totals.iter().map(|total| total.value).collect();
        prop_assert_eq!(totals, truth.events);
        prop_assert!(decoded.totals.iter().all(|total| (total.low, total.high) == (total.value, total.value)));
        let blocks: Vec<Option<i64>> = truth.blocks.iter().map(|count| Some(*count)).collect();
        prop_assert_eq!(decoded.blocks, blocks);
    }

    #[test]
    fn exactly_what_the_equations_determine_is_determined(
        graph in graphs(),
        pattern in prop::collection::vec(prop::bool::weighted(0.6), 24),
        choices in prop::collection::vec(0usize..6, 0..100),
    ) {
        let truth = walk(&graph, &choices, false);
        let open: Vec<bool> = (0..graph.edges.len()).map(|edge| pattern[edge % pattern.len()]).collect();
        let measured = measure(&truth, &open);
        let twin = Elimination::of(&graph, &measured);
        let flow = Flow::solve(&graph, &measured);
        for edge in (0..graph.edges.len()).filter(|edge| open[*edge]) {
            let mut one = vec![0; graph.edges.len()];
            one[edge] = 1;
            prop_assert_eq!(flow.edges[edge].map(i128::from), twin.value(&one), "edge {}", edge);
        }
        for kind in 0..KINDS {
            let of_open = |edge: usize| if open[edge] { i128::from(graph.events_of(graph.edges[edge].to, kind)) } else { 0 };
            let coefficients: Vec<i128> = (0..graph.edges.len()).map(of_open).collect();
            let measured_part: i64 = (0..graph.edges.len())
                .filter_map(|edge| Some(measured[edge]? * graph.events_of(graph.edges[edge].to, kind)))
                .sum();
            let by_twin = twin.value(&coefficients).map(|rest| rest + i128::from(measured_part));
            let by_weights = Weights::of(&graph, &open, kind).map(|w| i128::from(w.total(&measured)));
            prop_assert_eq!(by_weights, by_twin, "type {}", kind);
        }
    }

    #[test]
    fn losses_are_bounded_and_seen_where_entry_and_exits_are_counted(
        graph in graphs(),
        keys in prop::collection::vec(any::<u32>(), 8),
        choices in prop::collection::vec(0usize..6, 0..200),
    ) {
        let truth = walk(&graph, &choices, true);
        let mut open = spanning_tree(&graph, &keys);
        let unchecked = decode(&code(counted(&graph, &open)), &types(), &|c| truth.edges[c], truth.left).unwrap();
        for (total, events) in unchecked.totals.iter().zip(&truth.events) {
            prop_assert!(total.low <= *events && *events <= total.high, "{:?} {}", total, events);
        }
        for (at, edge) in graph.edges.iter().enumerate() {
            if edge.from == graph.root() || edge.to == graph.root() {
                open[at] = false;
            }
        }
        let checked = decode(&code(counted(&graph, &open)), &types(), &|c| truth.edges[c], 0).unwrap();
        prop_assert_eq!(checked.lost, truth.left);
        for (total, events) in checked.totals.iter().zip(&truth.events) {
            prop_assert!(total.low <= *events && *events <= total.high, "{:?} {}", total, events);
        }
    }
}

#[test]
fn a_wrong_edge_in_the_table_is_noticed_by_negative_counts() {
    // 0 -> 1 -> out and 0 -> 2 -> out; the counter of 0 -> 1 says 5 while the entry says 3.
    use proofmark_events::{Block, Edge, Measure};
    let block = |id| Block {
        id,
        frequency: 1.0,
        events: Vec::new(),
        leaks: false,
    };
    let edge = |from, to| Edge {
        from,
        to,
        measure: Measure::Open,
    };
    let graph = Graph {
        blocks: vec![block(0), block(1), block(2)],
        edges: vec![edge(3, 0), edge(0, 1), edge(0, 2), edge(1, 3), edge(2, 3)],
    };
    let flow = Flow::solve(&graph, &[Some(3), Some(5), None, None, None]);
    assert_eq!(flow.edges, [Some(3), Some(5), Some(-2), Some(5), Some(-2)]);
    assert_eq!((flow.negative, flow.lost()), (2, 2));
}
