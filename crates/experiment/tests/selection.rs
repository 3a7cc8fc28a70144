//! What is judged, pooled and left out of a program whose shares are known.

use std::collections::HashMap;

use proofmark_blocks::{
    Block, BlockCosts, BlockKey, BlockTimes, Code, CodeMap, Frame, Span, Unit, Weight,
};
use proofmark_experiment::select::{Reason, Selection, SelectionSettings, select};

fn block(id: u32, header: Option<u32>) -> Block {
    Block {
        id,
        successors: Vec::new(),
        loop_header: header,
        loop_depth: u32::from(header.is_some()),
        frequency: 1.0,
        cycles: None,
        operations: Vec::new(),
    }
}

/// Unit 0: block 0 outside of loops, loop 1 {1, 2, 3} of method m1, loop 4 {4, 5} of m1 and m2.
/// Unit 1: one block.
fn map() -> CodeMap {
    let position = |name: &str| {
        vec![Frame {
            method: name.into(),
            bci: 0,
            line: None,
        }]
    };
    let unit = |name: &str, blocks| Unit {
        name: name.into(),
        signature: String::new(),
        blocks,
        positions: ["m0", "m1", "m2"].map(position).to_vec(),
    };
    let mut map = CodeMap::new();
    let headers = [None, Some(1), Some(1), Some(1), Some(4), Some(4)];
    let blocks = (0..)
        .zip(headers)
        .map(|(id, header)| block(id, header))
        .collect();
    map.add_unit(unit("big", blocks)).unwrap();
    map.add_unit(unit("small", vec![block(0, None)])).unwrap();
    let owners = [0, 1, 1, 1, 1, 2];
    let span = |(block, position): (u32, u32)| Span {
        start: block * 4,
        block: Some(block),
        position: Some(position),
        inserted: false,
    };
    let spans = (0..).zip(owners).map(span).collect();
    map.add_code(&Code {
        id: 1,
        unit: 0,
        size: 24,
        spans,
        debug: Vec::new(),
    })
    .unwrap();
    map
}

fn weight(samples: u32) -> Weight {
    Weight {
        sum: f64::from(samples),
        squares: f64::from(samples),
    }
}

/// 100 000 samples: 2 400 of them (2.4 %) are needed for 5 points.
fn times() -> BlockTimes {
    let shares = [1_000, 50_000, 2_000, 1_000, 30_000, 500];
    let blocks = (0..)
        .zip(shares)
        .map(|(block, n)| (BlockKey { unit: 0, block }, weight(n)));
    let mut times = BlockTimes {
        total: weight(100_000),
        outside: weight(14_000),
        blocks: blocks.collect(),
        ..BlockTimes::default()
    };
    times.units = [(0, weight(85_000)), (1, weight(1_000))].into();
    times
        .blocks
        .insert(BlockKey { unit: 1, block: 0 }, weight(1_000));
    times.no_block = [(0, weight(500))].into();
    times
}

fn members(selection: &Selection) -> Vec<Vec<u32>> {
    let ids = |tunable: &proofmark_experiment::select::SelectedTunable| {
        tunable.members.iter().map(|m| m.block.block).collect()
    };
    selection.tunables.iter().map(ids).collect()
}

#[test]
fn small_blocks_are_pooled_and_all_time_is_accounted_for() {
    let chosen = select(
        &map(),
        &times(),
        &HashMap::new(),
        &SelectionSettings::default(),
    );
    assert_eq!(members(&chosen), [vec![1], vec![2, 3], vec![4]]);
    assert_eq!(
        chosen.tunables[1].cluster, chosen.tunables[0].cluster,
        "pooled within its loop"
    );
    assert!((chosen.judged.value - 0.80).abs() < 1e-9);
    assert!((chosen.covered.value - 0.83).abs() < 1e-9);
    let excluded: Vec<(Reason, f64)> = chosen
        .excluded
        .iter()
        .map(|part| (part.reason, part.share.value))
        .collect();
    assert_eq!(
        excluded,
        [
            (Reason::OutsideOfUnits, 0.14),
            (Reason::TooFewSamples, 0.015),
            (Reason::SmallUnit, 0.01),
            (Reason::NoBlock, 0.005),
        ]
    );
    let all: f64 = excluded.iter().map(|(_, share)| share).sum::<f64>() + chosen.covered.value;
    assert!((all - 1.0).abs() < 1e-9);
}

#[test]
fn what_is_too_small_in_each_cluster_is_pooled_in_the_unit() {
    let settings = SelectionSettings {
        samples: Some(200_000.0),
        ..SelectionSettings::default()
    };
    let chosen = select(&map(), &times(), &HashMap::new(), &settings);
    assert_eq!(members(&chosen), [vec![1], vec![2], vec![4], vec![0, 3, 5]]);
    assert_eq!(chosen.tunables[3].cluster, None);
    assert!(chosen.tunables[3].is_pool() && !chosen.tunables[1].is_pool());
}

#[test]
fn a_block_of_less_than_a_cycle_is_pooled_however_large() {
    let costs = BlockCosts {
        cycles: HashMap::from([(1, 5e8), (4, 3e8)]),
        executions: HashMap::from([(0, 1.0), (1, 1e9), (4, 1e8)]),
    };
    let costs = HashMap::from([(0, costs)]);
    let chosen = select(&map(), &times(), &costs, &SelectionSettings::default());
    assert_eq!(members(&chosen), [vec![1, 2, 3], vec![4]]);
    assert_eq!(chosen.tunables[0].members[0].pooled, Some(Reason::TooShort));
}
