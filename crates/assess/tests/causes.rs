//! Each cause is found where it is planted, and not where something else makes the same error.

use crate::common::{program, seeded, unslowed};
use proofmark_assess::{
    CauseKind, Evidence, Judgement, PcRule, ProfilerEvidence, Replay, Role, Settings, TruthStream,
    Verdict, assess,
};
use proofmark_experiment::sim::{Fault, Simulation};

const MOVES: Fault = Fault::Moves {
    from: 0,
    to: 2,
    points: 12.0,
};
/// No cause.
const NONE: [CauseKind; 0] = [];
const HOARDS: Fault = Fault::Hoards { honest: 0.3 };

fn first(evidence: &Evidence) -> Judgement {
    let mut assessment = assess(evidence, &Settings::default()).expect("evidence");
    assessment.profilers.remove(0)
}

fn subject(s: &Simulation) -> Judgement {
    first(&s.evidence("x"))
}

/// What is named of a profiler that must be wrong; the one-line cause is the first.
fn causes(j: &Judgement) -> Vec<CauseKind> {
    assert_eq!(j.verdict, Verdict::Wrong, "{:?}", j.error_pt);
    assert_eq!(j.cause.as_ref(), j.causes.first().map(|cause| &cause.says));
    j.causes.iter().map(|cause| cause.kind).collect()
}

/// The profiler and the safepoint-biased control, which see different windows.
fn beside_control(fault: Fault) -> Judgement {
    let s = program(100.0, fault);
    let control = seeded(&program(100.0, HOARDS), 7);
    let all: Vec<ProfilerEvidence> = vec![
        s.profiler("x", Role::Subject),
        control.profiler("safepoint", Role::SafepointControl),
    ];
    first(&s.evidence_of(all))
}

#[test]
fn a_profile_like_the_controls_is_a_safepoint_bias() {
    let biased = beside_control(HOARDS);
    assert_eq!(causes(&biased), [CauseKind::SafepointBias]);
    let says = &biased.causes[0].says;
    assert!(says.starts_with("safepoint bias: "), "{says}");
    assert_eq!(causes(&beside_control(MOVES)), NONE);
    let alone = subject(&program(100.0, HOARDS));
    assert_eq!(
        causes(&alone),
        NONE,
        "there is no control to compare it with"
    );
}

/// Everything of method 1 is shown in method 0.
const SWALLOWS: Fault = Fault::Charges {
    from: 1,
    to: 0,
    part: 1.0,
};

#[test]
fn time_in_the_root_of_its_unit_is_inlining() {
    let with_roots = |roots: &[usize]| {
        let s = Simulation {
            roots: roots.to_vec(),
            ..program(100.0, SWALLOWS)
        };
        causes(&subject(&s))
    };
    assert_eq!(with_roots(&[0, 0, 2, 3, 4, 5]), [CauseKind::Inlining]);
    assert_eq!(with_roots(&[0, 1, 2, 3, 4, 5]), NONE, "it is a unit itself");
    assert_eq!(with_roots(&[]), NONE, "not known");
}

#[test]
fn lost_samples_explain_only_what_they_can() {
    let loses = program(
        100.0,
        Fault::Loses {
            method: 1,
            part: 0.6,
        },
    );
    let lost = subject(&loses);
    assert_eq!(causes(&lost), [CauseKind::LostSamples]);
    let says = &lost.causes[0].says;
    assert!(says.starts_with("lost samples ("), "{says}");
    // As many are lost, but evenly, and method 2 has more than it ought to of all that there are.
    let mut evenly = program(100.0, MOVES).evidence("x");
    for window in &mut evenly.profilers[0].windows {
        window.lost = 0.25 * window.methods.iter().sum::<f64>();
    }
    assert_eq!(causes(&first(&evenly)), NONE);
}

#[test]
fn code_outside_of_methods_explains_only_what_it_can() {
    let with = |fault: Fault| Simulation {
        outside: 0.25,
        ..program(100.0, fault)
    };
    let charged = subject(&with(Fault::ChargesOutside { to: 2 }));
    assert_eq!(causes(&charged), [CauseKind::Stubs]);
    assert!(charged.causes[0].says.contains("25 % of the time"));
    // Shown as what it is: the error has another cause.
    assert_eq!(causes(&subject(&with(MOVES))), NONE);
    // Not shown at all, but a method has less than its time: that is no time from elsewhere.
    let mut hidden = with(MOVES).evidence("x");
    for window in &mut hidden.profilers[0].windows {
        window.native = 0.0;
    }
    assert_eq!(causes(&first(&hidden)), NONE);
}

/// Half of the samples of each window meet one point of the iteration.
fn resonating(iteration_ms: f64, resonance: f64, fault: Fault) -> Judgement {
    subject(&Simulation {
        iteration_ms,
        resonance,
        ..unslowed(20, 8000.0, fault)
    })
}

