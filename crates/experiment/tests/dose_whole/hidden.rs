//! Work of the program that is done beside the turns of a site, or takes longer beside them, and what that does to rows.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::sites::DoseOrder;
use proofmark_experiment::dose::{Attribution, DoseResult};
use proofmark_experiment::sim::SitedMethod;

use super::program::{GET, order, program, row, tested};

/// A method that is entered so often that a turn has too few steps for counting.
const HOT: &str = "com.acme.Hash.mix";

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

/// Beside long turns everything else takes half as long again: counting makes some 96 % of what the clock says. It does not know
/// the hot site; what it says of the others counts there too.
#[test]
fn what_counting_says_of_other_sites_widens_the_range_of_one_that_it_does_not_know() {
    let mut labs = program(41);
    labs.methods.push(SitedMethod {
        bytecode_pct: Some(4.0),
        ..SitedMethod::new(HOT, 100e3, 60_000)
    });
    for method in &mut labs.methods {
        method.overlaps = -0.5;
    }
    let result = tested(&labs, &order(&["right"]));
    let mut counted = 0;
    for site in &result.sites {
        match site.by_count_pct {
            Some(part) => {
                assert!(part.high < 100.0, "{site:#?}");
                counted += 1;
            }
            None => assert_eq!(site.method, HOT),
        }
    }
    assert!(counted >= 3 && counted < result.sites.len());
    let of = &result.attribution["right"];
    let (hot, own) = (row(of, HOT), row(of, GET));
    assert!(hot.truth_by_others && hot.truth_pct[0] < 99.0, "{hot:#?}");
    assert!(!own.truth_by_others && own.truth_pct[0] < 99.0, "{own:#?}");
}
