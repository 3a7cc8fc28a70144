//! A stranger's program, in which nobody shows one of his own methods and no profiler is right.

use super::*;
use crate::dose::conflict::{MethodShares, conflict};
use crate::dose::finding::against;
use crate::dose::{Accused, AccusedBy, DoseResult, RowCauseKind};

const MARKET: &str =
    include_str!("../../../../../../docs/studies/strangers/2026-11-27/market.json");

fn market() -> DoseResult {
    serde_json::from_str(MARKET).expect("a result")
}

/// All that is said of it today.
fn today(result: &DoseResult) -> Told {
    asked(result, &Again::default())
}

/// The same, which is asked for again so.
pub(super) fn asked(result: &DoseResult, again: &Again) -> Told {
    let counted = result.methods.iter();
    let counted = counted.filter_map(|one| Some((one.name.clone(), one.bytecode_pct?)));
    let shares = result.methods.iter().map(|one| MethodShares {
        method: &one.name,
        shares: &one.shares_pct,
        bytecode_pct: one.bytecode_pct,
    });
    let noted = Noted {
        counted_pct: counted.collect(),
        as_it_is: result.all_as_it_is(),
        against: against(shares.clone(), &result.attribution, &result.jvm),
        conflict: conflict(shares, &result.attribution, result.margin_pt),
        ..Noted::default()
    };
    let size = size(&["async", "jfr", "jfr+nonsafepoints"], 4);
    told(
        &result.attribution,
        &size,
        (result.margin_pt, &took(&size, result.seconds)),
        again,
        &noted,
    )
}

/// It began with `ArrayDeque.inc`, a helper of the JDK, and advised flags with which JFR is undecided.
#[test]
fn his_own_method_comes_first_and_nothing_undecided_is_called_the_cure() {
    let Told { advice, parts, .. } = today(&market());
    let everybody = "All 3 profilers are wrong about shop.Matcher.cross (2 % of the bytecodes), in all 12 JVMs: of the time that was added \
                     there, async and jfr+nonsafepoints report 95 to 100 % in shop.Matcher.submit, into which it is inlined (read what \
                     they show there as the time of both), and jfr reports 0 % in shop.Matcher.cross itself. With \
                     -XX:CompileCommand=dontinline,shop.Matcher::cross it stays out of shop.Matcher.submit; that is another program, \
                     and was not tested.";
    let jfr = "jfr is wrong about shop.Parser.number: of the time that was added there, it reports 57 to 63 % in shop.Parser.parse (it is \
               wrong about 5 more methods too); no profiler that was tried is right here.";
    let conflict = "Without sites jfr shows shop.Matcher.depth at 38 % of the Java time, async at 22 % and jfr+nonsafepoints at 16 %. At \
                    least one of them is wrong, or their JVMs ran different code; this test cannot tell which. shop.Matcher.depth \
                    executes 58 % of the bytecodes, which take more or less time each.";
    let now = "Until more is known, use async: it is undecided, but right about 10 of the 12 methods tested (though shop.Matcher.depth is \
               in doubt). About shop.Ledger.mix and shop.Matcher.cross, whose time it shows in shop.Matcher.submit, use nobody's share. \
               jfr+nonsafepoints (jfr with -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints) is right about the same methods.";
    assert_eq!(parts[0], [everybody, jfr, conflict, now].join(" "));
    assert!(advice.starts_with(&parts[0]), "{advice}");
    // The method with most of the bytecodes is shown by all.
    assert!(!advice.contains("This is a hint"), "{advice}");
}

/// Who reads the result must find them without its words.
#[test]
fn whom_and_what_it_is_about_is_known_beside_the_words() {
    let mut result = market();
    let accused = Accused {
        profiler: "jfr".into(),
        by: AccusedBy::AddedTime,
        method: Some("shop.Parser.number".into()),
    };
    let about = AdviceAbout {
        all_wrong_about: Some("shop.Matcher.cross".into()),
        accused: Some(accused),
        sentences_before: 2,
        changed: None,
    };
    assert_eq!(today(&result).about, about);
    // Nobody is called wrong: nothing stands before that.
    let jfr = result.attribution.get_mut("jfr").expect("it is there");
    jfr.verdict = Verdict::Undecided;
    let about = today(&result).about;
    let said = about.all_wrong_about.as_deref();
    assert_eq!((said, about.accused), (Some("shop.Matcher.cross"), None));
    assert_eq!(about.sentences_before, 0);
}

/// With what is known of such a row today.
#[test]
fn a_known_fault_of_the_compiler_is_named_with_the_command_that_leaves_it_out() {
    let mut result = market();
    let rows = result.attribution.values_mut();
    for row in rows.flat_map(|one| &mut one.rows) {
        let cause = row.cause.as_mut();
        let wrong = |kinds: &[RowCauseKind]| kinds.contains(&RowCauseKind::JitDebugInfo);
        if let Some(cause) = cause.filter(|cause| wrong(&cause.kinds)) {
            cause.boxing_fault = true;
        }
    }
    let again = Again {
        command: "-- java -cp classes shop.Market 30000".into(),
        ..Again::default()
    };
    let Told { advice, parts, .. } = asked(&result, &again);
    let fault = "shop.Matcher.cross itself. A known fault of the JIT compiler C2 does this where code that is compiled together boxes \
                 numbers, as Map.get(id) does with an int: start the JVM with -XX:-EliminateAutoBox and ask again about it. That \
                 was not tried, and the program may take more time where boxes are then made. If that does not help: with \
                 -XX:CompileCommand=dontinline,shop.Matcher::cross it stays out of shop.Matcher.submit; that is another program, and \
                 was not tested either. jfr is wrong about";
    assert!(parts[0].contains(fault), "{parts:?}");
    let command = "To ask again about shop.Matcher.cross with -XX:-EliminateAutoBox: `proofmark dose --method shop.Matcher.cross -- java \
                   -XX:-EliminateAutoBox -cp classes shop.Market 30000`.";
    assert_eq!(parts[1], command);
    assert!(advice.starts_with(&parts[..2].join(" ")), "{advice}");
}

/// A profiler that shows the method keeps everybody from being wrong about it.
#[test]
fn what_one_profiler_sees_is_no_longer_first() {
    let mut result = market();
    let one = result.attribution.get_mut("jfr").expect("it is there");
    let mut rows = one.rows.iter_mut();
    let row = rows.find(|row| row.method == "shop.Matcher.cross");
    row.expect("a row").jvms = JvmWords {
        right: 1,
        wrong: 3,
        undecided: 0,
    };
    let said = today(&result).advice;
    assert!(said.starts_with("jfr is wrong about shop."), "{said}");
}
