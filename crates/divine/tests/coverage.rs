//! Intervals of block and loop errors against the simulated truth.
mod common;

use common::score;
use proofmark_divine::{Cell, Round, evaluate};
use proofmark_experiment::sim::{Machine, Program, Protocol, Random};

/// As an evaluation is measured, with fewer windows so that noise matters.
const FRESH: Protocol = Protocol {
    sampled: 4,
    unsampled: 4,
    samples: 10_000.0,
    placements: 3,
};

/// A plan that is off by some points here and there, without a search.
fn plan(program: &Program, random: &mut Random) -> Vec<u32> {
    let count = |b: &proofmark_experiment::sim::Block| {
        let wanted = b.hinge + b.tau / b.slope;
        (wanted * random.between(0.85, 1.15)).round() as u32
    };
    program.blocks.iter().map(count).collect()
}

/// How often the truth was in the interval of blocks, loops, and of a program that is one set.
fn held(program: &Program, seed: u64) -> [bool; 3] {
    let mut laboratory = Machine::new(program.clone(), seed);
    let counts = plan(program, &mut Random::new(seed));
    let truth = score(&laboratory, &counts, 1.0);
    let rounds: Vec<Round> = (0..5).map(|_| laboratory.round(&counts, FRESH)).collect();
    let cells = program.cells();
    let found = evaluate(&cells, &rounds, 1.0, seed).expect("evaluation");
    let as_one: Vec<Cell> = cells
        .iter()
        .map(|cell| Cell {
            group: Some(0),
            ..cell.clone()
        })
        .collect();
    let one = evaluate(&as_one, &rounds, 1.0, seed).expect("evaluation");
    assert_eq!(one.judged_sets, 1);
    [
        found.block_error_pt.covers(truth.block_pt),
        found.cluster_error_pt.covers(truth.cluster_pt),
        one.block_error_pt.covers(truth.judged_pt.abs()),
    ]
}

#[test]
fn block_and_loop_intervals_hold_the_truth_as_often_as_they_say() {
    const SEEDS: u64 = 200;
    let programs = [
        Program::mix(),
        Program::mem(),
        Program::tiny(),
        Program::recursion(),
    ];
    let mut sums = [0.0; 3];
    for program in &programs {
        let mut of_program = [0.0; 3];
        for seed in 0..SEEDS {
            let held = held(program, 500 + seed);
            for (sum, held) in of_program.iter_mut().zip(held) {
                *sum += f64::from(u8::from(held)) / SEEDS as f64;
            }
        }
        println!("{}: blocks, loops, one set {of_program:.3?}", program.name);
        for (sum, part) in sums.iter_mut().zip(of_program) {
            *sum += part / programs.len() as f64;
        }
    }
    println!("all: {sums:.3?}");
    assert!(
        sums.iter().all(|part| (0.93..=0.97).contains(part)),
        "{sums:?}"
    );
}
