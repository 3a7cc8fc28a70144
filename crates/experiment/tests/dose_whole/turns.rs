//! Which methods come first, where some of them only are tested.

use proofmark_experiment::dose::Times;
use proofmark_experiment::dose::sites::DoseOrder;
use proofmark_experiment::sim::{SimulatedSites, SiteFault, SitedMethod};

use super::program::{GET, PUT, RUN, TAIL, order, profiler, tested};

/// With half of the bytecodes, and no time that any profiler shows.
const MIX: &str = "com.acme.Table.mix";

/// A program of these methods, each with its share of the bytecodes, none where they are not counted, and so much of a millisecond, %.
fn program(methods: &[(&str, Option<f64>, f64)]) -> SimulatedSites {
    let time_pct: f64 = methods.iter().map(|(.., pct)| pct).sum();
    let one = |(name, bytecode_pct, time_pct): &(&str, Option<f64>, f64)| SitedMethod {
        bytecode_pct: *bytecode_pct,
        ..SitedMethod::new(name, 10e3 * time_pct, 6000)
    };
    let mut labs = SimulatedSites::new(methods.iter().map(one).collect(), 61);
    labs.outside_ns = 10e3 * (100.0 - time_pct);
    labs
}

/// All time of one method is shown in another one.
fn hides(from: &str, to: &str) -> SiteFault {
    SiteFault::Hides {
        from: from.into(),
        to: to.into(),
    }
}

/// The methods that are tested, those with most weight first.
fn names(labs: &SimulatedSites, order: &DoseOrder) -> Vec<String> {
    let result = tested(labs, order);
    result.methods.into_iter().map(|one| one.name).collect()
}

/// The same where so many are allowed.
fn first(labs: &SimulatedSites, profilers: &[&str], methods: usize) -> Vec<String> {
    let mut asked = order(profilers);
    asked.size.methods = methods;
    names(labs, &asked)
}

/// As in a stranger's trial: by most weight the four were methods with 1 to 7 % of the time, and `compareTo` was not among them.
#[test]
fn a_method_with_much_time_is_tested_beside_those_with_most_bytecodes() {
    const COMPARE: &str = "java.lang.String.compareTo";
    const PARSE: &str = "shop.Parser.time";
    const NUMBER: &str = "shop.Parser.number";
    const MAIN: &str = "shop.Main.main";
    let mut labs = program(&[
        (PARSE, Some(18.5), 3.0),
        (NUMBER, Some(18.1), 1.0),
        ("shop.Parser.field", Some(15.8), 1.5),
        ("shop.Parser.digit", Some(15.5), 0.8),
        (MAIN, Some(5.0), 6.5),
        (COMPARE, None, 14.0),
        ("java.util.TreeMap.computeIfAbsent", None, 10.0),
    ]);
    labs.profilers = vec![
        profiler("async", SiteFault::None),
        profiler("jfr", hides(COMPARE, NUMBER)),
        profiler("jfr+nonsafepoints", hides(COMPARE, MAIN)),
    ];
    let asked = order(&["async", "jfr", "jfr+nonsafepoints"]);
    let in_time = DoseOrder {
        most_s: Some(1.06 * Times::of(&asked.size, 4, 0.001).chosen_s()),
        ..asked
    };
    assert_eq!(names(&labs, &in_time), [MAIN, PARSE, NUMBER, COMPARE]);
}

/// What profilers never show is what matters most.
#[test]
fn a_method_that_no_profiler_shows_is_the_first_with_most_of_the_bytecodes() {
    let mut labs = program(&[
        (MIX, Some(50.0), 50.0),
        (RUN, Some(10.0), 30.0),
        (GET, Some(5.0), 15.0),
    ]);
    // They show `run` at four fifths of the time.
    labs.profilers = ["async", "jfr"]
        .map(|name| profiler(name, hides(MIX, RUN)))
        .into();
    assert_eq!(first(&labs, &["async", "jfr"], 1), [MIX]);
}

#[test]
fn a_profiler_that_shows_what_nobody_else_shows_does_not_decide_alone() {
    let mut labs = program(&[
        (RUN, Some(45.0), 55.0),
        (GET, Some(25.0), 20.0),
        (PUT, Some(20.0), 15.0),
        (TAIL, None, 5.0),
    ]);
    labs.profilers = vec![
        profiler("async", SiteFault::None),
        // It shows `tail` at 60 % of the time, and `run` at nothing.
        profiler("odd", hides(RUN, TAIL)),
    ];
    let first = |methods| first(&labs, &["async", "odd"], methods);
    assert_eq!(first(1), [RUN]);
    let mut two = first(2);
    two.sort();
    let mut expected = [RUN, GET];
    expected.sort_unstable();
    assert_eq!(two, expected);
    // It has its turn.
    assert!(first(3).contains(&TAIL.to_owned()));
}
