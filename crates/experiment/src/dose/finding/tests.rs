//! The words for findings: those of the demo, and the other cases.

use super::*;
use crate::dose::tests::attribution;
use crate::dose::{JvmWords, ProfileCheck, advice, advice_about};

mod helpers;
mod jvms;
mod second;
mod without_sites;

const PLACE: &str = "Queens.placeQueen";
const GET: &str = "Queens.getRowColumn";

fn map(profilers: &[(&str, Attribution)]) -> BTreeMap<String, Attribution> {
    let one = |(name, one): &(&str, Attribution)| ((*name).to_owned(), one.clone());
    profilers.iter().map(one).collect()
}

/// A profiler with a row of `Queens.placeQueen`, whose share witnesses know.
fn profiler(verdict: Verdict, in_place: f64, share: f64) -> Attribution {
    let mut one = attribution(verdict, in_place, GET);
    one.rows[0].method = PLACE.into();
    let share = Estimate::around(share, 1.0, 900);
    one.shares_pct = BTreeMap::from([(PLACE.to_owned(), share)]);
    one
}

/// What is said beside the advice.
fn beside(all: &BTreeMap<String, Attribution>) -> Option<String> {
    besides(all, &AsItIs::new(), 5.0, Some(&advice_about(all, 5.0)))
}

fn shows(method: &str, [reported, known]: [f64; 2]) -> Option<ProfileCheck> {
    Some(ProfileCheck {
        resolves_pt: 8.8,
        witnesses: vec!["async".into(), "jfr+nonsafepoints".into()],
        misplaced_pt: [58.0, 70.0],
        methods: vec![ProfileDifference {
            method: method.into(),
            reported_pct: Estimate::around(reported, 3.0, 900),
            known_pct: Estimate::around(known, 2.0, 900),
            apart_pt: reported - known - 5.0 * (reported - known).signum(),
        }],
    })
}

/// The figures of the demo in `docs/images/demo-details.txt`.
fn demo() -> Vec<(&'static str, Attribution)> {
    let mut jfr = profiler(Verdict::Wrong, 2.2, 78.7);
    jfr.misplaced_pt = [58.0, 70.0];
    jfr.profile = shows(PLACE, [78.7, 15.1]);
    vec![
        ("async", profiler(Verdict::Right, 99.8, 15.0)),
        ("jfr", jfr),
        ("jfr+nonsafepoints", profiler(Verdict::Right, 100.0, 15.2)),
    ]
}

#[test]
fn a_method_that_is_shown_too_large_and_loses_added_time_is_no_contradiction() {
    let all = map(&demo());
    assert_eq!(
        advice(&all, 5.0),
        "jfr is wrong about Queens.placeQueen: it shows 79 % of the Java time there, where async and jfr+nonsafepoints \
         show 15 %; start the JVM with -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints: with it jfr was right about \
         the one method tested."
    );
    assert_eq!(
        beside(&all).expect("the row"),
        "Also, of the time that was added to Queens.placeQueen, jfr reports 98 % in Queens.getRowColumn. Both are true: \
         a profiler names each piece of machine code by itself, so that it can give a method the time of some pieces and \
         take that of others away."
    );
}

