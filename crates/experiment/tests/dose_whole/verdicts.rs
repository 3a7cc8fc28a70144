//! What is said of profilers whose faults are known.

use std::collections::BTreeSet;

use proofmark_assess::Verdict;
use proofmark_experiment::dose::sites::DoseOrder;
use proofmark_experiment::dose::{
    DoseKind, DoseResult, Level, LineVerdict, ReplicationLevel, Window, rows,
};
use proofmark_experiment::sim::SiteFault;

use super::program::{GET, PUT, RUN, TAIL, machine, order, profiler, program, right, row, tested};

#[test]
fn a_right_profiler_is_right_at_every_site() {
    let result = tested(&program(1), &order(&["right"]));
    let places: BTreeSet<(&str, &str)> = (result.sites.iter())
        .map(|site| (site.method.as_str(), site.place.as_str()))
        .collect();
    // A method that is entered once has its site in the loop, one with a loop as well has two.
    let expected = [
        (GET, "entry"),
        (PUT, "entry"),
        (PUT, "loop 1"),
        (RUN, "loop 1"),
        (TAIL, "entry"),
    ];
    assert_eq!(places, BTreeSet::from(expected));
    for site in &result.sites {
        let counted = match (site.method.as_str(), site.place.as_str()) {
            (PUT, "entry") => 8000.0,
            (PUT, _) => 3000.0,
            (RUN, _) => 9000.0,
            (GET, _) => 6000.0,
            _ => 4000.0,
        };
        assert_eq!(site.executions, Some(counted), "{site:?}");
        // Half a nanosecond each time that one of them is reached, of a millisecond.
        let open = site.open_cost_pct.expect("a cost");
        let together = result.sites.iter().filter(|one| one.set == site.set);
        let reached: f64 = together.filter_map(|one| one.executions).sum();
        assert!((open.value - reached / 20_000.0).abs() < 0.5, "{site:?}");
        let by_count = site.by_count_pct.expect("turns are long");
        assert!((by_count.value - 100.0).abs() < 4.0, "{site:?}");
    }
    let of = &result.attribution["right"];
    right(of);
    assert_eq!(of.rows.len(), 5);
    assert!(of.rows.iter().all(|row| row.growth_pct[0] > 40.0));
    assert!(of.rows.iter().all(|row| row.growth_pct[1] > 200.0));
    assert!((of.shares_pct[GET].value - 30.0).abs() < 3.0, "{of:#?}");
    let cost = result.rest_cost.expect("a cost");
    assert!(
        cost.value.abs() < 0.5,
        "closed gates cost nothing: {cost:?}"
    );
    assert!(result.advice.starts_with("right is right where we looked"));
    assert_eq!(result.remarks, ["the machine is simulated"]);
    assert_eq!(result.machine, Some(machine()));
    assert_eq!(result.methods[0].name, RUN, "the hottest comes first");
    assert_eq!((result.left_out.len(), result.failed.len()), (0, 0));
}

/// What is known of every share must be less than what decides. At a third of the time with all gates closed it is not.
#[test]
fn the_profile_of_a_profiler_as_slow_as_jfr_is_known_to_less_than_the_margin() {
    let hides = SiteFault::Hides {
        from: TAIL.into(),
        to: RUN.into(),
    };
    for seed in 60..64 {
        let mut labs = program(seed);
        labs.profilers = vec![
            profiler("right", SiteFault::None),
            profiler("hides", hides.clone()),
        ];
        for one in &mut labs.profilers {
            one.samples_per_s = 900.0;
        }
        let result = tested(&labs, &order(&["hides", "right"]));
        let check = result.attribution["hides"].profile.as_ref();
        let check = check.expect("the other one is a witness");
        assert!(check.resolves_pt < 5.0, "seed {seed}: {check:#?}");
        // 6.3 points of the Java time.
        assert!(check.misplaced_pt[0] > 3.5, "seed {seed}: {check:#?}");
    }
}

/// As JFR does with the JVM's copy stub: arithmetic certifies it, a copy finds it out.
#[test]
fn a_profiler_may_be_right_about_one_kind_of_work_and_wrong_about_another() {
    let asked = order(&["copies", "right"]);
    let by_arithmetic = tested(&program(4), &asked);
    assert_eq!(by_arithmetic.attribution["copies"].verdict, Verdict::Right);
    let asked = DoseOrder {
        kind: DoseKind::Copy,
        ..asked
    };
    let by_copies = tested(&program(4), &asked);
    assert!(
        by_copies
            .remarks
            .iter()
            .any(|one| one.contains("copies memory"))
    );
    let of = &by_copies.attribution["copies"];
    assert_eq!(of.verdict, Verdict::Wrong, "{of:#?}");
    assert_eq!(row(of, GET).elsewhere[0].method, PUT);
    assert_eq!(row(of, GET).kind, "copy");
    right(&by_copies.attribution["right"]);
    let steps = |of: &DoseResult| -> Vec<u16> { of.sites.iter().map(|site| site.steps).collect() };
    let half: Vec<u16> = steps(&by_arithmetic)
        .iter()
        .map(|steps| steps / 2)
        .collect();
    assert_eq!(
        steps(&by_copies),
        half,
        "here a copy takes twice as long as a multiplication"
    );
    let counted = by_copies.sites.iter().filter_map(|site| site.by_count_pct);
    assert_eq!(counted.count(), 0, "nobody knows how long a copy takes");
}

