//! Planted changes are found; what only noise does is not.

use std::slice::from_ref;

use crate::common::{runs, unpacked};
use proofmark_profile::{Options, import};
use proofmark_stats::clopper_pearson;
use proofmark_study::{Diff, DiffSettings, Recording, Row, Taking, diff, published, recording};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SPLITS: usize = 1000;

/// The recording with these counts of samples.
fn counted(counts: &[(String, u64)]) -> Recording {
    let all: u64 = counts.iter().map(|(_, n)| n).sum();
    let row = |(name, n): &(String, u64)| Row {
        identity: name.clone(),
        common: name.clone(),
        share_pct: 100.0 * *n as f64 / all as f64,
    };
    Recording {
        program: "p".into(),
        profiler: "x".into(),
        rows: counts.iter().filter(|(_, n)| *n > 0).map(row).collect(),
        whole: true,
        samples: Some(all as f64),
        iteration_ms: None,
    }
}

/// Shares of 20 methods: each less than the one before.
fn weights() -> Vec<f64> {
    (0..20).map(|i| 0.75f64.powi(i)).collect()
}

/// A run of 2,000 samples whose shares move from run to run by `noise` (relative).
fn run(weights: &[f64], noise: f64, rng: &mut ChaCha8Rng) -> Recording {
    let moved: Vec<f64> = weights
        .iter()
        .map(|w| w * (1.0 + noise * (2.0 * rng.random::<f64>() - 1.0)))
        .collect();
    let all: f64 = moved.iter().sum();
    let mut counts: Vec<(String, u64)> = (0..moved.len()).map(|i| (format!("A.m{i}"), 0)).collect();
    for _ in 0..2000 {
        let mut at = rng.random::<f64>() * all;
        let hit = moved.iter().position(|w| {
            at -= w;
            at < 0.0
        });
        counts[hit.unwrap_or(0)].1 += 1;
    }
    counted(&counts)
}

fn shuffled<T: Clone>(all: &[T], rng: &mut ChaCha8Rng) -> Vec<T> {
    let mut all = all.to_vec();
    for at in (1..all.len()).rev() {
        all.swap(at, rng.random_range(0..=at));
    }
    all
}

/// The exact interval of the share of splits with any find must reach down to 5 % or below.
fn assert_rate(what: &str, finds: usize) {
    let rate = clopper_pearson(finds as u64, SPLITS as u64).expect("tries");
    println!("{what}: {finds} of {SPLITS}, {rate:?}");
    assert!(rate.low <= 0.05, "{what}: {rate:?}");
}

fn any(found: &Diff) -> usize {
    usize::from(found.changed > 0)
}

/// One real recording, its samples divided at random.
#[test]
fn splits_of_one_recording_do_not_differ() {
    let profile = import(&unpacked("async.jfr.gz"), &Options::default()).unwrap();
    let whole = recording("p", "async", &profile, &Taking::default());
    let samples = whole.samples.expect("a count");
    let counts = whole.rows.iter().map(|r| {
        let count = (r.share_pct / 100.0 * samples).round() as u64;
        (r.identity.clone(), count)
    });
    let counts: Vec<(String, u64)> = counts.collect();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let finds = (0..SPLITS).map(|_| {
        let half = |n: u64, rng: &mut ChaCha8Rng| (0..n).filter(|_| rng.random_bool(0.5)).count();
        let a: Vec<(String, u64)> = counts
            .iter()
            .map(|(m, n)| (m.clone(), half(*n, &mut rng) as u64))
            .collect();
        let rest = counts
            .iter()
            .zip(&a)
            .map(|((m, n), (_, a))| (m.clone(), n - a));
        let b: Vec<(String, u64)> = rest.collect();
        any(&diff(
            &[counted(&a)],
            &[counted(&b)],
            DiffSettings::default(),
        ))
    });
    assert_rate("one recording", finds.sum());
}

/// Runs that differ from each other by more than sampling explains, divided at random.
#[test]
fn splits_of_noisy_runs_do_not_differ() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for (runs, noise) in [(20, 0.3), (6, 0.3), (10, 0.0)] {
        let all: Vec<Recording> = (0..runs)
            .map(|_| run(&weights(), noise, &mut rng))
            .collect();
        let finds = (0..SPLITS).map(|_| {
            let all = shuffled(&all, &mut rng);
            let (a, b) = all.split_at(all.len() / 2);
            any(&diff(a, b, DiffSettings::default()))
        });
        assert_rate(&format!("{runs} runs, noise {noise}"), finds.sum());
    }
}

/// The published runs of every profiler on one program, divided at random: real noise, modes included.
#[test]
fn splits_of_published_runs_do_not_differ() {
    let all = published(&runs()).recordings;
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for (program, profiler) in [("Json", "async"), ("Havlak", "jfr"), ("Queens", "honest")] {
        let of = all
            .iter()
            .filter(|r| r.program == program && r.profiler == profiler);
        let of: Vec<Recording> = of.cloned().collect();
        let finds = (0..SPLITS).map(|_| {
            let all = shuffled(&of, &mut rng);
            let (a, b) = all.split_at(all.len() / 2);
            any(&diff(a, b, DiffSettings::default()))
        });
        assert_rate(&format!("{program} {profiler}"), finds.sum());
    }
}