/// What to make faster is not the method that is shown too large.
#[test]
fn the_first_sentence_says_whose_time_it_is_where_witnesses_know_it() {
    const SET: &str = "Queens.setRowColumn";
    let mut all = demo();
    let mut said = |lacking: &[(&str, [f64; 2])]| {
        let mut check = shows(PLACE, [78.7, 15.1]).expect("a check");
        for (method, shares) in lacking {
            check
                .methods
                .extend(shows(method, *shares).expect("a check").methods);
        }
        all[1].1.profile = Some(check);
        advice(&map(&all), 5.0)
    };
    let both = said(&[(GET, [21.3, 58.4]), (SET, [0.0, 26.4])]);
    let whose = "show 15 %; that time belongs to Queens.getRowColumn (58 %) and Queens.setRowColumn (26 %); start the JVM";
    assert!(both.contains(whose), "{both}");
    let most = said(&[(GET, [21.3, 58.7])]);
    let whose = "; most of that time belongs to Queens.getRowColumn (59 %); start the JVM";
    assert!(most.contains(whose), "{most}");
    let four = [
        (GET, [21.3, 40.4]),
        (SET, [0.0, 26.4]),
        ("A.a", [0.0, 10.0]),
        ("A.b", [0.0, 9.0]),
    ];
    let four = said(&four);
    let whose = "(40 %), Queens.setRowColumn (26 %) and 2 more methods; start the JVM";
    assert!(four.contains(whose), "{four}");
    // Others lack too little, or are shown too large as well: then it is not known whose time is in which of these.
    let large = [
        ("A.a", [30.0, 1.0]),
        ("A.b", [30.0, 1.0]),
        ("A.c", [30.0, 1.0]),
    ];
    let apart = [large.as_slice(), &[(GET, [0.0, 90.0])]].concat();
    for others in [&[(GET, [21.3, 30.0])][..], &[(SET, [40.0, 2.0])], &apart] {
        let little = said(others);
        assert!(
            little.contains("placeQueen") && !little.contains("belongs"),
            "{little}"
        );
    }
    let beside = said(&[("A.a", [20.0, 1.0]), (GET, [0.0, 90.0])]);
    assert!(
        beside.contains("; most of that time belongs to Queens.getRowColumn (90 %)"),
        "{beside}"
    );
}

#[test]
fn the_finding_with_more_of_the_programs_time_comes_first() {
    let mut all = demo();
    // 78 % of the time is in the method, and it loses nearly all of it; another one is shown 13 points too low.
    for (_, one) in &mut all {
        let share = Estimate::around(78.0, 1.0, 900);
        one.shares_pct.insert(PLACE.into(), share);
    }
    all[1].1.profile = shows(GET, [2.0, 15.0]);
    let said = map(&all);
    let first = advice(&said, 5.0);
    let row = "jfr is wrong about Queens.placeQueen: of the time that was added there, it reports 98 % in \
               Queens.getRowColumn; start the JVM";
    assert!(first.starts_with(row), "{first}");
    assert_eq!(
        beside(&said).expect("the profile"),
        "Also, with no time added jfr shows 2 % of the Java time in Queens.getRowColumn, where async and \
         jfr+nonsafepoints show 15 % (by comparing profiles: it was not tested). This is about the program's own time; what was said \
         of jfr before is about time that Proofmark added."
    );
    // Rows that alone decide nothing are not said first.
    let mut with_sites = all.clone();
    with_sites[1].1.change = Some(crate::dose::ProfileChange {
        beyond_pt: 12.0,
        voids_rows: true,
        drowned: false,
        method: PLACE.into(),
        as_it_is_pct: Estimate::around(78.0, 2.0, 900),
        with_sites_pct: Estimate::around(60.0, 2.0, 900),
    });
    let first = advice(&map(&with_sites), 5.0);
    let shown = "jfr is wrong about Queens.getRowColumn: it shows 2 % of the Java time there";
    assert!(first.starts_with(shown), "{first}");
    // Of a method of 3 % nearly nothing can be lost.
    for (_, one) in &mut all {
        let share = Estimate::around(3.0, 1.0, 900);
        one.shares_pct.insert(PLACE.into(), share);
    }
    let said = map(&all);
    let first = advice(&said, 5.0);
    assert!(
        first.starts_with(
            "jfr is wrong about Queens.getRowColumn: it shows 2 % of the Java time there"
        ),
        "{first}"
    );
    let second = beside(&said).expect("the row");
    assert!(
        second.ends_with(
            "This is about time that Proofmark added; what was said of jfr before is about the program's own time."
        ),
        "{second}"
    );
}

