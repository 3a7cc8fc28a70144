use super::*;

fn size(rounds: usize, methods: usize) -> Size {
    Size {
        profilers: vec!["jfr".into(), "async".into()],
        methods,
        rounds,
        budget_s: 0.0,
        runs: 1,
        window_s: 0.3,
        at_once: 1,
    }
}

fn total(size: &Size, iteration_ms: f64) -> f64 {
    let (_, steps) = cost(size, iteration_ms);
    steps.iter().map(|step| step.seconds).sum()
}

#[test]
fn more_windows_and_longer_iterations_take_longer() {
    let usual = total(&size(3, 6), 1.0);
    assert!(total(&size(6, 6), 1.0) > usual && total(&size(3, 2), 1.0) < usual);
    assert!(total(&size(3, 6), 1000.0) > 5.0 * usual);
    let (jvms, steps) = cost(&size(3, 6), 1.0);
    assert_eq!((jvms, steps.len()), (9, 4));
    let times = Times::before(&size(3, 6), 1.0);
    assert!((times.total_s() - usual).abs() < 1e-9);
}

/// Two profilers, two JVMs at a time: what the accuracy of [`cost`] speaks of.
#[test]
fn programs_of_which_more_is_known_take_about_as_long_as_is_said() {
    let size = Size {
        budget_s: 15.0,
        window_s: 0.2,
        at_once: 2,
        ..size(3, 8)
    };
    let took = |sites, sets, iteration_s| {
        let parts = Parts {
            sites,
            sets,
            ..Parts::of(&size, 8, iteration_s)
        };
        parts.times().total_s()
    };
    let (jackson, json) = (took(10.0, 3.0, 0.006), took(8.0, 5.0, 0.03));
    assert!((jackson - 136.0).abs() < 1.0, "{jackson}");
    assert!((json - 191.0).abs() < 1.0, "{json}");
    assert!((total(&size, 10.0) - 151.0).abs() < 1.0);
}

/// They share windows; what is not shared is their start.
#[test]
fn three_jvms_cost_twice_as_much_at_most() {
    for methods in [4, 8] {
        let one = Size {
            budget_s: 15.0,
            window_s: 0.2,
            ..size(3, methods)
        };
        let three = Size {
            runs: 3,
            ..one.clone()
        };
        let times = total(&three, 10.0) / total(&one, 10.0);
        assert!((1.1..2.0).contains(&times), "{methods} methods: {times}");
        assert_eq!(cost(&three, 10.0).0, 13);
    }
}

/// A test at default settings: three profilers with four JVMs each, two at a time.
pub(super) fn usual() -> Size {
    Size {
        profilers: ["async", "jfr", "jfr+nonsafepoints"]
            .map(str::to_owned)
            .into(),
        budget_s: 15.0,
        runs: 4,
        window_s: 0.2,
        at_once: 2,
        ..size(3, 12)
    }
}

/// What docs/dose.md says.
#[test]
fn so_many_methods_fit_into_ten_minutes() {
    for (iteration_s, methods) in [(0.005, 12), (0.02, 9), (0.05, 6), (0.13, 3)] {
        let fits = |methods: &usize| Times::of(&usual(), *methods, iteration_s).total_s() <= 600.0;
        let most = (1..=12).rev().find(fits);
        assert_eq!(most, Some(methods), "{iteration_s}");
    }
    let one_s = Times::of(&usual(), 1, 0.3).total_s();
    assert!((600.0..690.0).contains(&one_s), "{one_s}");
}

/// The two tests that [`GATES_UNDER`] speaks of took 502 and 746 s.
#[test]
fn more_sets_and_slower_openings_take_longer() {
    let size = usual();
    let profilers_s = |known: FoundSites| Times::of_sites(&size, &known).profilers_s;
    let read_write = FoundSites {
        sites: 15,
        sets: 4,
        iteration_s: 0.0042,
        start_s: 7.0,
        gates_s: 0.7,
    };
    let market = FoundSites {
        sites: 15,
        sets: 7,
        iteration_s: 0.018,
        start_s: 4.3,
        gates_s: 0.93,
    };
    // From the first JVM with a profiler to the end of the last one: 405 and 632 s.
    for (known, took_s) in [(read_write, 405.0), (market, 632.0)] {
        let part = took_s / profilers_s(known);
        assert!((0.9..1.1).contains(&part), "{part}: {known:?}");
    }
    for longer in [
        FoundSites { sets: 8, ..market },
        FoundSites {
            sites: 16,
            ..market
        },
        FoundSites {
            gates_s: 1.5,
            ..market
        },
    ] {
        assert!(profilers_s(longer) > profilers_s(market), "{longer:?}");
    }
}
