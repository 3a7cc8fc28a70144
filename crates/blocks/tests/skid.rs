//! Known answers: what the machine reports for programs whose block times are known.

use std::collections::HashMap;

use proofmark_blocks::{
    Block, BlockKey, BlockTimes, Code, CodeMap, EdgeCounts, Frame, Install, Sample, Skid, Span,
    Unit, attribute,
};

const START: u64 = 0x7000;

fn block(id: u32, successors: &[u32]) -> Block {
    Block {
        id,
        successors: successors.to_vec(),
        loop_header: None,
        loop_depth: 0,
        frequency: 1.0,
        cycles: None,
        operations: Vec::new(),
    }
}

/// Spans of 4 bytes each: block (negative: none), position (negative: none).
fn map(blocks: Vec<Block>, spans: &[(i64, i64)]) -> CodeMap {
    let position = |name: &str| {
        vec![Frame {
            method: name.into(),
            bci: 0,
            line: None,
        }]
    };
    let unit = Unit {
        name: "root".into(),
        signature: String::new(),
        blocks,
        positions: ["m0", "m1", "m2"].map(position).to_vec(),
    };
    let span = |(at, (block, position)): (usize, &(i64, i64))| Span {
        start: u32::try_from(at * 4).unwrap(),
        block: u32::try_from(*block).ok(),
        position: u32::try_from(*position).ok(),
        inserted: false,
    };
    let spans: Vec<Span> = spans.iter().enumerate().map(span).collect();
    let size = u32::try_from(spans.len() * 4).unwrap();
    let mut map = CodeMap::new();
    let unit = map.add_unit(unit).unwrap();
    map.add_code(&Code {
        id: 5,
        unit,
        size,
        spans,
        debug: Vec::new(),
    })
    .unwrap();
    map.add_install(&Install {
        code: 5,
        start: START,
        time_ns: 10,
    })
    .unwrap();
    map
}

/// Charges `count` samples at each span's first address.
fn charged(map: &CodeMap, skid: Skid, counts: &[(u32, u64)], hits: &[(u64, usize)]) -> BlockTimes {
    let edges: HashMap<u32, EdgeCounts> = if counts.is_empty() {
        HashMap::new()
    } else {
        let counts = counts.iter().copied().collect();
        HashMap::from([(0, EdgeCounts::solve(&map.units()[0], &counts))])
    };
    let samples = hits.iter().flat_map(|(span, count)| {
        let sample = Sample {
            ip: START + span * 4,
            time_ns: 11,
            weight: 1.0,
        };
        std::iter::repeat_n(sample, *count)
    });
    attribute(map, skid, &edges, samples)
}

fn share(times: &BlockTimes, block: u32) -> f64 {
    times.block_share(BlockKey { unit: 0, block }).value
}

fn method(times: &BlockTimes, name: &str) -> f64 {
    times.method_share(name).value
}

/// A load that misses at the end of block 1 is seen on the first instruction of block 2.
#[test]
fn a_stall_at_the_end_of_a_block_goes_back_to_it() {
    let map = map(
        vec![
            block(0, &[1]),
            block(1, &[2]),
            block(2, &[1, 3]),
            block(3, &[]),
        ],
        &[(0, 0), (1, 0), (1, 1), (2, 2), (2, 2), (3, 0)],
    );
    let counts = [(0, 1), (1, 1000), (2, 1000), (3, 1)];
    let hits = [(3, 94), (4, 6)];
    let raw = charged(&map, Skid::None, &counts, &hits);
    assert!(share(&raw, 2) > 0.99 && method(&raw, "m2") > 0.99);
    let shifted = charged(&map, Skid::NextInstruction, &counts, &hits);
    assert!((share(&shifted, 1) - 0.94).abs() < 1e-9, "{shifted:?}");
    assert!(
        (method(&shifted, "m1") - 0.94).abs() < 1e-9,
        "the operation that ends block 1"
    );
    assert!((method(&shifted, "m2") - 0.06).abs() < 1e-9);
}

