//! Causes that the simulated laboratory does not show, and what must not be taken for one.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;
use proofmark_stats::Estimate;

use super::*;
use crate::dose::boxing::{KEEPS_BOXES, may_have_fault};
use crate::dose::sites::{Compilation, SiteReport};
use crate::dose::tests::{attribution, jvm};
use crate::dose::{AttributionRow, JvmFacts, ThreadFacts};

/// The row of a profiler whose added time is in `B.place`.
fn moved() -> Attribution {
    attribution(Verdict::Wrong, 1.0, "B.place")
}

fn right() -> Attribution {
    attribution(Verdict::Right, 99.0, "B.place")
}

/// What explains the row of the first profiler.
fn causes(of: &[(&str, Attribution)], known: Known) -> Vec<RowCauseKind> {
    causes_with(of, known, None)
}

fn causes_with(
    of: &[(&str, Attribution)],
    known: Known,
    threads: Option<&ThreadFacts>,
) -> Vec<RowCauseKind> {
    let cause = cause_in(&jvm(), of, (known, threads));
    cause.map_or(Vec::new(), |cause| {
        assert!(!cause.says.is_empty() && !cause.kinds.is_empty());
        cause.kinds
    })
}

fn cause_in(
    jvm: &JvmFacts,
    of: &[(&str, Attribution)],
    (known, threads): (Known, Option<&ThreadFacts>),
) -> Option<RowCause> {
    let name = of[0].0.to_owned();
    let mut all: BTreeMap<String, Attribution> = of
        .iter()
        .map(|(name, one)| ((*name).to_owned(), one.clone()))
        .collect();
    let around = Around {
        known: BTreeMap::from([(name.clone(), known)]),
        jvm,
        threads,
        margin_pt: 5.0,
    };
    set_causes(&mut all, &around);
    all[&name].rows[0].cause.clone()
}

fn with(mut one: Attribution, change: impl Fn(&mut AttributionRow)) -> Attribution {
    one.rows.iter_mut().for_each(change);
    one
}

#[test]
fn a_row_that_is_not_wrong_needs_no_cause() {
    let of = |one| {
        causes(
            &[("jfr", one), ("jfr+nonsafepoints", right())],
            Known::default(),
        )
    };
    assert_eq!(of(right()), []);
    let open = with(moved(), |row| row.verdict = Verdict::Undecided);
    assert_eq!(of(open), []);
    assert_eq!(of(moved()), [RowCauseKind::MissingDebugInfo]);
}

/// More positions do not help where the JVM knows one inside of the loop anyway, or where they were tried.
#[test]
fn a_profiler_that_should_see_the_site_is_not_called_blind() {
    let of = |one, other: (&str, Attribution)| {
        causes(&[("jfr", one), ("async", right()), other], Known::default())
    };
    let control = || ("safepoint", moved());
    assert_eq!(of(moved(), control()), [RowCauseKind::SafepointsOnly]);
    let reveals = with(moved(), |row| row.reveals_itself = Some(true));
    assert_eq!(of(reveals, control()), []);
    assert_eq!(of(moved(), ("jfr+nonsafepoints", moved())), []);
    let open = with(moved(), |row| row.verdict = Verdict::Undecided);
    let open = of(moved(), ("jfr+nonsafepoints", open));
    assert_eq!(open, [RowCauseKind::SafepointsOnly]);
}

/// Two of one kind read the debug information by the same code; and two of different kinds may err each in its own way.
#[test]
fn wrong_debug_information_needs_two_kinds_and_one_direction() {
    let of = |other: (&str, Attribution)| causes(&[("async", moved()), other], Known::default());
    let flagged = "jfr+nonsafepoints";
    assert_eq!(of((flagged, moved())), [RowCauseKind::JitDebugInfo]);
    assert_eq!(of(("async-ctimer", moved())), []);
    assert_eq!(of(("jfr", moved())), []);
    let elsewhere = attribution(Verdict::Wrong, 1.0, "B.other");
    assert_eq!(of((flagged, elsewhere)), []);
    let little = with(moved(), |row| {
        row.elsewhere[0].pct = Estimate::around(9.0, 1.0, 100);
    });
    assert_eq!(of((flagged, little)), []);
}

