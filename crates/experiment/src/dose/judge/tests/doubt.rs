//! What is right where the clock does not say all, and whose word counts.

use super::*;
use crate::dose::Truth;

/// As Towers under C2: under long turns the processor does the callers' work beside them, and the loop has 109 to 113 % of what the
/// program grew by, that much less being shown in the callers.
#[test]
fn work_that_is_hidden_under_long_turns_accuses_nobody() {
    let size = |low: f64, high: f64| Row {
        truth: Truth::of((0.60, 5.87), Some(28.0), None, None),
        elsewhere: vec![("move".into(), Estimate::around(-0.1, 0.01, 900))],
        ..row("size", low, high)
    };
    let of = |one: Row| {
        let shares = [("size", 0.3), ("move", 0.7)];
        judge(
            &[subject("a", vec![one, row("move", 0.98, 1.01)], &shares)],
            5.0,
        )
        .remove(0)
    };
    let right = of(size(1.12, 1.14));
    assert!(
        right.certified && right.verdict == Verdict::Right,
        "{right:?}"
    );
    assert_eq!(right.misplaced_pt.0, 0.0);
    // By the clock alone it would be wrong, and so it is beyond what the whole program takes.
    let clock = Row {
        truth: Truth::CLOCK,
        ..size(1.12, 1.14)
    };
    assert_eq!(of(clock).verdict, Verdict::Wrong);
    assert_eq!(of(size(1.31, 1.34)).verdict, Verdict::Wrong);
    // What is missing is missing.
    assert_eq!(of(size(0.80, 0.85)).verdict, Verdict::Wrong);
    // 95 % in place, but 15 % of it is shown in a third method: what is hidden elsewhere must not make up for that.
    let split = Row {
        elsewhere: vec![("other".into(), Estimate::around(0.15, 0.02, 900))],
        ..size(0.94, 0.96)
    };
    let split = of(split);
    assert_eq!(
        (split.rows[0], split.verdict),
        (Verdict::Undecided, Verdict::Undecided)
    );
}

/// As Havlak: the rest of the program gets slower too, and counting says so.
#[test]
fn time_that_counting_does_not_find_in_the_loop_may_be_elsewhere() {
    let of = |counted: Option<(f64, f64)>, low: f64, high: f64| {
        let counted = counted.map(|(value, half)| Estimate::around(value, half, 8));
        let one = Row {
            truth: Truth::of((0.5, 9.5), Some(5000.0), counted.as_ref(), None),
            ..row("get", low, high)
        };
        judge(&[subject("a", vec![one], &[("get", 0.5)])], 5.0)
            .remove(0)
            .verdict
    };
    use Verdict::{Right, Undecided, Wrong};
    assert_eq!(of(None, 0.88, 0.93), Undecided);
    assert_eq!(of(Some((0.95, 0.01)), 0.88, 0.93), Right);
    assert_eq!(of(Some((0.95, 0.01)), 0.75, 0.80), Wrong);
    // Counting that is not known well excuses nothing.
    assert_eq!(of(Some((0.95, 0.2)), 0.88, 0.93), Undecided);
    // As JavaParser: far from the clock, it excuses as much as where it is just believed, and no more.
    assert_eq!(of(None, 0.82, 0.88), Wrong);
    assert_eq!(of(Some((0.86, 0.01)), 0.82, 0.88), Right);
    assert_eq!(of(Some((0.7, 0.01)), 0.82, 0.88), Right);
    assert_eq!(of(Some((0.7, 0.01)), 0.72, 0.78), Wrong);
}

