//! Rows that are open and too small to matter.

use super::*;

/// The same, where counting knows `put`.
fn counted(mut one: Subject) -> Subject {
    one.counted_pct.insert("put".into(), 0.0);
    one
}

/// A site that changes the profile so much that its row does not decide.
fn changes(method: &str, with_sites: f64) -> ProfileChange {
    ProfileChange {
        beyond_pt: 6.0,
        voids_rows: true,
        drowned: false,
        method: method.into(),
        as_it_is_pct: Estimate::around(1.0, 1.0, 900),
        with_sites_pct: Estimate::around(with_sites, 1.0, 900),
    }
}

/// Of the program's time `put` has 3 % by the profile that gives it most, of which nothing is known: 3 points are more than half
/// of the margin of 5, 2 are not.
#[test]
fn an_open_row_leaves_nobody_undecided_where_it_is_too_small_to_matter() {
    let rows = || vec![row("get", 0.96, 1.01), row("put", 0.0, 1.0)];
    let of = |name: &str, put: f64| {
        let one = subject(name, rows(), &[("get", 0.7), ("put", put)]);
        counted(showing(one, &[("get", 90.0), ("put", 100.0 * put)]))
    };
    // Profiles allow 2 % more than they say.
    let small = judge(&[of("a", 0.0)], 5.0).remove(0);
    assert_eq!((small.verdict, small.certified), (Verdict::Right, true));
    assert_eq!(small.rows, [Verdict::Right, Verdict::Undecided]);
    assert_eq!(small.small_pt, [None, Some(2.0)]);
    let large = judge(&[of("a", 0.01)], 5.0).remove(0);
    assert_eq!(
        (large.verdict, large.certified),
        (Verdict::Undecided, false)
    );
    assert_eq!(large.small_pt, [None, None]);
    // One that is blind to it cannot make it small, nor can bytecodes that are many.
    let beside = judge(&[of("a", 0.0), of("b", 0.3)], 5.0);
    assert_eq!(beside[0].verdict, Verdict::Undecided);
    let mut many = of("a", 0.0);
    many.counted_pct.insert("put".into(), 20.0);
    assert_eq!(judge(&[many], 5.0)[0].verdict, Verdict::Undecided);
    // Nobody says anything of it, or nobody but one of the same kind; one of another kind does.
    let unknown = subject("a", rows(), &[("get", 0.7)]);
    assert_eq!(judge(&[unknown], 5.0)[0].verdict, Verdict::Undecided);
    let uncounted = |name: &str| Subject {
        counted_pct: BTreeMap::new(),
        ..of(name, 0.0)
    };
    for (name, other, verdict) in [
        ("jfr", "jfr-cpu", Verdict::Undecided),
        ("jfr", "async", Verdict::Right),
    ] {
        let two = [uncounted(name), uncounted(other)];
        assert_eq!(judge(&two, 5.0)[0].verdict, verdict, "{other}");
    }
    // Open ones alone certify nobody.
    let mut alone = of("a", 0.0);
    alone.rows.remove(0);
    assert_eq!(judge(&[alone], 5.0)[0].verdict, Verdict::Undecided);
}

/// As `jfr` does in H2, which shows in `put` what belongs to others: a profiler with a wrong row does not make an open row of others
/// large if one of another kind without any knows the method, and does if nobody else knows it.
#[test]
fn a_profiler_with_a_wrong_row_makes_no_open_row_large_where_others_know_the_method() {
    let of = |name: &str, get: Row, put: f64| {
        let rows = vec![get, row("put", 0.0, 1.0)];
        let one = subject(name, rows, &[("get", 0.7), ("put", put)]);
        showing(one, &[("get", 90.0), ("put", 100.0 * put)])
    };
    let right = |name: &str| of(name, row("get", 0.96, 1.01), 0.0);
    let flag = || right("jfr+nonsafepoints");
    let blames = of("jfr", row("get", 0.0, 0.05), 0.3);
    let small = |all: &[Subject]| judge(all, 5.0).remove(0).small_pt[1];
    assert_eq!(small(&[flag(), right("async"), blames.clone()]), Some(2.0));
    // It errs nowhere, or its own site makes another program of the one where it does.
    let shows = of("jfr", row("get", 0.96, 1.01), 0.3);
    assert_eq!(small(&[flag(), right("async"), shows]), None);
    let mut void = blames.clone();
    void.changes = vec![Some(changes("get", 60.0)), None];
    assert_eq!(small(&[flag(), right("async"), void]), None);
    // The other one of another kind errs too, and nothing was counted.
    let async_blames = of("async", row("get", 0.0, 0.05), 0.0);
    assert_eq!(small(&[flag(), async_blames, blames.clone()]), None);
    // Counting alone does not say that the one who errs shows too much.
    assert_eq!(small(&[counted(flag()), blames]), None);
}

