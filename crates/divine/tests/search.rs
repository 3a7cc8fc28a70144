//! The search against programs whose true answer is known.
//!
//! Limits are the figures of 40 seeds per program plus about a third; the first of them are looked at (the seeds are fixed:
//! no test fails by chance).

use std::sync::OnceLock;

use crate::common::{Score, mean, of_seeds, run, score, searched, settings};
use proofmark_divine::{Noise, Round, Search, Searching as _, Settings, Step};
use proofmark_experiment::sim::{Machine, Program, Protocol};

const SEEDS: u64 = 24;

fn scores(program: &Program) -> Vec<Score> {
    of_seeds(SEEDS, |seed| searched(program, seed, 1.0))
}

/// Of `mix`; several tests look at them.
fn of_mix() -> &'static [Score] {
    static SCORES: OnceLock<Vec<Score>> = OnceLock::new();
    SCORES.get_or_init(|| scores(&Program::mix()))
}

/// Of `json`.
fn of_json() -> &'static [Score] {
    static SCORES: OnceLock<Vec<Score>> = OnceLock::new();
    SCORES.get_or_init(|| scores(&Program::json()))
}

/// Of `mem`.
fn of_mem() -> &'static [Score] {
    static SCORES: OnceLock<Vec<Score>> = OnceLock::new();
    SCORES.get_or_init(|| scores(&Program::mem()))
}

/// Means over the seeds; blocks, clusters: points.
fn reaches(program: &Program, s: &[Score], blocks: f64, clusters: f64) {
    let worst = s.iter().map(|s| s.total_pt.abs()).fold(0.0, f64::max);
    let most_plans = s.iter().map(|s| s.plans).fold(0.0, f64::max);
    println!(
        "{}: total {:+.2} (mean |.| {:.2}, worst {worst:.2}), blocks {:.1} (said {:.1}), clusters {:.1}, within 10: {:.0} %, plans {:.1} (most {most_plans}), rounds {:.1}",
        program.name,
        mean(s, |s| s.total_pt),
        mean(s, |s| s.total_pt.abs()),
        mean(s, |s| s.block_pt),
        mean(s, |s| s.expected_block_pt),
        mean(s, |s| s.cluster_pt),
        mean(s, |s| s.within_10),
        mean(s, |s| s.plans),
        mean(s, |s| s.rounds),
    );
    assert!(most_plans <= 8.0);
    assert!(mean(s, |s| s.plans) <= 7.5);
    assert!(mean(s, |s| s.total_pt).abs() < 1.0, "bias of the total");
    assert!(mean(s, |s| s.total_pt.abs()) < 1.3 && worst < 4.0);
    assert!(mean(s, |s| s.block_pt) < blocks);
    assert!(mean(s, |s| s.cluster_pt) < clusters);
    let honest = mean(s, |s| s.expected_block_pt) / mean(s, |s| s.block_pt);
    assert!(
        (0.8..1.25).contains(&honest),
        "expected over true block error {honest}"
    );
}

#[test]
fn mix_is_divined() {
    reaches(&Program::mix(), of_mix(), 8.0, 5.0);
}

#[test]
fn json_is_divined() {
    reaches(&Program::json(), of_json(), 10.0, 5.0);
}

#[test]
fn mem_is_divined() {
    reaches(&Program::mem(), of_mem(), 11.0, 5.0);
}

#[test]
fn a_tiny_program_is_divined() {
    let tiny = Program::tiny();
    reaches(&tiny, &scores(&tiny), 11.5, 5.0);
}

/// A search that may try more plans goes on while it gains, and stops when it does not.
#[test]
fn more_plans_bring_blocks_nearer() {
    let program = Program::json();
    let usual = settings(&program, 1.0);
    assert_eq!((usual.max_plans, usual.max_rounds), (8, 14));
    let more = Settings {
        max_plans: 16,
        max_rounds: 30,
        ..usual
    };
    let search = |seed| {
        let mut laboratory = Machine::new(program.clone(), seed);
        let outcome = run(&mut laboratory, more.clone(), Protocol::default());
        Score {
            plans: f64::from(outcome.plans_tried),
            ..score(&laboratory, &outcome.counts, 1.0)
        }
    };
    let (few, many) = (&of_json()[..20], of_seeds(20, search));
    let blocks = |scores: &[Score]| mean(scores, |s| s.block_pt);
    let plans = mean(&many, |s| s.plans);
    println!(
        "8 plans: {:.1} points; 16: {:.1} with {plans:.1} plans",
        blocks(few),
        blocks(&many)
    );
    assert!(blocks(&many) < 0.93 * blocks(few));
    assert!((8.0..14.0).contains(&plans), "{plans}");
}

/// What instructions cost shows elsewhere: a model of single blocks cannot find the answer.
#[test]
fn displaced_time_is_found() {
    let program = Program::recursion();
    let scores = |noise: Noise| -> Vec<Score> {
        let search = |seed| {
            let mut settings = settings(&program, 1.0);
            settings.noise = noise;
            let mut laboratory = Machine::new(program.clone(), seed);
            let outcome = run(&mut laboratory, settings, Protocol::default());
            score(&laboratory, &outcome.counts, 1.0)
        };
        (0..16).map(search).collect()
    };
    let of_single_blocks = Noise {
        coupling: 0.0,
        carried: 0.0,
        ..Noise::default()
    };
    let (coupled, single) = (scores(Noise::default()), scores(of_single_blocks));
    let (blocks, alone) = (
        mean(&coupled, |s| s.block_pt),
        mean(&single, |s| s.block_pt),
    );
    let total = mean(&coupled, |s| s.total_pt.abs());
    println!("displaced: blocks {blocks:.1}, total {total:.2}; single blocks {alone:.1}");
    assert!(blocks < 10.0 && total < 2.5);
    assert!(alone > 1.2 * blocks, "blocks {blocks:.1}, alone {alone:.1}");
}

