//! A second look at the program as it is, where sites would change too much by the first one.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::sites::DoseOrder;
use proofmark_experiment::dose::{Attribution, DoseResult, Size};
use proofmark_experiment::sim::{Happening, SimulatedSites, SiteFault};

use super::clocked::Clocked;
use super::program::{GET, PUT, RUN, TAIL, order, profiler, program, right, tested, trouble};

const FIRST: &str = "look-varies";
const SECOND: &str = "look-again-varies";
/// What comes around the JVMs of a test, s (`AROUND_S`).
const AROUND_S: f64 = 10.0;

/// No `get` is shown in these processes; all others are right.
fn hides_in(processes: &[&str]) -> SiteFault {
    let hides = SiteFault::Hides {
        from: GET.into(),
        to: PUT.into(),
    };
    SiteFault::in_each(processes, &hides)
}

/// A profiler that shows no `get` in these processes, and is right in all others.
fn varying(processes: &[&str]) -> SimulatedSites {
    let mut labs = program(83);
    labs.profilers.push(profiler("varies", hides_in(processes)));
    labs
}

/// The same, whose first look alone is so, beside another one that does so in these processes.
fn beside_other(processes: &[&str]) -> (SimulatedSites, DoseOrder) {
    let mut labs = varying(&[FIRST]);
    labs.profilers.push(profiler("other", hides_in(processes)));
    (labs, order(&["varies", "other", "right"]))
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
    // So it is beside the profile of a witness.
    let check = of.profile.as_ref().expect("there is a witness");
    assert!(
        check.resolves_pt > 12.0 && check.misplaced_pt[0] < 1.0,
        "{check:?}"
    );
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
    let first = "a second look at the program as it is, by varies, was interrupted ";
    assert!(result.remarks[0].starts_with(first), "{:?}", result.remarks);
}

#[test]
fn what_was_seen_before_the_user_stopped_counts() {
    let (mut labs, asked) = beside_other(&["look-other"]);
    labs.troubles = vec![trouble("look-again-other", Happening::IsInterrupted(2))];
    let result = tested(&labs, &asked);
    let [varies, other] = ["varies", "other"].map(|name| &result.attribution[name]);
    assert_eq!((varies.verdict, varies.looks), (Verdict::Right, 2));
    assert!(is_void(other) && other.looks == 1, "{other:#?}");
    let unfinished = result.replication.unfinished.as_ref();
    let unfinished = unfinished.expect("one was ended");
    assert!(unfinished.without_sites && unfinished.interrupted);
    assert_eq!(unfinished.profilers, ["other"]);
}

#[test]
fn of_those_that_look_again_at_the_same_time_each_has_its_own_look() {
    let (mut labs, mut asked) = beside_other(&["look-other", "look-again-other"]);
    (labs.processors, asked.size.at_once) = (2, 2);
    let result = tested(&labs, &asked);
    assert_eq!(result.replication.at_once, 2);
    let looks = ["varies", "other", "right"].map(|name| result.attribution[name].looks);
    assert_eq!(looks, [2, 2, 1]);
    let [varies, other] = ["varies", "other"].map(|name| &result.attribution[name]);
    assert_eq!(varies.verdict, Verdict::Right, "{varies:#?}");
    assert!(is_void(other), "{other:#?}");
}

fn even(_: &str) -> f64 {
    1.0
}

#[test]
fn a_second_look_is_in_time_and_said_to_take_as_long_as_it_does() {
    let within = |hides: &[&str], most_s| {
        let labs = Clocked::new(varying(hides), even);
        let asked = asked();
        let result = labs.tested(&DoseOrder {
            named: [RUN, GET, PUT, TAIL].map(str::to_owned).into(),
            most_s,
            size: Size {
                budget_s: 0.0,
                ..asked.size
            },
            ..asked
        });
        let told_s = labs.around.added.into_inner().expect("what was heard");
        (result, told_s)
    };
    let once_s = within(&[], None).0.seconds;
    let look_s = within(&[FIRST], None).0.seconds - once_s;
    assert!(look_s > 1.0, "{look_s}");
    for more_s in [0.0, 8.0, 40.0] {
        let most_s = once_s + AROUND_S + more_s;
        let (result, told_s) = within(&[FIRST], Some(most_s));
        assert!(result.seconds <= most_s, "{} {most_s}", result.seconds);
        let looks = result.attribution["varies"].looks;
        assert_eq!(told_s.len(), looks - 1, "{told_s:?}");
        let near = |told_s: &f64| (told_s - look_s).abs() < 0.5;
        assert!(told_s.iter().all(near), "{told_s:?} {look_s}");
        let late = "there was no time for a second look ";
        let late = result.remarks.iter().any(|said| said.starts_with(late));
        assert_eq!(late, looks == 1, "{:?}", result.remarks);
        assert!(looks == 2 || more_s < 40.0, "{:?}", result.remarks);
    }
}
