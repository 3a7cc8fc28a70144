//! Rows on which no verdict rests.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{Attribution, AttributionRow};

use crate::Names;
use crate::number::{count, fixed};

/// `not counted: the site itself changes the profile (Bounce.run 18 % without, 66 % with it)`, or `undecided, but too small to matter (0.4
/// points of the program's time at most)`, or the same of a wrong row; none where the row decides.
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
    let points = row.small_pt?;
    let word = match row.is_wrong_but_small() {
        true => "wrong",
        false => "undecided",
    };
    Some(format!("{word}, but {}", too_small(points)))
}

/// `1 row is wrong, but too small to matter (0.4 points of the program's time at most)`, of a profiler that is not called wrong; none
/// without such a row.
pub(crate) fn small_wrong(one: &Attribution) -> Option<String> {
    let rows = one.rows.iter().filter(|row| row.is_wrong_but_small());
    let points: Vec<f64> = rows.filter_map(|row| row.small_pt).collect();
    let are = if points.len() == 1 { "is" } else { "are" };
    let said = || {
        format!(
            "{} {are} wrong, but {}",
            count(points.len() as u64, "row"),
            too_small(points.iter().sum())
        )
    };
    (!points.is_empty() && one.verdict != Verdict::Wrong).then(said)
}

fn too_small(points: f64) -> String {
    let points = fixed(points, 1);
    format!("too small to matter ({points} points of the program's time at most)")
}
