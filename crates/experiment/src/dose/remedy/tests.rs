//! Ways to know more, where it is known which is nearest.

use super::*;
use crate::dose::tests::{attribution, took};
use crate::dose::{JvmWords, ProfileChange};

fn size(runs: usize) -> Size {
    crate::dose::tests::size(&["async", "jfr"], runs)
}

/// A profiler with one row that is open: values of its JVMs with the half-widths of their intervals, %.
fn open(jvms: &[(f64, f64)]) -> Attribution {
    let mut one = attribution(Verdict::Undecided, 94.0, "B.place");
    let each = jvms.iter();
    let each = each.map(|(value, half)| Estimate::around(*value, *half, 900));
    one.rows[0].in_place_per_run_pct = each.collect();
    one.rows[0].in_place_pct = one.rows[0].in_place_per_run_pct[0];
    one
}

fn way(one: &Attribution, size: &Size) -> Option<Way> {
    let test = Test {
        size,
        margin_pt: 5.0,
        took: &took(size, 100.0),
        again: &Again::default(),
    };
    test.way(one)
}

/// What async-profiler shows otherwise.
fn check(points: f64) -> ProfileCheck {
    ProfileCheck {
        witnesses: vec!["async".into()],
        misplaced_pt: [points, 40.0],
        resolves_pt: 4.0,
        methods: Vec::new(),
    }
}

/// 94 is 4 from 90: an interval of 6 to either side must shrink by 1.5, with 2.25 times the windows.
#[test]
fn one_jvm_gets_more_windows() {
    let size = size(1);
    let way = way(&open(&[(94.0, 6.0)]), &size).expect("a way");
    assert_eq!(way.option, "--rounds 7 --budget 35");
    assert!(way.decides && way.seconds > 110.0, "{way:?}");
    assert!(way.seconds < 225.0, "starts are not done more often");
}

/// Means of 99, 92 and 99 differ by 4.04 (standard deviation) around 96.7: with four JVMs 3.182 * 4.04 / 2 = 6.4 is less
/// than the 6.7 to the limit. The JVM at 92 would need 4 times its windows.
#[test]
fn what_differs_from_jvm_to_jvm_needs_more_of_them() {
    let size = size(3);
    let differing = open(&[(99.0, 1.0), (92.0, 4.0), (99.0, 1.0)]);
    let way = way(&differing, &size).expect("a way");
    let option = (way.option.as_str(), way.decides);
    assert_eq!(option, ("--runs 4 --budget 20", true));
    assert!((105.0..140.0).contains(&way.seconds), "{way:?}");
    // Where JVMs have more than the two rounds that each gets at least, that is asked for too.
    let size = Size { rounds: 12, ..size };
    let way = self::way(&differing, &size).expect("a way");
    assert_eq!(way.option, "--runs 4 --rounds 16 --budget 20");
}

/// Rows that are decided leave open what else is open.
#[test]
fn what_would_stay_open_is_not_promised_to_be_decided() {
    let size = size(1);
    let one = open(&[(94.0, 6.0)]);
    assert!(way(&one, &size).expect("a way").decides);
    let mut with_wrong = one.clone();
    let mut wrong = one.rows[0].clone();
    wrong.verdict = Verdict::Wrong;
    with_wrong.rows.push(wrong);
    assert!(!way(&with_wrong, &size).expect("a way").decides);
    with_wrong.rows[1].small_pt = Some(0.4);
    assert!(way(&with_wrong, &size).expect("a way").decides);
    // What is too small to matter is not what leaves it open.
    let mut small = one.clone();
    small.rows[0].small_pt = Some(0.4);
    let several = way(&small, &size).expect("a way");
    assert_eq!(
        (several.option.as_str(), several.decides),
        ("--runs 5", false)
    );
    for (points, decides) in [(4.0, true), (6.0, false)] {
        let mut contradicted = one.clone();
        contradicted.profile = Some(check(points));
        let way = way(&contradicted, &size).expect("a way");
        assert_eq!(way.decides, decides, "{points}");
    }
}

/// Where 90 to 120 % may be right, 94 is 14 from the lower limit, and 131 beyond the upper one.
#[test]
fn limits_are_those_of_the_site() {
    let mut one = open(&[(94.0, 6.0)]);
    one.rows[0].truth_pct = [90.0, 120.0];
    let size = size(1);
    let test = Test {
        size: &size,
        margin_pt: 5.0,
        took: &took(&size, 100.0),
        again: &Again::default(),
    };
    assert_eq!(test.room(&one.rows[0], 94.0), (14.0, true));
    assert_eq!(test.room(&one.rows[0], 131.0), (1.0, false));
}

