//! Verdicts of rows and profiles whose answer is known.

use super::*;

mod doubt;
mod small;
mod small_wrong;
mod witness;

fn row(method: &str, low: f64, high: f64) -> Row {
    Row {
        method: method.into(),
        ..crate::dose::tests::row((low + high) / 2.0, (high - low) / 2.0, 5.0)
    }
}

fn subject(name: &str, rows: Vec<Row>, shares: &[(&str, f64)]) -> Subject {
    Subject {
        changes: Vec::new(),
        name: name.into(),
        rows,
        in_jvms: Vec::new(),
        shares_pct: shares
            .iter()
            .map(|(name, share)| ((*name).into(), Estimate::around(100.0 * share, 0.5, 900)))
            .collect(),
        looks: Vec::new(),
        as_it_is: Vec::new(),
        unseen: false,
        rest_cost: None,
        earlier: EarlierLook::default(),
        counted_pct: BTreeMap::new(),
    }
}

/// The same with a profile.
fn showing(mut subject: Subject, shares: &[(&str, f64)]) -> Subject {
    let share = |(name, pct): &(&str, f64)| ((*name).into(), Estimate::around(*pct, 2.0, 900));
    subject.looks = vec![shares.iter().map(share).collect()];
    subject
}

#[test]
fn a_profile_that_certified_ones_contradict_is_wrong_though_no_row_that_matters_is() {
    let rows = |set: f64| vec![row("get", 0.96, 1.01), row("set", set - 0.02, set + 0.02)];
    let known = [("get", 0.7), ("set", 0.03)];
    let right = subject("a", rows(1.0), &known);
    let right = showing(right, &[("get", 70.0), ("put", 28.0), ("set", 2.0)]);
    let wrong = subject("b", rows(0.0), &known);
    let alone = judge(&[right.clone(), wrong.clone()], 5.0);
    assert_eq!(
        alone[1].verdict,
        Verdict::Undecided,
        "set is neither large nor small"
    );
    let wrong = showing(wrong, &[("get", 20.0), ("put", 80.0)]);
    let judged = judge(&[right.clone(), wrong.clone()], 5.0);
    assert_eq!(judged[0].verdict, Verdict::Right);
    assert_eq!(judged[0].profile, None, "nobody else is certified");
    assert_eq!(judged[1].verdict, Verdict::Wrong);
    assert!(judged[1].misplaced_pt.0 > 45.0 && judged[1].misplaced_pt.1 > 50.0);
    // Nobody is certified: nobody's profile is a witness.
    let nobody = judge(
        &[
            wrong.clone(),
            Subject {
                name: "c".into(),
                ..wrong
            },
        ],
        5.0,
    );
    assert!(nobody.iter().all(|one| one.profile.is_none()));
}

/// A wide row takes the certificate from a right profiler: that makes nobody wrong.
#[test]
fn a_profile_alone_condemns_nobody_but_the_same_profiler_without_debug_information() {
    let certified = |name: &str| subject(name, vec![row("get", 0.97, 1.02)], &[("get", 0.5)]);
    let open = |name: &str| subject(name, vec![row("get", 0.95, 1.11)], &[("get", 0.5)]);
    let blind = |one: Subject| showing(one, &[("get", 20.0), ("put", 80.0)]);
    let seeing = |one: Subject| showing(one, &[("get", 60.0), ("put", 40.0)]);
    let judged = judge(&[blind(certified("a")), seeing(open("b"))], 5.0);
    assert_eq!(judged[1].verdict, Verdict::Undecided);
    for (without, with) in [
        ("jfr", "jfr+nonsafepoints"),
        ("async-ctimer+attached", "async-ctimer"),
    ] {
        let judged = judge(&[blind(certified(without)), seeing(certified(with))], 5.0);
        assert_eq!(judged[0].verdict, Verdict::Wrong, "{without}");
        assert!(judged[0].certified && judged[0].misplaced_pt.0 > 30.0);
        let refuted = "the refuted one is no witness";
        assert_eq!(judged[1].verdict, Verdict::Right, "{refuted}: {with}");
    }
    let others = [
        blind(certified("async-cpu+attached")),
        seeing(certified("async-ctimer")),
    ];
    assert_ne!(judge(&others, 5.0)[0].verdict, Verdict::Wrong);
}

