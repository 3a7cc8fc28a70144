//! Blocks that take longer whatever they get themselves, and the sets that hold them.
//!
//! Limits are the simulated figures plus about a third (the seeds are fixed: no test fails by chance).

use crate::common::{Score, finish, mean, score, settings};
use proofmark_divine::{Search, Settings, Tunable, TunableKind};
use proofmark_experiment::sim::{Machine, Program, Protocol};

const SEEDS: u64 = 12;

/// Tunables of a program whose blocks are judged in these sets.
fn in_sets(program: &Program, set_of: fn(u32) -> u32) -> Vec<Tunable> {
    let mut tunables = program.tunables();
    let judged = tunables.iter_mut();
    for tunable in judged.filter(|tunable| tunable.kind == TunableKind::Block) {
        tunable.group = Some(set_of(tunable.block));
    }
    tunables
}

/// True misses of the sets: mean absolute one, points, and part of their time within ten points, %.
fn of_sets(laboratory: &Machine, tunables: &[Tunable], counts: &[u32]) -> (f64, f64) {
    let (ratios, blocks) = (
        laboratory.truth(counts).ratios,
        &laboratory.program().blocks,
    );
    let mut sets = std::collections::BTreeMap::<u32, (f64, f64)>::new();
    for (at, tunable) in tunables.iter().enumerate() {
        if let Some(set) = tunable.group {
            let sum = sets.entry(set).or_default();
            sum.0 += blocks[at].share;
            sum.1 += blocks[at].share * 100.0 * (ratios[at] - 2.0);
        }
    }
    let all: f64 = sets.values().map(|(share, _)| share).sum();
    let near = sets
        .values()
        .filter(|(share, sum)| sum.abs() <= 10.0 * share);
    let near: f64 = near.map(|(share, _)| share).sum();
    let mean = sets.values().map(|(_, sum)| sum.abs()).sum::<f64>() / all;
    (mean, 100.0 * near / all)
}

/// What searches reach.
struct Reached {
    scores: Vec<Score>,
    sets_pt: f64,
    near_pct: f64,
}

impl Reached {
    fn total_pt(&self) -> f64 {
        mean(&self.scores, |s| s.total_pt.abs())
    }
}

fn reached(program: &Program, set_of: fn(u32) -> u32, carried: f64) -> Reached {
    let (mut scores, mut sets) = (Vec::new(), Vec::new());
    for seed in 0..SEEDS {
        let mut settings = settings(program, 1.0);
        settings.noise.carried = carried;
        let tunables = in_sets(program, set_of);
        let mut laboratory = Machine::new(program.clone(), seed);
        let mut search = Search::new(tunables.clone(), settings).expect("tunables");
        let outcome = finish(&mut search, &mut laboratory, Protocol::default());
        sets.push(of_sets(&laboratory, &tunables, &outcome.counts));
        scores.push(Score {
            plans: f64::from(outcome.plans_tried),
            ..score(&laboratory, &outcome.counts, 1.0)
        });
    }
    let reached = Reached {
        scores,
        sets_pt: sets.iter().map(|(mean, _)| mean).sum::<f64>() / SEEDS as f64,
        near_pct: sets.iter().map(|(_, near)| near).sum::<f64>() / SEEDS as f64,
    };
    println!(
        "{}, carried {carried}: total off by {:.1}, sets by {:.1} ({:.0} % near), loops by {:.1}, blocks by {:.1}; {:.1} plans",
        program.name,
        reached.total_pt(),
        reached.sets_pt,
        reached.near_pct,
        mean(&reached.scores, |s| s.cluster_pt),
        mean(&reached.scores, |s| s.block_pt),
        mean(&reached.scores, |s| s.plans),
    );
    reached
}

/// A model that expects every block to answer to its own count promises the target with every plan, and ends beyond it.
#[test]
fn time_that_comes_from_elsewhere_is_expected() {
    let program = Program::shadowed();
    let fourth = |block: u32| block / 4;
    let expected = reached(&program, fourth, Settings::default().noise.carried);
    let not = reached(&program, fourth, 0.0);
    assert!(expected.total_pt() < 2.0 && not.total_pt() > 4.0);
    assert!(expected.sets_pt < 5.0 && expected.sets_pt < 0.6 * not.sets_pt);
    assert!(expected.near_pct > 80.0);
}

/// Of a set what is judged is all of it: where one block takes too long whatever it gets, the others are left short.
#[test]
fn sets_are_brought_to_their_target_though_blocks_cannot_be() {
    let program = Program::handed_on();
    let across = |block: u32| block.div_ceil(3);
    let found = reached(&program, across, Settings::default().noise.carried);
    assert!(found.sets_pt < 10.0, "{}", found.sets_pt);
    assert!(found.near_pct > 62.0, "{}", found.near_pct);
    assert!(found.total_pt() < 2.2, "{}", found.total_pt());
}
