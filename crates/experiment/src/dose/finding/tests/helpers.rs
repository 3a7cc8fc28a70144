//! Which method is said first where the user's own code and helpers of the JDK are wrong too.

use super::*;

const HELPER: &str = "java.util.ArrayDeque.inc";

/// A profiler that is wrong about a method of the user's own with such a share, and about a helper with the other one, %.
fn both([own, helper]: [f64; 2]) -> Attribution {
    let mut one = profiler(Verdict::Wrong, 0.0, own);
    let mut row = one.rows[0].clone();
    row.method = HELPER.into();
    one.rows.push(row);
    for (method, share) in [(PLACE, own), (HELPER, helper)] {
        let share = Estimate::around(share, 0.0, 900);
        one.shares_pct.insert(method.into(), share);
    }
    one
}

/// The result of a stranger began with a helper that was a third larger than a method of his own.
#[test]
fn rows_of_the_users_own_code_come_first_unless_helpers_are_much_larger() {
    let begins = |shares: [f64; 2], method: &str| {
        let said = advice(&map(&[("jfr", both(shares))]), 5.0);
        let begins = format!("jfr is wrong about {method}: ");
        assert!(said.starts_with(&begins), "{said}");
        assert!(said.contains("(it is wrong about one more method too)"));
    };
    begins([3.0, 4.0], PLACE);
    begins([1.0, 3.9], PLACE);
    begins([1.0, 4.1], HELPER);
    let mut open = both([3.0, 4.0]);
    open.verdict = Verdict::Undecided;
    let said = advice(&map(&[("jfr", open)]), 5.0);
    let own = "Of the time that was added to Queens.placeQueen, jfr reports 100 % in ";
    assert!(said.starts_with(own), "{said}");
}

#[test]
fn shares_of_the_users_own_code_come_first_unless_helpers_are_much_farther_off() {
    let said = |own: [f64; 2], helper: [f64; 2]| {
        let mut jfr = both([30.0, 30.0]);
        for row in &mut jfr.rows {
            row.verdict = Verdict::Right;
        }
        let mut check = shows(HELPER, helper).expect("a check");
        check
            .methods
            .extend(shows(PLACE, own).expect("a check").methods);
        jfr.profile = Some(check);
        advice(&map(&[("jfr", jfr)]), 5.0)
    };
    let own = said([30.0, 14.0], [40.0, 20.0]);
    assert!(
        own.starts_with("jfr is wrong about Queens.placeQueen: it shows 30 %"),
        "{own}"
    );
    let helper = said([30.0, 22.0], [60.0, 20.0]);
    assert!(
        helper.starts_with("jfr is wrong about java.util.ArrayDeque.inc: it shows 60 %"),
        "{helper}"
    );
}

/// What all profilers are wrong about was said before, and is not said of one of them again.
#[test]
fn what_was_said_of_all_is_not_said_of_the_worst_again() {
    let all = map(&[("async", both([30.0, 30.0])), ("jfr", both([30.0, 30.0]))]);
    let as_it_is = AsItIs::new();
    let known = |said| Known {
        margin_pt: 5.0,
        said,
        as_it_is: &as_it_is,
    };
    let one = |said| first(("jfr", &all["jfr"]), &all, known(said));
    assert!(one(None).starts_with("jfr is wrong about Queens.placeQueen: "));
    let other = one(Some(PLACE));
    assert!(
        other.starts_with("jfr is wrong about java.util."),
        "{other}"
    );
    let mut alone = all.clone();
    for one in alone.values_mut() {
        one.rows.truncate(1);
    }
    let points = first(("jfr", &alone["jfr"]), &alone, known(Some(PLACE)));
    let expected = "jfr is wrong: it misplaces at least 20 points of the program's time";
    assert_eq!(points, expected);
}

/// The sentences of both speak of what was said before, also where that was said of all profilers first.
#[test]
fn what_else_is_wrong_follows_what_was_said() {
    let mut jfr = both([30.0, 30.0]);
    jfr.profile = shows(GET, [90.0, 10.0]);
    let all = map(&[("async", both([30.0, 30.0])), ("jfr", jfr)]);
    let as_it_is = AsItIs::new();
    let beside = |said: Option<&str>| {
        let known = Known {
            margin_pt: 5.0,
            said,
            as_it_is: &as_it_is,
        };
        let about = AdviceAbout {
            all_wrong_about: said.map(str::to_owned),
            accused: Some(accused(("jfr", &all["jfr"]), &all, known)),
            ..AdviceAbout::default()
        };
        besides(&all, &as_it_is, 5.0, Some(&about)).expect("a row")
    };
    let again = beside(Some(PLACE));
    assert!(
        again.starts_with("Also, of the time that was added to java.util."),
        "{again}"
    );
    let before = beside(None);
    assert!(
        before.starts_with("Also, of the time that was added to Queens."),
        "{before}"
    );
}
