//! Methods that nobody shows, in reduced forms.

use proofmark_assess::Verdict;
use proofmark_stats::Estimate;

use super::*;
use crate::dose::tests::attribution;
use crate::dose::{JvmWords, ProfileChange};

const OWN: &str = "shop.Matcher.cross";
const HELPER: &str = "java.util.ArrayDeque.inc";

/// Profilers that are wrong about these methods in both of their JVMs: all of the time is in `B.run`.
fn wrong(names: &[&str], methods: &[&str]) -> BTreeMap<String, Attribution> {
    let one = |name: &&str| {
        let mut one = attribution(Verdict::Wrong, 1.0, "B.run");
        let mut row = one.rows.remove(0);
        row.jvms = JvmWords::of([Verdict::Wrong; 2]);
        row.in_place_per_run_pct = [0.4, 1.6].map(|pct| Estimate::around(pct, 1.0, 100)).into();
        row.elsewhere[0].per_run_pct = [99.6, 98.4]
            .map(|pct| Estimate::around(pct, 1.0, 100))
            .into();
        one.rows = methods
            .iter()
            .map(|method| {
                let mut row = row.clone();
                row.method = (*method).to_owned();
                row
            })
            .collect();
        ((*name).to_owned(), one)
    };
    names.iter().map(one).collect()
}

fn counted(all: &[(&str, f64)]) -> BTreeMap<String, f64> {
    let all = all.iter();
    all.map(|(method, pct)| ((*method).to_owned(), *pct))
        .collect()
}

fn said(all: &BTreeMap<String, Attribution>, pct: &[(&str, f64)]) -> Option<String> {
    everybody(all, &counted(pct)).map(|one| one.says)
}

#[test]
fn where_the_time_goes_is_said_with_how_to_read_it() {
    let mut all = wrong(&["async", "jfr"], &[OWN]);
    let both = "Both profilers are wrong about shop.Matcher.cross (9 % of the bytecodes), in all 4 JVMs: of the time that was added \
                there, async and jfr report 98 to 100 % in B.run (read what they show there as the time of both).";
    assert_eq!(said(&all, &[(OWN, 9.4)]).as_deref(), Some(both));
    // One of them reports it in several methods.
    let jfr = all.get_mut("jfr").expect("it is there");
    jfr.rows[0].elsewhere[0].per_run_pct.truncate(1);
    let text = said(&all, &[(OWN, 9.4)]).expect("a method");
    let one = "async reports 98 to 100 % in B.run (read what it shows there as the time of both), and jfr reports 0 to 2 % in \
               shop.Matcher.cross itself.";
    assert!(text.contains(one), "{text}");
    let alone = all.get_mut("async").expect("it is there");
    alone.rows[0].elsewhere.clear();
    let text = said(&all, &[(OWN, 9.4)]).expect("a method");
    assert!(
        text.ends_with("added there, they report 0 to 2 % there."),
        "{text}"
    );
}

/// What the JVM did is said only where it was seen.
#[test]
fn inlining_is_said_where_a_row_has_it_for_a_cause() {
    let mut all = wrong(&["async", "jfr"], &["shop.A$B.<init>"]);
    let size = [("shop.A$B.<init>", 9.4)];
    let without = said(&all, &size).expect("a method");
    assert!(!without.contains("inlined"), "{without}");
    let one = all.get_mut("jfr").expect("it is there");
    one.rows[0].cause = Some(crate::dose::RowCause {
        kinds: vec![crate::dose::RowCauseKind::Inlining],
        inlined_into: Some("B.run".into()),
        ..crate::dose::RowCause::default()
    });
    let text = said(&all, &size).expect("a method");
    assert!(
        text.contains(" in B.run, into which it is inlined (read"),
        "{text}"
    );
    let option = " With -XX:CompileCommand=dontinline,'shop.A$B'::'<init>' it stays out of B.run;";
    assert!(text.contains(option), "{text}");
}

/// Leaving the compiler's fault out is tried first; the other option makes another program.
#[test]
fn a_known_fault_of_c2_comes_before_keeping_methods_apart() {
    let mut all = wrong(&["async", "jfr"], &[OWN]);
    let one = all.get_mut("jfr").expect("it is there");
    one.rows[0].cause = Some(crate::dose::RowCause {
        kinds: vec![
            crate::dose::RowCauseKind::JitDebugInfo,
            crate::dose::RowCauseKind::Inlining,
        ],
        boxing_fault: true,
        inlined_into: Some("B.run".into()),
        ..crate::dose::RowCause::default()
    });
    let text = said(&all, &[(OWN, 9.4)]).expect("a method");
    let fault = " A known fault of the JIT compiler C2 does this where code that is compiled together boxes numbers, as Map.get(id) \
                 does with an int: start the JVM with -XX:-EliminateAutoBox and ask again about it. That was not tried, and the \
                 program may take more time where boxes are then made. If that does not help: with \
                 -XX:CompileCommand=dontinline,shop.Matcher::cross it stays out of B.run; that is another program, and was not tested either.";
    assert!(text.ends_with(fault), "{text}");
}

/// What is said where this is so of one of two profilers that are wrong about the method.
fn said_with(change: fn(&mut Attribution)) -> Option<String> {
    let mut all = wrong(&["async", "jfr"], &[OWN]);
    change(all.get_mut("jfr").expect("it is there"));
    said(&all, &[(OWN, 9.4)])
}

#[test]
fn everybody_is_wrong_for_certain_in_every_jvm_or_nothing_is_said() {
    let alone = wrong(&["jfr"], &[OWN]);
    assert_eq!(said(&alone, &[(OWN, 9.4)]), None);
    assert!(said_with(|_| ()).is_some());
    let unlike: [fn(&mut Attribution); 6] = [
        |one| one.rows[0].jvms.undecided = 1,
        |one| one.rows[0].verdict = Verdict::Undecided,
        |one| one.rows[0].in_place_pct = Estimate::around(60.0, 1.0, 100),
        |one| {
            let mut row = one.rows[0].clone();
            (row.line, row.verdict) = (Some(9), Verdict::Right);
            one.rows.push(row);
        },
        |one| {
            one.change = Some(ProfileChange {
                beyond_pt: 43.0,
                voids_rows: true,
                drowned: false,
                method: "B.run".into(),
                as_it_is_pct: Estimate::around(18.0, 2.0, 900),
                with_sites_pct: Estimate::around(66.0, 2.0, 900),
            });
        },
        |one| one.rows.clear(),
    ];
    for (at, change) in unlike.into_iter().enumerate() {
        assert_eq!(said_with(change), None, "{at}");
    }
}

/// Two per cent of the user's own code are said, and helpers of the JDK where they are hot.
#[test]
fn what_is_the_users_own_comes_before_helpers_and_small_ones_are_not_said() {
    let all = wrong(&["async", "jfr"], &[HELPER, OWN]);
    let first =
        |pct: &[(&str, f64)]| everybody(&all, &counted(pct)).map(|one| one.method.to_owned());
    assert_eq!(first(&[(HELPER, 60.0), (OWN, 2.2)]).as_deref(), Some(OWN));
    assert_eq!(
        first(&[(HELPER, 60.0), (OWN, 1.2)]).as_deref(),
        Some(HELPER)
    );
    assert_eq!(first(&[(HELPER, 9.0), (OWN, 1.2)]), None);
    let text = said(&all, &[(HELPER, 60.0), (OWN, 2.2)]).expect("a method");
    let too = "They are wrong about java.util.ArrayDeque.inc too.";
    assert!(text.ends_with(too), "{text}");
}