#[test]
fn time_in_no_java_method_is_said_where_most_of_it_is_there() {
    let mut one = profiler(Verdict::Wrong, 3.0, 15.0);
    one.rows[0].elsewhere[0].pct = Estimate::around(4.0, 1.0, 100);
    one.rows[0].other_pct = Estimate::around(93.0, 2.0, 100);
    assert_eq!(
        advice(&map(&[("async", one.clone())]), 5.0),
        "async is wrong about Queens.placeQueen: of the time that was added there, it reports 93 % in no Java method; no \
         profiler that was tried is right here."
    );
    one.rows[0].elsewhere[0].pct = Estimate::around(94.0, 1.0, 100);
    one.rows[0].other_pct = Estimate::around(3.0, 2.0, 100);
    let said = advice(&map(&[("async", one.clone())]), 5.0);
    assert!(
        said.contains("added there, it reports 94 % in Queens.getRowColumn;"),
        "{said}"
    );
    one.rows[0].elsewhere.clear();
    one.rows[0].other_pct = Estimate::around(0.0, 1.0, 100);
    let said = advice(&map(&[("async", one.clone())]), 5.0);
    assert!(
        said.contains("of the time that was added there, it shows 3 %;"),
        "{said}"
    );
    one.rows[0].missing_pct = Some(Estimate::around(98.0, 1.0, 100));
    let said = advice(&map(&[("async", one)]), 5.0);
    assert!(
        said.contains("added there, it leaves 98 % without a sample;"),
        "{said}"
    );
}

#[test]
fn of_two_wrong_methods_the_one_with_more_of_the_programs_time_is_named() {
    let mut jfr = profiler(Verdict::Wrong, 40.0, 15.0);
    let mut small = jfr.rows[0].clone();
    small.method = "Queens.small".into();
    small.in_place_pct = Estimate::around(0.0, 1.0, 100);
    jfr.rows.push(small);
    let mut async_ = profiler(Verdict::Right, 100.0, 50.0);
    let share = Estimate::around(2.0, 1.0, 900);
    async_.shares_pct.insert("Queens.small".into(), share);
    let said = advice(&map(&[("async", async_), ("jfr", jfr.clone())]), 5.0);
    assert!(
        said.starts_with(
            "jfr is wrong about Queens.placeQueen: of the time that was added there, it reports 60 % in \
             Queens.getRowColumn (it is wrong about one more method too); use async"
        ),
        "{said}"
    );
    // Without a right profiler, by what all of them show: that one shows nothing of the small one.
    let said = advice(&map(&[("jfr", jfr.clone())]), 5.0);
    assert!(
        said.starts_with("jfr is wrong about Queens.placeQueen:"),
        "{said}"
    );
    let mut other = profiler(Verdict::Undecided, 93.0, 1.0);
    let share = Estimate::around(70.0, 1.0, 900);
    other.shares_pct.insert("Queens.small".into(), share);
    let said = advice(&map(&[("async", other), ("jfr", jfr.clone())]), 5.0);
    assert!(
        said.starts_with("jfr is wrong about Queens.small:"),
        "{said}"
    );
    // Where nobody tells shares: the row that is farther off.
    jfr.shares_pct.clear();
    let said = advice(&map(&[("jfr", jfr)]), 5.0);
    assert!(
        said.starts_with("jfr is wrong about Queens.small:"),
        "{said}"
    );
}

/// A stranger's result accused about a lambda's class, which is in no source file and was not tested.
#[test]
fn a_method_that_was_tested_is_said_rather_than_one_that_was_not() {
    const LAMBDA: &str = "TradeReport$$Lambda.applyAsInt";
    let said = |methods: &[(&str, [f64; 2])]| {
        let mut all = demo();
        let each = methods.iter();
        let each = each.filter_map(|(method, pct)| shows(method, *pct));
        let mut check = shows(PLACE, [78.7, 15.1]).expect("a check");
        check.methods = each.flat_map(|one| one.methods).collect();
        all[1].1.profile = Some(check);
        // Of a method of 3 % nearly nothing can be lost.
        for (_, one) in &mut all {
            let share = Estimate::around(3.0, 1.0, 900);
            one.shares_pct.insert(PLACE.into(), share);
        }
        advice(&map(&all), 5.0)
    };
    let tested = said(&[(LAMBDA, [0.0, 16.0]), (PLACE, [19.0, 4.0])]);
    let place = "jfr is wrong about Queens.placeQueen: it shows 19 % of the Java time there, where async and \
                 jfr+nonsafepoints show 4 %; that time belongs to TradeReport$$Lambda.applyAsInt (16 %); start the JVM";
    assert!(tested.starts_with(place), "{tested}");
    // 35 points apart for certain beside 10.
    let much_larger = said(&[(LAMBDA, [0.0, 40.0]), (PLACE, [19.0, 4.0])]);
    let lambda = "jfr is wrong about TradeReport$$Lambda.applyAsInt: it shows 0 % of the Java time there, where async and \
                  jfr+nonsafepoints show 40 % (by comparing profiles: it was not tested); start the JVM";
    assert!(much_larger.starts_with(lambda), "{much_larger}");
    let none = said(&[(LAMBDA, [0.0, 16.0]), (GET, [14.0, 1.0])]);
    let lambda = "jfr is wrong about TradeReport$$Lambda.applyAsInt: ";
    assert!(none.starts_with(lambda), "{none}");
    let why = "show 16 % (by comparing profiles: it was not tested); start";
    assert!(none.contains(why), "{none}");
}

