//! Wrong rows whose cause is known: it must be named, and no other.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::sites::DoseOrder;
use proofmark_experiment::dose::{AttributionRow, DoseKind, DoseResult, KEEPS_BOXES, RowCauseKind};
use proofmark_experiment::sim::{SimulatedSites, SiteFault};
use proofmark_report::{Style, dose_table};

use super::program::{GET, PUT, RUN, TAIL, order, profiler, program, row, tested};
use super::threads::parallel;

/// What is added to `get` is reported in another method.
fn moves(to: &str) -> SiteFault {
    SiteFault::MovesAdded {
        from: GET.into(),
        to: to.into(),
    }
}

/// The same in JVMs of these names only.
fn moves_in(processes: &[&str]) -> SiteFault {
    SiteFault::in_each(processes, &moves(PUT))
}

/// The program with profilers of these names and faults.
fn with(seed: u64, profilers: Vec<(&str, SiteFault)>) -> SimulatedSites {
    let mut labs = program(seed);
    let all = profilers.into_iter();
    labs.profilers
        .extend(all.map(|(name, fault)| profiler(name, fault)));
    labs
}

/// Why the row of `get` is wrong, by a profiler.
fn why(result: &DoseResult, name: &str) -> Vec<RowCauseKind> {
    let cause = get(result, name).cause.as_ref();
    cause.map_or(Vec::new(), |cause| cause.kinds.clone())
}

fn get<'a>(result: &'a DoseResult, name: &str) -> &'a AttributionRow {
    row(&result.attribution[name], GET)
}

fn says(result: &DoseResult, name: &str) -> String {
    let cause = get(result, name).cause.as_ref();
    cause.map_or(String::new(), |cause| cause.says.clone())
}

