//! JVMs that are added where they would decide.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;
use proofmark_experiment::dose::sites::DoseOrder;
use proofmark_experiment::dose::{Attribution, DoseKind, DoseResult};
use proofmark_experiment::sim::{Happening, SimulatedSites, SiteFault};
use proofmark_report::{Style, dose_table};

use super::clocked::Clocked;
use super::program::{GET, PUT, order, profiler, program, right, row, tested, trouble};

const WANTED: usize = 3;
const MOST: usize = 8;

/// A profiler that is right within what is allowed: in the second JVM it is at the limit about one method, and that JVM alone cannot
/// say whether it is within.
fn varying(seed: u64) -> SimulatedSites {
    let parts = [0.105, 0.0, 0.02, 0.03, 0.01, 0.02, 0.03];
    let moves = parts.map(|part| SiteFault::MovesPart {
        part,
        from: GET.into(),
        to: PUT.into(),
    });
    varying_by(seed, (2..).zip(moves))
}

/// A profiler with these faults in its JVMs of these numbers.
fn varying_by(seed: u64, faults: impl Iterator<Item = (usize, SiteFault)>) -> SimulatedSites {
    let of_run = |(number, fault)| (format!("varies-run-{number}"), fault);
    let fault = SiteFault::InProcesses(faults.map(of_run).collect());
    let mut labs = program(seed);
    labs.profilers.push(profiler("varies", fault));
    labs
}

/// Three JVMs of each of two profilers, and up to so many. Of copies nothing is counted, so that 90 % is the limit.
fn asked(most: usize) -> DoseOrder {
    let mut asked = order(&["varies", "right"]);
    asked.kind = DoseKind::Copy;
    (asked.size.runs, asked.most_runs) = (WANTED, most);
    (asked.size.rounds, asked.size.budget_s) = (6, 0.0);
    asked
}

/// JVMs with sites and this profiler that were started.
fn started(labs: &SimulatedSites, name: &str) -> usize {
    let all = labs.started();
    all.iter().filter(|one| one.starts_with(name)).count()
}

fn in_jvms(of: &Attribution) -> (u64, usize) {
    (row(of, GET).in_place_pct.n, of.jvms.total())
}

#[test]
fn a_profiler_that_is_open_gets_more_jvms_and_one_that_is_decided_does_not() {
    let labs = varying(71);
    let result = tested(&labs, &asked(MOST));
    let of = &result.attribution["varies"];
    assert_eq!(of.verdict, Verdict::Right, "{of:#?}");
    assert_eq!(in_jvms(of), (MOST as u64, MOST));
    assert_eq!(started(&labs, "varies"), MOST);
    let other = &result.attribution["right"];
    right(other);
    assert_eq!(in_jvms(other), (WANTED as u64, WANTED));
    assert_eq!(started(&labs, "right"), WANTED);
    // Each JVM has as many windows as one of the first ones.
    let windows = |process: &str| labs.kept(process).len();
    assert!(windows("varies") > 20);
    for process in ["varies-run-2", "varies-run-4", "varies-run-8"] {
        assert_eq!(windows(process), windows("varies"), "{process}");
    }
    let replication = &result.replication;
    let added = BTreeMap::from([("varies".to_owned(), MOST - WANTED)]);
    assert_eq!((replication.runs, &replication.added), (WANTED, &added));
    let said = "; 5 more JVMs for varies, which these left undecided";
    assert!(replication.says.ends_with(said), "{}", replication.says);
    let advice = "varies is right over 8 JVMs together, ";
    assert!(result.advice.contains(advice), "{}", result.advice);
    // Those of both looks, each in its JVMs and in all together.
    let in_one = other.accusing_intervals / (WANTED + 1);
    let both = in_one * (WANTED + 1 + MOST + 1);
    assert_eq!(of.rows.len(), other.rows.len());
    assert_eq!(of.accusing_intervals, both);
}

