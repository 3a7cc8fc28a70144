//! The sentence: who is wrong, what to do, and what is said where nothing is decided.

use super::*;
use crate::dose::tests::attribution;
use crate::dose::{AccusedBy, JvmWords, ProfileChange, ProfileCheck};
use proofmark_stats::Estimate;

fn map(profilers: &[(&str, Attribution)]) -> BTreeMap<String, Attribution> {
    let each = profilers.iter();
    each.map(|(name, one)| ((*name).to_owned(), one.clone()))
        .collect()
}

fn said(profilers: &[(&str, Attribution)]) -> String {
    advice(&map(profilers), 5.0)
}

#[test]
fn the_sentence_names_the_wrong_the_blamed_and_the_cure() {
    let wrong = || attribution(Verdict::Wrong, 0.0, "B.place");
    let right = || attribution(Verdict::Right, 100.0, "B.place");
    let cured = said(&[("jfr", wrong()), ("jfr+nonsafepoints", right())]);
    assert_eq!(
        cured,
        "jfr is wrong about A.get: of the time that was added there, it reports 100 % in B.place; start the JVM with -XX:+UnlockDiagnosticVMOptions \
         -XX:+DebugNonSafepoints: with it jfr was right about the one method tested."
    );
    let open = attribution(Verdict::Undecided, 97.0, "B.place");
    let better = said(&[("jfr", wrong()), ("jfr+nonsafepoints", open)]);
    let nobody = "in B.place; no profiler that was tried is right here.";
    assert!(better.ends_with(nobody), "{better}");
    let mut changed = attribution(Verdict::Undecided, 100.0, "B.place");
    changed.change = Some(changed_much());
    let unknown = said(&[("jfr", wrong()), ("jfr+nonsafepoints", changed)]);
    assert!(
        unknown.ends_with(
            "Whether jfr+nonsafepoints is better is not known: sites change too much of what it shows."
        ),
        "{unknown}"
    );
    let other = said(&[("jfr", wrong()), ("async", right())]);
    assert!(
        other.ends_with("use async: it was right about the one method tested."),
        "{other}"
    );
    let mut some = right();
    some.rows.push(some.rows[0].clone());
    some.rows[1].method = "A.put".into();
    some.rows[1].change = Some(changed_much());
    let other = said(&[("jfr", wrong()), ("async", some)]);
    assert!(
        other.ends_with(
            "it was right about both methods tested, of which 1 counts (in any other the site itself changes what is shown)."
        ),
        "{other}"
    );
    let alone = said(&[("jfr", wrong())]);
    assert!(alone.contains("try jfr+nonsafepoints as well"), "{alone}");
    let hopeless = said(&[("jfr+nonsafepoints", wrong())]);
    assert!(
        hopeless.ends_with("no profiler that was tried is right here."),
        "{hopeless}"
    );
    let fine = said(&[("async", right()), ("jfr", right())]);
    assert!(
        fine.starts_with("async and jfr are right where we looked"),
        "{fine}"
    );
    assert!(
        fine.contains(", at sites of arithmetic only; copy"),
        "{fine}"
    );
    let open = said(&[("async", attribution(Verdict::Undecided, 92.0, "B.place"))]);
    assert!(open.starts_with("async is undecided"), "{open}");
}

/// It has no flag of its own: with it the same profiler is the one that is loaded at the start.
#[test]
fn an_attached_profiler_is_cured_by_loading_it_at_the_start() {
    let wrong = || attribution(Verdict::Wrong, 0.0, "B.place");
    let right = || attribution(Verdict::Right, 100.0, "B.place");
    let attached = "async-ctimer+attached";
    let cured = [
        ("async", right()),
        ("async-ctimer", right()),
        (attached, wrong()),
    ];
    let cured = said(&cured);
    let cure = "; use async-ctimer, which is loaded when the JVM starts: it was right about the one method tested.";
    assert!(cured.ends_with(cure), "{cured}");
    let open = attribution(Verdict::Undecided, 97.0, "B.place");
    let better = said(&[("async-ctimer", open), (attached, wrong())]);
    let nobody = "; no profiler that was tried is right here.";
    assert!(better.ends_with(nobody), "{better}");
    let alone = said(&[(attached, wrong())]);
    let cure = "; try async-ctimer as well, the same profiler loaded when the JVM starts.";
    assert!(alone.ends_with(cure), "{alone}");
    let both = said(&[("async-ctimer", wrong()), (attached, wrong())]);
    assert!(!both.contains("try "), "{both}");
}

/// Only the first of them was named.
#[test]
fn all_profilers_without_a_row_are_named() {
    let mut none = attribution(Verdict::Undecided, 92.0, "B.place");
    none.rows.clear();
    let all = [("async", none.clone()), ("jfr", none.clone())];
    let both = "async and jfr are not judged: no site has a row (see what was not tested).";
    assert_eq!(said(&all), both);
    let open = attribution(Verdict::Undecided, 92.0, "B.place");
    let one = said(&[("async", open), ("jfr", none)]);
    assert!(one.starts_with("jfr is not judged: "), "{one}");
}

