//! A test ends within its time: JVMs that are late have fewer windows, and the sites that were found decide how many methods there are.

use std::collections::BTreeMap;

use proofmark_experiment::dose::sites::DoseOrder;
use proofmark_experiment::dose::{DoseResult, Level, Size, Times};
use proofmark_experiment::sim::SimulatedSites;

use super::clocked::Clocked;
use super::program::{GET, PUT, RUN, TAIL, order, program, row};

const JVMS: usize = 4;
const ROUNDS: usize = 2;

/// What comes around the JVMs of a test, s (`AROUND_S`).
const AROUND_S: f64 = 10.0;

/// A program each site of which is in a set of its own.
fn many_sets() -> SimulatedSites {
    let mut labs = program(91);
    // With all gates open it is another program.
    labs.methods[3].spoils = 0.6;
    labs
}

/// Four JVMs of a profiler. All methods are named, so that none is left out for time.
fn asked(profiler: &str, most_s: Option<f64>) -> DoseOrder {
    let asked = order(&[profiler]);
    DoseOrder {
        named: [RUN, GET, PUT, TAIL].map(str::to_owned).into(),
        most_s,
        size: Size {
            runs: JVMS,
            budget_s: 0.0,
            ..asked.size
        },
        ..asked
    }
}

/// Set, site and level of a window.
type Ran = (Option<usize>, Option<usize>, Level);

/// What ran in the JVMs of a profiler.
fn windows(labs: &Clocked, profiler: &str) -> Vec<Vec<Ran>> {
    let name = |number: usize| match number {
        1 => profiler.to_owned(),
        number => format!("{profiler}-run-{number}"),
    };
    let of = |number| {
        let kept = labs.labs.kept(&name(number)).into_iter();
        kept.map(|one| (one.set, one.site, one.level)).collect()
    };
    (1..=JVMS).map(of).collect()
}

/// Rounds of each site in a JVM.
fn rounds(windows: &[Ran]) -> Vec<usize> {
    let mut each = BTreeMap::new();
    for site in windows.iter().filter_map(|(_, site, _)| *site) {
        *each.entry(site).or_insert(0) += 1;
    }
    each.into_values()
        .map(|windows: usize| windows / 4)
        .collect()
}

/// By how much longer a JVM of that name takes.
type Slow = fn(&str) -> f64;

fn even(_: &str) -> f64 {
    1.0
}

/// One JVM takes longer than the others.
fn one_is_late(name: &str) -> f64 {
    match name {
        "right-run-2" => 1.4,
        _ => 1.0,
    }
}

/// A test with as much time as it takes.
fn whole() -> (DoseResult, Vec<Vec<Ran>>) {
    let labs = Clocked::new(many_sets(), even);
    let result = labs.tested(&asked("right", None));
    (result, windows(&labs, "right"))
}

#[test]
fn late_jvms_have_fewer_windows_and_it_is_said_how_many() {
    let (result, all) = whole();
    let sites = result.sites.len();
    assert!(sites > 2, "{sites}");
    for windows in &all {
        assert_eq!(rounds(windows), vec![ROUNDS; sites]);
    }
    let takes_s = result.seconds;
    let remarks = result.remarks;
    // Four seconds too little for each JVM, or as much as all take if none is late.
    let little_s = takes_s + AROUND_S - 4.0 * JVMS as f64;
    let cases: [(Slow, f64); 2] = [(even, little_s), (one_is_late, takes_s + AROUND_S)];
    for (slow, most_s) in cases {
        let labs = Clocked::new(many_sets(), slow);
        let result = labs.tested(&asked("right", Some(most_s)));
        assert!(result.seconds <= most_s, "{} {most_s}", result.seconds);
        let windows = windows(&labs, "right");
        let each: Vec<usize> = windows.iter().flat_map(|one| rounds(one)).collect();
        assert_eq!(each.len(), JVMS * sites, "every site in every JVM");
        assert!(each.iter().all(|rounds| (1..=ROUNDS).contains(rounds)));
        let (ran, of) = (each.iter().sum::<usize>(), JVMS * sites * ROUNDS);
        assert!(ran < of, "{each:?}");
        assert_eq!(result.attribution["right"].rows.len(), sites);
        // In a set that has time for it a site has its second round.
        assert!(ran > JVMS * sites, "{each:?}");
        let of_time: Vec<&String> = result
            .remarks
            .iter()
            .filter(|said| !remarks.contains(said))
            .collect();
        let [said] = of_time.as_slice() else {
            panic!("{of_time:?}");
        };
        let left_out = format!("{} of {of} rounds of windows were left out", of - ran);
        assert!(said.contains(&left_out), "{said}");
        assert!(said.contains("`proofmark dose --methods 8`"), "{said}");
    }
}

