//! Rows on which no verdict rests.

use proofmark_experiment::dose::AttributionRow;

use crate::Names;
use crate::number::fixed;

/// `not counted: the site itself changes the profile (Bounce.run 18 % without, 66 % with it)`, or `undecided, but too small to matter (0.4
/// points of the program's time at most)`; none where the row decides.
pub(crate) fn not_counted(row: &AttributionRow, names: &Names) -> Option<String> {
    changed(row, names).or_else(|| small(row))
}

fn changed(row: &AttributionRow, names: &Names) -> Option<String> {
    let change = row.change.as_ref().filter(|_| row.is_void())?;
    let [without, with] = [&change.as_it_is_pct, &change.with_sites_pct];
    if change.drowned {
        return Some(
            "not counted: with the site there the program takes more than twice as long, before time is added"
                .into(),
        );
    }
    Some(format!(
        "not counted: the site itself changes the profile ({} {} % without, {} % with it)",
        names.short(&change.method),
        fixed(without.value, 0),
        fixed(with.value, 0)
    ))
}

fn small(row: &AttributionRow) -> Option<String> {
    let points = fixed(row.small_pt?, 1);
    Some(format!(
        "undecided, but too small to matter ({points} points of the program's time at most)"
    ))
}