fn changed_much() -> ProfileChange {
    ProfileChange {
        beyond_pt: 43.0,
        voids_rows: true,
        drowned: false,
        method: "B.place".into(),
        as_it_is_pct: Estimate::around(18.0, 2.0, 900),
        with_sites_pct: Estimate::around(66.0, 2.0, 900),
    }
}

fn check(pct: f64, witnesses: &[&str]) -> Option<ProfileCheck> {
    Some(ProfileCheck {
        resolves_pt: 4.0,
        witnesses: witnesses.iter().map(|name| (*name).to_owned()).collect(),
        misplaced_pt: [pct - 20.0, pct],
        methods: vec![ProfileDifference {
            method: "B.place".into(),
            reported_pct: Estimate::around(pct, 2.0, 900),
            known_pct: Estimate::around(14.0, 2.0, 900),
            apart_pt: pct - 20.0,
        }],
    })
}

#[test]
fn what_a_profile_shows_comes_first_where_it_says_more_than_rows() {
    let mut wrong = attribution(Verdict::Wrong, 0.0, "B.place");
    wrong.profile = check(83.0, &["async", "jfr+nonsafepoints"]);
    let right = || attribution(Verdict::Right, 100.0, "B.place");
    let all = [("async", right()), ("jfr", wrong.clone())];
    assert_eq!(
        said(&all),
        "jfr is wrong about B.place: it shows 83 % of the Java time there, where async and jfr+nonsafepoints show \
         14 % (by comparing profiles: it was not tested); use async: it was right about the one method tested."
    );
    wrong.rows[0].verdict = Verdict::Right;
    let text = said(&[("jfr", wrong.clone())]);
    let tried =
        "show 14 % (by comparing profiles: it was not tested); try jfr+nonsafepoints as well";
    assert!(text.contains(tried), "{text}");
    // Nothing of it has a name.
    wrong.profile = None;
    wrong.misplaced_pt = [200.0, 220.0];
    let text = said(&[("jfr", wrong)]);
    let much = "jfr is wrong: it misplaces at least 200 points";
    assert!(text.starts_with(much), "{text}");
}

/// Not where the site of a row does.
#[test]
fn of_whom_it_is_said_that_sites_change_too_much_is_known_without_words() {
    let mut one = attribution(Verdict::Undecided, 0.0, "B.place");
    one.change = Some(changed_much());
    let changed = |one: &Attribution| {
        let about = advice_about(&map(&[("async", one.clone())]), 5.0);
        (about.changed, about.accused.map(|accused| accused.by))
    };
    assert_eq!(changed(&one), (Some("async".to_owned()), None));
    let mut of_a_row = one.clone();
    of_a_row.rows[0].change = of_a_row.change.take();
    assert_eq!(changed(&of_a_row), (None, None));
    one.verdict = Verdict::Wrong;
    one.rows.clear();
    assert_eq!(changed(&one), (None, Some(AccusedBy::Total)));
}

#[test]
fn what_sites_change_is_said_where_it_leaves_a_profiler_undecided() {
    let mut one = attribution(Verdict::Undecided, 0.0, "B.place");
    one.change = Some(changed_much());
    let text = said(&[("async", one.clone())]);
    assert!(
        text.starts_with("Sites change too much of what async shows: B.place has 66 % of the Java time with them and 18 %"),
        "{text}"
    );
    let mut little = one.clone();
    little.change.as_mut().unwrap().voids_rows = false;
    assert!(said(&[("async", little)]).starts_with("async is undecided"));
    let mut of_a_row = one.clone();
    of_a_row.rows[0].change = of_a_row.change.take();
    let text = said(&[("async", of_a_row)]);
    let named = "The site in A.get changes too much of what async shows: B.place has 66 %";
    assert!(text.starts_with(named), "{text}");
    one.verdict = Verdict::Wrong;
    one.rows[0].verdict = Verdict::Wrong;
    assert!(said(&[("async", one)]).starts_with("async is wrong about A.get: of the time"));
}

#[test]
fn certified_profilers_that_disagree_are_named_with_what_would_tell() {
    let mut one = attribution(Verdict::Right, 100.0, "B.place");
    one.verdict = Verdict::Undecided;
    one.profile = check(60.0, &["jfr"]);
    let mut small = one.clone();
    small.rows[0].small_pt = Some(0.4);
    let text = said(&[("samply", small)]);
    let but = "samply, right at every site that is not too small to matter, shows B.place";
    assert!(text.starts_with(but), "{text}");
    let native = said(&[("samply", one.clone())]);
    assert!(
        native.ends_with("wrong about the program's own code."),
        "{native}"
    );
    one.jvms = JvmWords::of([Verdict::Right]);
    let mut other = one.clone();
    other.profile = check(60.0, &["async"]);
    // A witness may err where it is too small to matter.
    let mut errs = other.clone();
    errs.rows[0].small_pt = Some(0.4);
    errs.profile = None;
    let text = said(&[("async", one.clone()), ("jfr", errs)]);
    let but = "async, right at every site that is not too small to matter, shows B.place";
    assert!(text.starts_with(but), "{text}");
    let text = said(&[("async", one), ("jfr", other)]);
    assert!(
        text.starts_with("async, right at every site, shows B.place at 60 %"),
        "{text}"
    );
    assert!(
        text.contains("which is right there too") && text.contains("--runs 5"),
        "{text}"
    );
}

