//! Rows that are wrong and too small to matter.

use super::*;

fn right(method: &str) -> Row {
    row(method, 0.96, 1.01)
}

fn open(method: &str) -> Row {
    row(method, 0.85, 0.93)
}

/// A row of which such a part, 0 to 1, is in `other`.
fn astray(method: &str, part: f64) -> Row {
    let near = |at: f64| Estimate::around(at, 0.01, 900);
    Row {
        elsewhere: vec![("other".into(), near(part))],
        ..row(method, 0.99 - part, 1.01 - part)
    }
}

/// A profiler whose methods are counted too, with next to no bytecodes. Of a share, 0 to 1, its profile allows half a point more.
fn profiler(name: &str, rows: Vec<Row>, shares: &[(&str, f64)]) -> Subject {
    let mut one = subject(name, rows, shares);
    let methods = one.rows.iter().map(|row| (row.method.clone(), 0.0));
    one.counted_pct = methods.collect();
    one
}

fn judged(one: Subject) -> RowVerdict {
    judge(&[one], 5.0).remove(0)
}

/// As async-profiler on JavaParser: right about 45 % of the time; `walk` is open, and of what is added to `hasNext` a fifth is elsewhere.
fn java_parser(wrong: Row) -> Subject {
    let rows = vec![right("next"), open("walk"), wrong];
    let shares = [("next", 0.45), ("walk", 0.003), ("hasNext", 0.001)];
    profiler("async", rows, &shares)
}

#[test]
fn a_wrong_row_of_next_to_no_time_leaves_a_profiler_right() {
    let of = judged(java_parser(astray("hasNext", 0.2)));
    assert_eq!((of.verdict, of.certified), (Verdict::Right, true), "{of:?}");
    use Verdict::{Right, Undecided, Wrong};
    assert_eq!(of.rows, [Right, Undecided, Wrong]);
    // 15 % of 0.8 points; and 21 % of a method of which 0.6 points are the other 79.
    let points = [of.small_pt[1], of.small_pt[2]].map(|one| one.expect("it is small"));
    let wrong = 0.21 * 0.6 / 0.79;
    assert!(
        (points[0] - 0.12).abs() < 1e-9 && (points[1] - wrong).abs() < 1e-9,
        "{points:?}"
    );
    // It executes many bytecodes, or somebody shows more of it.
    let mut counted = java_parser(astray("hasNext", 0.2));
    counted.counted_pct.insert("hasNext".into(), 20.0);
    assert_eq!(judged(counted).verdict, Undecided);
    let shares = [("next", 0.3), ("hasNext", 0.2)];
    let other = profiler("jfr", vec![open("next")], &shares);
    let both = judge(&[java_parser(astray("hasNext", 0.2)), other], 5.0);
    assert_eq!((both[0].verdict, both[0].small_pt[2]), (Undecided, None));
    // Nobody knows the method but the profiler itself.
    let mut alone = java_parser(astray("hasNext", 0.2));
    alone.counted_pct.clear();
    assert_eq!(judged(alone).verdict, Undecided);
}

/// As ecj: of one method of 1.3 % of the time much is elsewhere, and the right rows are of methods of 8 % together.
#[test]
fn a_wrong_row_beside_right_ones_of_little_time_is_not_small() {
    let of = |right_share: f64, wrong: Vec<Row>| {
        let rows = [vec![right("getNode"), open("walk")], wrong].concat();
        let shares = [
            ("getNode", right_share),
            ("walk", 0.001),
            ("utf8At", 0.013),
            ("u2At", 0.013),
        ];
        judged(profiler("async", rows, &shares))
    };
    let one = || vec![astray("utf8At", 0.42)];
    let little = of(0.08, one());
    assert_eq!(little.verdict, Verdict::Undecided);
    assert!(!little.certified && little.small_pt[2].is_none());
    assert!(
        little.small_pt[1].is_some(),
        "the open one is small by itself"
    );
    // The same beside right ones of most of the time.
    assert_eq!(of(0.6, one()).verdict, Verdict::Right);
    // Two of them are 2.7 points together: 43 % of a method of which 1.8 points are the other 57, twice.
    let two = of(0.6, vec![astray("utf8At", 0.42), astray("u2At", 0.42)]);
    assert_eq!((two.verdict, two.certified), (Verdict::Undecided, false));
    assert_eq!(two.small_pt[2..], [None, None]);
}

/// A method of 4 % may misplace more than half of the margin, one of 6 % more than all of it.
#[test]
fn a_wrong_row_of_a_method_that_matters_is_not_small() {
    let of = |share: f64, shown: f64| {
        let rows = |put: Row| vec![right("get"), put];
        let blind = profiler(
            "async",
            rows(astray("put", 1.0)),
            &[("get", 0.6), ("put", shown)],
        );
        let seeing = profiler("jfr", rows(right("put")), &[("get", 0.6), ("put", share)]);
        judge(&[blind, seeing], 5.0).remove(0)
    };
    for shown in [0.0, 0.04] {
        let four = of(0.04, shown);
        assert_eq!((four.verdict, four.certified), (Verdict::Undecided, false));
        let six = of(0.06, shown);
        assert_eq!((six.verdict, six.certified), (Verdict::Wrong, false));
    }
    // Without the one that sees it: by its bytecodes it may have 6 %.
    let mut alone = profiler(
        "async",
        vec![right("get"), astray("put", 1.0)],
        &[("get", 0.6), ("put", 0.0)],
    );
    alone.counted_pct.insert("put".into(), 6.0);
    assert!(!judged(alone).certified);
}