/// A method that gains what another loses, in noisy runs.
#[test]
fn planted_changes_are_found_and_named() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut moved = weights();
    (moved[1], moved[4]) = (moved[1] - 0.3, moved[4] + 0.3);
    let mut found_both = 0;
    let mut false_finds = 0;
    for _ in 0..200 {
        let a: Vec<Recording> = (0..10).map(|_| run(&weights(), 0.2, &mut rng)).collect();
        let b: Vec<Recording> = (0..10).map(|_| run(&moved, 0.2, &mut rng)).collect();
        let found = diff(&a, &b, DiffSettings::default());
        let names: Vec<&str> = found
            .changes
            .iter()
            .filter(|c| c.changed)
            .map(|c| c.method.as_str())
            .collect();
        found_both += usize::from(names.contains(&"A.m1") && names.contains(&"A.m4"));
        false_finds += names
            .iter()
            .filter(|n| !["A.m1", "A.m4"].contains(n))
            .count();
    }
    assert!(found_both >= 190, "{found_both} of 200");
    assert!(false_finds <= 40, "{false_finds}");
}

#[test]
fn runs_that_never_agreed_hide_a_change_that_sampling_alone_would_show() {
    let run = |share: u64| counted(&[("A.a".into(), share), ("A.b".into(), 1000 - share)]);
    let (a, b) = (
        [run(300), run(500), run(420)],
        [run(520), run(380), run(600)],
    );
    assert_eq!(diff(&a, &b, DiffSettings::default()).changed, 0);
    let alone = diff(&a[..1], &b[..1], DiffSettings::default());
    assert_eq!(alone.changed, 2);
    assert!(
        alone.remarks[0].contains("one recording a side"),
        "{:?}",
        alone.remarks
    );
    let mixed = diff(&a[..1], &b, DiffSettings::default());
    assert!(mixed.remarks[0].contains("single recording"));
    assert_eq!(mixed.changed, 0);
}

#[test]
fn only_what_both_sides_have_is_compared() {
    let named = |program: &str, share: u64| Recording {
        program: program.into(),
        ..counted(&[("A.a".into(), share), ("A.b".into(), 1000 - share)])
    };
    let (a, b) = (
        [named("p", 500), named("q", 500)],
        [named("p", 501), named("r", 5)],
    );
    let found = diff(&a, &b, DiffSettings::default());
    assert_eq!((found.compared.len(), found.changed), (1, 0));
    assert_eq!(found.remarks.len(), 3, "{:?}", found.remarks);
    let other_names = diff(&a[..1], &b[1..], DiffSettings::default());
    assert_eq!(
        other_names.changed, 2,
        "single groups are compared whatever their names"
    );
    let large_only = DiffSettings {
        least_change_pt: 60.0,
        ..DiffSettings::default()
    };
    assert_eq!(diff(&a[..1], &b[1..], large_only).changed, 0);
}

fn of_counts(counts: &[(&str, u64)]) -> Recording {
    let counts: Vec<(String, u64)> = counts.iter().map(|(m, n)| ((*m).into(), *n)).collect();
    counted(&counts)
}

/// What the comparison calls its smallest change is found in four of five such comparisons.
#[test]
fn changes_as_large_as_promised_are_found_as_often_as_promised() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let runs = |shift: f64, rng: &mut ChaCha8Rng| -> Vec<Recording> {
        // Ten methods of 10 %; one of them takes `shift` points from the next.
        let mut weights = vec![10.0; 10];
        weights[0] += shift;
        weights[1] -= shift;
        (0..8).map(|_| run(&weights, 0.0, rng)).collect()
    };
    let none = diff(
        &runs(0.0, &mut rng),
        &runs(0.0, &mut rng),
        DiffSettings::default(),
    );
    let promised = none.compared[0].detectable_pt.expect("methods");
    assert!((0.5..3.0).contains(&promised), "{promised} points");
    let mut finds = |shift: f64| {
        let found = |_: &usize| {
            let (a, b) = (runs(0.0, &mut rng), runs(shift, &mut rng));
            let found = diff(&a, &b, DiffSettings::default());
            let change = found.changes.iter().find(|c| c.method == "A.m0");
            change.expect("the method").changed
        };
        (0..200).filter(found).count()
    };
    // The promise is for any method, so it is that of the noisiest; it is no empty one either.
    let (all, third) = (finds(promised), finds(promised / 3.0));
    assert!(
        all >= 150 && third <= 60,
        "{all} and {third} of 200 at {promised} points"
    );
}

#[test]
fn with_one_recording_a_side_nothing_is_certain() {
    let (a, b) = (
        of_counts(&[("A.m", 900), ("A.n", 100)]),
        of_counts(&[("A.m", 100), ("A.n", 900)]),
    );
    let single = diff(from_ref(&a), from_ref(&b), DiffSettings::default());
    assert_eq!((single.changed, single.certain()), (2, 0));
    let several = diff(&[a.clone(), a], &[b.clone(), b], DiffSettings::default());
    assert_eq!((several.changed, several.certain()), (2, 2));
    let rough = several
        .remarks
        .iter()
        .any(|r| r.contains("fewer than 5 recordings"));
    assert!(rough, "{:?}", several.remarks);
}
