//! Two methods, one of which executes most of the bytecodes and is hardly shown, and the same where that may well be so.

use super::*;
use crate::dose::ProfileChange;
use crate::dose::tests::{attribution, jvm};

/// A method's part of the bytecodes, %, and what profilers show of it.
type Method<'a> = (f64, &'a [(&'a str, f64)]);

const GET: Method<'_> = (99.3, &[("async", 0.5), ("jfr", 0.0)]);
const PUT: Method<'_> = (0.3, &[("async", 98.8), ("jfr", 3.0)]);

/// What is said of `A.get` and `A.put`, beside a row of `A.get`.
fn found(get: Method<'_>, put: Method<'_>, one: Attribution) -> Option<Against> {
    let shown = [get, put].map(|(_, shown)| {
        let each = shown.iter();
        let each = each.map(|(name, pct)| ((*name).to_owned(), Estimate::around(*pct, 0.2, 900)));
        each.collect::<BTreeMap<String, Estimate>>()
    });
    let methods = [("A.get", get.0), ("A.put", put.0)];
    let methods = methods.into_iter().zip(&shown);
    let methods = methods.map(|((method, pct), shares)| MethodShares {
        method,
        shares,
        bytecode_pct: Some(pct),
    });
    against(methods, &[("async".to_owned(), one)].into(), &jvm())
}

fn open() -> Attribution {
    attribution(Verdict::Undecided, 60.0, "B.run")
}

/// A profiler for which sites make another program, in which it is right about `A.get`.
fn changed() -> Attribution {
    let mut one = attribution(Verdict::Right, 100.0, "B.run");
    one.verdict = Verdict::Undecided;
    one.change = Some(ProfileChange {
        beyond_pt: 96.0,
        voids_rows: true,
        drowned: false,
        method: "A.put".into(),
        as_it_is_pct: Estimate::around(98.8, 0.2, 900),
        with_sites_pct: Estimate::around(0.6, 0.2, 900),
    });
    let share = Estimate::around(97.2, 0.2, 900);
    one.shares_pct = [("A.get".to_owned(), share)].into();
    one
}

const SAYS: &str = "Without sites async shows A.put at 99 % of the Java time and A.get at 0.5 %, but A.put executes 0.3 % of the counted \
                    bytecodes and A.get 99 %. Probably much of that is time of A.get. This is a hint and no verdict: bytecodes take more \
                    or less time each, and those of the JDK are not counted.";

#[test]
fn time_in_a_method_with_few_bytecodes_is_probably_that_of_the_one_with_most() {
    let all = found(GET, PUT, open()).expect("a method");
    assert_eq!((all.method.as_str(), all.says.as_str()), ("A.get", SAYS));
    // What the control shows does not count.
    let seen: Method<'_> = (99.3, &[("async", 0.5), ("safepoint", 97.0)]);
    let all = found(seen, PUT, open()).expect("a method");
    assert_eq!(all.says, SAYS);
    let only: Method<'_> = (0.3, &[("async", 3.0), ("safepoint", 97.0)]);
    assert_eq!(found(GET, only, open()), None);
}

#[test]
fn nothing_is_said_where_profiles_may_well_be_true() {
    let plausible: [(Method<'_>, Method<'_>); 6] = [
        // One profiler shows it, or all do.
        ((99.3, &[("async", 0.5), ("jfr", 12.0)]), PUT),
        ((99.3, &[("async", 70.0), ("jfr", 60.0)]), PUT),
        // It does not execute most, or the other one more than a little.
        ((45.0, GET.1), PUT),
        (GET, (6.0, PUT.1)),
        // Most time is nowhere.
        (GET, (0.3, &[("async", 40.0), ("jfr", 45.0)])),
        // Earlier versions did not write shares.
        ((99.3, &[]), PUT),
    ];
    for (get, put) in plausible {
        assert_eq!(found(get, put, open()), None, "{get:?} {put:?}");
    }
    let right = attribution(Verdict::Right, 100.0, "B.run");
    assert_eq!(found(GET, PUT, right), None, "it knows A.get at its site");
}

#[test]
fn what_is_shown_with_sites_is_said_where_these_make_another_program() {
    let says = |one: Attribution| found(GET, PUT, one).expect("a method").says;
    let with = " With sites, which make the JVM compile otherwise, async shows A.get at 97 %.";
    assert_eq!(says(changed()), format!("{SAYS}{with}"));
    let mut hardly = changed();
    hardly.shares_pct.clear();
    assert_eq!(says(hardly), SAYS);
    let mut drowned = changed();
    drowned.change.as_mut().expect("a change").drowned = true;
    assert_eq!(says(drowned), SAYS);
}

#[test]
fn the_known_fault_is_said_once_and_only_where_the_jvm_may_have_it() {
    let all = found(GET, PUT, open()).expect("a method");
    let again = Again {
        command: "-- java -jar a.jar".into(),
        ..Again::default()
    };
    let fault = " A known fault of the JIT compiler C2 may be why, where code that is compiled together boxes numbers, as Map.get(id) \
                 does with an int: start the JVM with -XX:-EliminateAutoBox and ask again about it. That was not tried, and the program \
                 may take more time where boxes are then made. To ask again about A.get with -XX:-EliminateAutoBox: `proofmark dose \
                 --method A.get -- java -XX:-EliminateAutoBox -jar a.jar`.";
    let with = format!("{SAYS}{fault}");
    assert_eq!(all.with_fault(None, &again), with);
    assert_eq!(all.with_fault(Some("A.put"), &again), with);
    assert_eq!(all.with_fault(Some("A.get"), &again), SAYS);
    let without = Against {
        may_box: false,
        ..all
    };
    assert_eq!(without.with_fault(None, &again), SAYS);
}