/// A sample each 10 ms. Windows that contradict each other leave the verdict open, and the cause is told all the same.
#[test]
fn a_period_that_meets_the_same_point_again_is_named() {
    let found = resonating(10.0, 0.5, Fault::None);
    assert_eq!(found.verdict, Verdict::Undecided, "{:?}", found.error_pt);
    assert_eq!(found.causes[0].kind, CauseKind::Period);
    assert!(
        found.causes[0].says.contains("10.0"),
        "{:?}",
        found.causes[0]
    );
    let apart = resonating(37.0, 0.5, Fault::None);
    assert!(apart.causes.is_empty(), "no whole ratio");
    let steady = resonating(10.0, 0.0, MOVES);
    assert_eq!(causes(&steady), NONE, "its windows agree");
}

/// What the JVM's records say: moves so many points from method 0 to method 2, by rule, corrected or not.
fn replayed(name: &str, moved: impl Fn(PcRule, bool) -> f64) -> Judgement {
    first(&with_records(name, moved))
}

fn with_records(name: &str, moved: impl Fn(PcRule, bool) -> f64) -> Evidence {
    let mut s = program(100.0, MOVES);
    s.request.budget_s = 600.0;
    let mut evidence = s.evidence(name);
    let replay = |stream: &TruthStream, rule: PcRule, corrected: bool| {
        let mut methods = stream.methods.clone();
        let all: f64 = methods.iter().sum();
        let weight = moved(rule, corrected) / 100.0 * all;
        methods[0] -= weight;
        methods[2] += weight;
        Replay {
            rule,
            corrected,
            methods,
        }
    };
    let windows = evidence.profilers[0].truth.iter_mut();
    for stream in windows.flat_map(|w| &mut w.streams) {
        let mut replays = Vec::new();
        for rule in [PcRule::Behind, PcRule::AtOrBehind, PcRule::AtOrBefore] {
            replays.extend([false, true].map(|corrected| replay(stream, rule, corrected)));
        }
        stream.replays = replays;
    }
    evidence
}

/// The control shows the same, but what the sampled addresses themselves explain needs no other cause.
#[test]
fn what_the_records_explain_is_no_safepoint_bias() {
    let by_records = |moved: f64| {
        let mut evidence = with_records("x", |_, _| moved);
        let control = seeded(&program(100.0, MOVES), 7);
        let control = control.profiler("safepoint", Role::SafepointControl);
        evidence.profilers.push(control);
        causes(&first(&evidence))
    };
    assert_eq!(by_records(12.0), [CauseKind::DebugInfo]);
    assert_eq!(by_records(0.0), [CauseKind::SafepointBias]);
}

/// Debug information, skid and the rest, rounded to points.
fn figures(j: &Judgement) -> [f64; 3] {
    let replay = j.tests.replay.as_ref().expect("records of the JVM");
    [replay.debug_info_pt, replay.skid_pt, replay.rest_pt].map(|of| of.value.round())
}

#[test]
fn debug_information_skid_and_the_rest_are_three_figures() {
    let records = replayed("x", |_, _| 12.0);
    assert_eq!(causes(&records), [CauseKind::DebugInfo]);
    let [debug_info, skid, rest] = figures(&records);
    assert_eq!((debug_info, skid), (12.0, 0.0));
    assert!(rest <= 3.0, "{rest}");

    let late = replayed("x", |_, corrected| if corrected { 0.0 } else { 12.0 });
    assert_eq!(causes(&late), [CauseKind::Skid]);
    let [debug_info, skid, _] = figures(&late);
    assert_eq!((debug_info, skid), (0.0, 12.0));

    let own = replayed("x", |_, _| 0.0);
    assert_eq!(causes(&own), NONE, "the records are right");
    let [debug_info, skid, rest] = figures(&own);
    assert_eq!((debug_info, skid), (0.0, 0.0));
    assert!((10.0..=14.0).contains(&rest), "{rest}");
}

/// Only the records that one rule takes are wrong, and the profiler takes them.
#[test]
fn the_rule_that_reads_the_records_is_told_from_the_records() {
    let by = |rule: PcRule| {
        move |of: PcRule, corrected: bool| match of == rule && !corrected {
            true => 12.0,
            false => 0.0,
        }
    };
    let unknown = replayed("x", by(PcRule::AtOrBefore));
    assert_eq!(causes(&unknown), [CauseKind::PcRule]);
    let replay = unknown.tests.replay.as_ref().expect("records");
    assert_eq!(
        (replay.rule, replay.rule_known),
        (PcRule::AtOrBefore, false)
    );
    // async-profiler reads them with >= as we know it; a version that certainly does not is seen.
    let other = replayed("async", by(PcRule::Behind));
    assert_eq!(causes(&other), [CauseKind::PcRule]);
    let says = &other.causes[0].says;
    assert!(says.contains("> instead of >="), "{says}");
    let as_known = replayed("async", |_, _| 12.0);
    let replay = as_known.tests.replay.as_ref().expect("records");
    assert_eq!((replay.rule, replay.rule_known), (PcRule::AtOrBehind, true));
}

/// The records of the rule are right, so that the profiler's own fault has no such cause.
#[test]
fn records_that_the_profiler_does_not_read_are_no_cause() {
    let wrong_elsewhere = replayed("async", |rule, _| match rule {
        PcRule::AtOrBefore => -8.0,
        PcRule::Behind | PcRule::AtOrBehind => 0.0,
    });
    assert_eq!(causes(&wrong_elsewhere), NONE);
}
