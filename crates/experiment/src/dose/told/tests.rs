//! What is said of tests over JVMs.

use proofmark_rules::DOSE_RUNS;

use super::open::{Open, at_least};
use super::*;
use crate::dose::remedy::{Remedy, Way};
use crate::dose::tests::{attribution, size, took};
use crate::dose::{FailedRun, JvmWords, ProfileCheck};

mod beside;
mod market;
mod moves;

fn said(profilers: &[(&str, Attribution)], runs: usize) -> String {
    in_full(profilers, runs).advice
}

fn in_full(profilers: &[(&str, Attribution)], runs: usize) -> Told {
    let map = profilers.iter();
    let map = map.map(|(name, one)| ((*name).to_owned(), one.clone()));
    let size = size(&["async"], runs);
    told(
        &map.collect(),
        &size,
        (5.0, &took(&size, 100.0)),
        &Again::default(),
        &Noted::default(),
    )
}

/// The whole command is named, with what was asked for.
#[test]
fn what_is_named_can_be_entered_as_it_is() {
    let profilers = ["async".to_owned(), "jfr".to_owned()];
    let again = Again::named("suite:Queens".into(), &profilers, 3, 1);
    let size = Size {
        methods: 3,
        rounds: 2,
        budget_s: 5.0,
        ..size(&["async", "jfr"], 1)
    };
    let mut open = with(Verdict::Undecided, &[Verdict::Undecided]);
    open.rows[0].in_place_pct = proofmark_stats::Estimate::around(94.0, 6.0, 900);
    open.rows[0].elsewhere.clear();
    let map = BTreeMap::from([("async".to_owned(), open)]);
    let took = took(&size, 100.0);
    let of_test = (5.0, &took);
    let text = told(&map, &size, of_test, &again, &Noted::default()).advice;
    let same = "proofmark dose suite:Queens --profiler async,jfr --methods 3";
    let usual = format!("(to ask {DOSE_RUNS}, the usual number: `{same}`)");
    assert!(text.contains(&usual), "{text}");
    let more = format!(": `{same} --runs 1 --rounds ");
    assert!(text.contains(&more), "{text}");
    let mut changed = map["async"].clone();
    changed.change = Some(crate::dose::ProfileChange {
        beyond_pt: 43.0,
        voids_rows: true,
        drowned: false,
        method: "B.place".into(),
        as_it_is_pct: proofmark_stats::Estimate::around(18.0, 2.0, 900),
        with_sites_pct: proofmark_stats::Estimate::around(66.0, 2.0, 900),
    });
    let map = BTreeMap::from([("async".to_owned(), changed)]);
    let all = told(&map, &size, of_test, &again, &Noted::default());
    let (text, parts) = (all.advice, all.parts);
    let fewer = "proofmark dose suite:Queens --profiler async,jfr --runs 1 --methods 1";
    let fewer = format!("`{fewer}`");
    assert!(text.contains(&format!("({fewer}) may tell more")), "{text}");
    assert!(text.contains("This tells more of async, in about "));
    assert!(text.ends_with(&format!(": {fewer}.")), "{text}");
    assert!(!text.contains("(--"), "{text}");
    // Alone the first part has no command: the last one has it.
    let first = "; fewer methods at a time may tell more.";
    assert!(parts[0].ends_with(first), "{parts:?}");
    let with = parts.iter().filter(|part| part.contains(&fewer));
    assert_eq!(with.count(), 1, "{parts:?}");
}

/// A page shows them one below the other.
#[test]
fn in_parts_every_command_stands_last() {
    let mut open = with(Verdict::Undecided, &[Verdict::Undecided]);
    open.rows[0].in_place_pct = proofmark_stats::Estimate::around(94.0, 6.0, 900);
    open.rows[0].elsewhere.clear();
    let wrong = with(Verdict::Wrong, &[Verdict::Wrong]);
    let profilers = [("async", open.clone()), ("jfr", wrong), ("jfr-cpu", open)];
    let Told { advice, parts, .. } = in_full(&profilers, 1);
    let [first, jvms, async_, jfr_cpu, more] = parts.as_slice() else {
        panic!("{parts:?}");
    };
    assert!(first.starts_with("jfr is wrong"), "{first}");
    let asked = format!("differently. To ask {DOSE_RUNS}, the usual number: `proofmark dose`.");
    assert!(jvms.ends_with(&asked), "{jvms}");
    let open = ["async", "jfr-cpu"].map(|name| format!("What leaves {name} undecided: "));
    assert!(async_.starts_with(&open[0]) && jfr_cpu.starts_with(&open[1]));
    assert!(more.contains(" async and jfr-cpu, in about "), "{more}");
    // What is in brackets there is the only thing that differs.
    for part in parts.iter().filter(|part| *part != jvms) {
        assert!(advice.contains(part.as_str()), "{part}: {advice}");
    }
}

