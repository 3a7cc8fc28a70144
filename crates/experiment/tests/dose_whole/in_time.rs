//! Fewer methods where a test of all would take too long.

use std::sync::Mutex;

use proofmark_experiment::dose::Times;
use proofmark_experiment::dose::sites::{DoseOrder, run};
use proofmark_experiment::sim::SimulatedSites;

use super::around::{Around, Surrounded};
use super::program::{GET, PUT, RUN, TAIL, order, program, right, tested};
use crate::common::Notes;

/// How long an iteration of the slow program takes, s.
const ITERATION_S: f64 = 0.228;

/// A program of four hot methods with long iterations.
fn slow() -> SimulatedSites {
    let mut labs = program(12);
    labs.outside_ns *= 200.0;
    for method in &mut labs.methods {
        if method.name == TAIL {
            method.own_ns = 200e3;
        }
        method.own_ns *= 200.0;
        method.entries *= 200;
        method.in_loop *= 200;
    }
    labs
}

/// An order with time for so many methods of that program.
fn with_time_for(methods: usize) -> DoseOrder {
    with_time(methods, ITERATION_S)
}

/// The same of one whose iterations take so long, s.
fn with_time(methods: usize, iteration_s: f64) -> DoseOrder {
    let order = order(&["right"]);
    let times = Times::of(&order.size, methods, iteration_s);
    DoseOrder {
        most_s: Some(1.06 * times.chosen_s()),
        ..order
    }
}

fn names(labs: &SimulatedSites, order: &DoseOrder) -> Vec<String> {
    let result = tested(labs, order);
    result.methods.into_iter().map(|one| one.name).collect()
}

#[test]
fn the_hottest_are_tested_and_how_to_test_all_is_said() {
    let result = tested(&slow(), &with_time_for(3));
    let tested: Vec<&str> = result.methods.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(tested, [RUN, GET, PUT]);
    right(&result.attribution["right"]);
    let said = result
        .remarks
        .iter()
        .find(|said| said.contains("iteration"));
    let said = said.expect("a remark");
    assert!(said.contains("3 of 4 methods are tested"), "{said}");
    assert!(said.contains("`proofmark dose --methods 4`"), "{said}");
    let [untested] = result.untested.as_slice() else {
        panic!("{:?}", result.untested);
    };
    assert_eq!(untested.method, TAIL);
    assert_eq!(untested.reason, "only 3 methods are tested");
}

#[test]
fn where_there_is_time_for_all_nothing_is_said() {
    let asked = with_time_for(4);
    let result = tested(&slow(), &asked);
    assert_eq!((result.methods.len(), &result.remarks), (4, &asked.remarks));
}

/// Iterations of a millisecond: they are not named as what takes time.
#[test]
fn many_methods_take_too_long_whatever_the_length_of_an_iteration() {
    let asked = with_time(3, 0.001);
    let result = tested(&program(12), &asked);
    let tested: Vec<&str> = result.methods.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(tested, [RUN, GET, PUT]);
    let said = result
        .remarks
        .iter()
        .find(|said| said.contains("methods are tested"));
    let said = said.expect("a remark");
    let beginning = "3 of 4 methods are tested, the hottest by bytecodes and profilers in turn: that takes about ";
    let times = said.strip_prefix(beginning).expect("how long it takes");
    let (takes, all) = times.split_once(" min, all of them ").expect("both times");
    assert!(!all.starts_with(&format!("about {takes} ")), "{said}");
    assert!(!said.contains("iteration"), "{said}");
}

#[test]
fn one_is_tested_however_long_it_takes_and_those_that_are_named() {
    let hurried = DoseOrder {
        most_s: Some(1.0),
        ..order(&["right"])
    };
    assert_eq!(names(&slow(), &hurried).len(), 1);
    let named = DoseOrder {
        named: [TAIL, PUT, GET, RUN].map(str::to_owned).into(),
        ..hurried
    };
    assert_eq!(names(&slow(), &named).len(), 4);
}

/// Keeps what is heard of the time that is left.
#[derive(Default)]
struct Heard(Mutex<Vec<Times>>);

impl Around for Heard {
    type Jvm = ();

    fn start(&self, _name: &str) {}

    fn chosen(&self, times: &Times) {
        self.0.lock().expect("what was heard").push(*times);
    }
}

/// What is heard of the time that is left, and the note about it.
fn heard(labs: SimulatedSites, order: &DoseOrder) -> (Times, String) {
    let hearing = Surrounded {
        labs,
        around: Heard::default(),
    };
    let notes = Notes::default();
    run(&hearing, order, &notes).expect("a result");
    let heard = hearing.around.0.into_inner().expect("what was heard");
    let [times] = heard.as_slice() else {
        panic!("{heard:?}");
    };
    (*times, notes.of("an iteration takes"))
}

#[test]
fn the_time_that_is_left_is_that_of_the_note() {
    let (times, note) = heard(slow(), &with_time_for(3));
    let minutes = (times.chosen_s() / 60.0).round();
    assert!(minutes >= 2.0, "{times:?}");
    let said = format!("that takes about {minutes:.0} min, all of them");
    assert!(note.contains(&said), "{note}: {times:?}");
    // Also where nothing is noted.
    let (times, note) = heard(program(12), &order(&["right"]));
    assert!(note.is_empty(), "{note}");
    assert!(times.chosen_s() > 0.0, "{times:?}");
}