#[test]
fn at_the_limit_nothing_decides() {
    assert_eq!(way(&open(&[(90.0, 3.0)]), &size(1)), None);
    let apart = open(&[(91.0, 40.0), (89.5, 40.0), (90.0, 40.0)]);
    assert_eq!(way(&apart, &size(3)), None);
}

#[test]
fn without_an_open_row_the_option_only_tells_more() {
    let wrong = attribution(Verdict::Wrong, 0.0, "B.place");
    let mut one = Attribution {
        verdict: Verdict::Undecided,
        ..wrong
    };
    // Somebody else knows the program, and says nothing against it.
    one.profile = Some(check(4.0));
    let runs = way(&one, &size(3)).expect("a way");
    assert_eq!((runs.option.as_str(), runs.decides), ("--runs 6", false));
    assert_eq!(way(&one, &size(15)).expect("a way").option, "--runs 20");
    assert_eq!(way(&one, &size(20)), None, "more are not proposed");
    // Two were added to three.
    let added = Attribution {
        jvms: JvmWords::of([Verdict::Undecided; 5]),
        ..one.clone()
    };
    assert_eq!(way(&added, &size(3)).expect("a way").option, "--runs 10");
    one.change = Some(ProfileChange {
        beyond_pt: 43.0,
        voids_rows: true,
        drowned: false,
        method: "B.place".into(),
        as_it_is_pct: Estimate::around(18.0, 2.0, 900),
        with_sites_pct: Estimate::around(66.0, 2.0, 900),
    });
    let fewer = way(&one, &size(3)).expect("a way");
    assert_eq!(fewer.option, "--methods 1");
    assert!(fewer.seconds < 100.0 && !fewer.decides);
    let alone = Size {
        methods: 1,
        ..size(3)
    };
    assert_eq!(way(&one, &alone), None, "it was one method");
}

/// More JVMs of two that contradict each other do not say which of them is right; JFR with more debug information may.
#[test]
fn where_two_contradict_each_other_a_third_is_asked() {
    let mut one = attribution(Verdict::Right, 100.0, "B.place");
    one.verdict = Verdict::Undecided;
    one.profile = Some(check(20.0));
    let option = |one: &Attribution, profilers: &[&str]| {
        let size = Size {
            profilers: profilers.iter().map(|name| (*name).into()).collect(),
            ..size(3)
        };
        way(one, &size).expect("a way").option
    };
    let third = option(&one, &["async", "jfr"]);
    assert_eq!(third, "--profiler async,jfr,jfr+nonsafepoints");
    let asked = ["async", "jfr", "jfr+nonsafepoints"];
    assert_eq!(option(&one, &asked), "--runs 6");
    assert_eq!(option(&one, &["async", "perf"]), "--runs 6");
    let attached = option(&one, &["async+attached", "perf"]);
    assert_eq!(attached, "--profiler async+attached,perf,async");
    let both = option(&one, &["async+attached", "jfr"]);
    assert_eq!(both, "--profiler async+attached,jfr,jfr+nonsafepoints");
    one.profile = Some(check(4.0));
    assert_eq!(option(&one, &["async", "jfr"]), "--runs 6");
}

/// More windows are more than there were, and are not promised where they cannot decide.
#[test]
fn what_is_named_is_not_the_test_that_was() {
    // Inside by the quantiles of many windows, and still open by those of few.
    let way_of = |one: &Attribution, runs| way(one, &size(runs));
    let near = way_of(&open(&[(80.0, 6.5)]), 1).expect("a way");
    assert_eq!(near.option, "--rounds 5 --budget 25");
    // 18 % are missing, beyond the limit by the 95 % interval, and not yet by the one that accuses.
    let mut lacking = open(&[(99.0, 2.0)]);
    lacking.rows[0].missing_pct = Some(Estimate::around(18.0, 5.0, 900));
    lacking.accusing_intervals = 40;
    let more = way_of(&lacking, 1).expect("a way");
    assert!(
        more.decides && more.option == "--rounds 5 --budget 25",
        "{more:?}"
    );
    // 20 % are in another method for certain, and what is in place is right: that stays so.
    let mut astray = open(&[(96.0, 2.0)]);
    astray.rows[0].elsewhere[0].pct = Estimate::around(20.0, 2.0, 900);
    assert_eq!(way_of(&astray, 1), None);
}

/// One of three JVMs has no such row; one of four may have none either.
#[test]
fn jvms_without_a_row_do_not_make_the_others_more() {
    let mut one = open(&[(94.0, 6.0), (96.0, 3.0)]);
    one.rows[0].unknown_runs = 1;
    one.jvms = JvmWords::of([Verdict::Undecided; 3]);
    let runs = way(&one, &size(3)).expect("a way");
    assert!(!runs.option.contains("--runs 3"), "{runs:?}");
    let asked: Vec<usize> = [4, 5].into();
    let said = asked
        .iter()
        .any(|jvms| runs.option == format!("--runs {jvms} --budget {}", 5 * jvms));
    assert!(said || runs.option.starts_with("--rounds"), "{runs:?}");
}

