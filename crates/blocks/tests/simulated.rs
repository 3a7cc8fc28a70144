//! A simulated processor with the measured skid: every instruction's latency is seen on the one that
//! is executed next. Truth is known, so the correction must find it.

use std::collections::HashMap;

use proofmark_blocks::{
    Block, BlockKey, BlockTimes, Code, CodeMap, EdgeCounts, Frame, Install, Sample, Skid, Span,
    Unit, attribute,
};
use proptest::prelude::*;

const BASE: u64 = 0x10_0000;

/// One instruction, four bytes of code: its block and its latency in cycles (a `jmp` has none).
#[derive(Debug, Clone, Copy)]
struct Instruction {
    block: usize,
    latency: f64,
}

/// Blocks in emission order with latencies of their instructions. A block whose single successor is not
/// the next block ends with a `jmp`.
#[derive(Debug)]
struct Program {
    blocks: Vec<Block>,
    code: Vec<Instruction>,
    starts: Vec<usize>,
}

impl Program {
    fn new(shape: &[(Vec<u32>, Vec<u8>)]) -> Self {
        let (mut blocks, mut code, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        for (at, (successors, latencies)) in shape.iter().enumerate() {
            starts.push(code.len());
            let latencies = latencies.iter().map(|latency| f64::from(*latency));
            code.extend(latencies.map(|latency| Instruction { block: at, latency }));
            code.last_mut().unwrap().latency = END_LATENCY;
            let next = u32::try_from(at + 1).unwrap();
            if successors.len() == 1 && successors[0] != next {
                code.push(Instruction {
                    block: at,
                    latency: 0.0,
                });
            }
            blocks.push(Block {
                id: u32::try_from(at).unwrap(),
                successors: successors.clone(),
                loop_header: None,
                loop_depth: 0,
                frequency: 1.0,
                cycles: None,
                operations: Vec::new(),
            });
        }
        Self {
            blocks,
            code,
            starts,
        }
    }

    fn instructions_of(&self, block: usize) -> std::ops::Range<usize> {
        self.starts[block]
            ..self
                .starts
                .get(block + 1)
                .copied()
                .unwrap_or(self.code.len())
    }

    /// Walks `choices` blocks from the first one; the last block calls the first one again.
    fn walk(&self, choices: &[usize]) -> Vec<usize> {
        let mut path = vec![0];
        for choice in choices {
            let successors = &self.blocks[path[path.len() - 1]].successors;
            let next = successors
                .get(choice % successors.len().max(1))
                .copied()
                .unwrap_or(0);
            path.push(next as usize);
        }
        while let [.., last] = path[..] {
            let Some(next) = self.blocks[last].successors.iter().max() else {
                break;
            };
            path.push(*next as usize);
        }
        path
    }

    fn map(&self) -> CodeMap {
        let method = |at: usize| {
            vec![Frame {
                method: format!("m{}", at % 3),
                bci: 0,
                line: None,
            }]
        };
        let spans = self.code.iter().enumerate().map(|(at, instruction)| Span {
            start: u32::try_from(at * 4).unwrap(),
            block: u32::try_from(instruction.block).ok(),
            position: u32::try_from(at).ok(),
            inserted: false,
        });
        let size = u32::try_from(self.code.len() * 4).unwrap();
        let code = Code {
            id: 1,
            unit: 0,
            size,
            spans: spans.collect(),
            debug: Vec::new(),
        };
        let mut map = CodeMap::new();
        map.add_unit(Unit {
            name: "m0".into(),
            signature: String::new(),
            blocks: self.blocks.clone(),
            positions: (0..self.code.len()).map(method).collect(),
        })
        .unwrap();
        map.add_code(&code).unwrap();
        map.add_install(&Install {
            code: 1,
            start: BASE,
            time_ns: 0,
        })
        .unwrap();
        map
    }
}

/// Latency of the last instruction of every block: where predecessors differ in it, counts alone cannot
/// say whose time it was.
const END_LATENCY: f64 = 40.0;

struct Outcome {
    times: BlockTimes,
    blocks: HashMap<usize, f64>,
    methods: HashMap<String, f64>,
}

/// Runs the program; every instruction's latency is the weight of one sample.
fn run(program: &Program, choices: &[usize], skid: Skid) -> (Outcome, bool) {
    let path = program.walk(choices);
    let mut counts: HashMap<u32, u64> = HashMap::new();
    for block in &path {
        *counts.entry(u32::try_from(*block).unwrap()).or_default() += 1;
    }
    let executed: Vec<usize> = path
        .iter()
        .flat_map(|block| program.instructions_of(*block))
        .collect();
    let (mut blocks, mut methods) = (HashMap::new(), HashMap::new());
    let mut samples = Vec::new();
    for pair in executed.windows(2) {
        let Instruction { block, latency } = program.code[pair[0]];
        let ends_unit = program.blocks[block].successors.is_empty()
            && pair[0] + 1 == program.instructions_of(block).end;
        if latency > 0.0 && !ends_unit {
            *blocks.entry(block).or_default() += latency;
            *methods.entry(format!("m{}", pair[0] % 3)).or_default() += latency;
            let ip = BASE + 4 * u64::try_from(pair[1]).unwrap();
            samples.push(Sample {
                ip,
                time_ns: 1,
                weight: latency,
            });
        }
    }
    let edges = EdgeCounts::solve(&program.map().units()[0], &counts);
    let determined = edges.edges.iter().all(|edge| edge.low == edge.high);
    let times = attribute(&program.map(), skid, &HashMap::from([(0, edges)]), samples);
    (
        Outcome {
            times,
            blocks,
            methods,
        },
        determined,
    )
}

/// Largest error of a block's time, as a part of all time.
fn largest_error(program: &Program, outcome: &Outcome) -> f64 {
    let share = |at: usize| {
        let key = BlockKey {
            unit: 0,
            block: u32::try_from(at).unwrap(),
        };
        let seen = outcome
            .times
            .blocks
            .get(&key)
            .map_or(0.0, |weight| weight.sum);
        (seen - outcome.blocks.get(&at).copied().unwrap_or(0.0)).abs() / outcome.times.total.sum
    };
    (0..program.blocks.len()).map(share).fold(0.0, f64::max)
}

/// Up to 10 blocks, each with one or two successors and a way ahead to the last one.
fn programs() -> impl Strategy<Value = Program> {
    let block = (
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        any::<bool>(),
    );
    let block = (block, prop::collection::vec(1u8..9, 1..5));
    prop::collection::vec(block, 2..10).prop_map(|picks| {
        let count = picks.len();
        let shape = |(at, ((ahead, other, two), latencies)): (usize, &(_, Vec<u8>))| {
            let (ahead, other): (&prop::sample::Index, &prop::sample::Index) = (ahead, other);
            let id = |at: usize| u32::try_from(at).unwrap();
            let mut successors = Vec::new();
            if at + 1 < count {
                successors.push(id(at + 1 + ahead.index(count - at - 1)));
                // A branch always falls through on one side here.
                if *two {
                    successors = vec![id(other.index(count)), id(at + 1)];
                    successors.dedup();
                }
            }
            (successors, latencies.clone())
        };
        Program::new(&picks.iter().enumerate().map(shape).collect::<Vec<_>>())
    })
}

proptest! {
    #[test]
    fn the_correction_finds_the_true_block_times(
        program in programs(),
        choices in prop::collection::vec(0usize..6, 50..400),
    ) {
        let (outcome, determined) = run(&program, &choices, Skid::NextInstruction);
        prop_assume!(determined);
        let error = largest_error(&program, &outcome);
        prop_assert!(error < 1e-9, "{error}: {:?} {:?}", outcome.times.blocks, outcome.blocks);
        for (name, truth) in &outcome.methods {
            let seen = outcome.times.methods[name].all.sum;
            prop_assert!((seen - truth).abs() < 1e-6 * truth, "{name}: {seen}, truth {truth}");
        }
    }
}

#[test]
fn without_the_correction_a_loop_is_blamed_on_the_wrong_block() {
    let shape = [
        (vec![1], vec![1]),
        (vec![3, 2], vec![1, 1]),
        (vec![1], vec![1, 1, 1]),
        (vec![], vec![1]),
    ];
    let program = Program::new(&shape);
    let choices: Vec<usize> = (0..999).map(|at| usize::from(at % 50 != 49)).collect();
    let (raw, _) = run(&program, &choices, Skid::None);
    let (corrected, determined) = run(&program, &choices, Skid::NextInstruction);
    assert!(determined);
    assert!(
        largest_error(&program, &raw) > 0.4,
        "{}",
        largest_error(&program, &raw)
    );
    assert!(largest_error(&program, &corrected) < 1e-9);
}
