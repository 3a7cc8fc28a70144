use std::time::Duration;

use proofmark_experiment::assess::estimate::ASSUMED_MS;
use proofmark_experiment::dose::Size;

use super::*;
use crate::progress::forecast::Forecast;

/// Lengths of iterations, s.
const ITERATIONS_S: [f64; 4] = [0.001, 0.01, 0.13, 1.0];
/// Methods, profilers, JVMs of each, and how many of them run at the same time.
const SIZES: [[usize; 4]; 6] = [
    [12, 2, 1, 2],
    [8, 3, 1, 2],
    [12, 2, 4, 2],
    [4, 3, 4, 2],
    [8, 3, 3, 1],
    [3, 3, 4, 4],
];
/// Until methods are chosen, s, where 19 to 35 are estimated: the first JVM starts slowly.
const CHOOSING_S: f64 = 60.0;

/// What is asked for.
fn size([methods, profilers, runs, at_once]: [usize; 4]) -> Size {
    let names = (0..profilers).map(|at| format!("profiler {at}"));
    Size {
        profilers: names.collect(),
        methods,
        rounds: 3,
        budget_s: 15.0,
        runs,
        window_s: 0.2,
        at_once,
    }
}

/// How many times as long as estimated doses, what sites cost and each JVM really take.
struct Real {
    dosing: f64,
    costs: f64,
    jvm: fn(usize) -> f64,
}

/// Each part takes so many times as long.
fn all(jvm: fn(usize) -> f64) -> Real {
    Real {
        dosing: jvm(0),
        costs: jvm(0),
        jvm,
    }
}

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

/// Whenever something is heard of a test from the length of its iterations on: the time that is left as it is said, and as it is, s.
fn left(size: &Size, iteration_s: f64, real: &Real) -> Vec<[f64; 2]> {
    let before = Times::before(size, ASSUMED_MS);
    let times = Times::of(size, size.methods, iteration_s);
    let mut ahead = Ahead::of(before, 1);
    let mut forecast = Forecast::default();
    forecast.expect(seconds(0.0), before.total_s());
    forecast.hear(seconds(0.0), &ahead.begins());
    let mut said = Vec::new();
    let mut hear = |at_s: f64, news: News| {
        let at = seconds(at_s);
        forecast.hear(at, &news);
        let left = forecast.left(at).expect("an estimate");
        said.push((at_s, left.as_secs_f64()));
    };
    let mut now_s = CHOOSING_S;
    hear(now_s, ahead.chosen(times));
    now_s += real.dosing * times.dosing_s;
    hear(now_s, ahead.costs());
    now_s += real.costs * times.costs_s;
    let jvm_s = times.profilers_s / times.jvms.div_ceil(times.at_once) as f64;
    let mut running: Vec<f64> = Vec::new();
    for jvm in 0..times.jvms {
        if running.len() == times.at_once {
            running.sort_by(f64::total_cmp);
            now_s = running.remove(0);
        }
        let news = ahead.jvm_begins(now_s, running.len());
        hear(now_s, news.expect("one that is wanted"));
        running.push(now_s + jvm_s * (real.jvm)(jvm));
    }
    let end_s = running.into_iter().fold(now_s, f64::max);
    let said = said.into_iter();
    said.map(|(at_s, left_s)| [left_s, end_s - at_s]).collect()
}

/// Every size with every length of iterations.
fn every(check: impl Fn(&Size, f64)) {
    for each in SIZES {
        for iteration_s in ITERATIONS_S {
            check(&size(each), iteration_s);
        }
    }
}

#[test]
fn from_the_length_of_an_iteration_on_what_is_left_is_right_within_20_percent() {
    let reals = [
        all(|_| 1.0),
        all(|_| 1.15),
        all(|_| 0.9),
        Real {
            dosing: 1.3,
            costs: 0.8,
            jvm: |jvm| [1.1, 0.9][jvm % 2],
        },
    ];
    for real in &reals {
        every(|size, iteration_s| {
            for [said, is] in left(size, iteration_s, real) {
                let near = (said - is).abs() <= 0.2 * is + 5.0;
                assert!(near, "{said} of {is}: {size:?}, {iteration_s}");
            }
        });
    }
}

/// The note says what the test takes once methods are chosen, with what went by until then.
#[test]
fn what_is_left_when_iterations_are_known_is_what_the_note_says() {
    every(|size, iteration_s| {
        let noted_s = Times::of(size, size.methods, iteration_s).chosen_s();
        let [said, _] = left(size, iteration_s, &all(|_| 1.0))[0];
        assert!((said - noted_s).abs() < 1e-6, "{said} of {noted_s}");
    });
}