/// A profiler with one row, and the words of JVMs on it.
fn with(verdict: Verdict, words: &[Verdict]) -> Attribution {
    let mut one = attribution(verdict, 66.0, "B.place");
    one.jvms = JvmWords::of(words.iter().copied());
    one.rows[0].jvms = one.jvms;
    one
}

/// A native program has no JVMs.
#[test]
fn what_leaves_a_native_program_open_is_named_with_the_command() {
    let mut open = with(Verdict::Undecided, &[]);
    open.rows[0].verdict = Verdict::Undecided;
    let all = [("perf".to_owned(), open)].into();
    let again = Again {
        command: "-- ./words 'a b'".into(),
        ..Again::default()
    };
    for (asked, more) in [
        (3, "--rounds 12 --budget 60"),
        (12, "--rounds 24 --budget 120"),
    ] {
        let (said, _) = told_of_native(&all, 5.0, (&again, asked));
        let command = format!("`proofmark dose {more} -- ./words 'a b'`");
        let expected = [
            "perf is undecided.".to_owned(),
            "What leaves perf undecided: A.get is undecided.".to_owned(),
            format!("More windows narrow the intervals: {command}."),
        ];
        assert_eq!(said, expected);
    }
}

#[test]
fn what_depends_on_the_jvm_is_said_with_the_number_of_jvms() {
    use Verdict::{Right, Undecided, Wrong};
    let text = said(&[("jfr", with(Wrong, &[Wrong, Right, Wrong]))], 3);
    let depends = "jfr is wrong in 2 of 3 JVMs: what it reports of A.get differs from JVM to JVM.";
    assert!(text.ends_with(depends), "{text}");
    let text = said(&[("jfr", with(Wrong, &[Wrong; 3]))], 3);
    assert!(text.ends_with("jfr is wrong in all 3 JVMs."), "{text}");
    let text = said(&[("jfr", with(Right, &[Right; 3]))], 3);
    assert!(text.ends_with("jfr is right in all 3 JVMs."), "{text}");
    let mut not_the_same = with(Wrong, &[Wrong; 3]);
    let first = not_the_same.rows.remove(0);
    for (method, wrong) in [("A.get", 1), ("A.put", 2), ("A.add", 1)] {
        let mut row = first.clone();
        row.method = method.into();
        row.jvms = JvmWords::of((0..3).map(|jvm| if jvm < wrong { Wrong } else { Right }));
        not_the_same.rows.push(row);
    }
    let mut void = first;
    void.method = "A.set".into();
    void.jvms = JvmWords::of([Wrong, Wrong, Right]);
    void.change = Some(crate::dose::ProfileChange {
        beyond_pt: 43.0,
        voids_rows: true,
        drowned: false,
        method: "A.set".into(),
        as_it_is_pct: proofmark_stats::Estimate::around(18.0, 2.0, 900),
        with_sites_pct: proofmark_stats::Estimate::around(66.0, 2.0, 900),
    });
    // A row that does not decide is not what makes it wrong.
    not_the_same.rows.push(void);
    let text = said(&[("jfr", not_the_same)], 3);
    let each = "With jfr each of the 3 JVMs has something wrong, not always the same: A.put in 2, A.get and A.add in 1 each.";
    assert!(text.ends_with(each), "{text}");
    let some = with(Right, &[Right, Undecided, Right]);
    let text = said(&[("jfr", some)], 3);
    let over = "jfr is right over 3 JVMs together, 2 of which are certain by themselves.";
    assert!(text.ends_with(over), "{text}");
}

/// A JVM is right although it leaves a row open that is too small to matter: the sentence must not say more than its verdict.
#[test]
fn right_in_all_jvms_is_the_verdict_of_each_where_one_leaves_a_row_open() {
    use Verdict::{Right, Undecided, Wrong};
    let mut one = with(Right, &[Right; 4]);
    let mut small = one.rows[0].clone();
    small.method = "A.put".into();
    small.jvms = JvmWords::of([Right, Undecided, Right, Right]);
    one.rows.push(small);
    let text = said(&[("async", one.clone())], 4);
    let each = "async is right in all 4 JVMs by the verdict of each; rows that single JVMs leave open, or do not have, are too small to matter there.";
    assert!(text.ends_with(each), "{text}");
    // So may one that is wrong in a JVM.
    one.rows[1].jvms = JvmWords::of([Right, Undecided, Wrong, Right]);
    let text = said(&[("async", one)], 4);
    let each = "async is right in all 4 JVMs by the verdict of each; rows that single JVMs call wrong, leave open, or do not have, are \
                too small to matter there: what it reports of A.put differs from JVM to JVM.";
    assert!(text.ends_with(each), "{text}");
}

