//! What is said of methods that are shown otherwise without sites only.

use super::*;

/// What is said of a profiler that loses all time which is added to a method with such a share, %, and shows another one at 40 % for 10 in
/// so many JVMs without sites.
fn said(share: f64, looks: usize) -> String {
    let right = || profiler(Verdict::Right, 100.0, share);
    let mut jfr = profiler(Verdict::Wrong, 0.0, share);
    jfr.profile = shows(GET, [20.0, 10.0]);
    jfr.looks = looks;
    let all = map(&[
        ("async", right()),
        ("jfr", jfr),
        ("jfr+nonsafepoints", right()),
    ]);
    let shown = [("async", 10.0), ("jfr", 40.0), ("jfr+nonsafepoints", 10.0)];
    let shares = shown.map(|(name, pct)| (name.to_owned(), Estimate::around(pct, 1.0, 900)));
    let as_it_is = AsItIs::from([("Queens.setRowColumn".to_owned(), shares.into())]);
    let known = Known {
        margin_pt: 5.0,
        said: None,
        as_it_is: &as_it_is,
    };
    first(("jfr", &all["jfr"]), &all, known)
}

/// 28 points for certain, beside 15 or 13 of a row.
#[test]
fn what_one_jvm_shows_counts_half_as_much_as_what_all_of_them_show() {
    let added =
        "jfr is wrong about Queens.placeQueen: of the time that was added there, it reports";
    let shown = |jvms: &str| {
        format!(
            "jfr is wrong about Queens.setRowColumn: it shows 40 % of the Java time there, where async and jfr+nonsafepoints show 10 % \
             (in {jvms} without sites) (by comparing"
        )
    };
    let once = said(16.0, 1);
    assert!(once.starts_with(added), "{once}");
    let smaller = said(14.0, 1);
    assert!(smaller.starts_with(&shown("1 JVM")), "{smaller}");
    let twice = said(16.0, 2);
    assert!(twice.starts_with(&shown("2 JVMs")), "{twice}");
}
