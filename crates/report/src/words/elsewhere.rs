//! Words about added time that is reported in other methods than the one that got it.

use proofmark_experiment::dose::{AttributionRow, Elsewhere};
use proofmark_stats::Estimate;

use super::dose::missing;
use super::row_notes::no_row;
use super::sites::of_each_jvm;
use crate::Names;
use crate::number::fixed;

/// `Queens.getRowColumn 86 %`, the largest first, at most so many; then what is in no Java method, and what left no sample.
pub(crate) fn elsewhere(row: &AttributionRow, names: &Names, most: usize) -> Vec<String> {
    let named = row.elsewhere.iter().filter(|to| to.pct.value > 0.0);
    let named = named.take(most);
    let mut parts: Vec<String> = named
        .map(|to| format!("{} {}", names.short(&to.method), part_elsewhere(row, to)))
        .collect();
    if row.other_pct.value >= 2.0 && !row.other_pct.covers(0.0) {
        parts.push(format!(
            "in no Java method {} %",
            fixed(row.other_pct.value, 0)
        ));
    }
    parts.extend(missing(row));
    parts.extend(no_row(row));
    parts
}

/// `86 %`: the part that another method gets, in the mean over JVMs; or where ([`in_some_jvms`]). Documents that do not know the parts
/// of each JVM say `33 % in the mean` of a row that is right in some and wrong in others.
pub(crate) fn part_elsewhere(row: &AttributionRow, to: &Elsewhere) -> String {
    if let Some(said) = in_some_jvms(row, to) {
        return said;
    }
    let mean = fixed(to.pct.value, 0);
    match to.per_run_pct.is_empty() && of_each_jvm(row).is_some() {
        true => format!("{mean} % in the mean"),
        false => format!("{mean} %"),
    }
}

/// `98 % in 1 of 4 JVMs`, `40 to 98 % in 2 of 4 JVMs`: the parts in the JVMs that report one in this method for certain, where others
/// do not and not all call the row right; none elsewhere.
pub(crate) fn in_some_jvms(row: &AttributionRow, to: &Elsewhere) -> Option<String> {
    let (some, all) = some_of(row, to)?;
    let values = reporting(to).map(|part| part.value);
    let (least, most) = values.fold((f64::INFINITY, 0.0), |(least, most), value| {
        (f64::min(least, value), f64::max(most, value))
    });
    let [least, most] = [least, most].map(|pct| fixed(pct, 0));
    let part = match least == most {
        true => most,
        false => format!("{least} to {most}"),
    };
    Some(format!("{part} % in {some} of {all} JVMs"))
}

/// `1 of 4 JVMs`: in how many this method gets a part, or, where that is not known, in how many the row is wrong; none where it is so
/// in all of them.
pub(crate) fn few_jvms(row: &AttributionRow, to: &Elsewhere) -> Option<String> {
    let (wrong, total) = (row.jvms.wrong, row.jvms.total());
    let where_wrong = to.per_run_pct.is_empty() && wrong > 0 && wrong < total;
    let (some, all) = some_of(row, to).or(where_wrong.then_some((wrong, total)))?;
    Some(format!("{some} of {all} JVMs"))
}

/// In how many JVMs a method gets a part for certain, of how many, where that is not all of them.
fn some_of(row: &AttributionRow, to: &Elsewhere) -> Option<(usize, usize)> {
    let (some, all) = (reporting(to).count(), row.jvms.total());
    (some > 0 && some < all && row.jvms.right < all).then_some((some, all))
}

fn reporting(to: &Elsewhere) -> impl Iterator<Item = &Estimate> {
    to.per_run_pct.iter().filter(|part| part.value > 0.0)
}