#[test]
fn a_number_that_is_asked_for_is_exactly_that() {
    let labs = varying(71);
    let result = tested(&labs, &asked(WANTED));
    let of = &result.attribution["varies"];
    assert_eq!(of.verdict, Verdict::Undecided, "{of:#?}");
    assert_eq!(in_jvms(of), (WANTED as u64, WANTED));
    assert_eq!(started(&labs, "varies"), WANTED);
    assert!(result.replication.added.is_empty());
    let advice = &result.advice;
    assert!(advice.contains(" would probably decide varies"), "{advice}");
}

/// Everything takes so many times as long as in the simulation: longer than is usual, so that no method is left out for time.
fn slow(_: &str) -> f64 {
    3.0
}

/// Five JVMs more would take most of what was needed until then.
#[test]
fn jvms_are_not_added_for_which_there_is_no_time() {
    let first = Clocked::new(varying(71), slow).tested(&asked(WANTED));
    let within = |most_s| {
        let labs = Clocked::new(varying(71), slow);
        let result = labs.tested(&DoseOrder {
            most_s: Some(most_s),
            ..asked(MOST)
        });
        (result, started(&labs.labs, "varies"))
    };
    let (result, jvms) = within(first.seconds + 60.0);
    assert_eq!(jvms, WANTED);
    assert_eq!(result.attribution, first.attribution);
    assert!(result.seconds <= first.seconds + 60.0);
    let said =
        "there was no time for 5 more JVMs for varies, which would probably decide it".to_owned();
    let of_first = result.remarks.iter().filter(|one| **one != said);
    assert!(result.remarks.contains(&said), "{:?}", result.remarks);
    assert!(of_first.eq(&first.remarks), "{:?}", result.remarks);
    let (result, jvms) = within(10.0 * first.seconds);
    assert_eq!((jvms, &result.remarks), (MOST, &first.remarks));
}

/// With one JVM more nothing would be decided.
#[test]
fn jvms_that_would_not_decide_are_not_added() {
    let labs = varying(71);
    let result = tested(&labs, &asked(WANTED + 1));
    assert_eq!(result.attribution["varies"].verdict, Verdict::Undecided);
    assert_eq!(started(&labs, "varies"), WANTED);
}

#[test]
fn an_added_jvm_that_fails_is_named_and_the_others_are_judged() {
    let mut labs = varying(71);
    labs.troubles = vec![trouble("varies-run-5", Happening::Dies(20))];
    let result = tested(&labs, &asked(MOST));
    let of = &result.attribution["varies"];
    assert_eq!(of.verdict, Verdict::Right, "{of:#?}");
    assert_eq!(in_jvms(of), (MOST as u64 - 1, MOST - 1));
    // Only those that have a result count.
    let added = BTreeMap::from([("varies".to_owned(), MOST - WANTED - 1)]);
    assert_eq!(result.replication.added, added);
    let said = "; 4 more JVMs for varies, which these left undecided";
    let says = &result.replication.says;
    assert!(says.ends_with(said), "{says}");
    let said = "varies failed in run 5 of 8 (the JVM ended";
    assert!(result.advice.contains(said), "{}", result.advice);
    let read = dose_table(&result, Style::default());
    assert!(
        read.contains("  run 5 of 8 failed: the JVM ended"),
        "{read}"
    );
}

/// What is said where no JVM is added.
fn first_look() -> DoseResult {
    tested(&varying(71), &asked(WANTED))
}

#[test]
fn where_all_added_jvms_fail_the_first_look_stands() {
    let mut labs = varying(71);
    let runs = WANTED + 1..=MOST;
    let all = runs.map(|run| trouble(&format!("varies-run-{run}"), Happening::Dies(20)));
    labs.troubles = all.collect();
    let result = tested(&labs, &asked(MOST));
    assert_eq!(started(&labs, "varies"), MOST);
    let of = &result.attribution["varies"];
    let failed: Vec<usize> = of.failed_runs.iter().map(|one| one.run).collect();
    assert_eq!(failed, [4, 5, 6, 7, 8]);
    // Nothing was looked at again, so that no interval is wider for it.
    let alone = Attribution {
        failed_runs: Vec::new(),
        ..of.clone()
    };
    assert_eq!(alone, first_look().attribution["varies"]);
    assert!(result.replication.added.is_empty());
}

