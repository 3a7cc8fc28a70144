//! Right profilers are found right, wrong ones wrong, at realistic numbers of samples.

use crate::common::{judged, program, seeded, tally};
use proofmark_assess::{SAMPLES_PER_CONDITION, Settings, UNATTRIBUTED, Verdict, assess};
use proofmark_experiment::sim::Fault;

#[test]
fn a_right_profiler_at_10_ms_is_found_right() {
    let t = tally(&program(100.0, Fault::None), &Settings::default(), 20);
    assert!(t.right >= 18 && t.wrong == 0, "{t:?}");
}

/// At 20 ms it takes 60 s per slowed condition to have the recommended number of samples.
#[test]
fn a_right_profiler_at_20_ms_is_found_right_with_enough_samples() {
    let mut s = program(50.0, Fault::None);
    s.request.budget_s = 4.0 * SAMPLES_PER_CONDITION / 50.0;
    s.truth_per_s = 200.0;
    let t = tally(&s, &Settings::default(), 20);
    assert!(t.right >= 18 && t.wrong == 0, "{t:?}");
}

#[test]
fn a_right_profiler_at_1_ms_with_over_dispersed_windows_is_not_found_wrong() {
    let mut s = program(600.0, Fault::None);
    s.wander = 0.08;
    let t = tally(&s, &Settings::default(), 8);
    assert!(t.right >= 7 && t.wrong == 0, "{t:?}");
}

#[test]
fn a_safepoint_bias_is_wrong_and_says_whose_time_went_where() {
    let s = program(100.0, Fault::Hoards { honest: 0.3 });
    assert_eq!(tally(&s, &Settings::default(), 8).wrong, 8);
    let j = judged(&s, &Settings::default());
    assert_eq!(
        (j.blames[0].from.as_str(), j.blames[0].to.as_str()),
        ("m1", "m0")
    );
    assert!(
        (j.blames[0].points.value - 18.9).abs() < 2.0,
        "{:?}",
        j.blames[0]
    );
    assert!(
        j.error_pt.absolute.unwrap().covers(44.8),
        "{:?}",
        j.error_pt
    );
}

/// A constant bias passes the uniform test (both sides are equally wrong); the absolute test sees it.
#[test]
fn a_constant_bias_is_seen_by_the_absolute_test_only() {
    let j = judged(
        &program(
            100.0,
            Fault::Moves {
                from: 0,
                to: 2,
                points: 12.0,
            },
        ),
        &Settings::default(),
    );
    assert_eq!(j.verdict, Verdict::Wrong);
    assert_eq!(j.tests.absolute.unwrap().result.verdict, Verdict::Wrong);
    assert_ne!(j.tests.uniform[0].result.verdict, Verdict::Wrong);
}

/// Right in unslowed code, wrong about what a slowdown adds: only the single-block test can see it.
#[test]
fn charging_added_time_elsewhere_is_seen_by_the_single_block_test() {
    let s = program(100.0, Fault::MissesAdded { to: 3 });
    assert!(tally(&s, &Settings::default(), 8).wrong >= 7);
    let j = judged(&s, &Settings::default());
    let t = &j.tests.single[0];
    assert_eq!(
        j.tests.absolute.as_ref().unwrap().result.verdict,
        Verdict::Right
    );
    assert!(t.counts && t.detected_before && t.detected_after);
    // (1 - 0.36) * 0.12 / 1.12 = 6.86 points.
    assert!(
        t.predicted_pt.covers(6.86) && (t.added_pct.value - 12.0).abs() < 3.0,
        "{:?} {:?}",
        t.predicted_pt,
        t.added_pct
    );
    assert!(
        t.seen_pt.value < 0.0 && t.target_error_pt.wholly_below(-3.0),
        "{:?}",
        t.target_error_pt
    );
    assert!(
        t.truth_gain_pt.unwrap().covers(6.86),
        "{:?}",
        t.truth_gain_pt
    );
}