/// Nobody of another kind is there to contradict it: the result must not promise more than sites of arithmetic can.
#[test]
fn a_certificate_says_with_which_kinds_of_work_it_was_earned() {
    let asked = order(&["copies"]);
    let result = tested(&program(4), &asked);
    let of = &result.attribution["copies"];
    assert_eq!(
        (of.certified, of.verdict),
        (true, Verdict::Right),
        "{of:#?}"
    );
    assert_eq!(of.work.tested, ["arithmetic"]);
    assert!(of.work.not_tested.contains(&"copy".to_owned()));
    assert!(
        result.advice.contains("at sites of arithmetic only; copy"),
        "{}",
        result.advice
    );
    let asked = DoseOrder {
        kind: DoseKind::Copy,
        ..asked
    };
    let result = tested(&program(4), &asked);
    let of = &result.attribution["copies"];
    assert_eq!(of.work.tested, ["copy"]);
    assert!(!of.work.not_tested.contains(&"copy".to_owned()));
}

/// What is wrong about one kind is found by that kind, whatever it is, and speaks against nobody else.
#[test]
fn every_kind_of_work_finds_the_profiler_that_is_wrong_about_it() {
    for kind in DoseKind::ALL {
        let moves = |kind| SiteFault::MovesKind {
            kind,
            from: GET.into(),
            to: PUT.into(),
        };
        let other = match kind {
            DoseKind::Copy => DoseKind::Fill,
            _ => DoseKind::Copy,
        };
        let mut labs = program(30);
        labs.profilers.push(profiler("wrong here", moves(kind)));
        labs.profilers.push(profiler("wrong there", moves(other)));
        let asked = DoseOrder {
            kind,
            ..order(&["wrong here", "wrong there"])
        };
        let result = tested(&labs, &asked);
        let of = &result.attribution["wrong here"];
        assert_eq!(of.verdict, Verdict::Wrong, "{of:#?}");
        let moved = row(of, GET);
        assert!(moved.in_place_pct.value.abs() < 5.0, "{moved:#?}");
        assert_eq!(moved.elsewhere[0].method, PUT, "{moved:#?}");
        let of = &result.attribution["wrong there"];
        assert!(of.certified && of.verdict == Verdict::Right, "{of:#?}");
        let kinds: BTreeSet<&str> = of.rows.iter().map(|row| row.kind.as_str()).collect();
        assert_eq!(kinds, BTreeSet::from([kind.name()]));
        let counted = result.sites.iter().filter_map(|site| site.by_count_pct);
        assert_eq!(counted.count() > 0, kind == DoseKind::Arithmetic);
    }
}

/// A method that calls another one does not spend its time.
#[test]
fn the_time_of_a_call_belongs_to_the_method_that_is_called() {
    let mut labs = program(31);
    labs.profilers
        .push(profiler("blames", SiteFault::HidesCallee));
    let asked = DoseOrder {
        kind: DoseKind::Call,
        ..order(&["blames", "right"])
    };
    let result = tested(&labs, &asked);
    let callee = DoseKind::Call.callee().expect("a method that is called");
    assert!(result.remarks.iter().any(|one| one.contains(callee)));
    let of = &result.attribution["right"];
    assert!(of.certified && of.verdict == Verdict::Right, "{of:#?}");
    for row in &of.rows {
        assert!((row.in_place_pct.value - 100.0).abs() < 5.0, "{row:#?}");
        // At which line the method that is called spends it, nobody knows.
        assert_eq!(
            (row.line_pct, row.line_verdict),
            (None, LineVerdict::Unknown)
        );
    }
    let of = &result.attribution["blames"];
    assert_eq!(of.verdict, Verdict::Wrong, "{of:#?}");
    for row in &of.rows {
        assert!(row.in_place_pct.value.abs() < 5.0, "{row:#?}");
        assert_eq!(row.elsewhere[0].method, row.method);
    }
    let said = "blames is wrong about what ";
    assert!(result.advice.starts_with(said), "{}", result.advice);
    let shown = " calls: of the time that was added there, it reports ";
    assert!(result.advice.contains(shown), "{}", result.advice);
}

