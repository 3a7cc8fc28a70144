//! How often rows call a profiler wrong that is not, of simulated tests in which everything is where it belongs, or off by exactly
//! as much as is allowed.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{
    Dose, Level, Row, RowVerdict, Subject, Window, judge, over_runs, rows,
};
use proofmark_stats::Estimate;
use rand::{RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::common::twin::Twin;

/// What a profiler does with added time: parts of it, 0 to 1.
#[derive(Debug, Clone, Copy)]
struct Planted {
    /// In another method.
    moved: f64,
    /// Without a sample.
    dropped: f64,
}

const RIGHT: Planted = Planted {
    moved: 0.0,
    dropped: 0.0,
};
/// As much as is allowed at a margin of 5 points, everywhere.
const AT_LIMIT: Planted = Planted {
    moved: 0.1,
    dropped: 0.1,
};

/// How large a test is.
#[derive(Debug, Clone, Copy)]
struct Size {
    jvms: u64,
    rows: usize,
    /// Samples in a window.
    samples: usize,
}

/// Method, and turns of the low and of the high dose.
const SITES: [(u16, u16, u16); 2] = [(1, 5, 30), (2, 12, 57)];
/// How unevenly the timer ticks from window to window, as a part of its rate.
const UNEVEN: f64 = 0.03;

fn normal(random: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0
}

/// Sets the times of windows by a timer, of whose samples a part is dropped where time was added.
fn set_times(
    windows: &mut [(Level, Window)],
    (site, low, high): (u16, u16, u16),
    dropped: f64,
    random: &mut ChaCha8Rng,
) {
    let [low, high] = [low, high].map(|turns| Twin::true_ns(Dose { site, turns }));
    for (level, window) in windows {
        let kept = match level {
            Level::High => 1.0 - dropped * (high - low) / high,
            _ => 1.0,
        };
        let samples = window.methods.values().sum::<f64>() + window.other;
        window.cpu_ns = 1e6 * samples / (kept * (1.0 + UNEVEN * normal(random)));
    }
}

/// What a JVM shows: as many rounds as each of one or of several gets at the usual settings.
fn jvm(planted: Planted, size: &Size, seed: u64) -> Vec<Row> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (away, here) = (planted.moved, 1.0 - planted.moved);
    let matrix = [
        [here, away, 0.0, 0.0],
        [away, here, 0.0, 0.0],
        [away, 0.0, here, 0.0],
        [0.0, 0.0, away, here],
    ];
    let rounds = if size.jvms == 1 { 3 } else { 2 };
    let row = |at: usize| {
        let site = SITES[at % SITES.len()];
        let mut twin = Twin::new(matrix, 1000 * seed + at as u64);
        twin.samples = size.samples;
        let mut windows = twin.rounds(site.0, site.1, site.2, rounds);
        set_times(&mut windows, site, planted.dropped, &mut random);
        let method = ["place", "get", "set"][usize::from(site.0)];
        rows(method, &windows, &[1e6]).expect("a row")
    };
    (0..size.rows).map(row).collect()
}

/// What is said of a profiler's rows, and whether 95 % intervals over JVMs, or of the one, would have called any of them wrong.
fn tested(planted: Planted, size: &Size, seed: u64) -> (RowVerdict, bool) {
    let jvms = (0..size.jvms).map(|at| jvm(planted, size, size.jvms * seed + at));
    let jvms: Vec<Vec<Row>> = jvms.collect();
    let of_site = |site: usize| {
        let each: Vec<Row> = jvms.iter().map(|rows| rows[site].clone()).collect();
        over_runs(&each).expect("a row")
    };
    // So little that what all rows misplace together is no reason.
    let share = |name: &str| (name.to_owned(), Estimate::around(10.0, 0.0, 900));
    let subject = Subject {
        name: "twin".into(),
        rows: (0..size.rows).map(of_site).collect(),
        in_jvms: (jvms.iter())
            .map(|rows| rows.iter().cloned().map(Some).collect())
            .collect(),
        shares_pct: [share("get"), share("set")].into(),
        ..Subject::default()
    };
    let outside = |row: &Row| {
        let missing = row.missing.expect("windows have times");
        row.in_place.high < 0.9 || row.in_place.low > 1.1 || missing.low > 0.1
    };
    let uncorrected = subject.rows.iter().any(outside);
    (judge(&[subject], 5.0).remove(0), uncorrected)
}

/// Parts of tests, 0 to 1.
#[derive(Debug, Default)]
struct Rates {
    /// In which a row, or the profiler, is called wrong.
    wrong: f64,
    /// In which it is called right.
    right: f64,
    /// In which 95 % intervals would have called a row wrong.
    uncorrected: f64,
    /// False alarms as the tests themselves say, in the mean.
    said: f64,
}

fn rates(planted: Planted, size: &Size, tests: u64) -> Rates {
    let mut all = Rates::default();
    for seed in 0..tests {
        let (of, uncorrected) = tested(planted, size, seed);
        let one = |is: bool| f64::from(u8::from(is)) / tests as f64;
        all.wrong += one(of.rows.contains(&Verdict::Wrong) || of.verdict == Verdict::Wrong);
        all.right += one(of.verdict == Verdict::Right);
        all.uncorrected += one(uncorrected);
        all.said += of.false_alarm / tests as f64;
    }
    println!("{planted:?} {size:?}: {all:?}");
    all
}

fn size(jvms: u64, rows: usize, samples: usize) -> Size {
    Size {
        jvms,
        rows,
        samples,
    }
}

/// Neither by a row's part in place, nor by samples that seem to be missing, in no JVM, and not in all together.
#[test]
fn what_is_off_by_just_what_is_allowed_is_called_wrong_in_five_of_hundred_tests_at_most() {
    let mut uncorrected: f64 = 0.0;
    let mut wrong: f64 = 0.0;
    for (jvms, rows, samples) in [(1, 4, 400), (1, 8, 60), (3, 4, 60), (3, 8, 400), (5, 8, 60)] {
        let found = rates(AT_LIMIT, &size(jvms, rows, samples), 400);
        assert!(found.wrong <= 0.05 && found.right <= 0.05, "{found:?}");
        (uncorrected, wrong) = (uncorrected.max(found.uncorrected), wrong.max(found.wrong));
    }
    assert!(wrong > 0.0 && uncorrected > 0.2, "{wrong} {uncorrected}");
}

#[test]
fn a_right_profiler_is_called_wrong_no_oftener_than_its_result_says() {
    for (jvms, rows, samples) in [(1, 4, 60), (3, 4, 60), (3, 8, 400)] {
        let found = rates(RIGHT, &size(jvms, rows, samples), 400);
        assert!(found.wrong <= found.said, "{found:?}");
        assert!(found.said > 0.0 && found.said < 0.03, "{found:?}");
    }
}