/// As Mandelbrot: one profiler is wrong at both sites. The other one is right at the site of a method that takes little by the
/// first one's word, and shows the one that executes nearly everything only once there is a site in it.
#[test]
fn nobody_knows_by_a_site_of_what_takes_little_beside_a_row_that_does_not_decide() {
    let change = ProfileChange {
        beyond_pt: 94.0,
        voids_rows: true,
        drowned: false,
        method: "escapes".into(),
        as_it_is_pct: Estimate::around(0.1, 0.1, 900),
        with_sites_pct: Estimate::around(94.0, 1.0, 900),
    };
    let rows = |at: f64| {
        let at = |name| row(name, at - 0.01, at + 0.01);
        vec![at("checksum"), at("escapes")]
    };
    let sees = subject("async", rows(0.0), &[("escapes", 0.9), ("checksum", 0.06)]);
    let sees = showing(sees, &[("escapes", 97.0), ("run", 3.0)]);
    let mut blind = subject("jfr", rows(1.0), &[("checksum", 0.5), ("run", 0.5)]);
    blind.changes = vec![None, Some(change)];
    let blind = showing(blind, &[("checksum", 50.0), ("run", 50.0)]);
    let judged = judge(&[sees.clone(), blind.clone()], 5.0);
    assert!(!judged[1].certified && judged[1].verdict == Verdict::Undecided);
    assert_eq!(judged[0].profile, None, "jfr is no witness");
    // Whoever is right about shares, what is added to both is not where it belongs: 50 points by the one, 96 by the other.
    assert_eq!(judged[0].verdict, Verdict::Wrong);
    let (least, most) = judged[0].misplaced_pt;
    assert!((least - 49.0).abs() < 2.0 && most > 90.0, "{judged:?}");
    // It is certified where its site changes less than what the other rows stand for.
    blind_is_witness(&sees, blind);
}

fn blind_is_witness(sees: &Subject, mut blind: Subject) {
    let shares = [("escapes", 0.3), ("checksum", 0.6)];
    let share = |(name, share): &(&str, f64)| {
        (
            (*name).to_owned(),
            Estimate::around(100.0 * share, 0.5, 900),
        )
    };
    blind.shares_pct = shares.iter().map(share).collect();
    blind
        .changes
        .iter_mut()
        .flatten()
        .for_each(|one| one.beyond_pt = 20.0);
    let sees = Subject {
        shares_pct: blind.shares_pct.clone(),
        ..sees.clone()
    };
    let judged = judge(&[sees, blind], 5.0);
    assert!(judged[1].certified, "{:?}", judged[1]);
}

/// What its own site changes in a witness's profile is what it may be off by.
#[test]
fn a_witness_is_believed_less_by_what_its_sites_change() {
    let witness = |beyond_pt: f64| {
        let mut one = subject(
            "a",
            vec![row("get", 0.97, 1.02), row("put", 0.97, 1.02)],
            &[("get", 0.6), ("put", 0.2)],
        );
        one.changes = vec![
            None,
            Some(ProfileChange {
                beyond_pt,
                voids_rows: true,
                drowned: false,
                method: "put".into(),
                as_it_is_pct: Estimate::around(20.0, 1.0, 900),
                with_sites_pct: Estimate::around(50.0, 1.0, 900),
            }),
        ];
        showing(one, &[("get", 80.0), ("put", 20.0)])
    };
    let other = subject(
        "b",
        vec![row("get", 0.97, 1.02), row("put", 0.5, 0.6)],
        &[("get", 0.6), ("put", 0.02)],
    );
    let other = showing(other, &[("get", 60.0), ("put", 40.0)]);
    // Intervals are 16 points apart; the row of put is wrong, but put is small by b's word and has 20 % by the witness's.
    let verdict = |beyond_pt| judge(&[witness(beyond_pt), other.clone()], 5.0)[1].clone();
    assert!(verdict(8.0).misplaced_pt.0 >= 7.9, "{:?}", verdict(8.0));
    let profile = |beyond_pt: f64| {
        let checks = verdict(beyond_pt).profile;
        let doubts = [("a", witness(beyond_pt).doubt_pt()), ("b", 0.0)];
        believed(checks.as_ref(), &doubts)[0]
    };
    assert!((profile(8.0) - 8.0).abs() < 1e-9, "{}", profile(8.0));
    assert_eq!(profile(20.0), 0.0);
}