/// Six methods in a row, behind a number of JVMs of which none is wrong, were more than anybody could read.
#[test]
fn what_only_all_jvms_together_decide_is_said_so_and_two_methods_are_named() {
    use Verdict::{Right, Undecided, Wrong};
    let text = |methods: usize| {
        let mut jfr = with(Wrong, &[Undecided; 4]);
        let first = jfr.rows.remove(0);
        for at in 0..methods {
            let mut row = first.clone();
            row.method = format!("A.get{at}");
            row.jvms = JvmWords::of([Right, Wrong, Right, Right]);
            jfr.rows.push(row);
        }
        if methods == 0 {
            jfr.rows.push(first);
        }
        said(&[("jfr", jfr)], 4)
    };
    let together = "No single JVM decides that jfr is wrong; its 4 JVMs together do.";
    assert!(text(0).ends_with(together), "{}", text(0));
    for (methods, named) in [
        (1, "A.get0"),
        (2, "A.get0 and A.get1"),
        (3, "A.get0, A.get1 and one more method"),
        (6, "A.get0, A.get1 and 4 more methods"),
    ] {
        let text = text(methods);
        let end = format!("{together} What it reports of {named} differs from JVM to JVM.");
        assert!(text.ends_with(&end), "{text}");
    }
}

/// A stranger's result: rows of small methods are wrong in two of four JVMs, and what made jfr wrong is what the others showed.
#[test]
fn where_witnesses_contradict_the_profile_the_jvms_alone_are_not_said_to_decide() {
    let text = |witnesses: &[&str], least| {
        let mut jfr = with(Verdict::Wrong, &[Verdict::Undecided; 4]);
        jfr.profile = Some(ProfileCheck {
            witnesses: witnesses.iter().map(|name| (*name).to_owned()).collect(),
            misplaced_pt: [least, 58.0],
            resolves_pt: 4.0,
            methods: Vec::new(),
        });
        said(&[("jfr", jfr)], 4)
    };
    let begins =
        "No single JVM decides by its rows that jfr is wrong: its 4 JVMs together do, or what ";
    let one = text(&["async"], 14.0);
    let shows = format!("{begins}async shows otherwise does.");
    assert!(one.ends_with(&shows), "{one}");
    let two = text(&["async", "jfr-cpu"], 14.0);
    let show = format!("{begins}async and jfr-cpu show otherwise does.");
    assert!(two.ends_with(&show), "{two}");
    let little = text(&["async"], 4.0);
    let together = "No single JVM decides that jfr is wrong; its 4 JVMs together do.";
    assert!(little.ends_with(together), "{little}");
}

#[test]
fn a_jvm_that_failed_is_named_and_the_others_are_counted() {
    use Verdict::Right;
    let mut one = with(Right, &[Right; 2]);
    one.failed_runs = vec![FailedRun {
        run: 2,
        reason: "the JVM ended (signal 11)".into(),
        log: Some("async-run-2/jvm.log".into()),
    }];
    let text = said(&[("async", one), ("jfr", with(Right, &[Right; 3]))], 3);
    let failed = "async is right in all 2 JVMs. jfr is right in all 3 JVMs. async failed in run 2 of 3 (the JVM ended (signal \
                  11); its output is in async-run-2/jvm.log) and is judged by the others.";
    assert!(text.ends_with(failed), "{text}");
}

#[test]
fn one_jvm_speaks_for_itself_and_a_native_program_has_none() {
    let one = said(&[("jfr", with(Verdict::Wrong, &[Verdict::Wrong]))], 1);
    assert!(one.contains("Only one JVM per profiler was asked"), "{one}");
    let native = attribution(Verdict::Wrong, 0.0, "B.place");
    assert!(!said(&[("perf", native)], 1).contains("Only one JVM per"));
}