/// Nobody else is certified: without a witness, wrong rows decide nothing, however many JVMs there are.
#[test]
fn without_a_witness_one_is_asked() {
    let mut one = attribution(Verdict::Wrong, 0.0, "B.place");
    one.verdict = Verdict::Undecided;
    let option = |one: &Attribution, profilers: &[&str]| {
        let size = Size {
            profilers: profilers.iter().map(|name| (*name).into()).collect(),
            ..size(3)
        };
        let way = way(one, &size).expect("a way");
        assert!(!way.decides, "{way:?}");
        way.option
    };
    let third = "--profiler async,jfr,jfr+nonsafepoints";
    assert_eq!(option(&one, &["async", "jfr"]), third);
    let second = "--profiler async,jfr+nonsafepoints";
    assert_eq!(option(&one, &["async"]), second);
    // Those of one kind are no witnesses for each other.
    let second = "--profiler async+attached,jfr+nonsafepoints";
    assert_eq!(option(&one, &["async+attached"]), second);
    assert_eq!(option(&one, &["async", "jfr+nonsafepoints"]), "--runs 6");
    one.profile = Some(check(4.0));
    assert_eq!(option(&one, &["async", "jfr"]), "--runs 6");
}

/// What would take more than half an hour is not proposed, but what tells more sooner.
#[test]
fn what_takes_too_long_gives_way_to_what_is_practical() {
    let remedy = |name: &str, profilers: &[&str], methods, seconds| {
        let size = Size {
            profilers: profilers.iter().map(|name| (*name).into()).collect(),
            methods,
            ..size(1)
        };
        let test = Test {
            size: &size,
            margin_pt: 5.0,
            took: &took(&size, seconds),
            again: &Again::default(),
        };
        let mut one = open(&[(94.0, 6.0)]);
        let mut large = one.rows[0].clone();
        large.method = "A$B.<init>".into();
        one.rows.push(large);
        let share = Estimate::around(20.0, 1.0, 900);
        one.shares_pct.insert("A$B.<init>".into(), share);
        test.remedy(name, &one)
    };
    let both = ["async", "jfr"];
    let soon = remedy("jfr", &both, 4, 100.0);
    assert_eq!(soon.too_long_s, None);
    assert!(soon.way.expect("a way").decides);
    let option = |remedy: Remedy| {
        assert!(remedy.too_long_s.is_some_and(|seconds| seconds > 1800.0));
        remedy.way.map(|way| way.option)
    };
    let twin = Some("--profiler async,jfr,jfr+nonsafepoints".to_owned());
    // More windows take more than half an hour, one profiler more less than that.
    assert_eq!(option(remedy("jfr", &both, 4, 1275.0)), twin);
    let attached = ["async+attached", "jfr"];
    let loaded = Some("--profiler async+attached,jfr,async".to_owned());
    assert_eq!(
        option(remedy("async+attached", &attached, 4, 1275.0)),
        loaded
    );
    let alone = Some("--method 'A$B.<init>' --methods 1".to_owned());
    assert_eq!(option(remedy("async", &both, 4, 1700.0)), alone);
    let asked = ["jfr", "jfr+nonsafepoints"];
    assert_eq!(option(remedy("jfr", &asked, 4, 1700.0)), alone);
    assert_eq!(option(remedy("async", &both, 1, 5000.0)), None);
}

/// A profiler more is no word on how much is measured: that test is to end in time too, and leaves out windows for it.
#[test]
fn what_is_to_end_in_time_does_so_again_unless_it_is_said_how_much_is_measured() {
    let size = size(3);
    let mut one = attribution(Verdict::Right, 100.0, "B.place");
    one.verdict = Verdict::Undecided;
    let took = Took {
        most_s: Some(600.0),
        ..took(&size, 580.0)
    };
    let way = |one: &Attribution, again: &Again| {
        let test = Test {
            size: &size,
            margin_pt: 5.0,
            took: &took,
            again,
        };
        test.way(one).expect("a way")
    };
    let usual = Again::default();
    let more = way(&one, &usual);
    assert!(
        more.option == "--runs 6" && more.seconds > 600.0,
        "{more:?}"
    );
    one.profile = Some(check(20.0));
    let third = way(&one, &usual);
    assert_eq!(third.option, "--profiler async,jfr,jfr+nonsafepoints");
    assert!((third.seconds - 600.0).abs() < 1e-9, "{third:?}");
    let fewer = Again {
        options: vec![("--methods".into(), "4".into())],
        ..usual
    };
    let third = way(&one, &fewer);
    assert!(third.seconds > 600.0, "{third:?}");
}