#[test]
fn a_profiler_that_charges_another_method_is_wrong_and_says_whom() {
    for seed in [2, 3] {
        let result = tested(&program(seed), &order(&["moves", "right"]));
        right(&result.attribution["right"]);
        let of = &result.attribution["moves"];
        assert_eq!(of.verdict, Verdict::Wrong, "{of:#?}");
        let moved = row(of, GET);
        assert_eq!(moved.verdict, Verdict::Wrong);
        assert!(moved.in_place_pct.value.abs() < 5.0, "{moved:?}");
        assert_eq!(moved.elsewhere[0].method, PUT);
        assert!((moved.elsewhere[0].pct.value - 100.0).abs() < 5.0);
        for other in of.rows.iter().filter(|row| row.method != GET) {
            assert_eq!(other.verdict, Verdict::Right, "{other:?}");
        }
        // A third of the program's time, by the witness.
        let [least, most] = of.misplaced_pt;
        assert!(least > 25.0 && most < 40.0, "{of:#?}");
        let whose = format!("moves is wrong about {GET}: of the time that was added there, it ");
        assert!(result.advice.starts_with(&whose), "{}", result.advice);
        let to = format!(" % in {PUT}; use right: it was right about all 4 methods tested");
        assert!(result.advice.contains(&to), "{}", result.advice);
    }
}

#[test]
fn samples_that_are_lost_are_said_and_dropped_ones_make_a_row_wrong() {
    let result = tested(&program(6), &order(&["drops", "loses", "right"]));
    let loses = &result.attribution["loses"];
    right(loses);
    assert!(loses.lost_samples > 1000.0, "{loses:#?}");
    assert!((loses.samples_per_s - 3200.0).abs() < 100.0, "{loses:#?}");
    let whole = &result.attribution["right"];
    right(whole);
    assert_eq!(whole.lost_samples, 0.0);
    assert!((whole.samples_per_s - 4000.0).abs() < 50.0, "{whole:#?}");
    let drops = &result.attribution["drops"];
    assert_eq!(drops.verdict, Verdict::Wrong, "{drops:#?}");
    let dropped = row(drops, GET);
    assert_eq!((dropped.verdict, drops.lost_samples), (Verdict::Wrong, 0.0));
    assert!(dropped.missing_pct.expect("CPU times").low > 10.0);
    // What it does not drop it reports where it belongs.
    assert!((dropped.in_place_pct.value - 100.0).abs() < 10.0);
    let said = &result.advice;
    let missed =
        format!("drops is wrong about {GET}: of the time that was added there, it leaves ");
    assert!(said.starts_with(&missed), "{said}");
}

#[test]
fn several_processes_are_told_apart_and_taken_together() {
    let mut asked = order(&["moves", "right"]);
    asked.size.runs = 3;
    let labs = program(12);
    let result = tested(&labs, &asked);
    assert_eq!(result.replication.level, ReplicationLevel::Runs);
    let pairs = result.rest_cost.expect("a cost").n;
    assert_eq!(pairs, 9, "two JVMs take turns once");
    for (name, of) in &result.attribution {
        for row in &of.rows {
            assert_eq!((row.in_place_pct.n, row.in_place_per_run_pct.len()), (3, 3));
        }
        let again = labs.started().contains(&format!("{name}-run-3"));
        assert!(again, "{name}");
    }
    let moved = row(&result.attribution["moves"], GET);
    assert_eq!(moved.verdict, Verdict::Wrong, "{moved:#?}");
    let same = moved.in_place_per_run_pct.iter();
    assert!(same.clone().all(|one| one.value.abs() < 5.0), "{moved:#?}");
    assert_eq!(tested(&program(12), &asked), result, "the same seed");
}

/// Those of JVMs and of their visits are made of it.
#[test]
fn the_greatest_seed_may_be_asked_for() {
    let mut asked = order(&["right"]);
    (asked.seed, asked.size.runs) = (u64::MAX, 2);
    let result = tested(&program(14), &asked);
    let of = &result.attribution["right"];
    assert_ne!(of.verdict, Verdict::Wrong, "{of:#?}");
}

/// What a process keeps is enough to find its rows again.
#[test]
fn the_windows_that_are_kept_give_the_rows_again() {
    let labs = program(13);
    let result = tested(&labs, &order(&["moves"]));
    let kept = labs.kept("moves");
    let rest: Vec<f64> = (kept.iter())
        .filter(|one| one.set.is_none())
        .map(|one| one.window.iteration_ns)
        .collect();
    for (site, written) in result.attribution["moves"].rows.iter().enumerate() {
        let windows: Vec<(Level, Window)> = (kept.iter())
            .filter(|one| one.site == Some(site) && one.level != Level::Rest)
            .map(|one| (one.level, one.window.clone()))
            .collect();
        let again = rows(&written.method, &windows, &rest).expect("a row");
        assert_eq!(again.in_place.scaled(100.0), written.in_place_pct);
        assert_eq!(100.0 * again.growth[1].value, written.growth_pct[1]);
        let growth = again.growth.map(|part| part.scaled(100.0));
        assert_eq!(Some(growth), written.growth);
    }
}
