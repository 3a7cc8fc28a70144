//! More JVMs for a profiler that was left open, where these would decide it.
//!
//! With three JVMs an interval over them is two and a half of their standard deviations to either side, with five it is one and a
//! quarter. So a right profiler is often open only because they are few. More are asked at most once: who looks again and again until
//! something is decided decides too often.

use proofmark_assess::Verdict;

use super::remedy::Test;
use super::{Attribution, AttributionRow, ProfileChange};

/// Whether so many JVMs more would probably decide a profiler that is not decided: all of its open rows would be right if the values of
/// its JVMs and their spread stay, and nothing else leaves it open.
///
/// # Accuracy
/// A guess from the spread of a few JVMs; no verdict rests on it. Of simulated profilers that are right, by three points or more, most
/// that got two JVMs more were then called right (crates/experiment/src/dose/more/tests.rs).
pub(super) fn would_decide(one: &Attribution, test: &Test<'_>, more: usize) -> bool {
    let changes = one.rows.iter().map(|row| row.change.as_ref());
    let mut changes = changes.chain([one.change.as_ref()]).flatten();
    let open = one.rows.iter();
    let open = open.filter(|row| row.verdict == Verdict::Undecided);
    let open: Vec<&AttributionRow> = open.collect();
    one.verdict == Verdict::Undecided
        && !open.is_empty()
        && !changes.any(|change: &ProfileChange| change.voids_rows)
        && !test.is_open_besides(one)
        && open.iter().all(|row| would_be_right(row, test, more))
}

/// Whether a row that is open would be right with so many JVMs more: its mean lies within the limits, and not yet its interval. Where
/// that does too, what is elsewhere leaves it open. A row whose mean is outside needs more windows to be called wrong.
fn would_be_right(row: &AttributionRow, test: &Test<'_>, more: usize) -> bool {
    let inside = |value: f64| test.room(row, value).1;
    let part = &row.in_place_pct;
    let clear = inside(part.low) && inside(part.high);
    let jvms = row.in_place_per_run_pct.len();
    let needed = test.runs(row);
    inside(part.value) && !clear && needed.is_some_and(|needed| needed <= jvms + more)
}

#[cfg(test)]
mod tests;
