//! Profilers, processes and programs that fail: each is told as what it was.

use std::collections::BTreeSet;
use std::sync::Mutex;

use proofmark_assess::Verdict;
use proofmark_experiment::dose::DoseResult;
use proofmark_experiment::dose::sites::{DoseError, run};
use proofmark_experiment::sim::{Happening, SimulatedSites, SiteFault};
use proofmark_experiment::{Failure, LabError, Progress};
use proofmark_report::{Style, dose_table};

use super::program::{
    GET, PUT, RUN, order, profiler, program, refused, right, row, tested, trouble,
};

#[test]
fn profilers_that_die_are_named_and_the_others_are_judged() {
    let mut labs = program(4);
    labs.profilers.push(profiler("frail", SiteFault::None));
    labs.profilers.push(profiler("faint", SiteFault::None));
    labs.troubles = vec![
        trouble("frail", Happening::Dies(40)),
        trouble("look-faint", Happening::Dies(2)),
    ];
    let result = tested(&labs, &order(&["dead", "frail", "faint", "right"]));
    let failed: Vec<&str> = result.failed.keys().map(String::as_str).collect();
    assert_eq!(failed, ["dead", "faint", "frail"]);
    assert!(result.failed["dead"].contains("cannot be loaded"));
    for name in ["faint", "frail"] {
        assert!(result.failed[name].contains("the JVM ended"), "{name}");
    }
    let judged: Vec<&String> = result.attribution.keys().collect();
    assert_eq!(judged, ["right"]);
    right(&result.attribution["right"]);
    // One that failed when it looked gets no JVM with sites.
    let started = labs.started();
    assert!(started.contains(&"frail".into()) && !started.contains(&"faint".into()));
}

/// Three JVMs of two profilers, of which these come to grief.
fn with_grief(processes: &[&str]) -> (DoseResult, Vec<String>) {
    let mut labs = program(16);
    let all = processes.iter();
    let all = all.map(|name| trouble(name, Happening::Dies(20)));
    labs.troubles = all.collect();
    let mut asked = order(&["right", "moves"]);
    asked.size.runs = 3;
    let result = tested(&labs, &asked);
    (result, labs.started())
}

#[test]
fn a_profiler_that_fails_in_one_of_three_jvms_is_judged_by_the_others() {
    for run in [1, 2, 3] {
        let name = match run {
            1 => "right".to_owned(),
            run => format!("right-run-{run}"),
        };
        let (result, started) = with_grief(&[&name]);
        let of = &result.attribution["right"];
        right(of);
        assert_eq!((of.jvms.right, of.jvms.total()), (2, 2), "{of:#?}");
        let [failed] = of.failed_runs.as_slice() else {
            panic!("{of:#?}");
        };
        assert_eq!(failed.run, run);
        assert!(failed.reason.contains("the JVM ended"), "{failed:?}");
        assert_eq!(failed.log, Some(format!("{name}/jvm.log")));
        let said = format!("right failed in run {run} of 3 (the JVM ended");
        assert!(result.advice.contains(&said), "{}", result.advice);
        for row in &of.rows {
            assert_eq!((row.unknown_runs, row.in_place_pct.n), (0, 2), "{row:#?}");
        }
        // It is said where people read.
        let read = dose_table(&result, Style::default());
        assert!(
            read.contains(&format!("  run {run} of 3 failed: the JVM ended")),
            "{read}"
        );
        assert!(read.contains(&format!("{name}/jvm.log")), "{read}");
        assert_eq!(
            started
                .iter()
                .filter(|one| one.starts_with("right"))
                .count(),
            3
        );
        let of = &result.attribution["moves"];
        assert_eq!((of.jvms.total(), of.failed_runs.len()), (3, 0));
    }
}

#[test]
fn with_fewer_than_two_jvms_left_a_profiler_is_not_judged_and_each_is_named() {
    let (result, started) = with_grief(&["right", "right-run-2"]);
    assert!(!result.attribution.contains_key("right"));
    let why = &result.failed["right"];
    for run in ["run 1 of 3: the JVM ended", "run 2 of 3: the JVM ended"] {
        assert!(why.contains(run), "{why}");
    }
    assert!(
        why.contains("its output is in right-run-2/jvm.log"),
        "{why}"
    );
    assert!(why.ends_with("it is not judged"), "{why}");
    // The third one could not make two.
    assert!(!started.contains(&"right-run-3".into()), "{started:?}");
    assert_eq!(result.attribution["moves"].jvms.total(), 3);
}

#[test]
fn if_all_profilers_fail_there_is_no_result() {
    let mut labs = program(4);
    labs.troubles = vec![trouble("look-right", Happening::Dies(0))];
    match refused(&labs, &order(&["dead", "right"])) {
        DoseError::Cannot(text) => {
            assert!(text.contains("dead: dead cannot be loaded"), "{text}");
            assert!(text.contains("; right: the JVM ended"), "{text}");
        }
        other => panic!("{other:?}"),
    }
    // Nothing was put into the program for nobody.
    assert_eq!(labs.started(), ["look-dead", "look-right"]);
}