/// The slowdown did not reach its target evenly: shares really change, and a profiler that shows it is right.
#[test]
fn an_uneven_slowdown_is_not_the_profilers_fault() {
    let mut s = program(100.0, Fault::None);
    s.uniform_unevenness = vec![1.8, 0.4, 1.0];
    let j = judged(&s, &Settings::default());
    let t = &j.tests.uniform[0];
    assert_eq!(t.result.verdict, Verdict::Right, "{t:?}");
    assert!(t.off_by_5_pt >= 2 && t.off_by_5_pt_corrected == 0, "{t:?}");
    assert!(
        t.overhead_pct
            .unwrap()
            .covers(100.0 * (0.36 * 1.8 + 0.27 * 0.4 + 0.37)),
        "{:?}",
        t.overhead_pct
    );
    assert!(t.correlation.unwrap().value > 0.5);
}

/// The experiment did more than intended (a neighbour became slower too): it does not count.
/// Half of what is added shows in the next method, in the truth as for the profiler. The truth has few samples, so that
/// it alone does not find the experiment wrong.
#[test]
fn what_an_experiment_does_beside_its_purpose_is_not_charged_to_the_profiler() {
    for leaks in [0.3, 0.6] {
        let mut s = program(1500.0, Fault::None);
        s.single_leaks = leaks;
        s.truth_per_s = 40.0;
        let t = tally(&s, &Settings::default(), 12);
        assert_eq!(t.wrong, 0, "{leaks}: {t:?}");
    }
}

#[test]
fn a_disturbed_experiment_does_not_count() {
    let mut evidence = program(100.0, Fault::None).evidence("x");
    let slowed = |c| matches!(c, proofmark_assess::Condition::Single(_));
    for w in evidence.profilers[0]
        .truth
        .iter_mut()
        .filter(|w| slowed(w.at.condition))
    {
        for s in &mut w.streams {
            let moved = s.methods[0] * 0.5;
            s.methods[0] -= moved;
            s.methods[3] += moved;
        }
    }
    let a = proofmark_assess::assess(&evidence, &Settings::default()).unwrap();
    let j = &a.profilers[0];
    assert!(!j.tests.single[0].counts && j.error_pt.single.is_none());
    assert!(
        j.notes.iter().any(|n| n.contains("does not rest on")),
        "{:?}",
        j.notes
    );
}

#[test]
fn samples_without_a_name_are_an_error_of_their_own() {
    let j = judged(
        &program(100.0, Fault::Unnamed { part: 0.2 }),
        &Settings::default(),
    );
    assert_eq!(j.verdict, Verdict::Wrong);
    assert_eq!(j.tests.absolute.unwrap().result.worst, UNATTRIBUTED);
    assert!(
        j.blames.iter().all(|b| b.to == UNATTRIBUTED),
        "{:?}",
        j.blames
    );
    assert!(j.losses.unattributed_pct.unwrap().covers(20.0));
}

#[test]
fn ambiguous_source_positions_leave_it_undecided() {
    let mut s = program(
        100.0,
        Fault::Moves {
            from: 0,
            to: 2,
            points: 8.0,
        },
    );
    s.ambiguous = vec![0.3];
    let open = judged(&s, &Settings::default());
    assert_eq!(open.verdict, Verdict::Undecided);
    let why = open.undecided.unwrap();
    assert!(
        why.more_s.is_none() && why.reason.contains("source positions"),
        "{why:?}"
    );
    assert!(open.blames.is_empty(), "{:?}", open.blames);
}

/// 8 points moved from one method to another are within what positions leave open only if the other may claim it.
#[test]
fn only_a_neighbour_may_claim_ambiguous_time() {
    let fault = Fault::Moves {
        from: 0,
        to: 2,
        points: 8.0,
    };
    let mut s = program(100.0, fault);
    s.ambiguous = vec![0.3];
    let settings = Settings::default();
    let verdict_if = |claimant: usize| {
        let mut evidence = s.evidence("profiler");
        for stream in evidence.profilers[0]
            .truth
            .iter_mut()
            .flat_map(|window| &mut window.streams)
        {
            let ambiguous: f64 = stream.ambiguous.iter().sum();
            stream.claimable = vec![0.0; stream.methods.len()];
            stream.claimable[claimant] = ambiguous;
        }
        assess(&evidence, &settings).expect("evidence").profilers[0].verdict
    };
    assert_eq!(verdict_if(2), Verdict::Undecided);
    assert_eq!(verdict_if(1), Verdict::Wrong);
}