/// A row whose own site changes the profile says nothing of the program, however large its method is.
#[test]
fn rows_that_do_not_decide_are_not_what_is_wrong() {
    let mut jfr = profiler(Verdict::Wrong, 2.2, 20.0);
    let mut void = jfr.rows[0].clone();
    void.method = GET.into();
    void.jvms = JvmWords::of([Verdict::Wrong, Verdict::Right]);
    void.change = Some(crate::dose::ProfileChange {
        beyond_pt: 43.0,
        voids_rows: true,
        drowned: false,
        method: GET.into(),
        as_it_is_pct: Estimate::around(18.0, 2.0, 900),
        with_sites_pct: Estimate::around(66.0, 2.0, 900),
    });
    jfr.rows.insert(0, void);
    let mut async_ = profiler(Verdict::Right, 99.8, 20.0);
    let most = Estimate::around(60.0, 1.0, 900);
    async_.shares_pct.insert(GET.to_owned(), most);
    let all = [("async", async_), ("jfr", jfr.clone())];
    let said = advice(&map(&all), 5.0);
    let deciding = "jfr is wrong about Queens.placeQueen: of the time that was added there, it reports 98 % in \
                    Queens.getRowColumn; use async";
    assert!(said.starts_with(deciding), "{said}");
    // Nothing that decides is wrong.
    jfr.rows.remove(1);
    jfr.verdict = Verdict::Undecided;
    let said = advice(&map(&[("jfr", jfr)]), 5.0);
    let site = "The site in Queens.getRowColumn changes too much of what jfr shows";
    assert!(said.starts_with(site), "{said}");
}

/// A difference within the margin is no error, whatever else is wrong.
#[test]
fn a_profile_within_the_margin_is_not_what_is_wrong() {
    let mut jfr = profiler(Verdict::Wrong, 40.0, 6.0);
    jfr.misplaced_pt = [2.9, 4.1];
    jfr.profile = shows(GET, [30.0, 26.0]);
    let check = jfr.profile.as_mut().expect("a check");
    check.misplaced_pt = [3.0, 5.0];
    check.methods[0].apart_pt = 3.0;
    let all = map(&[("async", profiler(Verdict::Right, 99.8, 6.0)), ("jfr", jfr)]);
    let said = advice(&all, 5.0);
    assert!(
        said.starts_with("jfr is wrong about Queens.placeQueen: of the time"),
        "{said}"
    );
    assert_eq!(beside(&all), None);
}

/// The profile counts with what it shows of a method, however much is wrong besides.
#[test]
fn one_large_method_that_is_shown_wrongly_comes_before_many_small_rows() {
    let mut jfr = profiler(Verdict::Wrong, 40.0, 4.0);
    jfr.misplaced_pt = [90.0, 95.0];
    jfr.profile = shows(GET, [30.0, 10.0]);
    jfr.profile.as_mut().expect("a check").misplaced_pt = [15.0, 20.0];
    let right = profiler(Verdict::Right, 99.8, 4.0);
    let said = advice(&map(&[("async", right), ("jfr", jfr)]), 5.0);
    let shown = "jfr is wrong about Queens.getRowColumn: it shows 30 % of the Java time there";
    assert!(said.starts_with(shown), "{said}");
}
