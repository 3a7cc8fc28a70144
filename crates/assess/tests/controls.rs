//! Controls, causes and exit codes of a whole assessment.

use crate::common::program;
use proofmark_assess::{
    Assessment, ControlOutcome, Evidence, ProfilerEvidence, Role, Settings, Verdict, assess,
    explain, overall,
};
use proofmark_experiment::sim::{Fault, Simulation};

fn answer(s: &Simulation, profilers: Vec<ProfilerEvidence>) -> Assessment {
    assess(&s.evidence_of(profilers), &Settings::default()).unwrap()
}

fn oracle(s: &Simulation) -> ProfilerEvidence {
    let p = s.profiler("truth", Role::Subject);
    ProfilerEvidence::oracle(&p.truth, p.totals, p.targets)
}

/// The self-check must be able to fail: with few samples most of the planted errors are missed.
#[test]
fn planted_errors_are_found_with_enough_samples_only() {
    let planted = |truth_per_s| {
        let s = Simulation {
            truth_per_s,
            ..crate::common::unslowed(20, 1000.0, Fault::None)
        };
        let a = answer(&s, vec![oracle(&s)]);
        a.planted_found.expect("an oracle")
    };
    let (many, few) = (planted(200.0), planted(4.0));
    assert_eq!((many.n, few.n), (20, 20));
    assert!(many.value >= 0.9, "{many:?}");
    assert!(few.value <= 0.6, "{few:?}");
}

#[test]
fn without_an_oracle_nothing_is_planted() {
    let s = Simulation::default();
    let only = vec![profiler("async-cpu", Fault::None, Role::Subject)];
    assert_eq!(answer(&s, only).planted_found, None);
}

const HOARDS: Fault = Fault::Hoards { honest: 0.2 };

fn profiler(name: &str, fault: Fault, role: Role) -> ProfilerEvidence {
    program(100.0, fault).profiler(name, role)
}

#[test]
fn everything_in_order() {
    in_order("jfr+nonsafepoints");
}

/// As twins were called in what was stored before.
#[test]
fn a_twin_of_the_former_spelling_is_found() {
    in_order("jfr+dns");
}

fn in_order(twin: &str) {
    let s = Simulation::default();
    let a = answer(
        &s,
        vec![
            profiler("async-cpu", Fault::None, Role::Subject),
            profiler("jfr", HOARDS, Role::Subject),
            profiler(twin, Fault::None, Role::Subject),
            profiler("safepoint", HOARDS, Role::SafepointControl),
            oracle(&s),
        ],
    );
    let verdicts: Vec<Verdict> = a.profilers.iter().map(|p| p.verdict).collect();
    assert_eq!(
        verdicts,
        [
            Verdict::Right,
            Verdict::Wrong,
            Verdict::Right,
            Verdict::Wrong,
            Verdict::Right
        ]
    );
    assert_eq!(a.controls_ok, Some(true));
    let cause = a.profilers[1].cause.as_deref().unwrap();
    assert!(
        cause.starts_with("DebugNonSafepoints is off (with it: right, "),
        "{cause}"
    );
    assert_eq!(a.profilers[0].cause, None);
    assert_eq!(overall(&a), Verdict::Wrong);
    assert_eq!(a.false_alarm_rate.unwrap().n, 300);
}

#[test]
fn controls_do_not_count_for_the_verdict_on_all() {
    let s = Simulation::default();
    let right = profiler("async-cpu", Fault::None, Role::Subject);
    let control = profiler("safepoint", HOARDS, Role::SafepointControl);
    assert_eq!(
        overall(&answer(&s, vec![right, control.clone(), oracle(&s)])),
        Verdict::Right
    );
    assert_eq!(
        overall(&answer(&s, vec![control, oracle(&s)])),
        Verdict::Right
    );
}

#[test]
fn a_safepoint_control_that_passes_breaks_the_instrument() {
    let s = Simulation::default();
    let wrong = profiler("jfr", HOARDS, Role::Subject);
    let a = answer(
        &s,
        vec![
            wrong,
            profiler("safepoint", Fault::None, Role::SafepointControl),
            oracle(&s),
        ],
    );
    assert_eq!(
        (a.controls.safepoint, a.controls_ok),
        (ControlOutcome::Failed, Some(false))
    );
    assert_eq!(a.profilers[0].verdict, Verdict::Undecided);
    assert!(
        a.profilers[0]
            .undecided
            .as_ref()
            .unwrap()
            .reason
            .contains("control failed: safepoint")
    );
    assert_eq!(overall(&a), Verdict::Undecided);
    assert!(a.controls.broken());
}

/// An oracle that saw too little to be found right carries no verdict either.
#[test]
fn an_oracle_that_is_undecided_carries_no_verdict() {
    let s = Simulation::default();
    let mut little = oracle(&s);
    for stream in little.truth.iter_mut().flat_map(|w| &mut w.streams) {
        stream.methods.iter_mut().for_each(|y| *y /= 200.0);
    }
    let a = answer(&s, vec![profiler("jfr", HOARDS, Role::Subject), little]);
    assert_eq!(
        (a.controls.oracle, a.controls_ok),
        (ControlOutcome::Undecided, None)
    );
    assert_eq!(a.profilers[0].verdict, Verdict::Undecided);
    let why = a.profilers[0].undecided.as_ref().expect("a reason");
    assert!(why.reason.contains("control undecided: oracle"), "{why:?}");
    assert_eq!(overall(&a), Verdict::Undecided);
    assert!(a.controls.broken());
}

