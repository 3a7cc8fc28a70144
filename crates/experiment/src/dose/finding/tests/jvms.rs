//! What is said of rows whose JVMs differ.

use super::*;
use crate::dose::Elsewhere;

/// The figures of JVMs that differ are said, and not their mean, which is none's.
#[test]
fn of_a_row_that_is_wrong_in_some_jvms_their_figures_are_said() {
    use Verdict::{Right, Undecided, Wrong};
    let with = |words: &[Verdict], in_place: &[f64], unknown_runs: usize| {
        let mut one = profiler(Wrong, 66.7, 15.0);
        one.rows[0].jvms = JvmWords::of(words.iter().copied());
        one.rows[0].unknown_runs = unknown_runs;
        let each = in_place.iter();
        let each = each.map(|value| Estimate::around(*value, 2.0, 100));
        one.rows[0].in_place_per_run_pct = each.collect();
        one
    };
    let advised = |one: Attribution| advice(&map(&[("async", one)]), 5.0);
    let said = |words: &[Verdict], in_place: &[f64], unknown_runs: usize| {
        advised(with(words, in_place, unknown_runs))
    };
    let differ = said(&[Right, Wrong, Right], &[100.0, 0.0, 99.0], 0);
    let part = "of the time that was added there, it reports 0 % there in 1 of 3 JVMs; no profiler";
    assert!(differ.contains(part), "{differ}");
    let words = [Right, Wrong, Undecided, Wrong];
    let differ = said(&words, &[100.0, -0.4, 91.0, 23.0], 0);
    let part = "it reports 0 to 23 % there in 2 of 4 JVMs; no profiler";
    assert!(differ.contains(part), "{differ}");
    // Four were asked, and one could not tell.
    let differ = said(&[Right, Wrong, Right], &[100.0, 0.0, 99.0], 1);
    let part = "it reports 0 % there in 1 of the 3 JVMs that had a row; no profiler";
    assert!(differ.contains(part), "{differ}");
    // Nothing is known of each.
    let differ = said(&[Right, Wrong, Right], &[], 0);
    let part = "it reports a wrong part there in 1 of 3 JVMs; no profiler";
    assert!(differ.contains(part), "{differ}");
    // What is reported is in place, and the rest was not seen.
    let mut unseen = with(&[Right, Wrong, Right], &[100.0, 97.0, 99.0], 0);
    unseen.rows[0].missing_pct = Some(Estimate::around(12.0, 4.0, 3));
    let unseen = advised(unseen);
    let part = "it leaves a part without a sample in 1 of 3 JVMs; no profiler";
    assert!(unseen.contains(part), "{unseen}");
}

/// The mean over JVMs that report the time in different methods is the figure of none.
#[test]
fn of_a_row_that_is_wrong_in_all_jvms_the_receivers_are_said() {
    use Verdict::{Undecided, Wrong};
    const PLACES: &str = "Queens.setRowColumn";
    let said = |words: &[Verdict], receivers: &[(&str, f64, &[f64])], unknown_runs: usize| {
        let mut one = profiler(Wrong, 41.4, 15.0);
        let row = &mut one.rows[0];
        row.jvms = JvmWords::of(words.iter().copied());
        row.unknown_runs = unknown_runs;
        let part = |pct: &f64| Estimate::around(*pct, 1.0, 100);
        let all = receivers.iter().map(|(method, mean, each)| Elsewhere {
            method: (*method).into(),
            pct: part(mean),
            per_run_pct: each.iter().map(part).collect(),
        });
        row.elsewhere = all.collect();
        advice(&map(&[("async", one)]), 5.0)
    };
    let differ: [(&str, f64, &[f64]); 2] = [
        (GET, 50.3, &[100.2, 99.8]),
        (PLACES, 8.3, &[17.8, -3.0, 15.4]),
    ];
    let four = said(&[Wrong; 4], &differ, 0);
    let part = "added there, it reports 100 % in Queens.getRowColumn in 2 of 4 JVMs and 15 to 18 % in \
                Queens.setRowColumn in 2; no";
    assert!(four.contains(part), "{four}");
    // No JVM by itself, but all together.
    let open = said(&[Undecided; 4], &differ[..1], 0);
    let part = "it reports 100 % in Queens.getRowColumn in 2 of 4 JVMs; no";
    assert!(open.contains(part), "{open}");
    let had = said(&[Wrong; 3], &differ[..1], 1);
    let part = "it reports 100 % in Queens.getRowColumn in 2 of the 3 JVMs that had a row; no";
    assert!(had.contains(part), "{had}");
    // The same one in all of them.
    let agree: [(&str, f64, &[f64]); 2] = [(GET, 97.7, &[98.2, 97.8, 97.9]), (PLACES, 2.3, &[2.1])];
    let same = said(&[Wrong; 3], &agree, 1);
    let part = "it reports 98 % in Queens.getRowColumn; no";
    assert!(same.contains(part), "{same}");
    let wide = said(&[Wrong; 3], &[(GET, 69.0, &[98.0, 40.0, 69.0])], 0);
    let part = "it reports 40 to 98 % in Queens.getRowColumn; no";
    assert!(wide.contains(part), "{wide}");
    // Nothing is known of each.
    let mean = said(&[Wrong; 3], &[(GET, 33.0, &[])], 1);
    let part = "it reports 33 % in Queens.getRowColumn in the mean over 3 JVMs; no";
    assert!(mean.contains(part), "{mean}");
    let nowhere = said(&[Wrong; 3], &[], 0);
    let part = "it shows 41 % in the mean over 3 JVMs; no";
    assert!(nowhere.contains(part), "{nowhere}");
}

/// A share of 30 % of which 40 may be missing, or 2, and one of 5 % of which all is.
#[test]
fn of_two_wrong_methods_the_one_that_is_farther_off_for_certain_is_named() {
    let mut jfr = profiler(Verdict::Wrong, 60.0, 30.0);
    let set = |row: &mut AttributionRow, part: Estimate| {
        (row.in_place_pct, row.in_place_per_run_pct) = (part, vec![part]);
    };
    let mut small = jfr.rows[0].clone();
    small.method = "Queens.small".into();
    set(&mut small, Estimate::around(0.0, 1.0, 100));
    set(&mut jfr.rows[0], Estimate::around(60.0, 38.0, 100));
    jfr.rows.push(small);
    let share = Estimate::around(5.0, 1.0, 900);
    jfr.shares_pct.insert("Queens.small".into(), share);
    let first = |jfr: &Attribution| advice(&map(&[("jfr", jfr.clone())]), 5.0);
    let said = first(&jfr);
    assert!(
        said.starts_with("jfr is wrong about Queens.small: "),
        "{said}"
    );
    set(&mut jfr.rows[0], Estimate::around(60.0, 2.0, 100));
    let said = first(&jfr);
    assert!(
        said.starts_with("jfr is wrong about Queens.placeQueen: "),
        "{said}"
    );
}