#[test]
fn the_same_profiler_with_all_positions_has_a_name() {
    assert_eq!(with_all("jfr-cpu"), "jfr-cpu+nonsafepoints");
    assert_eq!(with_all("async-ctimer+attached"), "async-ctimer");
}

/// The flag's own profiler need not be certified: it has the same sampler, and more records.
#[test]
fn a_wide_row_of_the_profiler_with_the_flag_leaves_the_one_without_refuted() {
    let certified = |name: &str| subject(name, vec![row("get", 0.97, 1.02)], &[("get", 0.5)]);
    let cured =
        |low: f64, high: f64| subject("jfr+nonsafepoints", vec![row("get", low, high)], &[]);
    let blind = |one: Subject| showing(one, &[("get", 20.0), ("put", 80.0)]);
    let seeing = |one: Subject| showing(one, &[("get", 60.0), ("put", 40.0)]);
    let verdicts = |all: &[Subject]| -> Vec<Verdict> {
        judge(all, 5.0).iter().map(|one| one.verdict).collect()
    };
    use Verdict::{Right, Undecided, Wrong};
    let jfr = blind(certified("jfr"));
    let open = seeing(cured(0.86, 1.06));
    let async_sees = seeing(certified("async"));
    assert_eq!(
        verdicts(&[async_sees.clone(), jfr.clone(), open.clone()]),
        [Right, Wrong, Undecided]
    );
    assert_eq!(verdicts(&[jfr.clone(), open.clone()]), [Wrong, Undecided]);
    // The one with the flag is alone against two who are certified: who is wrong is open.
    let async_blind = blind(certified("async"));
    assert_eq!(
        verdicts(&[async_blind, jfr.clone(), open]),
        [Right, Right, Undecided]
    );
    // A wrong row takes its word.
    let wrong = seeing(cured(0.50, 0.60));
    assert_eq!(verdicts(&[async_sees, jfr, wrong])[1], Undecided);
}

/// Ten rows that are all a little off are together too much.
#[test]
fn a_certified_profiler_that_misplaces_too_much_is_no_witness() {
    let names: Vec<String> = (0..10).map(|at| format!("m{at}")).collect();
    let shares: Vec<(&str, f64)> = names.iter().map(|name| (name.as_str(), 0.1)).collect();
    let rows = names.iter().map(|name| row(name, 0.902, 0.922)).collect();
    let off = showing(subject("a", rows, &shares), &[("m0", 60.0), ("m1", 40.0)]);
    let wrong_row = subject("b", vec![row("m0", -0.01, 0.01)], &[("m0", 0.0)]);
    let other = showing(wrong_row, &[("m0", 20.0), ("m1", 80.0)]);
    let judged = judge(&[off, other], 5.0);
    assert!(judged[0].certified && judged[0].verdict == Verdict::Undecided);
    assert_eq!(
        judged[1].verdict,
        Verdict::Undecided,
        "nobody knows its share"
    );
    assert_eq!(judged[1].profile, None);
}

#[test]
fn rows_of_a_program_that_sites_changed_decide_nothing() {
    let with = |rows: Vec<Row>, as_it_is: f64, with_sites: f64| {
        let mut one = subject("a", rows, &[("m", 0.5)]);
        for share in [as_it_is, with_sites] {
            let seen = showing(one.clone(), &[("m", share), ("n", 100.0 - share)]);
            one.looks.extend(seen.looks.into_iter().last());
        }
        one.as_it_is = one.looks[..1].to_vec();
        one.rest_cost = Some(0.05);
        judge(&[one], 5.0).remove(0)
    };
    let wrong = || vec![row("m", -0.01, 0.02)];
    assert_eq!(with(wrong(), 50.0, 52.0).verdict, Verdict::Wrong);
    assert_eq!(with(wrong(), 50.0, 90.0).verdict, Verdict::Undecided);
    let right = || vec![row("m", 0.97, 1.02)];
    assert_eq!(with(right(), 50.0, 52.0).verdict, Verdict::Right);
    let changed = with(right(), 50.0, 90.0);
    assert!(changed.certified && changed.verdict == Verdict::Undecided);
    assert!(changed.change.unwrap().beyond_pt > 30.0);
}