#[test]
fn an_oracle_that_fails_breaks_the_instrument() {
    let s = Simulation::default();
    let mut broken = oracle(&s);
    broken.windows.iter_mut().for_each(|w| w.methods.swap(0, 3));
    let a = answer(
        &s,
        vec![profiler("async-cpu", Fault::None, Role::Subject), broken],
    );
    assert_eq!(
        (a.controls.oracle, a.controls_ok),
        (ControlOutcome::Failed, Some(false))
    );
    assert_eq!(a.profilers[0].verdict, Verdict::Undecided);
}

#[test]
fn one_large_method_cannot_show_a_safepoint_bias() {
    let shares = vec![0.93, 0.07];
    let s = Simulation {
        shares,
        ..Simulation::default()
    };
    let a = assess(
        &s.evidence_of(vec![
            s.profiler("safepoint", Role::SafepointControl),
            oracle(&s),
        ]),
        &Settings::default(),
    );
    let a = a.unwrap();
    assert_eq!(
        (a.controls.safepoint, a.controls_ok),
        (ControlOutcome::NotApplicable, Some(true))
    );
}

#[test]
fn without_the_oracle_it_is_not_known() {
    let s = Simulation::default();
    assert_eq!(
        answer(&s, vec![profiler("async-cpu", Fault::None, Role::Subject)]).controls_ok,
        None
    );
}

/// No window and no stream is on both sides of the oracle.
#[test]
fn the_oracle_reads_other_windows_than_its_truth() {
    let o = oracle(&Simulation::default());
    let seen: Vec<u32> = o.windows.iter().map(|w| w.at.window).collect();
    assert!(
        !seen.is_empty()
            && o.truth
                .iter()
                .all(|t| !seen.contains(&t.at.window) && t.streams.len() == 1)
    );
}

/// Time that moves to other methods has many causes, and none is told that was not tested.
#[test]
fn without_a_second_run_no_cause_is_told() {
    let s = Simulation::default();
    let a = answer(&s, vec![profiler("jfr", HOARDS, Role::Subject), oracle(&s)]);
    assert_eq!(a.profilers[0].verdict, Verdict::Wrong);
    assert_eq!(a.profilers[0].cause, None);
}

#[test]
fn failed_stack_walks_are_a_cause() {
    let s = Simulation::default();
    let mut walks = profiler("walks", Fault::None, Role::Subject);
    for window in &mut walks.windows {
        window.unattributed = window.methods.iter().sum::<f64>() / 3.0;
    }
    let a = answer(&s, vec![walks, oracle(&s)]);
    let cause = a.profilers[0].cause.as_deref();
    assert!(cause.unwrap().contains("could not attribute"), "{cause:?}");
}

#[test]
fn explain_knows_all_partly_and_not() {
    let judge = |fault| {
        let e: Evidence = program(100.0, fault).evidence("jfr");
        assess(&e, &Settings::default())
            .unwrap()
            .profilers
            .remove(0)
    };
    let (bad, less, good) = (
        judge(HOARDS),
        judge(Fault::Hoards { honest: 0.6 }),
        judge(Fault::None),
    );
    assert!(explain(&bad, &good).unwrap().contains("with it: right"));
    assert!(explain(&bad, &less).unwrap().contains("explains a part"));
    assert_eq!(explain(&bad, &bad), None);
    assert_eq!(explain(&good, &bad), None);
}

/// A tenth of every method's time could be another's: that is a matter between a profiler and the truth.
#[test]
fn what_source_positions_leave_open_does_not_excuse_or_burden_the_oracle() {
    let s = Simulation {
        ambiguous: vec![0.1; 6],
        ..program(100.0, Fault::None)
    };
    let a = answer(
        &s,
        vec![profiler("x", Fault::None, Role::Subject), oracle(&s)],
    );
    let verdicts: Vec<Verdict> = a.profilers.iter().map(|p| p.verdict).collect();
    assert_eq!(verdicts[1], Verdict::Right, "{:?}", a.profilers[1].error_pt);
}

/// None of 30 methods has as much as the margin. The largest are compared, so that the oracle can pass, nothing is withheld,
/// and how often there are false alarms is known.
#[test]
fn a_flat_program_is_judged() {
    let s = Simulation {
        shares: vec![1.0 / 30.0; 30],
        ..program(100.0, Fault::None)
    };
    let honest = s.profiler("async-cpu", Role::Subject);
    let a = answer(&s, vec![honest, oracle(&s)]);
    assert_eq!(a.controls.oracle, ControlOutcome::Passed);
    let judged = &a.profilers[0];
    assert_eq!(judged.verdict, Verdict::Right, "{:?}", judged.undecided);
    assert!(judged.tests.absolute.is_some() && judged.tests.uniform.len() == 1);
    let compared = judged.tests.uniform[0].result.compared;
    assert!((1..=2).contains(&compared), "{compared}");
    let time = judged.judged_time_pct.expect("a share of the time").value;
    assert!((3.0..7.5).contains(&time), "{time}");
    assert!(a.false_alarm_rate.is_some());
}