/// Nobody is certified, and the two show the program so differently that no method is large by both: a part of one profile and a part
/// of the other are no profile.
#[test]
fn each_profile_is_believed_as_a_whole() {
    let rows = || vec![row("advance", -0.01, 0.01), row("attract", -0.01, 0.01)];
    let one = subject("a", rows(), &[("advance", 0.03), ("attract", 0.54)]);
    let half = vec![row("advance", 0.98, 1.01), row("attract", 0.2, 0.4)];
    let other = subject("b", half, &[("advance", 0.97), ("attract", 0.0)]);
    let judged = judge(&[one, other], 5.0);
    assert_eq!(
        judged[0].verdict,
        Verdict::Wrong,
        "57 points by the one, 97 by the other"
    );
    assert!(judged[0].misplaced_pt.0 > 54.0, "{judged:?}");
    assert_eq!(
        judged[1].verdict,
        Verdict::Undecided,
        "nothing by its own word"
    );
}

/// Every JVM calls the row right, and all together know that a tenth of it and more is in another place.
#[test]
fn what_all_jvms_together_find_elsewhere_is_not_right() {
    let one = |other: f64| Row {
        truth: Truth {
            low: 1.0,
            high: 1.11,
            by_others: false,
        },
        elsewhere: vec![("other".into(), Estimate::around(other, 0.04, 900))],
        parts: BTreeMap::from([("other".to_owned(), other)]),
        ..row("size", 0.95, 0.99)
    };
    let of = |other: f64| {
        let each = [-0.002, 0.0, 0.002].map(|apart| one(other + apart));
        let mean = crate::dose::over_runs(&each).expect("a row");
        let mut subject = subject("a", vec![mean], &[("size", 0.9)]);
        subject.in_jvms = each.into_iter().map(|row| vec![Some(row)]).collect();
        judge(&[subject], 5.0).remove(0)
    };
    let right = of(0.08);
    assert_eq!(
        (right.row_jvms[0].right, right.rows[0]),
        (3, Verdict::Right)
    );
    let astray = of(0.13);
    assert_eq!(astray.row_jvms[0].right, 3, "each by itself");
    assert_eq!(astray.rows[0], Verdict::Undecided);
    assert!(!astray.certified && astray.verdict == Verdict::Undecided);
}

/// As Filling: what the JVM does in a stub one profiler shows in no Java method, so that little Java time is left, and a site changes
/// much of that. Its rows certify nothing, and it contradicts the other one all the same.
#[test]
fn who_is_right_at_sites_that_change_its_profile_contradicts() {
    let rows = || vec![row("fill", 0.97, 1.01), row("next", 0.97, 1.01)];
    let void = |beyond_pt: f64| {
        Some(ProfileChange {
            beyond_pt,
            voids_rows: true,
            drowned: false,
            method: "fill".into(),
            as_it_is_pct: Estimate::around(6.0, 2.0, 900),
            with_sites_pct: Estimate::around(20.0, 4.0, 900),
        })
    };
    let mut outside = subject("async", rows(), &[("next", 0.01)]);
    outside.changes = vec![void(7.0), void(7.0)];
    let outside = showing(outside, &[("next", 90.0), ("fill", 6.0)]);
    let caller = subject("jfr", rows(), &[("main", 0.97), ("next", 0.01)]);
    let caller = showing(caller, &[("main", 97.0), ("next", 2.0)]);
    let judged = judge(&[outside.clone(), caller.clone()], 5.0);
    assert!(!judged[0].certified, "no row decides");
    assert_eq!(judged[1].verdict, Verdict::Undecided, "{:?}", judged[1]);
    // Not who is blind somewhere.
    let mut blind = outside;
    blind.rows[0] = row("fill", 0.3, 0.4);
    let judged = judge(&[blind, caller], 5.0);
    assert_eq!(judged[1].verdict, Verdict::Right, "{:?}", judged[1]);
}