#[test]
fn where_there_is_time_nothing_is_left_out() {
    let (result, all) = whole();
    let labs = Clocked::new(many_sets(), even);
    let in_time = labs.tested(&asked("right", Some(result.seconds + 60.0)));
    assert_eq!(windows(&labs, "right"), all);
    assert_eq!(in_time.attribution, result.attribution);
    assert_eq!(in_time.remarks, result.remarks);
}

/// The windows of a right profiler and of a wrong one are the same, in their number and in their order.
#[test]
fn what_is_left_out_does_not_depend_on_what_a_profiler_reports() {
    let (result, _) = whole();
    let most_s = result.seconds + AROUND_S - 4.0 * JVMS as f64;
    let ran = |profiler: &str| {
        let labs = Clocked::new(many_sets(), even);
        let result = labs.tested(&asked(profiler, Some(most_s)));
        let in_place = row(&result.attribution[profiler], GET).in_place_pct.value;
        (windows(&labs, profiler), result.seconds, in_place)
    };
    let (right, right_s, all) = ran("right");
    let (wrong, wrong_s, none) = ran("moves");
    assert!(all > 90.0 && none < 10.0, "{all} {none}");
    assert_eq!(right, wrong);
    assert!((right_s - wrong_s).abs() < 1e-6, "{right_s} {wrong_s}");
}

/// Sites are looked for eight times as long as usual, so that there is no time for all JVMs with the sites of all methods.
fn doses_are_late(name: &str) -> f64 {
    match name {
        "doses" => 8.0,
        _ => 1.0,
    }
}

#[test]
fn when_sites_are_found_methods_are_left_out_for_which_there_is_no_time() {
    let labs = Clocked::new(program(12), doses_are_late);
    let asked = order(&["right"]);
    let size = Size {
        runs: JVMS,
        ..asked.size
    };
    // Time for all, as is usual, and for the look before.
    let most_s = 12.0 + Times::of(&size, 4, 0.001).chosen_s();
    let asked = DoseOrder {
        most_s: Some(most_s),
        size,
        ..asked
    };
    let result = labs.tested(&asked);
    assert!(result.seconds <= most_s, "{} {most_s}", result.seconds);
    let tested: Vec<&str> = result.methods.iter().map(|one| one.name.as_str()).collect();
    assert!((1..4).contains(&tested.len()), "{tested:?}");
    assert!([RUN, GET, PUT, TAIL].starts_with(&tested), "{tested:?}");
    let (first, methods) = ("by the sites that were found ", tested.len());
    let said = result.remarks.iter().find(|said| said.starts_with(first));
    let said = said.expect("a remark");
    assert!(said.contains(&format!("{methods} of 4 methods ")), "{said}");
    assert!(said.contains("`proofmark dose --methods 4`"), "{said}");
    let rows = &result.attribution["right"].rows;
    assert!(
        rows.iter().all(|row| tested.contains(&row.method.as_str())),
        "{rows:#?}"
    );
    // Which the time that is left is told by.
    let found = labs.around.found.into_inner().expect("what was heard");
    let [times] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert!(times.profilers_s < most_s, "{times:?}");
}