#[test]
fn a_row_whose_site_changes_the_profile_decides_nothing_and_the_others_do() {
    let shares = [("get", 0.5), ("put", 0.4)];
    let change = |voids_rows| {
        Some(ProfileChange {
            beyond_pt: if voids_rows { 20.0 } else { 2.0 },
            voids_rows,
            drowned: false,
            method: "get".into(),
            as_it_is_pct: Estimate::around(50.0, 1.0, 900),
            with_sites_pct: Estimate::around(75.0, 1.0, 900),
        })
    };
    let of = |get: f64, put: f64, changes: [bool; 2]| {
        let row = |name, at: f64| row(name, at - 0.02, at + 0.02);
        let mut one = subject("a", vec![row("get", get), row("put", put)], &shares);
        one.changes = changes.map(change).into();
        judge(&[one], 5.0).remove(0)
    };
    let (right, wrong) = (1.0, 0.0);
    assert_eq!(of(wrong, right, [false, false]).verdict, Verdict::Wrong);
    let open = of(wrong, right, [true, false]);
    assert_eq!(
        (open.verdict, open.rows[0]),
        (Verdict::Undecided, Verdict::Wrong)
    );
    assert_eq!(open.misplaced_pt, (0.0, open.misplaced_pt.1));
    assert_eq!(of(right, wrong, [true, false]).verdict, Verdict::Wrong);
    let certified = of(right, right, [true, false]);
    assert!(certified.certified && certified.verdict == Verdict::Right);
    // No row is left that decides.
    assert!(!of(right, right, [true, true]).certified);
}

#[test]
fn certified_profilers_whose_profiles_disagree_are_not_decided() {
    let certified = |name: &str| subject(name, vec![row("get", 0.97, 1.02)], &[("get", 0.5)]);
    let one = showing(certified("a"), &[("get", 60.0), ("put", 40.0)]);
    let other = showing(certified("b"), &[("get", 20.0), ("put", 80.0)]);
    let judged = judge(&[one.clone(), other], 5.0);
    for one in &judged {
        assert!(one.certified && one.verdict == Verdict::Undecided);
    }
    let near = showing(certified("b"), &[("get", 58.0), ("put", 42.0)]);
    let judged = judge(&[one, near], 5.0);
    assert!(judged.iter().all(|one| one.verdict == Verdict::Right));
}

/// As found where all time is in a stub that arraycopy calls: one profiler shows it nowhere, the other with and without its
/// flag in the caller.
#[test]
fn a_profiler_that_agrees_with_itself_alone_is_not_decided() {
    let of = |name: &str, get: f64| {
        let one = subject(name, vec![row("get", 0.97, 1.02)], &[("get", 0.5)]);
        showing(one, &[("get", get), ("put", 100.0 - get)])
    };
    let three = [
        of("async", 20.0),
        of("jfr", 80.0),
        of("jfr+nonsafepoints", 80.0),
    ];
    let judged = judge(&three, 5.0);
    for (one, of) in judged.iter().zip(&three) {
        assert_eq!(one.verdict, Verdict::Undecided, "{}", of.name);
    }
    let against = judged[2].profile.as_ref().expect("it was compared");
    assert_eq!(against.witnesses, ["async"]);
    // Neither does it help that sites change what the other one shows, if it contradicts with them and without.
    let changed = |name: &str, looks: [f64; 2]| {
        let shown = looks.map(|get| of(name, get).looks.remove(0));
        Subject {
            as_it_is: shown[..1].to_vec(),
            looks: shown.into(),
            rest_cost: Some(0.0),
            ..of(name, 0.0)
        }
    };
    let two = [changed("async", [20.0, 40.0]), changed("jfr", [80.0, 80.0])];
    let judged = judge(&two, 5.0);
    assert!(judged[0].change.as_ref().is_some_and(|one| one.voids_rows));
    assert_eq!(judged[1].verdict, Verdict::Undecided);
    let two = [changed("async", [20.0, 80.0]), changed("jfr", [80.0, 80.0])];
    assert_eq!(
        judge(&two, 5.0)[1].verdict,
        Verdict::Right,
        "not every time"
    );
    // One of another kind that agrees is enough.
    let four = [of("cmd:./mine", 80.0)];
    let judged = judge(&[three.as_slice(), &four].concat(), 5.0);
    let verdicts: Vec<Verdict> = judged.iter().map(|one| one.verdict).collect();
    let right = Verdict::Right;
    assert_eq!(verdicts, [Verdict::Undecided, right, right, right]);
    // And without one of another kind there is nothing against it.
    assert!(
        judge(&three[1..], 5.0)
            .iter()
            .all(|one| one.verdict == right)
    );
}