#[test]
fn where_no_method_takes_a_site_the_reasons_are_told() {
    let mut labs = program(5);
    for method in &mut labs.methods {
        method.refused = Some("the method is native".into());
    }
    labs.methods[1].refused = None;
    // Reached too seldom for any loop to slow the program.
    (labs.methods[1].entries, labs.methods[1].in_loop) = (1, 0);
    match refused(&labs, &order(&["right"])) {
        DoseError::Cannot(text) => {
            let begin = format!("no method can be tested: {RUN}: the method is native; ");
            assert!(text.starts_with(&begin), "{text}");
            let rare = format!("{PUT}: a loop in it hardly slows the program");
            assert!(text.contains(&rare), "{text}");
        }
        other => panic!("{other:?}"),
    }
}

/// With the site of one method no other one of the class has any.
#[test]
fn a_class_that_the_verifier_refuses_is_named_and_the_rest_is_judged() {
    let mut labs = program(6);
    let reason =
        "the JVM's verifier refuses its class with sites in it, and so the class is left alone";
    for method in &mut labs.methods {
        let of_class = [GET, PUT].contains(&method.name.as_str());
        method.refused = of_class.then(|| reason.to_owned());
    }
    let result = tested(&labs, &order(&["right"]));
    for name in [GET, PUT] {
        let left_out = result.left_out.iter().find(|one| one.method == name);
        assert_eq!(left_out.expect(name).reason, reason);
        // Both are hot.
        let untested = result.untested.iter().find(|one| one.method == name);
        assert_eq!(untested.expect(name).reason, reason);
    }
    let judged = row(&result.attribution["right"], RUN);
    assert_eq!(judged.verdict, Verdict::Right);
}

