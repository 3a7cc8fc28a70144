//! Unslowed windows against each other: few alarms where nothing happened, many where windows are not what they seem.

use crate::common::{judged, seeded, unslowed};
use proofmark_assess::{Settings, assess};
use proofmark_experiment::sim::Fault;

/// "A/A over 100 comparisons at a nominal rate of 1 %: <= 5 false alarms", also with over-dispersed windows.
#[test]
fn at_most_five_in_a_hundred() {
    for (wander, same_windows) in [(0.0, true), (0.1, true), (0.1, false)] {
        let mut s = unslowed(20, 4000.0, Fault::None);
        (s.wander, s.same_windows) = (wander, same_windows);
        let (mut alarms, mut comparisons) = (0, 0);
        for seed in 0..6 {
            let a = assess(&seeded(&s, seed).evidence("x"), &Settings::default()).unwrap();
            let rate = a.false_alarm_rate.unwrap();
            assert_eq!(rate.n, 100);
            alarms += a.profilers[0].tests.aa.as_ref().unwrap().alarms;
            comparisons += rate.n;
        }
        assert!(
            alarms * 100 <= comparisons * 3,
            "{alarms} of {comparisons} at wander {wander}"
        );
    }
}

/// Of 30 equal methods the largest is compared: it is so by chance, which must raise no alarm.
#[test]
fn a_flat_program_raises_few_alarms() {
    let mut s = unslowed(20, 4000.0, Fault::None);
    s.shares = vec![1.0 / 30.0; 30];
    let aa = |seed| judged(&seeded(&s, seed), &Settings::default()).tests.aa;
    let all: Vec<_> = (0..6).map(|seed| aa(seed).expect("comparisons")).collect();
    let alarms: u64 = all.iter().map(|aa| aa.alarms).sum();
    let comparisons: u64 = all.iter().map(|aa| aa.rate.n).sum();
    assert_eq!(comparisons, 600);
    assert!(alarms * 100 <= comparisons * 3, "{alarms}");
}

/// The splits are able to raise alarms: at a nominal rate of one half about that many do.
#[test]
fn the_rate_follows_the_nominal_one() {
    let settings = Settings {
        aa_nominal: 0.5,
        ..Settings::default()
    };
    let s = unslowed(20, 4000.0, Fault::None);
    let alarms: u64 = (0..5)
        .map(|seed| {
            judged(&seeded(&s, seed), &settings)
                .tests
                .aa
                .unwrap()
                .alarms
        })
        .sum();
    assert!(
        (100..=300).contains(&alarms),
        "{alarms} of 500 at a nominal half"
    );
}

/// Splits of the same windows raise alarms together: the interval of one run's rate knows it.
#[test]
fn the_interval_of_the_rate_holds_the_rate() {
    for nominal in [0.02, 0.2] {
        let settings = Settings {
            aa_nominal: nominal,
            ..Settings::default()
        };
        let s = unslowed(20, 4000.0, Fault::None);
        let runs = 300;
        let rate = |seed| judged(&seeded(&s, seed), &settings).tests.aa.unwrap().rate;
        let rates: Vec<_> = (1000..1000 + runs).map(rate).collect();
        let mean = rates.iter().map(|rate| rate.value).sum::<f64>() / runs as f64;
        let squares = rates.iter().map(|rate| (rate.value - mean).powi(2));
        let dependence = squares.sum::<f64>() / (runs - 1) as f64 / (mean * (1.0 - mean) / 100.0);
        let held = rates.iter().filter(|rate| rate.covers(mean)).count() as u64;
        println!(
            "nominal {nominal}: mean {mean:.4}, {dependence:.1} times binomial, held {held} of {runs}"
        );
        assert!(held * 100 >= runs * 93, "{held} of {runs} at {nominal}");
    }
}

/// A profiler that changes its mind half-way: the random splits stay calm, the halves in time do not.
#[test]
fn drift_is_noticed() {
    let mut evidence = unslowed(20, 8000.0, Fault::None).evidence("x");
    for w in evidence.profilers[0].windows.iter_mut().skip(10) {
        let moved = w.methods[0] * 0.3;
        w.methods[0] -= moved;
        w.methods[1] += moved;
    }
    let j = assess(&evidence, &Settings::default())
        .unwrap()
        .profilers
        .remove(0);
    let aa = j.tests.aa.unwrap();
    assert!(aa.drift && aa.drift_pt.covers(10.8), "{aa:?}");
    assert!(j.notes.iter().any(|n| n.contains("drift")));
}

/// Six windows have ten different splits, not a hundred.
#[test]
fn few_windows_give_few_comparisons() {
    let j = judged(&unslowed(8, 2000.0, Fault::None), &Settings::default());
    assert_eq!(j.tests.aa.unwrap().rate.n, 35);
    let mut evidence = unslowed(8, 2000.0, Fault::None).evidence("x");
    evidence.profilers[0].windows.truncate(5);
    evidence.profilers[0].truth.truncate(5);
    assert!(
        assess(&evidence, &Settings::default()).unwrap().profilers[0]
            .tests
            .aa
            .is_none()
    );
}
