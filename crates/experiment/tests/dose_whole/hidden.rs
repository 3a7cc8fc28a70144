//! Work of the program that is done beside the turns of a site, and what that does to rows.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::sites::DoseOrder;
use proofmark_experiment::dose::{Attribution, DoseResult};

use crate::program::{GET, order, program, row, tested};

/// All of the program's own work is done beside long turns. The margin is so small that by the clock alone a right profiler would be
/// wrong.
fn overlapping(profilers: &[&str]) -> DoseResult {
    let mut labs = program(40);
    for method in &mut labs.methods {
        method.overlaps = 1.0;
    }
    let asked = DoseOrder {
        margin_pt: 2.0,
        ..order(profilers)
    };
    tested(&labs, &asked)
}

fn most_in_place(of: &Attribution) -> f64 {
    of.rows
        .iter()
        .map(|row| row.in_place_pct.low)
        .fold(0.0, f64::max)
}

#[test]
fn a_right_profiler_shows_more_in_place_than_the_program_grew_by_and_is_right() {
    let result = overlapping(&["right"]);
    let of = &result.attribution["right"];
    assert!(
        most_in_place(of) > 104.0,
        "beyond twice the margin: {of:#?}"
    );
    for row in &of.rows {
        let [low, high] = row.truth_pct;
        assert!(low <= 100.0 && high > 104.0 && high < 116.0, "{row:#?}");
    }
    assert!(of.certified && of.verdict == Verdict::Right, "{of:#?}");
}

#[test]
fn what_may_be_hidden_excuses_no_misattribution() {
    let result = overlapping(&["right", "moves"]);
    let of = &result.attribution["moves"];
    assert_eq!(of.verdict, Verdict::Wrong, "{of:#?}");
    assert_eq!(row(of, GET).verdict, Verdict::Wrong);
}
