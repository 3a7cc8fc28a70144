//! Rows that are open and too small to matter.

use super::*;

/// Of the program's time `put` has 3 % by the profile that gives it most, of which nothing is known: 3 points are more than half
/// of the margin of 5, 2 are not.
#[test]
fn an_open_row_leaves_nobody_undecided_where_it_is_too_small_to_matter() {
    let rows = || vec![row("get", 0.96, 1.01), row("put", 0.0, 1.0)];
    let of = |name: &str, put: f64| {
        let one = subject(name, rows(), &[("get", 0.7), ("put", put)]);
        showing(one, &[("get", 90.0), ("put", 100.0 * put)])
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
    let mut counted = of("a", 0.0);
    counted.counted_pct.insert("put".into(), 20.0);
    assert_eq!(judge(&[counted], 5.0)[0].verdict, Verdict::Undecided);
    // Nobody says anything of it.
    let unknown = subject("a", rows(), &[("get", 0.7)]);
    assert_eq!(judge(&[unknown], 5.0)[0].verdict, Verdict::Undecided);
    // A wrong row is wrong however small it is, and open ones alone certify nobody.
    let mut wrong = of("a", 0.0);
    wrong.rows[1] = row("put", 0.0, 0.1);
    assert_eq!(judge(&[wrong], 5.0)[0].verdict, Verdict::Undecided);
    let mut alone = of("a", 0.0);
    alone.rows.remove(0);
    assert_eq!(judge(&[alone], 5.0)[0].verdict, Verdict::Undecided);
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
        showing(one, &[("get", 80.0), ("put", 0.0), ("set", 20.0)])
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