#[test]
fn undecided_says_how_much_more_time_would_decide() {
    let s = program(25.0, Fault::None);
    let open = (0..30)
        .map(|seed| judged(&seeded(&s, seed), &Settings::default()))
        .find(|j| j.verdict == Verdict::Undecided);
    let open = open.expect("a quarter of the samples leaves some seeds undecided");
    let more = open.undecided.unwrap().more_s.unwrap();
    assert!(more > 1.0 && more < 100.0 * 120.0, "{more}");
}

#[test]
fn one_window_gives_no_verdict_but_a_reason() {
    let mut evidence = program(100.0, Fault::None).evidence("x");
    evidence.profilers[0].windows.truncate(1);
    let a = proofmark_assess::assess(&evidence, &Settings::default()).unwrap();
    assert_eq!(a.profilers[0].verdict, Verdict::Undecided);
    assert!(
        a.profilers[0]
            .undecided
            .as_ref()
            .unwrap()
            .reason
            .contains("fewer than two")
    );
    assert_eq!((a.false_alarm_rate, a.profilers[0].error()), (None, None));
}

/// What the first instructions of a block move elsewhere is in both doses: the low one is compared with, not the
/// unslowed windows.
#[test]
fn a_high_dose_is_compared_with_a_low_one() {
    for (fault, verdict) in [
        (Fault::None, Verdict::Right),
        (Fault::MissesAdded { to: 3 }, Verdict::Wrong),
    ] {
        let mut s = program(300.0, fault);
        (s.single_low, s.single_added) = (0.5, 2.0);
        let j = judged(&s, &Settings::default());
        let t = &j.tests.single[0];
        assert_eq!(t.result.verdict, verdict, "{t:?}");
        // 2 of 1.5 more. The owner has (0.36 + 0.5) / 1.5 = 57.3 % and must gain (1 - 0.573) * 2 / 3.5 = 24.4 points; who
        // shows it with 24 % must show that it gains 43.4.
        assert!((t.added_pct.value - 133.3).abs() < 6.0, "{t:?}");
        let must = if verdict == Verdict::Right {
            24.4
        } else {
            43.4
        };
        assert!((t.predicted_pt.value - must).abs() < 1.5, "{t:?}");
        let shows = j.shares[0].by_condition.iter();
        let low =
            shows.filter(|share| share.condition == proofmark_assess::Condition::SingleLow(0));
        assert_eq!(low.count(), 1, "shares under the low dose are told");
    }
}

/// Half of the time is outside of compiled Java methods: the same block adds twice the share of what is inside.
#[test]
fn added_time_is_compared_with_the_time_in_java() {
    let mut evidence = program(100.0, Fault::None).evidence("x");
    for w in &mut evidence.profilers[0].truth {
        w.streams
            .iter_mut()
            .for_each(|s| s.outside = s.methods.iter().sum());
    }
    let a = proofmark_assess::assess(&evidence, &Settings::default()).unwrap();
    // (1 - 0.36) * 0.24 / 1.24 = 12.4 points instead of 6.86.
    let predicted = a.profilers[0].tests.single[0].predicted_pt;
    assert!(
        predicted.covers(12.4) && !predicted.covers(6.86),
        "{predicted:?}"
    );
}

/// Profiler and truth saw the same phases: what they have in common is not uncertainty.
#[test]
fn common_phases_cancel_in_the_same_windows() {
    let mut s = program(600.0, Fault::None);
    s.wander = 0.2;
    let together = judged(&s, &Settings::default())
        .detectable_pt
        .unwrap()
        .value;
    s.same_windows = false;
    let apart = judged(&s, &Settings::default())
        .detectable_pt
        .unwrap()
        .value;
    assert!(together < 0.5 * apart, "{together} {apart}");
}

#[test]
fn same_evidence_same_answer() {
    let evidence = program(50.0, Fault::None).evidence("x");
    let settings = Settings::default();
    assert_eq!(
        proofmark_assess::assess(&evidence, &settings),
        proofmark_assess::assess(&evidence, &settings)
    );
}