/// What is said where this happens in a JVM that is added, and the JVMs of the profiler that were started.
fn ended(process: &str, what: Happening) -> (DoseResult, usize) {
    let mut labs = varying(71);
    labs.troubles = vec![trouble(process, what)];
    let result = tested(&labs, &asked(MOST));
    (result, started(&labs, "varies"))
}

/// The user stops it, or the program fails: the verdicts of the first look are told, and why there is no other one.
#[test]
fn where_added_jvms_are_ended_the_first_look_is_told() {
    let first = first_look();
    for (process, what, interrupted, why) in [
        (
            "varies-run-5",
            Happening::IsInterrupted(3),
            true,
            "were interrupted (the output of one is in varies-run-5/jvm.log)",
        ),
        (
            "varies-run-4",
            Happening::IsRefused,
            false,
            "were given up (the workload is never hot in compiled code; its output is in varies-run-4/jvm.log)",
        ),
    ] {
        let (result, jvms) = ended(process, what);
        assert!(process.ends_with(&jvms.to_string()), "the last of {jvms}");
        assert_eq!(result.attribution, first.attribution);
        assert_eq!(result.advice, first.advice);
        let replication = &result.replication;
        assert!(replication.added.is_empty(), "{replication:?}");
        assert_eq!(replication.is_interrupted(), interrupted);
        let unfinished = replication.unfinished.as_ref().expect("they were ended");
        assert_eq!(unfinished.profilers, ["varies"]);
        assert_eq!(unfinished.each, MOST - WANTED);
        let said = format!(
            "5 more JVMs for varies {why}; the verdicts are those of the first 3 JVMs per profiler"
        );
        assert_eq!(result.remarks[0], said);
        // It is said where people read.
        let read = dose_table(&result, Style::default());
        let words: Vec<&str> = read.split_whitespace().collect();
        let note = format!("note: {said}");
        assert!(words.join(" ").contains(&note), "{read}");
    }
    assert!(!first.replication.is_interrupted() && first.replication.unfinished.is_none());
}

/// As [`varying`] in the JVMs that were wanted; in those that are added the profiler shows nothing of a method.
fn hiding_where_added() -> SimulatedSites {
    let at_the_limit = SiteFault::MovesPart {
        part: 0.105,
        from: GET.into(),
        to: PUT.into(),
    };
    let hides = SiteFault::Hides {
        from: GET.into(),
        to: PUT.into(),
    };
    let added = (WANTED + 1..=12).map(|number| (number, hides.clone()));
    varying_by(71, std::iter::once((2, at_the_limit)).chain(added))
}

/// By the first JVMs sites change nothing. By all of them they do: nine of twelve, because of the profiler alone.
#[test]
fn a_change_that_added_jvms_show_is_looked_at_once_more() {
    let second = "look-again-varies";
    for stopped in [false, true] {
        let mut labs = hiding_where_added();
        let trouble = trouble(second, Happening::IsInterrupted(2));
        labs.troubles = Some(trouble).filter(|_| stopped).into_iter().collect();
        let result = tested(&labs, &asked(12));
        let of = &result.attribution["varies"];
        assert_eq!(labs.started().last().map(String::as_str), Some(second));
        assert_eq!(of.looks, if stopped { 1 } else { 2 });
        let change = of.change.as_ref().expect("a change");
        assert!(change.voids_rows, "{change:?}");
        // Those that were added count, whatever becomes of the look.
        assert_eq!(result.replication.added["varies"], 9);
        assert_eq!(result.replication.is_interrupted(), stopped);
        let said = "a second look at the program as it is, by varies, was interrupted (the output of one is in look-again-varies/jvm.log); \
                    what sites change of what it shows is known by one look";
        assert_eq!(result.remarks[0] == said, stopped, "{:?}", result.remarks);
    }
}
