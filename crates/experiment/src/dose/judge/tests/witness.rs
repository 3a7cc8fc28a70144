//! What one witness says, where others stand by that witness or do not.

use super::*;

/// With looks of shares that have a half-width each.
fn known(name: &str, rows: Vec<Row>, shares: &[(&str, f64, f64)]) -> Subject {
    let mut one = subject(name, rows, &[("m", 0.5)]);
    let share = |(name, value, half): &(&str, f64, f64)| {
        ((*name).to_owned(), Estimate::around(*value, *half, 900))
    };
    one.looks = vec![shares.iter().map(share).collect()];
    one
}

fn right() -> Vec<Row> {
    vec![row("m", 0.97, 1.02)]
}

/// A right row of a method that matters, and a wrong one of a method that does not.
fn one_wrong() -> Vec<Row> {
    vec![row("m", 0.97, 1.02), row("little", 0.1, 0.2)]
}

fn of(get: f64, half: f64) -> [(&'static str, f64, f64); 2] {
    [("get", get, half), ("put", 100.0 - get, half)]
}

fn verdict(of_accused: Vec<Row>, others: &[Subject]) -> RowVerdict {
    let accused = known("jfr", of_accused, &of(20.0, 2.0));
    judge(&[std::slice::from_ref(&accused), others].concat(), 5.0).remove(0)
}

#[test]
fn a_second_witness_that_agrees_does_not_weaken_the_first() {
    let first = known("async", right(), &of(35.0, 1.0));
    let alone = verdict(one_wrong(), std::slice::from_ref(&first));
    assert_eq!(alone.verdict, Verdict::Wrong);
    // Known so badly that the accused lies within its interval, and as near to the first one as it can be.
    let second = known("cmd:./mine", right(), &of(34.0, 13.0));
    let both = verdict(one_wrong(), &[first.clone(), second.clone()]);
    assert_eq!(both.verdict, Verdict::Wrong);
    let said = both.profile.expect("somebody says it");
    assert_eq!(said.witnesses, ["async"]);
    assert_eq!(both.misplaced_pt.0, alone.misplaced_pt.0);
    // A profile alone still makes nobody wrong.
    let certified = verdict(right(), &[first.clone(), second]);
    assert_ne!(certified.verdict, Verdict::Wrong);
    // Nor does one that was looked at another number of times keep the first from saying it.
    let mut seldom = known("cmd:./mine", right(), &of(20.0, 1.0));
    seldom.looks.extend(seldom.looks.clone());
    assert_eq!(
        verdict(one_wrong(), &[first, seldom]).verdict,
        Verdict::Wrong
    );
}

#[test]
fn a_witness_nearer_to_the_accused_keeps_the_other_from_accusing() {
    let first = known("async", right(), &of(35.0, 1.0));
    let second = known("cmd:./mine", right(), &of(26.0, 13.0));
    let judged = verdict(one_wrong(), &[first, second]);
    assert_eq!(judged.verdict, Verdict::Undecided);
}

/// It is nearer to the first witness than to the accused, and still certain that the first is wrong about a third method.
#[test]
fn a_witness_that_others_contradict_accuses_nobody() {
    let accused = known(
        "jfr",
        one_wrong(),
        &[("get", 40.0, 1.0), ("put", 40.0, 1.0), ("set", 20.0, 1.0)],
    );
    let first = known(
        "async",
        right(),
        &[("get", 50.0, 1.0), ("put", 30.0, 1.0), ("set", 20.0, 1.0)],
    );
    let with = |set: f64| {
        let shares = [
            ("get", 45.0, 8.0),
            ("put", 55.0 - set, 20.0),
            ("set", set, 1.0),
        ];
        let second = known("cmd:./mine", right(), &shares);
        judge(&[accused.clone(), first.clone(), second], 5.0).remove(0)
    };
    assert_eq!(with(21.0).verdict, Verdict::Wrong);
    assert_eq!(with(34.0).verdict, Verdict::Undecided);
}