/// Block 3 is reached from 1 by a jump (which takes no time) and from 2 by falling through.
#[test]
fn a_predecessor_that_ends_with_a_jump_gets_nothing() {
    let map = map(
        vec![
            block(0, &[1, 2]),
            block(1, &[3]),
            block(2, &[3]),
            block(3, &[]),
        ],
        &[(0, 0), (1, 1), (2, 2), (3, 0)],
    );
    let counts = [(0, 1000), (1, 900), (2, 100), (3, 1000)];
    let times = charged(&map, Skid::NextInstruction, &counts, &[(3, 50)]);
    assert!((share(&times, 2) - 1.0).abs() < 1e-9, "{times:?}");
}

#[test]
fn if_all_predecessors_jump_the_block_keeps_its_time() {
    let map = map(
        vec![block(0, &[2]), block(1, &[]), block(2, &[])],
        &[(0, 0), (1, 1), (2, 2)],
    );
    let times = charged(&map, Skid::NextInstruction, &[(0, 7), (2, 7)], &[(2, 50)]);
    assert!((share(&times, 2) - 1.0).abs() < 1e-9);
}

/// A loop of one block: its own branch comes back 9 of 10 times, the entry falls through once.
#[test]
fn predecessors_share_in_proportion_to_edge_counts() {
    let blocks = || vec![block(0, &[1]), block(1, &[1, 2]), block(2, &[])];
    let map = map(blocks(), &[(0, 0), (1, 1), (2, 2)]);
    let times = charged(
        &map,
        Skid::NextInstruction,
        &[(0, 100), (1, 1000), (2, 100)],
        &[(1, 1000)],
    );
    assert!((share(&times, 0) - 0.1).abs() < 1e-9, "{times:?}");
    assert!((share(&times, 1) - 0.9).abs() < 1e-9);
    assert!(times.uncounted.sum == 0.0);
    let guessed = charged(&map, Skid::NextInstruction, &[], &[(1, 1000)]);
    assert!((share(&guessed, 0) - 0.5).abs() < 1e-9);
    assert!(
        (guessed.uncounted.sum - 1000.0).abs() < 1e-9,
        "said to be without counts"
    );
}

/// Block 1 has no bytes: who falls through it waits at the start of block 2.
#[test]
fn a_block_without_bytes_passes_the_question_on() {
    let map = map(
        vec![block(0, &[1]), block(1, &[2]), block(2, &[])],
        &[(0, 0), (2, 2)],
    );
    let times = charged(
        &map,
        Skid::NextInstruction,
        &[(0, 3), (1, 3), (2, 3)],
        &[(1, 10)],
    );
    assert!((share(&times, 0) - 1.0).abs() < 1e-9, "{times:?}");
}

/// Block 3 has no bytes and is reached 30 times from 1 and 10 times from 2; block 4 is also reached 60
/// times by the branch of 0.
#[test]
fn a_block_without_bytes_divides_only_what_passed_through_it() {
    let map = map(
        vec![
            block(0, &[4, 1]),
            block(1, &[3, 2]),
            block(2, &[3, 5]),
            block(3, &[4]),
            block(4, &[]),
            block(5, &[]),
        ],
        &[(0, 0), (1, 1), (2, 2), (4, 0), (5, 0)],
    );
    let counts = [(0, 100), (1, 40), (2, 10), (3, 40), (4, 100), (5, 0)];
    let times = charged(&map, Skid::NextInstruction, &counts, &[(3, 100)]);
    let shares = [0, 1, 2].map(|block| (share(&times, block) * 100.0).round());
    assert_eq!(shares, [60.0, 30.0, 10.0], "{times:?}");
}

#[test]
fn inside_a_block_the_operation_that_ends_there_is_charged() {
    let map = map(
        vec![block(0, &[])],
        &[(-1, -1), (0, 0), (0, 1), (0, -1), (-1, -1)],
    );
    let times = charged(
        &map,
        Skid::NextInstruction,
        &[(0, 1)],
        &[(2, 10), (0, 5), (1, 5), (4, 3)],
    );
    assert!(
        (method(&times, "m0") - 15.0 / 23.0).abs() < 1e-9,
        "{times:?}"
    );
    assert!(
        (times.no_block[&0].sum - 3.0).abs() < 1e-9,
        "slow paths are no block's"
    );
    assert!(
        (share(&times, 0) - 20.0 / 23.0).abs() < 1e-9,
        "the prologue is the first block's"
    );
}