/// What is open in a witness is what it may be off by.
#[test]
fn a_witness_is_believed_less_by_what_its_open_rows_can_misplace() {
    let witness = |put: Row| {
        let one = subject(
            "a",
            vec![row("get", 0.97, 1.02), put],
            &[("get", 0.6), ("put", 0.0)],
        );
        counted(showing(one, &[("get", 80.0), ("put", 0.0), ("set", 20.0)]))
    };
    let other = subject("b", vec![row("get", 0.97, 1.02)], &[("get", 0.6)]);
    let other = showing(other, &[("get", 70.4), ("put", 0.0), ("set", 29.6)]);
    let verdict = |put: Row| judge(&[witness(put), other.clone()], 5.0)[1].verdict;
    assert_eq!(
        verdict(row("put", 0.97, 1.02)),
        Verdict::Undecided,
        "5.6 points apart"
    );
    assert_eq!(
        verdict(row("put", 0.0, 1.0)),
        Verdict::Right,
        "3.6 of them for certain"
    );
}

/// Of a method with two sites one row says nothing of how its time is divided, one that lost samples may have lost many, and one whose
/// site changes the profile says nothing of the program as it is.
#[test]
fn what_an_open_row_can_misplace_is_the_most_that_it_may_be() {
    let with = |put: f64, rows: Vec<Row>| {
        let one = subject("a", rows, &[("get", 0.7), ("put", put)]);
        counted(showing(one, &[("get", 80.0), ("put", 100.0 * put)]))
    };
    let small = |one: Subject| judge(&[one], 5.0).remove(0).small_pt[1];
    let get = || row("get", 0.96, 1.01);
    // Profiles allow 2 % more than they say: 3 points.
    let two = with(
        0.01,
        vec![get(), row("put", 0.0, 1.0), row("put", 0.97, 1.02)],
    );
    assert_eq!(small(two), None);
    // 15 % of 12 points are 1.8, and 30 % are 3.6.
    let near = || row("put", 0.85, 1.0);
    let points = small(with(0.1, vec![get(), near()])).expect("it is small");
    assert!((points - 1.8).abs() < 1e-9, "{points}");
    let mut lost = near();
    lost.missing = Some(Estimate::around(0.1, 0.2, 900));
    assert_eq!(small(with(0.1, vec![get(), lost])), None);
    let mut changed = with(0.1, vec![get(), near()]);
    changed.changes = vec![None, Some(changes("put", 9.0))];
    assert_eq!(small(changed), None);
}

/// In the mean 15 % of 12 points are open. A JVM that knows nothing of them does not call the profiler right.
#[test]
fn each_jvm_says_by_itself_whether_what_it_leaves_open_is_small() {
    let jvm = |low: f64| vec![row("get", 0.96, 1.01), row("put", low, 1.0)];
    let of = |lows: [f64; 3]| {
        let one = subject("a", jvm(0.85), &[("get", 0.7), ("put", 0.1)]);
        let mut one = counted(showing(one, &[("get", 80.0), ("put", 10.0)]));
        let all = lows.iter();
        one.in_jvms = all
            .map(|low| jvm(*low).into_iter().map(Some).collect())
            .collect();
        judge(&[one], 5.0).remove(0)
    };
    let same = of([0.85; 3]);
    assert_eq!((same.verdict, same.jvms.right), (Verdict::Right, 3));
    let one = of([0.85, 0.85, 0.0]);
    assert_eq!(
        (one.verdict, one.jvms.right),
        (Verdict::Right, 2),
        "{one:?}"
    );
    assert_eq!(one.jvms.undecided, 1, "{one:?}");
}

/// The same profiler with more debug information speaks against the one without, 5.6 points apart, though a row of it is open.
#[test]
fn a_small_open_row_does_not_silence_the_profiler_with_the_flag() {
    let rows = |put: Row| vec![row("get", 0.97, 1.02), put];
    let known = [("get", 0.6), ("put", 0.0)];
    let without = subject("jfr", rows(row("put", 0.97, 1.02)), &known);
    let without = showing(without, &[("get", 70.4), ("put", 0.0), ("set", 29.6)]);
    let with = subject("jfr+nonsafepoints", rows(row("put", 0.0, 1.0)), &known);
    let with = counted(showing(with, &[("get", 80.0), ("put", 0.0), ("set", 20.0)]));
    let judged = judge(&[without, with], 5.0);
    let verdicts = (judged[0].verdict, judged[1].verdict);
    assert_eq!(verdicts, (Verdict::Wrong, Verdict::Right), "{judged:?}");
}