#[test]
fn kinds_of_profilers() {
    let names = ["jfr", "jfr-cpu+nonsafepoints", "async", "cmd:./a-b+c d"];
    assert_eq!(
        names.map(profiler_kind),
        ["jfr", "jfr", "async", "cmd:./a-b+c d"]
    );
}

#[test]
fn one_wrong_row_of_a_method_that_matters_makes_a_profiler_wrong() {
    let right = subject(
        "a",
        vec![row("m", 0.95, 1.02), row("n", 0.93, 1.08)],
        &[("m", 0.3), ("n", 0.4)],
    );
    let blind = subject(
        "b",
        vec![row("m", -0.01, 0.02), row("n", 0.97, 1.01)],
        &[("m", 0.0), ("n", 0.7)],
    );
    let judged = judge(&[right, blind], 5.0);
    assert!(judged[0].certified && judged[0].verdict == Verdict::Right);
    assert_eq!(judged[1].rows, [Verdict::Wrong, Verdict::Right]);
    assert_eq!(judged[1].verdict, Verdict::Wrong);
    // The certified profiler's share of m, 30 points, is misplaced; what b itself shows of m does not count.
    assert!(judged[1].misplaced_pt.0 > 28.0 && judged[1].misplaced_pt.1 < 34.0);
}

#[test]
fn without_a_certified_profiler_both_bounds_of_the_shares_count() {
    let one = subject("a", vec![row("m", 0.0, 0.1)], &[("m", 0.02)]);
    let other = subject("b", vec![row("m", 0.3, 0.4)], &[("m", 0.4)]);
    let judged = judge(&[one, other], 5.0);
    // At 2 % nothing is wrong, at 40 % everything: not to be decided.
    assert_eq!(judged[0].verdict, Verdict::Undecided);
    assert!(judged[0].misplaced_pt.0 < 5.0 && judged[0].misplaced_pt.1 > 35.0);
}

#[test]
fn margins_scale_rows_and_nothing_is_certified_by_nothing() {
    let row_at = |low, high| subject("a", vec![row("m", low, high)], &[("m", 0.5)]);
    let verdict = |low, high, margin| judge(&[row_at(low, high)], margin)[0].rows[0];
    assert_eq!(verdict(0.91, 0.99, 5.0), Verdict::Right);
    assert_eq!(verdict(0.91, 0.99, 2.0), Verdict::Undecided);
    assert_eq!(verdict(0.91, 0.95, 2.0), Verdict::Wrong);
    assert_eq!(verdict(1.11, 1.2, 5.0), Verdict::Wrong);
    let nothing = judge(&[subject("a", Vec::new(), &[])], 5.0);
    assert!(!nothing[0].certified && nothing[0].verdict == Verdict::Undecided);
}

#[test]
fn dropped_samples_make_a_row_wrong_and_an_unseen_site_takes_the_certificate() {
    let fine = || row("get", 0.97, 1.02);
    let one = |missing: Option<Estimate>, unseen: bool| {
        let mut only = fine();
        only.missing = missing;
        let mut subject = subject("a", vec![only], &[("get", 0.5)]);
        subject.unseen = unseen;
        judge(&[subject], 5.0).remove(0)
    };
    assert_eq!(one(None, false).verdict, Verdict::Right);
    let little = Estimate::around(0.08, 0.05, 900);
    assert_eq!(one(Some(little), false).verdict, Verdict::Right);
    let much = one(Some(Estimate::around(0.4, 0.05, 900)), false);
    assert_eq!(much.verdict, Verdict::Wrong);
    assert!(much.misplaced_pt.0 > 15.0, "{much:?}");
    let more = one(Some(Estimate::around(-0.4, 0.05, 900)), false);
    assert_eq!(more.verdict, Verdict::Right, "lost without the dose");
    let unseen = one(None, true);
    assert!(!unseen.certified && unseen.verdict == Verdict::Undecided);
}
