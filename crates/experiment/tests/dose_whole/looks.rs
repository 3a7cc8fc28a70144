//! A second look at the program as it is, where sites would change too much by the first one.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::sites::DoseOrder;
use proofmark_experiment::dose::{Attribution, DoseResult};
use proofmark_experiment::sim::{Happening, SimulatedSites, SiteFault};

use super::program::{GET, PUT, RUN, TAIL, order, profiler, program, right, tested, trouble};

const FIRST: &str = "look-varies";
const SECOND: &str = "look-again-varies";

/// A profiler that shows no `get` in these processes, and is right in all others.
fn varying(processes: &[&str]) -> SimulatedSites {
    let mut labs = program(83);
    let fault = SiteFault::HidesIn {
        processes: processes.iter().map(|name| (*name).to_owned()).collect(),
        from: GET.into(),
        to: PUT.into(),
    };
    labs.profilers.push(profiler("varies", fault));
    labs
}

fn asked() -> DoseOrder {
    order(&["varies", "right"])
}

/// Whether a profiler is undecided because sites change what it shows.
fn is_void(of: &Attribution) -> bool {
    let change = of.change.as_ref();
    of.verdict == Verdict::Undecided && change.is_some_and(|change| change.voids_rows)
}

/// What is said of second looks.
fn said(result: &DoseResult) -> Vec<&str> {
    let of_second = |said: &&str| {
        ["a second look", "a second one", "a second JVM"]
            .iter()
            .any(|part| said.contains(part))
    };
    let all = result.remarks.iter().map(String::as_str);
    all.filter(of_second).collect()
}

#[test]
fn a_jvm_that_differs_by_chance_leaves_the_profiler_right() {
    let labs = varying(&[FIRST]);
    let result = tested(&labs, &asked());
    let of = &result.attribution["varies"];
    right(of);
    assert_eq!((of.looks, result.attribution["right"].looks), (2, 1));
    let again: Vec<String> = (labs.started().into_iter())
        .filter(|name| name.starts_with("look-again"))
        .collect();
    assert_eq!(again, [SECOND]);
    // What is known of its shares is what both looks show.
    let get = result.methods.iter().find(|one| one.name == GET);
    let shares = &get.expect("it was tested").shares_pct;
    let (varies, other) = (shares["varies"], shares["right"]);
    assert!(varies.low < 1.0 && varies.high > 30.0, "{varies:?}");
    assert!((varies.value - 15.6).abs() < 2.0, "{varies:?}");
    assert!(other.half_width() < 3.0, "{other:?}");
    let all = said(&result);
    let [said] = all.as_slice() else {
        panic!("{:?}", result.remarks);
    };
    assert!(said.starts_with("varies showed "), "{said}");
    assert!(
        said.contains(" in a second one, in another JVM, "),
        "{said}"
    );
}

#[test]
fn a_change_that_the_second_look_shows_too_voids_the_rows() {
    let result = tested(&varying(&[FIRST, SECOND]), &asked());
    let of = &result.attribution["varies"];
    assert!(is_void(of), "{of:#?}");
    assert_eq!(of.looks, 2);
    assert!(said(&result).is_empty(), "{:?}", result.remarks);
    right(&result.attribution["right"]);
}

/// One that shows the same at first, and would not later, is not asked.
#[test]
fn without_a_change_nobody_looks_again() {
    let labs = varying(&[SECOND]);
    let result = tested(&labs, &asked());
    right(&result.attribution["varies"]);
    assert_eq!(result.attribution["varies"].looks, 1);
    assert!(!labs.started().contains(&SECOND.to_owned()));
}

#[test]
fn where_there_is_no_time_it_is_said_and_the_first_look_stands() {
    let within = |most_s| {
        let labs = varying(&[FIRST]);
        let asked = DoseOrder {
            named: [RUN, GET, PUT, TAIL].map(str::to_owned).into(),
            most_s: Some(most_s),
            ..asked()
        };
        let result = tested(&labs, &asked);
        (result, labs.started().contains(&SECOND.to_owned()))
    };
    let (result, again) = within(1.0);
    let of = &result.attribution["varies"];
    assert!(is_void(of), "{of:#?}");
    assert!(!again && of.looks == 1);
    let all = said(&result);
    let [said] = all.as_slice() else {
        panic!("{:?}", result.remarks);
    };
    let first = "there was no time for a second look at the program as it is, by varies: ";
    assert!(said.starts_with(first), "{said}");
    let (result, again) = within(1e6);
    assert!(again);
    assert_eq!(result.attribution["varies"].looks, 2);
}

#[test]
fn where_the_second_look_fails_it_is_said_and_the_first_one_stands() {
    let mut labs = varying(&[FIRST]);
    labs.troubles = vec![trouble(SECOND, Happening::Dies(2))];
    let result = tested(&labs, &asked());
    let of = &result.attribution["varies"];
    assert!(is_void(of), "{of:#?}");
    assert_eq!(of.looks, 1);
    let all = said(&result);
    let [said] = all.as_slice() else {
        panic!("{:?}", result.remarks);
    };
    let first = "varies could not look at the program as it is in a second JVM (";
    assert!(said.starts_with(first), "{said}");
    assert!(said.contains(&format!("{SECOND}/jvm.log")), "{said}");
}

/// What was measured until then is told.
#[test]
fn where_the_user_stops_the_second_look_the_first_one_stands() {
    let mut labs = varying(&[FIRST]);
    labs.troubles = vec![trouble(SECOND, Happening::IsInterrupted(2))];
    let result = tested(&labs, &asked());
    let of = &result.attribution["varies"];
    assert!(is_void(of), "{of:#?}");
    assert_eq!(of.looks, 1);
    assert!(result.replication.is_interrupted());
    let first = "1 more JVM for varies was interrupted ";
    assert!(result.remarks[0].starts_with(first), "{:?}", result.remarks);
}
