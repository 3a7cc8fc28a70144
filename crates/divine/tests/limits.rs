//! What the search says where it cannot do what it is asked for.

use crate::common::{run, score, searched, settings};
use proofmark_divine::{
    Outcome, Reason, Round, Search, SearchError, Searching as _, Settings, Step, TunableKind,
};
use proofmark_experiment::sim::{Machine, Program, Protocol};

/// Planted fault: attribution mixes up two blocks, from the start.
#[test]
fn swapped_samples_make_the_result_wrong() {
    let program = Program::mix();
    let tunables = program.tunables();
    let mut laboratory = Machine::new(program.clone(), 4);
    laboratory.swapped = Some((0, 3));
    let outcome: Outcome = run(
        &mut laboratory,
        settings(&program, 1.0),
        Protocol::default(),
    );
    let swapped = score(&laboratory, &outcome.counts, 1.0).block_pt;
    let right = searched(&program, 4, 1.0).block_pt;
    assert!(
        tunables.len() > 3 && swapped > right + 8.0,
        "swapped {swapped:.1}, right {right:.1}"
    );
}

#[test]
fn says_what_cannot_be_set() {
    let mut program = Program::mix();
    program.blocks[1].tau = 0.4;
    program.blocks[1].slope = 0.6;
    program.blocks[1].hinge = 0.0;
    program.blocks[4].slope = 1e-4;
    let mut laboratory = Machine::new(program.clone(), 2);
    let outcome = run(
        &mut laboratory,
        settings(&program, 1.0),
        Protocol::default(),
    );
    assert_eq!(
        outcome.tunables[1].reason,
        Reason::OneInstructionTooSlow,
        "{:?}",
        outcome.tunables[1]
    );
    assert_eq!(
        outcome.tunables[4].reason,
        Reason::NotResponding,
        "{:?}",
        outcome.tunables[4]
    );
    let pool = program
        .tunables()
        .iter()
        .position(|c| c.kind == TunableKind::Pool)
        .expect("pool");
    assert_eq!(outcome.tunables[pool].reason, Reason::Pooled);
    let good = outcome
        .tunables
        .iter()
        .filter(|c| c.reason == Reason::OnTarget)
        .count();
    assert!(good > outcome.tunables.len() / 2, "{good}");
}

#[test]
fn refuses_what_it_cannot_use() {
    let program = Program::tiny();
    assert_eq!(
        Search::new(Vec::new(), Settings::default()),
        Err(SearchError::NoTunables)
    );
    let mut tunables = program.tunables();
    tunables[0].executions_per_iteration = 0.0;
    assert!(matches!(
        Search::new(tunables, Settings::default()),
        Err(SearchError::NeverExecuted { .. })
    ));
    let nan = Settings {
        target: f64::NAN,
        ..Settings::default()
    };
    assert_eq!(
        Search::new(program.tunables(), nan),
        Err(SearchError::BadSettings("target"))
    );

    let mut search = Search::new(program.tunables(), settings(&program, 1.0)).expect("tunables");
    let mut laboratory = Machine::new(program.clone(), 1);
    let good = laboratory.round(&vec![2; program.blocks.len()], Protocol::default());
    let spoil = |change: fn(&mut Round)| {
        let mut round = good.clone();
        change(&mut round);
        round
    };
    let bad = [
        spoil(|r| r.baseline.clear()),
        spoil(|r| r.slowed[0].counts[0] = 3),
        spoil(|r| r.baseline[0].counts[0] = 3),
        spoil(|r| r.slowed[0].cpu_ns = f64::NAN),
        spoil(|r| r.slowed[0].iterations = 0.0),
        spoil(|r| r.slowed[0].samples[1] = -1.0),
        spoil(|r| r.slowed[0].samples.truncate(3)),
        spoil(|r| r.slowed[0].counts.truncate(3)),
        spoil(|r| r.slowed.retain(|o| !o.sampled)),
    ];
    for round in bad {
        let before = search.clone();
        assert!(search.observe(round).is_err());
        assert_eq!(search, before, "a refused round leaves no trace");
    }
    let before = search.clone();
    search.observe(good).expect("a good round");
    assert_ne!(search, before);
}

#[test]
fn a_block_without_samples_does_no_harm() {
    let program = Program::tiny();
    let mut laboratory = Machine::new(program.clone(), 9);
    let mut search = Search::new(program.tunables(), settings(&program, 1.0)).expect("tunables");
    let outcome = loop {
        match search.step() {
            Step::Measure { counts } => {
                let mut round = laboratory.round(&counts, Protocol::default());
                let windows = round.baseline.iter_mut().chain(&mut round.slowed);
                windows
                    .filter(|o| o.sampled)
                    .for_each(|o| o.samples[7] = 0.0);
                search.observe(round).expect("round");
            }
            Step::Finished(outcome) => break outcome,
        }
    };
    assert!(
        outcome.overhead_pct.value.is_finite()
            && outcome
                .tunables
                .iter()
                .all(|c| c.overhead_pct.value.is_finite())
    );
    assert!(
        (outcome.overhead_pct.value - 100.0).abs() < 6.0,
        "{}",
        outcome.overhead_pct.value
    );
}