/// Everything takes twice as long.
#[test]
fn what_jvms_really_took_corrects_what_is_left_step_by_step() {
    for each in [[12, 2, 4, 2], [4, 3, 4, 2], [8, 3, 3, 1]] {
        for iteration_s in ITERATIONS_S {
            let heard = left(&size(each), iteration_s, &all(|_| 2.0));
            let parts: Vec<f64> = heard.iter().map(|[said, is]| said / is).collect();
            let mut jumps = parts.windows(2).map(|two| two[1] - two[0]);
            assert!(jumps.all(|jump| jump < 0.25), "{parts:?}");
            assert!(parts.is_sorted_by(|a, b| *a <= *b + 1e-6), "{parts:?}");
            assert!(parts.last().is_some_and(|last| *last > 0.9), "{parts:?}");
        }
    }
}

/// Three kinds of dose: what the first one tells of iterations is also said of the others.
#[test]
fn tests_that_follow_are_estimated_by_what_is_known_of_the_first() {
    let size = size([4, 2, 1, 2]);
    let before = Times::before(&size, ASSUMED_MS);
    let times = Times::of(&size, 4, 0.5);
    let mut ahead = Ahead::of(before, 3);
    let mut left_s = 3.0 * before.total_s();
    let mut hear = |news: News| {
        left_s += news.more_s - news.done_s.unwrap_or(0.0);
        left_s
    };
    hear(ahead.begins());
    let near = |left_s: f64, expected_s: f64| assert!((left_s - expected_s).abs() < 1e-6);
    let known = hear(ahead.chosen(times));
    near(known, times.chosen_s() + 2.0 * times.total_s());
    let ended = hear(ahead.ends().expect("a rest"));
    near(ended, 2.0 * times.total_s());
    assert_eq!(ahead.ends(), None);
    hear(ahead.begins());
    let known = hear(ahead.chosen(times));
    near(known, times.chosen_s() + times.total_s());
}

/// Two kinds of dose: what is known of the JVMs of profilers is also said of the other one.
#[test]
fn what_is_known_of_sites_takes_the_place_of_what_was_estimated() {
    let times = Times::before(&size([8, 3, 4, 2]), ASSUMED_MS);
    let mut ahead = Ahead::of(times, 2);
    let mut left_s = 2.0 * times.total_s();
    let mut hear = |news: News| {
        left_s += news.more_s - news.done_s.unwrap_or(0.0);
        left_s
    };
    hear(ahead.begins());
    hear(ahead.chosen(times));
    let near = |left_s: f64, expected_s: f64| assert!((left_s - expected_s).abs() < 1e-6);
    let known = hear(ahead.costs());
    near(known, times.costs_s + times.profilers_s + times.total_s());
    near(
        hear(ahead.costs_are_known()),
        times.profilers_s + times.total_s(),
    );
    let more_s = 300.0;
    let news = ahead.profilers_take(times.profilers_s + more_s);
    near(news.next_s, (times.profilers_s + more_s) / 6.0);
    near(
        hear(news),
        times.profilers_s + times.total_s() + 2.0 * more_s,
    );
    // The first JVM begins then and there.
    let first = ahead.jvm_begins(60.0, 0).expect("one that is wanted");
    near(
        hear(first),
        times.profilers_s + times.total_s() + 2.0 * more_s,
    );
}

#[test]
fn jvms_that_are_added_are_ahead_until_they_end() {
    let times = Times::before(&size([4, 2, 1, 2]), ASSUMED_MS);
    let mut ahead = Ahead::of(times, 1);
    ahead.begins();
    for others in [0, 1] {
        assert!(ahead.jvm_begins(10.0, others).is_some());
    }
    assert!(ahead.ends().is_some());
    let added = ahead.adds(30.0);
    assert_eq!((added.more_s, added.next_s), (30.0, 30.0));
    assert_eq!(ahead.jvm_begins(50.0, 0), None);
    let done_s = ahead.ends().and_then(|news| news.done_s);
    assert!(done_s.is_some_and(|done_s| (done_s - 30.0).abs() < 1e-6));
}

/// Two at a time: where both end together, and where the second one has half of its time ahead.
#[test]
fn those_that_wait_begin_where_the_first_one_ends() {
    assert_eq!(turns(&[], 5, 2), 3.0);
    assert_eq!(turns(&[0.0, 1.0], 3, 2), 2.0);
    assert_eq!(turns(&[0.5, 1.0], 3, 2), 2.5);
    assert_eq!(turns(&[1.0], 0, 2), 1.0);
    assert_eq!(turns(&[], 0, 0), 0.0);
}