/// A neighbour takes the machine in every tenth window: the total hardly notices (it is off by 1.7 points; by 1.3 if the search expects
/// no carried time, which this program does not have).
#[test]
fn a_neighbour_moves_no_total() {
    let program = Program::mix();
    let search = |seed| {
        let mut laboratory = Machine::new(program.clone(), seed);
        laboratory.disturbed = 0.1;
        let outcome = run(
            &mut laboratory,
            settings(&program, 1.0),
            Protocol::default(),
        );
        score(&laboratory, &outcome.counts, 1.0)
    };
    let scores: Vec<Score> = (0..24).map(search).collect();
    let total = mean(&scores, |s| s.total_pt.abs());
    println!(
        "disturbed: total {:+.2} ({total:.2}), blocks {:.1}",
        mean(&scores, |s| s.total_pt),
        mean(&scores, |s| s.block_pt),
    );
    assert!(total < 2.0, "{total}");
}

/// A neighbour takes the machine for minutes, and slowed code gets another part of it than the baseline: what is measured
/// then hardly counts. Without the choice the total was off by 2.8 points, blocks by 9.0: so near that all seeds are asked.
#[test]
fn storms_move_little() {
    let search = |seed| {
        let mut laboratory = Machine::new(Program::mix(), seed);
        laboratory.storms = 0.3;
        let settings = settings(&Program::mix(), 1.0);
        let outcome = run(&mut laboratory, settings, Protocol::default());
        score(&laboratory, &outcome.counts, 1.0)
    };
    let scores: Vec<Score> = (0..40).map(search).collect();
    let total = mean(&scores, |s| s.total_pt.abs());
    let blocks = mean(&scores, |s| s.block_pt);
    println!("storms: total {total:.2}, blocks {blocks:.1}");
    assert!(total < 2.2 && blocks < 9.0, "{total}, {blocks}");
}

#[test]
fn other_targets_are_reached() {
    for target in [0.5, 1.5] {
        let s: Vec<Score> = (0..24)
            .map(|seed| searched(&Program::mix(), seed, target))
            .collect();
        println!(
            "{target}: total {:+.2} (mean |.| {:.2}), blocks {:.1}",
            mean(&s, |s| s.total_pt),
            mean(&s, |s| s.total_pt.abs()),
            mean(&s, |s| s.block_pt)
        );
        assert!(mean(&s, |s| s.total_pt.abs()) < 2.0);
        assert!(mean(&s, |s| s.block_pt) < 10.0);
    }
}

/// Per block a straight line through the last two points, as published searches step.
fn secant(program: &Program, seed: u64, plans: u32) -> Score {
    let mut laboratory = Machine::new(program.clone(), seed);
    let tunables = program.tunables();
    let mut counts: Vec<u32> = Vec::new();
    let mut before: Vec<(f64, f64)> = vec![(0.0, 1.0); tunables.len()];
    for _ in 0..=plans {
        if counts.is_empty() {
            counts = program
                .blocks
                .iter()
                .map(|b| (6.0 * b.tau).round() as u32)
                .collect();
            continue;
        }
        let round = laboratory.round(&counts, Protocol::default());
        let ratios = single_ratios(&round);
        for (c, count) in counts.iter_mut().enumerate() {
            let (k, now) = (f64::from(*count), ratios[c]);
            let tau = program.blocks[c].tau;
            let slope = ((now - before[c].1) / (k - before[c].0)).clamp(0.08 / tau, 1.2 / tau);
            let slope = if slope.is_finite() { slope } else { 0.23 / tau };
            before[c] = (k, now);
            *count = (k + (2.0 - now) / slope).round().clamp(0.0, 4.0 * k + 4.0) as u32;
        }
    }
    score(&laboratory, &counts, 1.0)
}

fn single_ratios(round: &Round) -> Vec<f64> {
    let of = |windows: &[proofmark_divine::Observation]| {
        let mut times = vec![0.0; windows[0].counts.len()];
        for o in windows.iter().filter(|o| o.sampled) {
            o.samples
                .iter()
                .zip(&mut times)
                .for_each(|(y, t)| *t += y / o.all_samples() * o.ns_per_iteration());
        }
        times
    };
    of(&round.slowed)
        .iter()
        .zip(of(&round.baseline))
        .map(|(a, b)| a / b.max(1.0))
        .collect()
}

#[test]
fn better_than_a_secant_with_more_plans() {
    for (program, pooled) in [(Program::mix(), of_mix()), (Program::mem(), of_mem())] {
        let naive: Vec<Score> = (0..10).map(|seed| secant(&program, seed, 8)).collect();
        let pooled = &pooled[..10];
        let (naive, pooled) = (mean(&naive, |s| s.block_pt), mean(pooled, |s| s.block_pt));
        println!("{}: secant {naive:.1}, pooled {pooled:.1}", program.name);
        assert!(
            pooled < 0.75 * naive,
            "{}: secant {naive:.1}, pooled {pooled:.1}",
            program.name
        );
    }
}

/// Killed after any step and given its rounds again, a search continues identically.
#[test]
fn resumes_exactly() {
    let program = Program::tiny();
    let mut laboratory = Machine::new(program.clone(), 5);
    let new = || Search::new(program.tunables(), settings(&program, 1.0)).expect("tunables");
    let mut search = new();
    while let Step::Measure { counts } = search.step() {
        let round = laboratory.round(&counts, Protocol::default());
        search.observe(round).expect("round");
        let mut again = new();
        for round in search.rounds() {
            again.observe(round.clone()).expect("round");
        }
        assert_eq!(again, search);
    }
    assert!(search.rounds().len() > 1);
}