/// What the terminal shows, in one line.
fn text(result: &DoseResult) -> String {
    let text = dose_table(result, Style::default());
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn positions_that_are_missing_between_safepoints_are_found_by_the_flag() {
    for (without, with_all) in [
        ("jfr", "jfr+nonsafepoints"),
        ("jfr-cpu", "jfr-cpu+nonsafepoints"),
        ("async+attached", "async"),
    ] {
        let faults = vec![
            (without, moves(PUT)),
            (with_all, SiteFault::None),
            ("safepoint", moves(PUT)),
        ];
        let labs = with(60, faults);
        let result = tested(&labs, &order(&[without, with_all, "safepoint"]));
        assert_eq!(why(&result, without), [RowCauseKind::MissingDebugInfo]);
        let said = says(&result, without);
        let twin = format!("{with_all}, the same profiler with it, is right");
        assert!(said.contains(&twin), "{said}");
        assert_eq!(why(&result, with_all), []);
    }
}

#[test]
fn a_rule_that_takes_the_wrong_position_is_found_by_the_other_rule() {
    let labs = with(
        59,
        vec![("async+agct", moves(PUT)), ("async", SiteFault::None)],
    );
    let result = tested(&labs, &order(&["async+agct", "async"]));
    assert_eq!(why(&result, "async+agct"), [RowCauseKind::PcRule]);
    assert_eq!(why(&result, "async"), []);
}

#[test]
fn the_control_has_safepoint_bias_and_who_shows_the_same_may_have_it() {
    let faults = vec![
        ("safepoint", moves(PUT)),
        ("jfr", moves(PUT)),
        ("async", moves(PUT)),
    ];
    let labs = with(61, faults);
    let result = tested(&labs, &order(&["safepoint", "jfr", "async"]));
    assert_eq!(why(&result, "safepoint"), [RowCauseKind::SafepointBias]);
    // It has all positions, so that only when it looks can be the reason.
    assert_eq!(why(&result, "async"), [RowCauseKind::SafepointBias]);
    // Whether it lacks positions or looks at safepoints only, nobody tried.
    assert_eq!(why(&result, "jfr"), [RowCauseKind::SafepointsOnly]);
    let said = says(&result, "jfr");
    let tells = "as safepoint does; jfr+nonsafepoints would tell which";
    assert!(said.contains(tells), "{said}");
}

#[test]
fn without_the_flag_or_the_control_a_right_profiler_with_all_positions_speaks_for_both() {
    let labs = with(62, vec![("jfr", moves(PUT)), ("async", SiteFault::None)]);
    let result = tested(&labs, &order(&["jfr", "async"]));
    assert_eq!(why(&result, "jfr"), [RowCauseKind::SafepointsOnly]);
    // A profiler of which nobody says what it knows is not called blind.
    let labs = with(62, vec![("async", SiteFault::None)]);
    let result = tested(&labs, &order(&["moves", "async"]));
    assert_eq!(why(&result, "moves"), []);
}

/// As in Rhino under C2 (docs/studies/dose).
#[test]
fn debug_information_of_the_jit_is_wrong_where_two_kinds_agree_on_the_wrong_method() {
    let three = ["async", "jfr", "jfr+nonsafepoints"];
    let faults = three.map(|name| (name, moves(PUT)));
    let result = tested(&with(63, faults.into()), &order(&three));
    for name in three {
        assert_eq!(why(&result, name), [RowCauseKind::JitDebugInfo], "{name}");
        let said = says(&result, name);
        let agree = format!("async and jfr+nonsafepoints have all of it and charge {PUT}");
        assert!(said.contains(&agree), "{said}");
        // It may be that fault of C2, in a JVM of which nothing says that it has no C2.
        assert!(said.contains(KEEPS_BOXES), "{said}");
    }
    // Each in its own direction: that is not one table's fault.
    let faults = vec![("async", moves(PUT)), ("jfr+nonsafepoints", moves(RUN))];
    let result = tested(&with(64, faults), &order(&["async", "jfr+nonsafepoints"]));
    for name in ["async", "jfr+nonsafepoints"] {
        assert_eq!(why(&result, name), [], "{name}");
    }
}

#[test]
fn a_method_that_is_inlined_where_its_time_is_charged_is_named_so() {
    let mut labs = program(65);
    labs.methods[0].inlined_into = Some(PUT.into());
    let result = tested(&labs, &order(&["moves", "right"]));
    assert_eq!(why(&result, "moves"), [RowCauseKind::Inlining]);
    let said = says(&result, "moves");
    assert_eq!(said, format!("inlining: {GET} is inlined into {PUT}"));
    let cause = get(&result, "moves").cause.as_ref();
    let into = cause.and_then(|cause| cause.inlined_into.as_deref());
    assert_eq!(into, Some(PUT));
    // Into another method than the one that is charged.
    let mut labs = program(65);
    labs.methods[0].inlined_into = Some(TAIL.into());
    let result = tested(&labs, &order(&["moves", "right"]));
    assert_eq!(why(&result, "moves"), []);
}

#[test]
fn work_in_stubs_is_in_no_java_method_or_in_another_one() {
    let unnames = SiteFault::Unnames {
        kind: DoseKind::Copy,
        from: GET.into(),
    };
    let copies = SiteFault::MovesKind {
        kind: DoseKind::Copy,
        from: GET.into(),
        to: PUT.into(),
    };
    let faults = vec![("async", unnames), ("jfr+nonsafepoints", copies)];
    let asked = DoseOrder {
        kind: DoseKind::Copy,
        ..order(&["async", "jfr+nonsafepoints"])
    };
    let result = tested(&with(66, faults), &asked);
    for (name, shown) in [
        ("async", "copy is shown in no Java method".to_owned()),
        (
            "jfr+nonsafepoints",
            format!("copy runs there, and is shown in {PUT}"),
        ),
    ] {
        assert_eq!(why(&result, name), [RowCauseKind::OutsideJava], "{name}");
        assert!(says(&result, name).ends_with(&shown), "{name}");
    }
}

/// Arithmetic is the method's own code, so that its samples have lost their names.
#[test]
fn java_code_in_no_java_method_is_a_stack_that_was_not_walked() {
    let unnames = SiteFault::Unnames {
        kind: DoseKind::Arithmetic,
        from: GET.into(),
    };
    let result = tested(&with(67, vec![("async", unnames)]), &order(&["async"]));
    assert_eq!(why(&result, "async"), [RowCauseKind::FailedWalks]);
}

#[test]
fn samples_that_are_missing_are_lost_where_one_thread_works() {
    let result = tested(&program(68), &order(&["drops", "loses", "right"]));
    assert_eq!(why(&result, "drops"), [RowCauseKind::LostSamples]);
    let said = says(&result, "drops");
    assert!(said.contains("of the added time left no sample"), "{said}");
    assert_eq!(why(&result, "loses"), [], "it is right about the row");
}

/// What leaves no sample may be lost or in a thread that is not looked at: the likelier one comes first.
#[test]
fn threads_that_are_not_looked_at_and_lost_samples_are_named_together() {
    // Some 22 % are missing of what is added to the shared method: three rounds know that to 9 points only.
    let mut asked = order(&["one-thread", "right"]);
    asked.size.rounds = 12;
    let result = tested(&parallel(69, true), &asked);
    let both = [RowCauseKind::UnseenThreads, RowCauseKind::LostSamples];
    assert_eq!(why(&result, "one-thread"), both);
    let of = &result.attribution["one-thread"];
    let shared = row(of, TAIL).cause.as_ref().expect("a cause");
    let other = [RowCauseKind::LostSamples, RowCauseKind::UnseenThreads];
    assert_eq!(shared.kinds, other, "a part of its time is seen");
    assert_eq!(row(of, RUN).cause, None);
}

#[test]
fn threads_that_wait_are_found_by_the_same_profiler_by_cpu_time() {
    let planted = |mut labs: SimulatedSites| {
        labs.profilers.push(profiler("jfr", moves(RUN)));
        labs.profilers.push(profiler("jfr-cpu", SiteFault::None));
        tested(&labs, &order(&["jfr", "jfr-cpu"]))
    };
    let several = planted(parallel(70, true));
    assert_eq!(why(&several, "jfr"), [RowCauseKind::ReadyThreads]);
    let one = planted(program(70));
    assert_eq!(why(&one, "jfr"), [], "one thread waits for no other");
}

#[test]
fn a_row_that_differs_from_jvm_to_jvm_is_named_so() {
    let labs = with(71, vec![("moves-once", moves_in(&["moves-once-run-2"]))]);
    let mut asked = order(&["moves-once", "right"]);
    asked.size.runs = 3;
    let result = tested(&labs, &asked);
    assert_eq!(why(&result, "moves-once"), [RowCauseKind::DependsOnJvm]);
    let said = says(&result, "moves-once");
    assert!(said.ends_with("right in 2 and wrong in 1 JVM"), "{said}");
}

#[test]
fn all_that_fits_is_named_the_strongest_evidence_first() {
    let faults = vec![
        ("jfr", moves_in(&["jfr", "jfr-run-3"])),
        ("jfr+nonsafepoints", SiteFault::None),
    ];
    let mut labs = with(72, faults);
    labs.methods[0].inlined_into = Some(PUT.into());
    let mut asked = order(&["jfr", "jfr+nonsafepoints"]);
    asked.size.runs = 3;
    let result = tested(&labs, &asked);
    let all = [
        RowCauseKind::MissingDebugInfo,
        RowCauseKind::Inlining,
        RowCauseKind::DependsOnJvm,
    ];
    assert_eq!(why(&result, "jfr"), all);
    let text = text(&result);
    let said = says(&result, "jfr").replace(GET, "Table.get");
    let said = said.replace(PUT, "Table.put");
    assert!(text.contains(&format!("why: {said}")), "{text}");
}

/// A fault that nothing explains has no cause, and none is printed.
#[test]
fn where_nothing_explains_a_wrong_row_no_cause_is_named() {
    let labs = with(73, vec![("cmd", moves(PUT)), ("async", SiteFault::None)]);
    let result = tested(&labs, &order(&["cmd", "async", "right"]));
    let rows = result.attribution.values().flat_map(|one| &one.rows);
    assert!(rows.clone().any(|row| row.verdict == Verdict::Wrong));
    for row in rows {
        assert_eq!(row.cause, None, "{row:#?}");
    }
    let text = text(&result);
    assert!(text.contains("WRONG") && !text.contains("why:"), "{text}");
}