/// C2 does that where code boxes numbers; whether this code does is said only where it was seen, and the option only where it is new.
#[test]
fn a_known_fault_of_c2_is_named_in_a_jvm_that_may_have_it() {
    let said = |options: &[&str], units: Units| {
        let jvm = JvmFacts {
            options: options.iter().map(|one| (*one).to_owned()).collect(),
            ..jvm()
        };
        let both = [("async", moved()), ("jfr+nonsafepoints", moved())];
        let known = Known {
            units,
            ..Known::default()
        };
        let cause = cause_in(&jvm, &both, (known, None)).expect("a cause");
        assert!(cause.kinds.contains(&RowCauseKind::JitDebugInfo));
        assert_eq!(cause.boxing_fault, may_have_fault(&jvm));
        cause.says
    };
    let nothing_seen = said(&[], Units::default());
    let may = "wrong debug information of the JIT compiler: async and jfr+nonsafepoints have all of it and charge B.place (a known fault \
               of the compiler C2 does this to code that is compiled together, if it boxes numbers: start the JVM with \
               -XX:-EliminateAutoBox, which was not tried)";
    assert_eq!(nothing_seen, may);
    let report = SiteReport {
        compiled: vec![Compilation {
            ns: 1,
            inside: [0, 1].into(),
            inlined: [1].into(),
            revealed: [].into(),
        }],
        ..SiteReport::default()
    };
    let units = Units::of(&[report], &["A.get", "java.lang.Integer.valueOf"]);
    let seen = said(&[], units);
    let boxes = ", where it boxes numbers, as java.lang.Integer.valueOf does here: start";
    assert!(seen.contains(boxes), "{seen}");
    let tried = said(&[KEEPS_BOXES], Units::default());
    assert!(tried.ends_with(" charge B.place"), "{tried}");
}

/// Another site is another row.
#[test]
fn rows_are_compared_at_the_same_site() {
    let other = with(right(), |row| row.place = "loop 1".into());
    let of = causes(
        &[("jfr", moved()), ("jfr+nonsafepoints", other)],
        Known::default(),
    );
    assert_eq!(of, []);
}

/// What a profiler says that it lost explains a row only where its samples may be those that are missing.
#[test]
fn samples_that_it_says_it_lost_explain_what_they_are_enough_for() {
    let lost = |part: f64, missing: Option<f64>| {
        let one = with(moved(), |row| {
            row.in_place_pct = Estimate::around(60.0, 2.0, 100);
            row.elsewhere.clear();
            row.missing_pct = missing.map(|pct| Estimate::around(pct, 5.0, 100));
        });
        let known = Known {
            lost_part: part,
            ..Known::default()
        };
        causes(&[("moves", one)], known)
    };
    assert_eq!(lost(0.3, None), [RowCauseKind::LostSamples]);
    assert_eq!(lost(0.3, Some(8.0)), [RowCauseKind::LostSamples]);
    assert_eq!(lost(0.3, Some(0.0)), [], "none of the added time's");
    assert_eq!(lost(0.15, None), [], "too few");
}

#[test]
fn samples_of_the_programs_own_time_may_be_lost_before() {
    let one = |missing: f64| {
        let one = with(moved(), |row| {
            row.in_place_pct = Estimate::around(130.0, 3.0, 100);
            row.elsewhere.clear();
            row.missing_pct = Some(Estimate::around(missing, 5.0, 100));
        });
        causes(&[("jfr", one)], Known::default())
    };
    assert_eq!(one(-30.0), [RowCauseKind::LostSamples]);
    assert_eq!(one(0.0), []);
}

/// Where one thread does the work, none is overlooked; and shares that other methods take of what is missing are no charge.
#[test]
fn threads_explain_missing_samples_only_where_there_are_several() {
    let one = with(moved(), |row| {
        row.missing_pct = Some(Estimate::around(97.0, 5.0, 100));
    });
    let of = |busiest_pct: f64| {
        let threads = ThreadFacts {
            busy: 5,
            busiest_pct,
            others_pct: BTreeMap::new(),
        };
        let known = Known {
            missing: vec![true],
            ..Known::default()
        };
        causes_with(&[("async", one.clone())], known, Some(&threads))
    };
    assert_eq!(of(99.0), [RowCauseKind::LostSamples]);
    let both = [RowCauseKind::UnseenThreads, RowCauseKind::LostSamples];
    assert_eq!(of(26.0), both);
}

/// In the order in which they are named.
#[test]
fn every_cause_has_words_of_its_own_and_its_place() {
    let all = [
        RowCauseKind::MissingDebugInfo,
        RowCauseKind::PcRule,
        RowCauseKind::ReadyThreads,
        RowCauseKind::SafepointBias,
        RowCauseKind::OutsideJava,
        RowCauseKind::UnseenThreads,
        RowCauseKind::LostSamples,
        RowCauseKind::JitDebugInfo,
        RowCauseKind::SafepointsOnly,
        RowCauseKind::FailedWalks,
        RowCauseKind::Inlining,
        RowCauseKind::DependsOnJvm,
    ];
    assert!(all.is_sorted());
    let mut said = all.map(RowCauseKind::says);
    said.sort_unstable();
    assert!(said.windows(2).all(|two| two[0] != two[1]));
}
