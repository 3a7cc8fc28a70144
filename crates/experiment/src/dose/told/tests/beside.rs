//! Two programs that box numbers: in one sites keep the compiler's fault out, in the other they do not.

use super::market::asked;
use super::*;
use crate::dose::DoseResult;

const BESIDE: &str = include_str!(
    "../../../../../../docs/studies/verdicts/results/2026-11-27/victims/Beside-sites.json"
);
const BOXED: &str = include_str!(
    "../../../../../../docs/studies/verdicts/results/2026-11-27/victims/Boxed-sites.json"
);

fn said(result: &str) -> Told {
    let result: DoseResult = serde_json::from_str(result).expect("a result");
    let again = Again {
        command: "-- java -cp classes A".into(),
        ..Again::default()
    };
    asked(&result, &again)
}

/// Nothing said that a method with 99 % of the bytecodes was shown at 0.5 %: with sites, all profilers see it.
#[test]
fn profiles_that_are_against_the_bytecodes_are_named_though_no_row_counts() {
    let Told { advice, parts, .. } = said(BESIDE);
    let hint = "Without sites async and jfr+nonsafepoints show Beside.look at 99 % of the Java time and Beside.mix at 0.5 %, but Beside.look \
                executes 0.3 % of the counted bytecodes and Beside.mix 99 %. Probably much of that is time of Beside.mix. This is a hint \
                and no verdict: bytecodes take more or less time each, and those of the JDK are not counted. With sites, which make the \
                JVM compile otherwise, async, jfr and jfr+nonsafepoints show Beside.mix at 97 to 98 %. A known fault of the JIT compiler \
                C2 may be why, where code that is compiled together boxes numbers, as Map.get(id) does with an int: start the JVM with \
                -XX:-EliminateAutoBox and ask again about it. That was not tried, and the program may take more time where boxes are then \
                made. To ask again about Beside.mix with -XX:-EliminateAutoBox: `proofmark dose --method Beside.mix -- java \
                -XX:-EliminateAutoBox -cp classes A`.";
    assert_eq!(parts[1], hint);
    assert!(advice.contains(hint), "{advice}");
}

/// All profilers are wrong about the method for certain there.
#[test]
fn what_is_said_for_certain_is_not_hinted_at() {
    let Told { advice, parts, .. } = said(BOXED);
    let certain = "All 3 profilers are wrong about Boxed.mix (99 % of the bytecodes), in all 12";
    assert!(parts[0].starts_with(certain), "{parts:?}");
    assert!(!advice.contains("This is a hint"), "{advice}");
    let fault = "A known fault of the JIT compiler C2 ";
    assert_eq!(advice.matches(fault).count(), 1, "{advice}");
}
