//! Whose shares are named where none is right.

use proofmark_assess::Verdict::{Right, Undecided, Wrong};
use proofmark_stats::Estimate;

use super::*;
use crate::dose::tests::attribution;
use crate::dose::{ProfileChange, ProfileCheck};

/// An undecided profiler with a row of each of these methods; what is wrong is reported in `B.run`.
fn with(rows: &[(&str, Verdict)]) -> Attribution {
    let mut one = attribution(Undecided, 0.0, "B.run");
    let row = one.rows.remove(0);
    one.rows = rows
        .iter()
        .map(|(method, verdict)| {
            let mut row = row.clone();
            (row.method, row.verdict) = ((*method).to_owned(), *verdict);
            row
        })
        .collect();
    one
}

fn said(profilers: &[(&str, Attribution)], doubtful: Option<&str>) -> Option<String> {
    let map = profilers.iter().cloned();
    let map = map.map(|(name, one)| (name.to_owned(), one));
    for_now(&map.collect(), 5.0, doubtful)
}

#[test]
fn the_one_that_is_right_about_most_is_named_with_who_is_right_about_the_rest() {
    let async_ = with(&[
        ("A.get", Right),
        ("A.put", Right),
        ("A.new", Right),
        ("A.set", Wrong),
        ("A.add", Wrong),
    ]);
    let jfr = with(&[("A.get", Right), ("A.set", Right)]);
    let wrong = Attribution {
        verdict: Wrong,
        ..with(&[("A.add", Right)])
    };
    let all = [("async", async_), ("jfr", jfr), ("jfr-cpu", wrong)];
    assert_eq!(
        said(&all, Some("A.put")).as_deref(),
        Some(
            "Until more is known, use async: it is undecided, but right about 3 of the 5 methods tested (though A.put is in doubt). \
             About A.set use jfr, which is undecided as a whole too. About A.add, whose time it shows in B.run, use nobody's share."
        )
    );
}

#[test]
fn as_many_methods_are_no_worse_and_flags_are_named() {
    let rows = [("A.get", Right)];
    let mut first = with(&rows);
    first.misplaced_pt = [0.0, 9.0];
    let mut less = with(&rows);
    less.misplaced_pt = [0.0, 8.0];
    let all = [("async", first), ("jfr+nonsafepoints", less)];
    assert_eq!(
        said(&all, None).as_deref(),
        Some(
            "Until more is known, use jfr+nonsafepoints (jfr with -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints): it is \
             undecided, but right about the one method tested. async is right about the same methods."
        )
    );
}

/// Both sites of a method count as one method, and what is open at one of them is not right.
#[test]
fn a_method_is_right_where_all_of_its_rows_are() {
    let one = with(&[
        ("A.get", Right),
        ("A.get", Undecided),
        ("A.put", Right),
        ("A.put", Right),
    ]);
    let text = said(&[("async", one.clone())], None).expect("a method");
    assert!(
        text.contains("right about 1 of the 2 methods tested. About A.get use nobody's"),
        "{text}"
    );
    let mut small = one;
    small.rows[1].small_pt = Some(0.2);
    let text = said(&[("async", small.clone())], None).expect("a method");
    assert!(text.ends_with("right about both methods tested."), "{text}");
    // What is wrong at one of them is not right, however small it is.
    small.rows[1].verdict = Wrong;
    let text = said(&[("async", small)], None).expect("a method");
    assert!(text.contains("right about 1 of the 2 methods"), "{text}");
}

#[test]
fn who_says_nothing_or_is_contradicted_is_not_named() {
    let one = || with(&[("A.get", Right)]);
    assert!(said(&[("async", one())], None).is_some());
    let right = Attribution {
        verdict: Right,
        ..one()
    };
    assert_eq!(said(&[("async", one()), ("jfr", right)], None), None);
    assert_eq!(
        said(&[("async", with(&[("A.get", Undecided)]))], None),
        None
    );
    let mut changed = one();
    changed.change = Some(ProfileChange {
        beyond_pt: 43.0,
        voids_rows: true,
        drowned: false,
        method: "B.run".into(),
        as_it_is_pct: Estimate::around(18.0, 2.0, 900),
        with_sites_pct: Estimate::around(66.0, 2.0, 900),
    });
    assert_eq!(said(&[("async", changed)], None), None);
    let mut contradicted = one();
    contradicted.profile = Some(ProfileCheck {
        witnesses: vec!["jfr".into()],
        misplaced_pt: [6.0, 40.0],
        resolves_pt: 4.0,
        methods: Vec::new(),
    });
    assert_eq!(said(&[("async", contradicted)], None), None);
}
