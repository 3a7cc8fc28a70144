//! More JVMs for a profiler that was left open, where these would decide it.
//!
//! With three JVMs an interval over them is two and a half of their standard deviations to either side, with five it is one and a
//! quarter. So a right profiler is often open only because they are few; and a wrong one, because the windows of few JVMs do not accuse
//! it for certain. Either gets more. More are asked at most once: who looks again and again until something is decided decides too often.

use std::collections::BTreeSet;

use proofmark_assess::Verdict;
use proofmark_rules::{DOSE_OPEN_PART, DOSE_TOLERANCE_PER_MARGIN};
use proofmark_stats::{Confidence, Estimate, mean, t_quantile};

use super::accusing::Levels;
use super::matrix::Row;
use super::remedy::Test;
use super::runs::of_these;
use super::{Attribution, AttributionRow, ProfileChange};

/// Whether so many JVMs more would probably decide a profiler that is not decided, if the values of its JVMs and their spread stay: all of
/// its open rows would be right, and nothing else leaves it open; or one of them would be wrong, of a method with at least the margin's
/// share by its own profile. `in_jvms`: its rows in each JVM, in the order of the others.
///
/// # Accuracy
/// A guess from the spread of a few JVMs; no verdict rests on it. Of simulated profilers that are right, by three points or more, most
/// that got two JVMs more were then called right (crates/experiment/src/dose/more/tests.rs).
pub(super) fn would_decide(
    one: &Attribution,
    in_jvms: &[Vec<Option<Row>>],
    test: &Test<'_>,
    more: usize,
) -> bool {
    let open = one.rows.iter().enumerate();
    let open = open.filter(|(_, row)| row.verdict == Verdict::Undecided);
    let open: Vec<(usize, &AttributionRow)> = open.collect();
    one.verdict == Verdict::Undecided
        && !open.is_empty()
        && !voids(one.change.as_ref())
        && (would_all_be_right(one, &open, test, more)
            || (open.iter()).any(|open| would_be_wrong(one, *open, in_jvms, (test, more))))
}

/// Whether sites change too much there for rows to decide.
fn voids(change: Option<&ProfileChange>) -> bool {
    change.is_some_and(|change| change.voids_rows)
}

/// Whether all of these rows would be right with so many JVMs more, and the profiler with them.
fn would_all_be_right(
    one: &Attribution,
    open: &[(usize, &AttributionRow)],
    test: &Test<'_>,
    more: usize,
) -> bool {
    // Those that are too small to matter leave nothing open.
    let mut helped = open.iter().map(|(_, row)| row);
    helped.any(|row| row.leaves_open() && would_be_right(row, test, more))
        && much_would_decide(one)
        && !test.is_open_besides(one)
        && hopeless_pt(one, open, test, more) <= DOSE_OPEN_PART * test.margin_pt
}

/// Whether methods with a row that decides stand for as many points of the program's time, by its own profile, as sites of others
/// change in it.
fn much_would_decide(one: &Attribution) -> bool {
    let doubts = one.rows.iter().filter(|row| row.is_void());
    let doubts = doubts.filter_map(|row| Some(row.change.as_ref()?.beyond_pt));
    let deciding = one.rows.iter().filter(|row| !row.is_void());
    let deciding: BTreeSet<&str> = deciding.map(|row| row.method.as_str()).collect();
    let shares = deciding
        .iter()
        .filter_map(|method| one.shares_pct.get(*method));
    shares.map(|share| share.value).sum::<f64>() >= doubts.fold(0.0, f64::max)
}

/// Points of the program's time, by its own profile, that those of these rows can misplace which would stay open.
fn hopeless_pt(
    one: &Attribution,
    open: &[(usize, &AttributionRow)],
    test: &Test<'_>,
    more: usize,
) -> f64 {
    let rows = open.iter().map(|(_, row)| row);
    let hopeless = rows.filter(|row| !would_be_right(row, test, more));
    let points = hopeless.map(|row| {
        let share = one.shares_pct.get(&row.method);
        let places = row.elsewhere.iter().map(|one| &one.pct);
        let places = places.chain([&row.other_pct]).chain(&row.missing_pct);
        let not_there = 100.0 - row.in_place_pct.low;
        let most = places.map(|part| part.high).fold(not_there, f64::max);
        most.min(100.0) / 100.0 * share.map_or(100.0, |share| share.high)
    });
    points.sum()
}

/// Whether a row that is open would be right with so many JVMs more: its mean lies within the limits, and not yet its interval. Where
/// that does too, or too much is elsewhere or missing already, that leaves it open.
fn would_be_right(row: &AttributionRow, test: &Test<'_>, more: usize) -> bool {
    let tolerance = DOSE_TOLERANCE_PER_MARGIN * test.margin_pt;
    let much = |part: &Estimate| part.low > tolerance;
    let elsewhere = row.elsewhere.iter().map(|one| &one.pct);
    let elsewhere = elsewhere.chain([&row.other_pct]);
    let misplaced = elsewhere.chain(&row.missing_pct).any(much);
    let inside = |value: f64| test.room(row, value).1;
    let part = &row.in_place_pct;
    let clear = inside(part.low) && inside(part.high);
    let jvms = row.in_place_per_run_pct.len() + row.unknown_runs;
    let needed = test.runs(row);
    let decides = !row.is_void();
    decides
        && inside(mean(&test.known(row)))
        && !clear
        && !misplaced
        && needed.is_some_and(|needed| needed <= jvms + more)
}

/// Whether an open row, with its place in the list, would be wrong with so many JVMs more, and the profiler with it: the mean of all
/// JVMs that are asked together would be clear of the limits, by the interval that accuses where both looks count. That holds what
/// differs from window to window only, of which there are more in more JVMs.
fn would_be_wrong(
    one: &Attribution,
    (at, row): (usize, &AttributionRow),
    in_jvms: &[Vec<Option<Row>>],
    (test, more): (&Test<'_>, usize),
) -> bool {
    let rows = in_jvms.iter().filter_map(|jvm| jvm.get(at)?.clone());
    let rows: Vec<Row> = rows.collect();
    let Some(now) = of_these(&rows) else {
        return false;
    };
    let share = one.shares_pct.get(&row.method);
    let much = share.is_some_and(|share| share.low >= test.margin_pt);
    let (room, inside) = test.room(row, 100.0 * now.in_place.value);
    let grown = (rows.len() + more) as f64 / rows.len() as f64;
    let error = 100.0 * now.in_place.half_width() / t_quantile(now.df, Confidence::P95);
    // As many intervals in each JVM and in all together as there were.
    let jvms = in_jvms.len();
    let first = one.accusing_intervals;
    let both = first + first * (jvms + more + 1) / (jvms + 1);
    let level = Levels::with_jvms(both, jvms + more).together;
    let half = error / grown.sqrt() * t_quantile(grown * now.df, level);
    much && !row.is_void() && !inside && half < room
}

#[cfg(test)]
mod tests;