/// As one does that is over before it has done anything.
#[test]
fn a_program_whose_methods_take_no_time_is_refused_with_the_reason() {
    let mut labs = program(7);
    labs.outside_ns = 1e6;
    for method in &mut labs.methods {
        method.own_ns = 10.0;
        method.bytecode_pct = None;
    }
    match refused(&labs, &order(&["right"])) {
        DoseError::Cannot(text) => {
            let begin = "no method can be tested: none has 2 % of the time";
            assert!(text.starts_with(begin), "{text}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_method_is_named_with_its_class() {
    let mut asked = order(&["right"]);
    asked.named = vec!["run".into()];
    match refused(&program(5), &asked) {
        DoseError::Usage(text) => assert!(text.starts_with("--method run: write the class")),
        other => panic!("{other:?}"),
    }
}

#[test]
fn failures_of_the_program_and_of_processes_without_a_profiler_end_the_test() {
    let failure = |process: &str, what, at_once| {
        let mut labs = program(15);
        labs.processors = 8;
        labs.troubles = vec![trouble(process, what)];
        let mut asked = order(&["right", "moves"]);
        asked.size.at_once = at_once;
        (refused(&labs, &asked), labs.started())
    };
    let died = [
        ("doses", Happening::Dies(3), Failure::Died),
        ("executions", Happening::IsRefused, Failure::Refused),
        ("plain", Happening::Dies(3), Failure::Died),
        ("plain", Happening::Dies(0), Failure::Died),
        ("rest", Happening::IsRefused, Failure::Refused),
        ("rest", Happening::Dies(3), Failure::Died),
        ("rest", Happening::Dies(9), Failure::Died),
    ];
    for (process, what, failed) in died {
        // What sites cost is measured in one process after the other, or in both at the same time.
        for at_once in [1, 2] {
            let case = format!("{process}, {what:?}, {at_once} at once");
            let (refused, started) = failure(process, what.clone(), at_once);
            assert_eq!(named(refused), (failed, log(process)), "{case}");
            assert!(!started.contains(&"right".into()), "{case}");
        }
    }
    // The user's wish to stop is no profiler's failure, and nobody asks for the output.
    for process in ["look-right", "doses", "rest", "right"] {
        let (refused, started) = failure(process, Happening::IsInterrupted(5), 1);
        match refused {
            DoseError::Lab(error) => assert_eq!(error.failure, Failure::Interrupted, "{process}"),
            other => panic!("{process}: {other:?}"),
        }
        assert!(!started.contains(&"moves".into()), "{process}");
    }
}

/// How the program failed, and the file that is named for it.
fn named(refused: DoseError<LabError>) -> (Failure, String) {
    match refused {
        DoseError::Program { error, log } => (error.failure, log),
        other => panic!("{other:?}"),
    }
}

/// The file with the output of a process of this name.
fn log(process: &str) -> String {
    format!("{process}/jvm.log")
}

/// Most programs that fail do so where they run first.
#[test]
fn where_the_program_fails_while_a_profiler_looks_its_output_is_named_and_no_other_looks() {
    let mut labs = program(16);
    labs.troubles = vec![trouble("look-right", Happening::IsRefused)];
    let refused = refused(&labs, &order(&["right", "moves"]));
    assert_eq!(named(refused), (Failure::Refused, log("look-right")));
    assert_eq!(labs.started(), ["look-right"]);
}

/// Beside others a program may lack memory, or a port: it is tried alone before it is believed to fail.
#[test]
fn what_fails_while_others_look_is_looked_at_alone() {
    let mut labs = program(17);
    labs.processors = 8;
    labs.troubles = vec![trouble("look-moves", Happening::Dies(2))];
    let mut asked = order(&["right", "moves", "drops", "copies"]);
    asked.size.at_once = 2;
    let looks = |labs: &SimulatedSites| {
        let all = labs.started().into_iter();
        let all = all.filter_map(|name| name.strip_prefix("look-").map(str::to_owned));
        all.collect::<Vec<String>>()
    };
    // It is the profiler's failure.
    let result = tested(&labs, &asked);
    let failed: Vec<&String> = result.failed.keys().collect();
    assert_eq!(failed, ["moves"]);
    assert_eq!(looks(&labs), ["right", "moves", "moves", "drops", "copies"]);
    // It is the program's.
    let mut labs = program(17);
    labs.processors = 8;
    labs.troubles = vec![trouble("look-moves", Happening::IsRefused)];
    let refused = refused(&labs, &asked);
    assert_eq!(named(refused), (Failure::Refused, log("look-moves")));
    assert_eq!(looks(&labs), ["right", "moves", "moves"]);
}

#[test]
fn windows_in_which_a_method_is_compiled_do_not_count() {
    let mut labs = program(11);
    labs.troubles = vec![trouble("right", Happening::ReplacesCode(9))];
    let result = tested(&labs, &order(&["right"]));
    right(&result.attribution["right"]);
    let of = &result.attribution["right"];
    let void: usize = of.rows.iter().map(|row| row.void_windows).sum();
    assert!(void > 2, "{of:#?}");
    labs.troubles = vec![trouble("right", Happening::ReplacesCode(1))];
    let nothing = tested(&labs, &order(&["right"]));
    let of = &nothing.attribution["right"];
    assert_eq!((of.rows.len(), of.verdict), (0, Verdict::Undecided));
    let reasons = nothing.left_out.iter().map(|one| one.reason.as_str());
    let reasons: BTreeSet<&str> = reasons.collect();
    assert!(
        (reasons.iter()).all(|one| one.contains("under right methods with sites were compiled")),
        "{reasons:?}"
    );
    assert!(nothing.advice.contains("no site has a row"));
}

/// Every third window is void: of some sites fewer than two pairs are left, though fewer than half of their windows are void.
/// That says nothing of the profiler, which saw all of it.
#[test]
fn windows_that_do_not_count_are_no_windows_without_samples() {
    let mut labs = program(11);
    labs.troubles = vec![trouble("right", Happening::ReplacesCode(3))];
    let mut asked = order(&["right"]);
    (asked.size.rounds, asked.size.budget_s) = (2, 0.0);
    let result = tested(&labs, &asked);
    let reasons: Vec<&str> = (result.left_out.iter())
        .map(|one| one.reason.as_str())
        .collect();
    assert!(!reasons.is_empty(), "{:#?}", result.attribution);
    let begin = "under right methods with sites were compiled in ";
    assert!(reasons.iter().all(|one| one.contains(begin)), "{reasons:?}");
}

/// An evaluation tests one program after the other, in one process.
#[test]
fn a_test_takes_the_time_since_it_began() {
    let late = Late(Mutex::new(5000.0));
    let result = run(&program(11), &order(&["right"]), &late).expect("a result");
    // As many seconds as it looked at the clock, and not those before it.
    assert!((1.0..100.0).contains(&result.seconds), "{}", result.seconds);
}

/// Each look at the clock is a second later than the one before.
struct Late(Mutex<f64>);

impl Progress for Late {
    fn stage(&self, _name: &str) {}

    fn step(&self, _text: &str) {}

    fn note(&self, _text: &str) {}

    fn expect(&self, _seconds: f64) {}

    fn elapsed_s(&self) -> f64 {
        let mut seen = self.0.lock().expect("the time");
        *seen += 1.0;
        *seen
    }
}

/// Growth of the program under the high dose, %, by profiler and method, where this happens in the JVM of one profiler.
fn growth_where(what: Happening) -> Vec<(String, f64)> {
    let mut labs = program(23);
    labs.troubles = vec![trouble("right", what)];
    let result = tested(&labs, &order(&["right"]));
    let rows = result.attribution["right"].rows.iter();
    let growth = rows.map(|row| (row.method.clone(), row.growth_pct[1]));
    growth.collect()
}

/// Doses are found by the time that the program usually takes.
#[test]
fn doses_are_found_by_more_than_one_look_at_the_program() {
    let usual = growth_where(Happening::ReplacesCode(1000));
    assert!(!usual.is_empty());
    for what in [Happening::BeginsSlowly, Happening::SettlesLate] {
        for ((method, usual), (same, found)) in usual.iter().zip(growth_where(what.clone())) {
            assert_eq!(*method, same);
            let part = found / usual;
            assert!(
                (0.6..1.6).contains(&part),
                "{what:?} {method}: {found} {usual}"
            );
        }
    }
}