#[test]
fn what_is_open_names_what_would_decide_it() {
    let open = || with(Verdict::Undecided, &[Verdict::Undecided]);
    let mut far = open();
    far.rows[0].in_place_pct = proofmark_stats::Estimate::around(94.0, 6.0, 900);
    far.rows[0].elsewhere.clear();
    let text = said(&[("async", far.clone()), ("jfr", far)], 1);
    let decides = "This would probably decide async and jfr, in about ";
    assert!(text.contains(decides), "{text}");
    let command = ": `proofmark dose --rounds 7 --budget 35`.";
    assert!(text.ends_with(command), "{text}");
    assert!(!text.contains("--rounds 12"), "only one option: {text}");
    let mut near = open();
    near.rows[0].in_place_pct = proofmark_stats::Estimate::around(90.0, 6.0, 900);
    let text = said(&[("jfr", near)], 1);
    let none = "This test cannot decide jfr in reasonable time (more than 8 hours). This tells more of jfr, in about ";
    assert!(text.contains(none), "{text}");
    let command = ": `proofmark dose --profiler async,jfr+nonsafepoints`.";
    assert!(text.ends_with(command), "{text}");
}

/// The same command stood there once for each profiler.
#[test]
fn a_command_that_is_for_several_profilers_is_said_once() {
    let remedy = |decides, too_long_s| Remedy {
        way: Some(Way {
            option: "--runs 6".into(),
            seconds: 200.0,
            decides,
        }),
        too_long_s,
    };
    let mut open = Open {
        way: remedy(true, None).way,
        ..Open::default()
    };
    open.add("async", &remedy(true, None));
    open.add("jfr", &remedy(false, Some(4000.0)));
    let size = size(&["async", "jfr"], 1);
    let test = Test {
        size: &size,
        margin_pt: 5.0,
        took: &took(&size, 100.0),
        again: &Again::default(),
    };
    assert_eq!(
        open.says(&test),
        "This test cannot decide jfr in reasonable time (more than one hour). This would probably decide async and tells more of \
         jfr, in about 3 min: `proofmark dose --runs 6`."
    );
}

/// Hours help nobody: they are said, and not recommended.
#[test]
fn a_remedy_that_takes_hours_is_not_recommended() {
    let mut far = with(Verdict::Undecided, &[Verdict::Undecided]);
    far.rows[0].in_place_pct = proofmark_stats::Estimate::around(94.0, 6.0, 900);
    far.rows[0].elsewhere.clear();
    let size = Size {
        methods: 1,
        ..size(&["async"], 1)
    };
    let map = BTreeMap::from([("async".to_owned(), far)]);
    let said = |seconds| {
        told(
            &map,
            &size,
            (5.0, &took(&size, seconds)),
            &Again::default(),
            &Noted::default(),
        )
        .advice
    };
    let soon = said(100.0);
    assert!(soon.contains("This would probably decide async"), "{soon}");
    let late = said(10_000.0);
    let hours = "This test cannot decide async in reasonable time (more than ";
    assert!(late.contains(hours) && late.ends_with(" hours)."), "{late}");
    assert!(!late.contains("--rounds"), "{late}");
    let [half, one, three] = [1900.0, 4000.0, 11_000.0].map(at_least);
    assert_eq!([half, one, three], ["30 minutes", "one hour", "3 hours"]);
}

#[test]
fn what_is_noted_stands_behind_the_headline_and_scatter_where_something_is_undecided() {
    let size = Size {
        methods: 1,
        ..size(&["async"], 1)
    };
    let conflict = Conflict {
        method: "A.far".into(),
        says: "Without sites both differ.".into(),
    };
    let noted = Noted {
        conflict: Some(conflict),
        untested: Some(Said::from("Not tested: A.sort.".to_owned())),
        restless: Some("Times scattered.".into()),
        ..Noted::default()
    };
    let said = |verdict: Verdict| {
        let one = with(verdict, &[verdict]);
        let map = BTreeMap::from([("async".to_owned(), one)]);
        let took = took(&size, 100.0);
        told(&map, &size, (5.0, &took), &Again::default(), &noted).advice
    };
    let right = said(Verdict::Right);
    let behind = " Not tested: A.sort. Only one JVM per profiler was asked";
    assert!(right.contains(behind), "{right}");
    assert!(!right.contains("scattered"), "{right}");
    let open = said(Verdict::Undecided);
    assert!(open.contains(" Times scattered. "), "{open}");
    assert!(open.starts_with("Without sites both differ. "), "{open}");
    let wrong = said(Verdict::Wrong);
    assert!(wrong.starts_with("async is wrong about "), "{wrong}");
    assert!(
        wrong.contains(". Without sites both differ. Not tested: "),
        "{wrong}"
    );
}
