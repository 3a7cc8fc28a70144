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

/// A right row of a method that matters, and a wrong one of a method that does not, whose time is reported in `get`.
fn one_wrong() -> Vec<Row> {
    let mut little = row("little", 0.1, 0.2);
    little.elsewhere = vec![("get".into(), Estimate::around(0.85, 0.05, 900))];
    vec![row("m", 0.97, 1.02), little]
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
    // A profile alone makes nobody wrong, nor does a wrong row about something else; but nobody is right then.
    let others = [first.clone(), second];
    let open = Verdict::Undecided;
    let certified = verdict(right(), &others);
    assert_eq!((certified.certified, certified.verdict), (true, open));
    let elsewhere = vec![row("m", 0.97, 1.02), row("little", 0.1, 0.2)];
    assert_eq!(verdict(elsewhere, &others).verdict, open);
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

/// Its sites change the program for it: it is no witness, and what it shows both times is a doubt.
#[test]
fn one_that_is_no_witness_keeps_others_from_accusing_too() {
    let twice = |mut one: Subject, with_sites: &[(&str, f64, f64)]| {
        let second = known(&one.name, Vec::new(), with_sites);
        one.as_it_is.clone_from(&one.looks);
        one.looks.extend(second.looks);
        one.rest_cost = Some(0.0);
        one
    };
    let accused = twice(known("jfr", one_wrong(), &of(20.0, 2.0)), &of(23.0, 2.0));
    let first = twice(known("async", right(), &of(35.0, 1.0)), &of(38.0, 1.0));
    let second = twice(
        known("cmd:./mine", right(), &of(34.0, 13.0)),
        &of(36.0, 13.0),
    );
    let changed = twice(
        known("cmd:./other", right(), &of(20.0, 2.0)),
        &of(33.0, 2.0),
    );
    let three = [accused, first, second];
    assert_eq!(judge(&three, 5.0)[0].verdict, Verdict::Wrong);
    let four = [three.as_slice(), &[changed]].concat();
    let judged = judge(&four, 5.0);
    assert!(judged[3].change.as_ref().is_some_and(|one| one.voids_rows));
    assert_eq!(judged[0].verdict, Verdict::Undecided);
}

#[test]
fn where_profilers_were_looked_at_in_one_jvm_all_must_say_it() {
    let in_one = |mut one: Subject| {
        one.in_jvms = vec![one.rows.iter().cloned().map(Some).collect()];
        one
    };
    let accused = in_one(known("jfr", one_wrong(), &of(20.0, 2.0)));
    let first = in_one(known("async", right(), &of(35.0, 1.0)));
    let vague = in_one(known("cmd:./mine", right(), &of(34.0, 13.0)));
    let sharp = in_one(known("cmd:./mine", right(), &of(34.0, 1.0)));
    let word = |third: &Subject| {
        let all = [accused.clone(), first.clone(), third.clone()];
        judge(&all, 5.0).remove(0).verdict
    };
    assert_eq!(word(&vague), Verdict::Undecided);
    assert_eq!(word(&sharp), Verdict::Wrong);
}

/// As the flag's own profiler is with a wrong row of a small method: it refutes nobody, and the one without the flag is certified.
#[test]
fn a_profiler_does_not_accuse_itself_with_more_debug_information() {
    let blind = known("jfr", right(), &of(90.0, 2.0));
    let seeing = known("jfr+nonsafepoints", one_wrong(), &of(35.0, 1.0));
    let vague = known("cmd:./mine", right(), &of(64.0, 28.0));
    let judged = judge(&[blind, seeing, vague], 5.0);
    assert_eq!(judged[1].verdict, Verdict::Undecided);
}

/// A row that is wrong does not decide where its own site changes the profile.
#[test]
fn a_row_that_does_not_decide_condemns_nobody() {
    let first = known("async", right(), &of(35.0, 1.0));
    let mut accused = known("jfr", one_wrong(), &of(20.0, 2.0));
    let word = |accused: &Subject| {
        judge(&[accused.clone(), first.clone()], 5.0)
            .remove(0)
            .verdict
    };
    assert_eq!(word(&accused), Verdict::Wrong);
    let change = ProfileChange {
        beyond_pt: 20.0,
        voids_rows: true,
        drowned: false,
        method: "get".into(),
        as_it_is_pct: Estimate::around(50.0, 1.0, 900),
        with_sites_pct: Estimate::around(75.0, 1.0, 900),
    };
    accused.changes = vec![None, Some(change)];
    assert_eq!(word(&accused), Verdict::Undecided);
}