/// Such a row makes a profiler wrong if the method certainly has the margin's share. So it leaves none right where the method may have it.
#[test]
fn a_wrong_row_of_a_method_that_may_have_the_margins_share_is_not_small() {
    let of = |share: f64| {
        let rows = vec![right("get"), astray("put", 0.2)];
        judged(profiler("async", rows, &[("get", 0.6), ("put", share)]))
    };
    let [little, between, much] = [0.03, 0.046, 0.06].map(of);
    assert_eq!((little.verdict, little.certified), (Verdict::Right, true));
    assert_eq!(between.verdict, Verdict::Undecided);
    assert_eq!((much.verdict, much.certified), (Verdict::Wrong, false));
    for one in [between, much] {
        assert_eq!(one.small_pt, [None, None]);
    }
}

/// As Boxed of docs/studies/verdicts, whose `mix` has 99 % of the time by the clock: all profilers show that in `order`, and report there what
/// is added to `mix`. What each shows of it is next to nothing, and bytecodes say nothing of time.
#[test]
fn a_method_that_profilers_do_not_see_is_not_small() {
    use Verdict::{Right, Undecided, Wrong};
    let of = |name: &str, mix: Row, share: f64, counted: Option<f64>| {
        let shares = [("order", 0.99 - share), ("mix", share)];
        let mut one = profiler(name, vec![right("order"), mix], &shares);
        one.counted_pct = counted
            .map(|pct| ("mix".to_owned(), pct))
            .into_iter()
            .collect();
        one
    };
    let both = |moved: f64, counted: Option<f64>| {
        let names = ["async", "jfr+nonsafepoints"];
        names.map(|name| of(name, astray("mix", moved), 0.003, counted))
    };
    for counted in [None, Some(1.0)] {
        let blind = both(0.98, counted);
        assert_eq!(verdicts(&blind), [Undecided, Undecided], "{counted:?}");
        assert_eq!(verdicts(&blind[..1]), [Undecided], "alone, {counted:?}");
        // Who sees four fifths of it shows how much it has.
        assert_eq!(verdicts(&both(0.2, counted)), [Right, Right]);
    }
    // One of another kind sees it, and says how much it has.
    let with = |share: f64| {
        let seeing = of("cmd:./mine", right("mix"), share, None);
        verdicts(&[both(0.98, None).as_slice(), &[seeing]].concat())
    };
    assert_eq!(with(0.003), [Right, Right, Right]);
    assert_eq!(with(0.6), [Wrong, Wrong, Right]);
    // It is no help if it is open about that method, or wrong about another one.
    let open_there = of("cmd:./mine", open("mix"), 0.003, None);
    let mut wrong_elsewhere = of("cmd:./mine", right("mix"), 0.003, None);
    wrong_elsewhere.rows.push(astray("get", 0.2));
    for third in [open_there, wrong_elsewhere] {
        let all = [both(0.98, None).as_slice(), &[third]].concat();
        assert_eq!(verdicts(&all)[..2], [Undecided, Undecided]);
    }
}

/// It took no sample there at rest, of 900: up to a third of a per cent may have been missed, of which its row leaves a twentieth in place.
#[test]
fn a_method_without_a_sample_may_have_been_missed() {
    let of = |moved: f64| {
        let rows = vec![right("get"), astray("put", moved)];
        judged(profiler("async", rows, &[("get", 0.9)])).verdict
    };
    assert_eq!(of(0.2), Verdict::Right);
    assert_eq!(of(0.94), Verdict::Undecided);
}

/// The mean of six JVMs has 14 % of `hasNext` elsewhere, and 20 at most. In one of them all of it is, and that is what counts.
#[test]
fn a_row_is_as_wrong_as_in_the_jvm_that_is_most_wrong() {
    let of = |share: f64| {
        let jvm = |wrong: Row| vec![Some(right("next")), Some(wrong)];
        let rows = vec![right("next"), row("hasNext", 0.80, 0.92)];
        let shares = [("next", 0.45), ("hasNext", share)];
        let mut one = profiler("async", rows, &shares);
        one.in_jvms = vec![jvm(right("hasNext")); 5];
        one.in_jvms.push(jvm(astray("hasNext", 1.0)));
        judged(one)
    };
    let little = of(0.01);
    assert_eq!(little.rows[1], Verdict::Wrong);
    assert_eq!(little.row_jvms[1].wrong, 1);
    // All of a method of which the mean of JVMs shows 80 % at least, as 1.5 points.
    let points = little.small_pt[1].expect("it is small");
    assert!((points - 1.5 / 0.8).abs() < 1e-9, "{points}");
    assert_eq!(little.verdict, Verdict::Right);
    // The JVM calls the profiler right by the same rule.
    assert_eq!((little.jvms.right, little.jvms.wrong), (6, 0));
    // By the mean a fifth of these 3.6 points would be all.
    let much = of(0.024);
    assert_eq!((much.verdict, much.jvms.right), (Verdict::Undecided, 5));
}

