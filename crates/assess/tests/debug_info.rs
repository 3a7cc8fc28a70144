//! A profiler that repeats what the JVM tells it: the JVM is named, not the profiler blamed.

use crate::common::program;
use proofmark_assess::{CauseKind, Condition, Evidence, Judgement, Settings, Verdict, assess};
use proofmark_experiment::sim::{Fault, Simulation};

fn decisive(fault: Fault) -> Simulation {
    let mut simulation = program(100.0, fault);
    simulation.request.budget_s = 600.0;
    simulation
}

/// Judged where the JVM's debug information differs from the truth as `moved` says.
fn judged_with(mut evidence: Evidence, moved: impl Fn(Condition, &mut [f64])) -> Judgement {
    for window in &mut evidence.profilers[0].truth {
        for stream in &mut window.streams {
            stream.reported = stream.methods.clone();
            moved(window.at.condition, &mut stream.reported);
        }
    }
    let mut assessment = assess(&evidence, &Settings::default()).expect("evidence");
    assessment.profilers.remove(0)
}

fn shift(methods: &mut [f64], from: usize, to: usize, points: f64) {
    let weight = points / 100.0 * methods.iter().sum::<f64>();
    methods[from] -= weight;
    methods[to] += weight;
}

const MOVES: Fault = Fault::Moves {
    from: 0,
    to: 2,
    points: 12.0,
};

#[test]
fn what_the_jvm_says_wrong_is_the_jvms() {
    let judged = judged_with(decisive(MOVES).evidence("x"), |_, methods| {
        shift(methods, 0, 2, 12.0)
    });
    assert_eq!(judged.verdict, Verdict::Wrong);
    let cause = judged.cause.expect("a cause");
    assert!(
        cause.starts_with("the JVM's debug information, "),
        "{cause}"
    );
}

#[test]
fn what_the_jvm_says_right_is_not_the_jvms() {
    let judged = judged_with(decisive(MOVES).evidence("x"), |_, _| ());
    assert_eq!(judged.verdict, Verdict::Wrong);
    let cause = judged.cause.unwrap_or_default();
    assert!(!cause.contains("debug information"), "{cause}");
}

/// Right in unslowed code; in slowed code 15 points are the wrong method's.
fn wrong_when_slowed(jvm_says_so: bool) -> Judgement {
    let mut evidence = decisive(Fault::None).evidence("x");
    let wrong = |condition: Condition, methods: &mut [f64]| {
        if matches!(condition, Condition::Uniform(_)) {
            shift(methods, 0, 2, 15.0);
        }
    };
    for window in &mut evidence.profilers[0].windows {
        wrong(window.at.condition, &mut window.methods);
    }
    judged_with(evidence, |condition, methods| {
        if jvm_says_so {
            wrong(condition, methods);
        }
    })
}

/// The error is reported as it is; what explains it stands beside it and takes nothing off.
#[test]
fn what_the_jvm_says_of_slowed_code_is_a_cause_and_takes_nothing_off() {
    let judged = wrong_when_slowed(true);
    assert_eq!(judged.verdict, Verdict::Wrong);
    let test = &judged.tests.uniform[0];
    assert!(test.counts && test.result.error_pt.value > 12.0);
    assert_eq!(judged.error_pt.uniform, Some(test.result.error_pt));
    let by_records = test.debug_info.as_ref().expect("known");
    assert!(by_records.error_pt.high < 5.0, "{by_records:?}");
    let kinds: Vec<CauseKind> = judged.causes.iter().map(|cause| cause.kind).collect();
    assert_eq!(kinds, [CauseKind::InsertedCode]);
    assert!(
        judged
            .notes
            .iter()
            .any(|note| note.contains("repeats to within"))
    );
}

#[test]
fn what_only_the_profiler_says_of_slowed_code_counts() {
    let judged = wrong_when_slowed(false);
    assert_eq!(judged.verdict, Verdict::Wrong);
    assert!(judged.tests.uniform[0].counts);
    assert!(judged.causes.is_empty(), "{:?}", judged.causes);
}
