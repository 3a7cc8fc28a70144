//! Rows over JVMs that differ and that do not, and the words of single JVMs.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{
    Row, RowVerdict, Subject, false_alarm, judge, over_runs, shares_at_rest,
};
use proofmark_stats::{Confidence, Estimate, clopper_pearson};
use rand::{RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::common::twin::{BIASED, RIGHT, Twin};

/// Time that is put into a method is reported in `place`, this part of it, 0 to 1.
fn moving(part: f64) -> [[f64; 4]; 4] {
    let mut matrix = RIGHT;
    matrix[1] = [part, 1.0 - part, 0.0, 0.0];
    matrix[2] = [part, 0.0, 1.0 - part, 0.0];
    matrix
}

/// What a JVM whose profiler does this shows of `get` and of `set`.
fn jvm(matrix: [[f64; 4]; 4], seed: u64) -> Vec<Row> {
    let mut twin = Twin::new(matrix, seed);
    let rows = [(1, 5, 30), (2, 12, 57)];
    rows.map(|(site, low, high)| twin.row(site, low, high).expect("a row"))
        .into()
}

/// A profiler in these JVMs, and shares that are known.
fn over(jvms: &[Vec<Row>]) -> Subject {
    let of_site = |site: usize| {
        let rows: Vec<Row> = jvms.iter().map(|rows| rows[site].clone()).collect();
        over_runs(&rows).expect("a row")
    };
    let mut at_rest = Twin::new(RIGHT, 77);
    let windows: Vec<_> = (0..6).map(|_| at_rest.window(None)).collect();
    Subject {
        name: "twin".into(),
        rows: (0..jvms[0].len()).map(of_site).collect(),
        in_jvms: (jvms.iter())
            .map(|rows| rows.iter().cloned().map(Some).collect())
            .collect(),
        shares_pct: shares_at_rest(&windows),
        ..Subject::default()
    }
}

fn judged(jvms: &[Vec<Row>]) -> RowVerdict {
    judge(&[over(jvms)], 5.0).remove(0)
}

/// Part of the runs in which an interval holds the truth, %.
fn coverage(runs: u64, mut holds: impl FnMut(u64) -> bool) -> f64 {
    let held = (0..runs).filter(|seed| holds(*seed)).count();
    100.0 * held as f64 / runs as f64
}

/// In every JVM another part of get's time is reported as place's: the truth is the mean over JVMs.
#[test]
fn intervals_over_jvms_hold_the_mean_over_jvms() {
    let cases = [
        (0.0, 2),
        (0.2, 2),
        (0.0, 3),
        (0.02, 3),
        (0.2, 3),
        (0.2, 8),
        (0.02, 5),
    ];
    for (spread, runs) in cases {
        let part = coverage(1000, |seed| {
            let mut of_jvm = ChaCha8Rng::seed_from_u64(seed);
            let all: Vec<Row> = (0..runs)
                .map(|run| {
                    let normal = (0..12).map(|_| of_jvm.random::<f64>()).sum::<f64>() - 6.0;
                    let away = (0.4 + spread * normal).clamp(0.0, 1.0);
                    let mut twin = Twin::new(moving(away), 1000 * seed + run);
                    twin.row(1, 5, 30).expect("a row")
                })
                .collect();
            let row = over_runs(&all).expect("a row");
            assert_eq!((row.in_place.n, row.df), (runs, runs as f64 - 1.0));
            row.in_place.covers(0.6)
        });
        println!("spread {spread}, {runs} runs: {part} %");
        assert!((93.0..=97.0).contains(&part), "{spread} {runs}: {part} %");
    }
}

/// What holds for one JVM does not hold for JVMs: intervals of single JVMs miss the mean over JVMs, and are given as
/// they are where there is only one.
#[test]
fn one_jvm_speaks_for_itself() {
    let row = Twin::new(BIASED, 3).row(1, 5, 30).expect("a row");
    let alone = over_runs(std::slice::from_ref(&row)).expect("a row");
    assert_eq!(alone, row);
    let other = Twin::new(RIGHT, 4).row(1, 5, 30).expect("a row");
    let both = over_runs(&[row, other]).expect("a row");
    assert!((both.in_place.value - 0.5).abs() < 0.05, "{both:?}");
    // Anything from nothing to all, and not much more.
    let part = both.in_place;
    assert!(part.low <= 0.0 && part.high >= 1.0, "{both:?}");
    assert!(part.low > -0.2 && part.high < 1.2, "{both:?}");
    assert_eq!(over_runs(&[]), None);
}

#[test]
fn a_right_profiler_is_right_in_every_jvm() {
    for seed in 0..40 {
        let of = judged(&[0, 1, 2].map(|at| jvm(RIGHT, 3 * seed + at)));
        assert!(of.certified && of.verdict == Verdict::Right, "{of:?}");
        assert_eq!((of.jvms.right, of.jvms.wrong), (3, 0), "{of:?}");
    }
}

#[test]
fn what_one_jvm_gets_wrong_is_a_finding_whatever_the_mean_says() {
    for seed in 0..10 {
        let jvms = [RIGHT, moving(1.0), RIGHT];
        let jvms = [0, 1, 2].map(|at| jvm(jvms[at as usize], 900 + 3 * seed + at));
        let of = judged(&jvms);
        assert_eq!(of.rows, [Verdict::Wrong; 2], "{of:?}");
        assert!(of.row_jvms.iter().all(|words| words.differ()), "{of:?}");
        assert_eq!((of.jvms.right, of.jvms.wrong), (2, 1), "{of:?}");
        assert_eq!(of.verdict, Verdict::Wrong);
        // 55 points are theirs.
        assert!(of.misplaced_pt.0 > 35.0 && of.misplaced_pt.1 < 75.0);
        // Without their words the means say nothing.
        let mut subject = over(&jvms);
        subject.in_jvms.clear();
        assert_eq!(judge(&[subject], 5.0)[0].verdict, Verdict::Undecided);
    }
}

/// Everything is off by exactly as much as is allowed: each word is an accusation that is false.
#[test]
fn single_jvms_accuse_falsely_as_seldom_as_said() {
    let (tests, mut alarms, mut uncorrected) = (1000, 0, 0);
    for seed in 0..tests {
        let jvms = [0, 1, 2].map(|at| jvm(moving(0.1), 40_000 + 3 * seed + at));
        let of = judged(&jvms);
        alarms += u32::from(of.row_jvms.iter().any(|words| words.wrong > 0));
        let outside = |row: &Row| row.in_place.high < 0.9;
        uncorrected += u32::from(jvms.iter().flatten().any(outside));
    }
    let rate = |count: u32| f64::from(count) / tests as f64;
    let (alarms, uncorrected) = (rate(alarms), rate(uncorrected));
    println!("called wrong {alarms}, without a correction {uncorrected}");
    assert!(alarms > 0.0 && alarms <= 0.05, "{alarms}");
    assert!(uncorrected > 2.0 * alarms, "{uncorrected}");
}

/// All of the time is in place in some JVMs and none in others. JVMs of both kinds leave an interval that holds the mean; JVMs
/// that are all of one kind by chance do not, and their number is what says so.
#[test]
fn of_all_or_nothing_the_number_of_jvms_says_what_is_not_known() {
    for (part, jvms) in [(0.5, 2), (0.5, 3), (0.2, 3), (0.3, 5)] {
        let (mut differ, mut hold) = (0, 0);
        let counted = coverage(400, |seed| {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let all: Vec<Vec<Row>> = (0..jvms)
                .map(|at| {
                    let moves = random.random::<f64>() < part;
                    let matrix = if moves { moving(1.0) } else { RIGHT };
                    jvm(matrix, 90_000 + 10 * seed + at)
                })
                .collect();
            let of = judged(&all);
            let words = of.row_jvms[0];
            assert_eq!(words.total(), all.len());
            assert_eq!(words.undecided, 0, "{of:?}");
            if words.differ() {
                differ += 1;
                let mean = over(&all).rows[0].in_place;
                hold += u32::from(mean.covers(1.0 - part));
            }
            let wrong = clopper_pearson(words.wrong as u64, jvms).expect("JVMs");
            wrong.covers(part)
        });
        println!("{part} of JVMs, {jvms} asked: {counted} %, {hold} of {differ}");
        assert!(counted >= 95.0, "{part} {jvms}: {counted} %");
        assert!(differ > 100, "{differ}");
        let held = f64::from(hold) / f64::from(differ);
        assert!(held >= 0.93, "{part} {jvms}: {held}");
    }
}

/// Rows of which a part is missing in each of three JVMs, known there to so much.
fn missing(parts: [f64; 3], half: f64) -> RowVerdict {
    let jvms = [0, 1, 2].map(|seed| {
        let missing = Some(Estimate::around(parts[seed], half, 900));
        let rows = jvm(RIGHT, seed as u64).into_iter();
        rows.map(|row| Row { missing, ..row }).collect::<Vec<Row>>()
    });
    judged(&jvms)
}

/// Of 20 % without a sample each JVM knows too little to call a row wrong, and finds what it has in place.
#[test]
fn what_only_all_jvms_together_know_to_be_missing_makes_a_row_wrong() {
    let of = missing([0.197, 0.199, 0.195], 0.1);
    assert_eq!(of.row_jvms[0].right, 3, "{of:?}");
    assert_eq!((of.jvms.right, of.jvms.wrong), (3, 0), "{of:?}");
    assert_eq!(of.rows, [Verdict::Wrong; 2], "{of:?}");
    assert!(!of.certified && of.verdict == Verdict::Wrong, "{of:?}");
}

/// Three JVMs that agree by chance say more than their windows know: that certifies nothing, and accuses nobody.
#[test]
fn that_jvms_agree_is_not_certain_of_them() {
    let of = missing([0.15, 0.16, 0.14], 0.09);
    assert_eq!(of.row_jvms[0].right, 3, "{of:?}");
    assert_eq!(of.rows, [Verdict::Undecided; 2], "{of:?}");
    assert!(!of.certified && of.verdict == Verdict::Undecided, "{of:?}");
}

#[test]
fn a_jvm_that_lacks_a_row_does_not_call_the_profiler_right() {
    let mut subject = over(&[0, 1, 2].map(|seed| jvm(RIGHT, seed)));
    subject.in_jvms[1][1] = None;
    let of = judge(&[subject], 5.0).remove(0);
    assert_eq!(of.verdict, Verdict::Right, "{of:?}");
    assert_eq!((of.row_jvms[0].right, of.row_jvms[1].right), (3, 2));
    assert_eq!((of.jvms.right, of.jvms.undecided), (2, 1), "{of:?}");
}

/// A quarter of the time is in a method with two sites. The JVM that moves what is added at one of them has no row of the other.
#[test]
fn a_site_stands_for_its_part_of_a_method_also_where_a_jvm_lacks_the_other_one() {
    let site = |matrix, seed| jvm(matrix, seed).remove(0);
    let two = |first, seed| vec![site(first, seed), site(RIGHT, seed + 10)];
    let jvms = [two(RIGHT, 0), two(moving(1.0), 1), two(RIGHT, 2)];
    let mut subject = over(&jvms);
    subject.in_jvms[1][1] = None;
    let of = judge(&[subject], 5.0).remove(0);
    assert_eq!(of.verdict, Verdict::Wrong, "{of:?}");
    let (least, most) = of.misplaced_pt;
    assert!(least > 8.0 && most < 18.0, "{of:?}");
}

/// 100, 95 and 103 % in place: a standard error of 2.33 points, and 4.303 + 10 / 2.33 of them to a wrong row, with a tail of
/// 1.33 % at two degrees of freedom. That the interval is cut above says nothing else.
#[test]
fn false_alarms_over_jvms_are_those_of_the_whole_interval() {
    let one = jvm(RIGHT, 0).remove(0);
    let rows = [1.0, 0.95, 1.03].map(|part| Row {
        in_place: Estimate::around(part, 0.01, 900),
        ..one.clone()
    });
    let row = over_runs(&rows).expect("a row");
    assert!((row.in_place.high - 1.04).abs() < 1e-9, "{row:?}");
    let said = false_alarm(&row, Confidence::P95, 0.1);
    assert!((0.0130..0.0137).contains(&said), "{said}");
}
