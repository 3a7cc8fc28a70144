//! Where the block map is not called truth, what is compared with it decides nothing; added time still does.

use crate::common::{program, seeded, unslowed};
use proofmark_assess::{
    Assessment, BlockMap, ControlOutcome, ProfilerEvidence, Role, Settings, Verdict, assess,
};
use proofmark_experiment::sim::{Fault, Simulation};

const MOVES: Fault = Fault::Moves {
    from: 0,
    to: 2,
    points: 12.0,
};

fn refuted() -> Option<BlockMap> {
    Some(BlockMap {
        called_truth: false,
        reasons: vec!["88.0 % of what was added to m1 (3 blocks) is found there".into()],
    })
}

fn judged(s: Simulation, block_map: Option<BlockMap>) -> Assessment {
    let s = Simulation { block_map, ..s };
    assess(&s.evidence("x"), &Settings::default()).expect("evidence")
}

#[test]
fn what_is_compared_with_a_refuted_map_decides_nothing() {
    let s = program(100.0, MOVES);
    let trusted = judged(s.clone(), s.block_map.clone());
    assert_eq!(trusted.profilers[0].verdict, Verdict::Wrong);
    let refuted = judged(s, refuted());
    let j = &refuted.profilers[0];
    assert_ne!(j.verdict, Verdict::Wrong);
    let absolute = j.tests.absolute.as_ref().expect("it is shown");
    assert_eq!(absolute.result.verdict, Verdict::Wrong);
    assert!(!absolute.counts && !j.tests.uniform[0].counts);
    assert_eq!((j.error_pt.absolute, j.error_pt.uniform), (None, None));
    assert!(j.blames.is_empty() && j.causes.is_empty() && j.planted.is_none());
    let said = j
        .notes
        .iter()
        .find(|note| note.contains("not called truth"));
    assert!(
        said.is_some_and(|note| note.contains("88.0 %")),
        "{:?}",
        j.notes
    );
    assert!(refuted.block_map.is_some_and(|map| !map.called_truth));
}

#[test]
fn without_added_time_nothing_is_decided_and_the_reason_is_told() {
    let s = unslowed(20, 8000.0, Fault::None);
    let trusted = judged(s.clone(), s.block_map.clone());
    assert_eq!(trusted.profilers[0].verdict, Verdict::Right);
    let open = judged(s, refuted());
    let j = &open.profilers[0];
    assert_eq!(j.verdict, Verdict::Undecided);
    let why = j.undecided.as_ref().expect("a reason");
    assert!(why.reason.contains("not called truth"), "{why:?}");
    assert_eq!(why.more_s, None, "more windows do not make it the truth");
}

#[test]
fn added_time_decides_without_the_map() {
    let s = program(100.0, Fault::MissesAdded { to: 3 });
    let wrong = (0..8).filter(|seed| {
        let found = judged(seeded(&s, *seed), refuted());
        found.profilers[0].verdict == Verdict::Wrong
    });
    assert!(wrong.count() >= 7);
}

/// Where no doses were asked for, that is said, and the map's calibration alone speaks for it.
#[test]
fn a_map_that_was_not_tested_is_told() {
    let untested = judged(program(100.0, MOVES), None);
    let j = &untested.profilers[0];
    assert_eq!(j.verdict, Verdict::Wrong);
    assert!(j.notes.iter().any(|note| note.contains("was not tested")));
}

/// Controls ask whether the instrument works: they are compared with the map all the same.
#[test]
fn controls_are_compared_with_the_map_all_the_same() {
    let s = Simulation {
        block_map: refuted(),
        ..Simulation::default()
    };
    let own = s.profiler("truth", Role::Subject);
    let biased = Simulation {
        fault: Fault::Hoards { honest: 0.2 },
        ..s.clone()
    };
    let all = vec![
        s.profiler("x", Role::Subject),
        biased.profiler("safepoint", Role::SafepointControl),
        ProfilerEvidence::oracle(&own.truth, own.totals, own.targets),
    ];
    let found = assess(&s.evidence_of(all), &Settings::default()).expect("evidence");
    assert_eq!(found.controls.safepoint, ControlOutcome::Passed);
    assert_eq!(found.controls.oracle, ControlOutcome::Passed);
}