/// Such rows are no accusation, and a profiler that has one is not called right about all of its methods.
#[test]
fn wrong_rows_that_are_too_small_to_matter_are_said() {
    let mut one = attribution(Verdict::Right, 100.0, "B.place");
    let mut small = one.rows[0].clone();
    (small.method, small.verdict) = ("A.put".into(), Verdict::Wrong);
    small.small_pt = Some(0.4);
    one.rows.push(small.clone());
    let text = said(&[("async", one.clone())]);
    assert!(
        text.contains(" (wrong rows are too small to matter)"),
        "{text}"
    );
    let wrong = attribution(Verdict::Wrong, 0.0, "B.place");
    let text = said(&[("async", one.clone()), ("jfr", wrong)]);
    let cure = "; use async: it was right about 1 of the 2 methods tested (it is wrong about A.put, but by 0.4 points of the program's \
                time at most, too little to matter).";
    assert!(text.ends_with(cure), "{text}");
    // Something else leaves it undecided.
    one.verdict = Verdict::Undecided;
    let text = said(&[("async", one.clone())]);
    assert!(
        text.starts_with("async is undecided: more windows"),
        "{text}"
    );
    small.verdict = Verdict::Undecided;
    one.verdict = Verdict::Right;
    one.rows.push(small);
    let text = said(&[("async", one)]);
    let both = " (wrong and undecided rows are too small to matter)";
    assert!(text.contains(both), "{text}");
}

/// A profiler that is undecided with a wrong row of a method with such a share, %, by its own profile.
fn with_wrong_row(method: &str, share: f64) -> Attribution {
    let mut one = attribution(Verdict::Wrong, 0.0, "B.place");
    one.verdict = Verdict::Undecided;
    one.rows[0].method = method.into();
    let share = Estimate::around(share, 1.0, 900);
    one.shares_pct.insert(method.into(), share);
    one
}

/// The headline of a test was about a method of 0.8 %, while one of 25 % was wrong too.
#[test]
fn of_several_doubts_the_one_with_most_of_the_programs_time_is_said() {
    let (small, large) = (with_wrong_row("A.get", 0.8), with_wrong_row("A.sort", 25.0));
    let text = said(&[("async", small.clone()), ("jfr", large.clone())]);
    let first = "Of the time that was added to A.sort, jfr reports 100 % in B.place.";
    assert!(text.starts_with(first), "{text}");
    assert!(text.ends_with(": async and jfr are undecided."), "{text}");
    // Certified ones that show a method 46 points apart say more than a row of 0.8 points.
    let mut apart = attribution(Verdict::Right, 100.0, "B.place");
    apart.verdict = Verdict::Undecided;
    apart.profile = check(60.0, &["samply"]);
    let text = said(&[("async", small.clone()), ("jfr", apart.clone())]);
    assert!(
        text.starts_with("jfr, right at every site, shows B.place at 60 %"),
        "{text}"
    );
    let mut void = attribution(Verdict::Undecided, 0.0, "B.place");
    void.rows[0].change = Some(ProfileChange {
        beyond_pt: 6.0,
        ..changed_much()
    });
    let text = said(&[("async", void.clone()), ("jfr", apart.clone())]);
    assert!(
        text.starts_with("jfr, right at every site, shows"),
        "{text}"
    );
    void.rows[0].change = Some(ProfileChange {
        beyond_pt: 60.0,
        ..changed_much()
    });
    let text = said(&[("async", void), ("jfr", apart.clone())]);
    assert!(text.starts_with("The site in A.get changes"), "{text}");
    // One that is not certified is contradicted too.
    apart.certified = false;
    apart.rows[0].verdict = Verdict::Undecided;
    let text = said(&[("async", small), ("jfr", apart)]);
    let shown = "jfr shows B.place at 60 % of the Java time, not at 14 % as samply does. Which of them is wrong is not known: \
                 async and jfr are undecided.";
    assert_eq!(text, shown);
}

#[test]
fn that_nobody_is_a_witness_is_said_where_that_leaves_a_profiler_undecided() {
    let one = with_wrong_row("A.sort", 25.0);
    let because = ", because no other profiler here is its witness (right at every site that counts, and not wrong otherwise): jfr is undecided.";
    let text = said(&[("jfr", one.clone())]);
    assert!(text.ends_with(because), "{text}");
    let mut witnessed = one;
    witnessed.profile = check(20.0, &["async"]);
    let text = said(&[("jfr", witnessed)]);
    assert!(
        text.ends_with("to call it wrong: jfr is undecided."),
        "{text}"
    );
}