#[test]
fn a_gap_in_a_block_of_two_methods_is_ambiguous() {
    let map = map(vec![block(0, &[])], &[(0, 0), (0, -1), (0, 1)]);
    let times = charged(&map, Skid::None, &[(0, 1)], &[(0, 10), (1, 10), (2, 10)]);
    assert!((times.ambiguous.sum - 10.0).abs() < 1e-9);
    assert!((method(&times, "m1") - 2.0 / 3.0).abs() < 1e-9);
    assert!((times.methods["m1"].ambiguous.sum - 10.0).abs() < 1e-9);
    let mut twice = times.clone();
    twice.merge(&times);
    assert!((twice.methods["m1"].ambiguous.sum - 20.0).abs() < 1e-9);
    assert!((twice.ambiguous.sum - 20.0).abs() < 1e-9);
    assert!((twice.methods["m0"].claimable.sum - 20.0).abs() < 1e-9);
    assert!(twice.methods["m1"].claimable.sum.abs() < 1e-9);
}

/// Behind the last position of a block the border is open: who comes next may have it.
#[test]
fn a_gap_at_the_end_of_a_block_may_be_the_next_blocks() {
    let map = map(
        vec![block(0, &[1]), block(1, &[])],
        &[(0, 0), (0, 1), (0, -1), (1, 2)],
    );
    let times = charged(
        &map,
        Skid::None,
        &[(0, 1), (1, 1)],
        &[(0, 10), (1, 10), (2, 10), (3, 10)],
    );
    assert!((times.methods["m1"].ambiguous.sum - 10.0).abs() < 1e-9);
    assert!((times.methods["m2"].claimable.sum - 10.0).abs() < 1e-9);
    assert!(times.methods["m0"].claimable.sum.abs() < 1e-9);
}

#[test]
fn windows_merge_and_survive_json() {
    let map = map(vec![block(0, &[1]), block(1, &[])], &[(0, 0), (1, 1)]);
    let mut one = charged(&map, Skid::None, &[], &[(0, 3), (1, 1)]);
    let sample = Sample {
        ip: 1,
        time_ns: 11,
        weight: 4.0,
    };
    let two = attribute(&map, Skid::None, &HashMap::new(), [sample]);
    assert!((two.outside.sum - 4.0).abs() < 1e-9);
    one.merge(&two);
    assert!((share(&one, 0) - 3.0 / 8.0).abs() < 1e-9);
    let text = serde_json::to_string(&one).unwrap();
    assert_eq!(serde_json::from_str::<BlockTimes>(&text).unwrap(), one);
}

/// Samples name what follows a pair: half of them belong two operations back, across the border too.
#[test]
fn of_a_retire_pair_each_operation_gets_half() {
    let map = map(
        vec![block(0, &[1]), block(1, &[1, 2]), block(2, &[])],
        &[(0, 0), (1, 0), (1, 1), (1, 2), (2, 0)],
    );
    let counts = [(0, 1), (1, 1000), (2, 1)];
    let inside = charged(&map, Skid::RetirePair, &counts, &[(3, 40)]);
    assert!((method(&inside, "m1") - 0.5).abs() < 1e-9, "{inside:?}");
    assert!((method(&inside, "m0") - 0.5).abs() < 1e-9);
    // At the loop's top: the last operation of the block, and the one before that.
    let top = charged(&map, Skid::RetirePair, &counts, &[(1, 1000)]);
    assert!((method(&top, "m2") - 0.4995).abs() < 1e-3, "{top:?}");
    assert!((method(&top, "m1") - 0.4995).abs() < 1e-3);
    // On its second operation: half of it is the first one's, half what came before the block.
    let second = charged(&map, Skid::RetirePair, &counts, &[(2, 1000)]);
    assert!((method(&second, "m0") - 0.5).abs() < 1e-3, "{second:?}");
    assert!((method(&second, "m2") - 0.5).abs() < 1e-3);
    assert!((second.total.sum - 1000.0).abs() < 1e-9);
}