/// What a row says whose site makes another program is not about this one: all of its method counts, as of an open one.
#[test]
fn a_wrong_row_whose_site_changes_the_profile_counts_with_all_of_its_method() {
    let of = |share: f64| {
        let rows = vec![right("get"), astray("put", 0.2)];
        let mut one = profiler("async", rows, &[("get", 0.6), ("put", share)]);
        let change = ProfileChange {
            beyond_pt: 6.0,
            voids_rows: true,
            drowned: false,
            method: "put".into(),
            as_it_is_pct: Estimate::around(1.0, 1.0, 900),
            with_sites_pct: Estimate::around(9.0, 1.0, 900),
        };
        one.changes = vec![None, Some(change)];
        judged(one)
    };
    assert_eq!(of(0.01).small_pt, [None, Some(1.5)]);
    assert_eq!(of(0.01).verdict, Verdict::Right);
    assert_eq!(of(0.03).verdict, Verdict::Undecided);
}

/// With `get` at so much of the time, of `get` and `put`.
fn shows(one: Subject, get: f64) -> Subject {
    showing(one, &[("get", get), ("put", 100.0 - get)])
}

/// A profiler with a small wrong row, and one without.
fn erring(name: &str) -> Subject {
    let shares = [("get", 0.6), ("little", 0.001)];
    profiler(name, vec![right("get"), astray("little", 0.2)], &shares)
}

fn faultless(name: &str) -> Subject {
    let shares = [("get", 0.6), ("little", 0.001)];
    profiler(name, vec![right("get"), right("little")], &shares)
}

fn verdicts(all: &[Subject]) -> Vec<Verdict> {
    judge(all, 5.0).iter().map(|one| one.verdict).collect()
}

#[test]
fn a_profile_beside_a_small_wrong_row_still_makes_a_profiler_wrong() {
    use Verdict::{Right, Undecided, Wrong};
    let (off, witness) = (shows(erring("async"), 20.0), shows(faultless("jfr"), 60.0));
    assert_eq!(verdicts(std::slice::from_ref(&off)), [Right]);
    let judged = judge(&[off.clone(), witness.clone()], 5.0);
    // Nor does it keep the witness from being right.
    assert_eq!([judged[0].verdict, judged[1].verdict], [Wrong, Right]);
    // A row that is part of what makes it wrong is not called too small to matter.
    assert!(!judged[0].certified && judged[0].small_pt == [None, None]);
    // Of two that both err a little nobody knows who is right about the program's own code.
    let two = [off.clone(), shows(erring("jfr"), 60.0)];
    assert_eq!(verdicts(&two), [Undecided, Undecided]);
    // Where a third one stands by one of them, that is known.
    let three = [two.as_slice(), &[shows(faultless("cmd:./mine"), 60.0)]].concat();
    assert_eq!(verdicts(&three), [Wrong, Right, Right]);
}

/// The less of it is known, the less it says against others. By itself it makes nobody wrong who errs as little.
#[test]
fn a_profiler_with_a_small_wrong_row_is_a_witness_for_what_is_left() {
    let witness = |little: Row| {
        let shares = [("get", 0.6), ("little", 0.0)];
        let one = profiler("async", vec![right("get"), little], &shares);
        shows(one, 80.0)
    };
    let other = |get: f64| {
        let rows = vec![right("get"), astray("less", 0.2)];
        let one = profiler("jfr", rows, &[("get", 0.6), ("less", 0.001)]);
        shows(one, get)
    };
    let verdict = |little: Row, get: f64| verdicts(&[witness(little), other(get)])[1];
    use Verdict::{Right, Undecided, Wrong};
    // Shares are known to two points to either side: 5.2 points for certain. Half a point of `little` may be anywhere: half of a method of
    // which half a point is the other half.
    assert_eq!(verdict(right("little"), 70.8), Wrong);
    assert_eq!(verdict(astray("little", 0.5), 70.8), Right, "4.7 points");
    assert_eq!(verdict(astray("little", 0.5), 60.0), Undecided);
    // Who has a wrong row that matters is wrong then.
    let mut wrong = other(60.0);
    wrong.rows.push(astray("put", 1.0));
    let both = verdicts(&[witness(astray("little", 0.5)), wrong]);
    assert_eq!(both, [Right, Wrong]);
}

/// Where that row is open and small, it does speak against the one without.
#[test]
fn a_small_wrong_row_silences_the_profiler_with_the_flag() {
    let without = shows(faultless("jfr"), 20.0);
    let with = |one: fn(&str) -> Subject| shows(one("jfr+nonsafepoints"), 60.0);
    let flag = verdicts(&[without.clone(), with(faultless)]);
    assert_eq!(flag, [Verdict::Wrong, Verdict::Right]);
    let errs = judge(&[without, with(erring)], 5.0);
    assert_ne!(errs[0].verdict, Verdict::Wrong, "{errs:?}");
}
