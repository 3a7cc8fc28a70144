//! Drives a search against the simulated laboratory.
#![allow(dead_code, reason = "every test file uses its own part")]

use std::ops::Range;

use proofmark_divine::{Outcome, Search, Searching as _, Settings, Step, TunableKind};
use proofmark_experiment::sim::{Machine, Program, Protocol};

/// True result of a search.
#[derive(Debug, Clone, Copy, Default)]
pub struct Score {
    pub total_pt: f64,
    pub block_pt: f64,
    pub cluster_pt: f64,
    /// Of all judged blocks as one set, signed.
    pub judged_pt: f64,
    pub within_10: f64,
    pub plans: f64,
    pub rounds: f64,
    pub expected_block_pt: f64,
    pub expected_total_pt: f64,
}

pub fn settings(program: &Program, target: f64) -> Settings {
    Settings {
        target,
        clock_ghz: program.clock_ghz,
        ..Settings::default()
    }
}

pub fn run(laboratory: &mut Machine, settings: Settings, protocol: Protocol) -> Outcome {
    let mut search = Search::new(laboratory.program().tunables(), settings).expect("tunables");
    finish(&mut search, laboratory, protocol)
}

/// Measures what a search asks for until it ends.
pub fn finish(search: &mut Search, laboratory: &mut Machine, protocol: Protocol) -> Outcome {
    loop {
        match search.step() {
            Step::Measure { counts } => search
                .observe(laboratory.round(&counts, protocol))
                .expect("round"),
            Step::Finished(outcome) => return outcome,
        }
    }
}

/// Compares counts with the truth.
pub fn score(laboratory: &Machine, counts: &[u32], target: f64) -> Score {
    let truth = laboratory.truth(counts);
    let tunables = laboratory.program().tunables();
    let blocks = &laboratory.program().blocks;
    let judged: Vec<usize> = (0..tunables.len())
        .filter(|&c| tunables[c].kind == TunableKind::Block)
        .collect();
    let weight: f64 = judged.iter().map(|&c| blocks[c].share).sum();
    let mut score = Score {
        total_pt: 100.0 * (truth.total - 1.0 - target),
        ..Score::default()
    };
    let mut clusters = std::collections::BTreeMap::<u32, (f64, f64)>::new();
    for &c in &judged {
        let miss = 100.0 * (truth.ratios[c] - 1.0 - target);
        score.block_pt += blocks[c].share * miss.abs() / weight;
        score.judged_pt += blocks[c].share * miss / weight;
        score.within_10 +=
            100.0 * blocks[c].share * f64::from(u8::from(miss.abs() <= 10.0)) / weight;
        let sum = clusters.entry(blocks[c].cluster).or_default();
        sum.0 += blocks[c].share * miss / weight;
        sum.1 += blocks[c].share;
    }
    score.cluster_pt = clusters.values().map(|(sum, _)| sum.abs()).sum();
    score
}

pub fn searched(program: &Program, seed: u64, target: f64) -> Score {
    let mut laboratory = Machine::new(program.clone(), seed);
    let outcome = run(
        &mut laboratory,
        settings(program, target),
        Protocol::default(),
    );
    let mut score = score(&laboratory, &outcome.counts, target);
    score.plans = f64::from(outcome.plans_tried);
    score.rounds = f64::from(outcome.rounds);
    score.expected_block_pt = outcome.block_error_pt.value;
    score.expected_total_pt = outcome.overhead_pct.value - 100.0 * target;
    score
}

/// What comes of the first seeds, in their order; two are looked at side by side.
pub fn of_seeds<T: Send>(seeds: u64, of: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let some = |seeds: Range<u64>| seeds.map(&of).collect::<Vec<T>>();
    std::thread::scope(|scope| {
        let later = scope.spawn(|| some(seeds / 2..seeds));
        let mut all = some(0..seeds / 2);
        all.extend(later.join().expect("the later half"));
        all
    })
}

pub fn mean(scores: &[Score], of: impl Fn(&Score) -> f64) -> f64 {
    scores.iter().map(of).sum::<f64>() / scores.len() as f64
}
