//! What a wrong row says: where the time is that was added to a method.

use proofmark_stats::Estimate;

use super::super::told::of;
use super::super::{Attribution, AttributionRow, DoseKind, Elsewhere};

/// Smaller parts of added time in no Java method are not said, %.
const LEAST_OUTSIDE_PCT: f64 = 0.5;
/// From so large a part on, another method gets most of the added time, %.
const MOST_PCT: f64 = 50.0;

/// Whether the time was put into a method that the row's method calls.
pub(super) fn calls(row: &AttributionRow) -> bool {
    row.kind == DoseKind::Call.name()
}

/// `to A.get`
pub(super) fn put_into(row: &AttributionRow) -> String {
    match calls(row) {
        true => format!("to what {} calls", row.method),
        false => format!("to {}", row.method),
    }
}

/// `the time that was added to A.get, jfr reports 98 % in B.place`: where most of the time is that a row of the profiler `one` is about,
/// with `place` for the method and `who` for the profiler. Of a row that is wrong in some JVMs only: what is in place in those. Where
/// several JVMs are wrong: the methods that get the time, with their parts in the JVMs that report it there.
pub(super) fn charge(
    one: &Attribution,
    row: &AttributionRow,
    (place, who): (&str, &str),
) -> String {
    let said = in_some_jvms(one, row).or_else(|| received(one, row));
    let said = said.unwrap_or_else(|| format!("{}{}", over_all(row), in_the_mean(row)));
    format!("the time that was added {place}, {who} {said}")
}

/// `reports 98 % in B.place`: the mean over JVMs, or what the only one says.
fn over_all(row: &AttributionRow) -> String {
    let said = |pct: f64| format!("{:.0} %", pct.clamp(0.0, 100.0));
    if let Some(part) = unseen(row) {
        return format!("leaves {} without a sample", said(part));
    }
    let outside = row.other_pct.value;
    match largest(row) {
        Some(to) => format!("reports {} in {}", said(to.pct.value), to.method),
        None if outside > LEAST_OUTSIDE_PCT => {
            format!("reports {} in no Java method", said(outside))
        }
        None => format!("shows {:.0} %", row.in_place_pct.value.max(0.0)),
    }
}

/// ` in the mean over 4 JVMs`; nothing where JVMs are not told apart, or there is one.
fn in_the_mean(row: &AttributionRow) -> String {
    match row.jvms.total() {
        0 | 1 => String::new(),
        jvms => format!(" in the mean over {jvms} JVMs"),
    }
}

/// The part that left no sample, %, where that is most of what is not in place.
fn unseen(row: &AttributionRow) -> Option<f64> {
    let part = row.missing_pct.filter(|part| part.low > 0.0)?;
    (part.value > 100.0 - row.in_place_pct.value).then_some(part.value)
}

/// The other method that gets most, in the mean; none where more is in no Java method.
fn largest(row: &AttributionRow) -> Option<&Elsewhere> {
    let to = row.elsewhere.iter().find(|one| one.pct.value > 0.0);
    to.filter(|to| to.pct.value >= row.other_pct.value)
}

/// `reports 97 to 99 % in B.place` where each of several JVMs reports a part there; `reports 100 % in B.place in 2 of 4 JVMs and 16 % in
/// B.run in 2` where not. None where most of the time is in no other method, or no JVM reports any in one for certain.
fn received(one: &Attribution, row: &AttributionRow) -> Option<String> {
    if unseen(row).is_some() || largest(row).is_none() {
        return None;
    }
    let each = row.elsewhere.iter().map(|to| (&to.method, parts(to)));
    let mut each = each.filter(|(_, parts)| !parts.is_empty());
    let (method, parts) = each.next()?;
    let first = format!("reports {} in {method}", range(&parts));
    if parts.len() == row.jvms.total() {
        return Some(first);
    }
    let first = format!("{first} {}", in_jvms(parts.len(), one, row));
    Some(match each.next() {
        Some((method, parts)) => {
            let (part, jvms) = (range(&parts), parts.len());
            format!("{first} and {part} in {method} in {jvms}")
        }
        None => first,
    })
}

/// The one other method that gets most of the time in every JVM that had a row, with the part in each of them, %; none where JVMs
/// differ in it.
pub(super) fn receiver(row: &AttributionRow) -> Option<(&str, Vec<f64>)> {
    let to = largest(row).filter(|_| unseen(row).is_none())?;
    let parts = match row.jvms.total() {
        // Parts of single JVMs are not known.
        0 | 1 => vec![to.pct.value.min(100.0)],
        jvms => Some(parts(to)).filter(|parts| parts.len() == jvms)?,
    };
    let most = parts.iter().all(|part| *part >= MOST_PCT);
    most.then_some((to.method.as_str(), parts))
}

/// What is in place in each JVM, %, or in all together where those of single ones are not known.
pub(super) fn in_place_each(row: &AttributionRow) -> Vec<f64> {
    match row.in_place_per_run_pct.as_slice() {
        [] => vec![row.in_place_pct.value],
        each => each.iter().map(|part| part.value).collect(),
    }
}

/// What another method gets in each JVM that reports some there for certain, %.
fn parts(to: &Elsewhere) -> Vec<f64> {
    let parts = to.per_run_pct.iter().map(|part| part.value.min(100.0));
    parts.filter(|part| *part > 0.0).collect()
}

/// `reports 0 % there in 1 of 4 JVMs`, of a row that is wrong in some JVMs and not in others: its means are no JVM's own figures.
/// None where all JVMs have the same word.
fn in_some_jvms(one: &Attribution, row: &AttributionRow) -> Option<String> {
    let wrong = row.jvms.wrong;
    if wrong == 0 || wrong == row.jvms.total() {
        return None;
    }
    let jvms = in_jvms(wrong, one, row);
    let missing = row.missing_pct.filter(|part| part.low > 0.0);
    let missing = missing.map(|part| part.value);
    Some(
        match (in_place_where_wrong(row, missing.unwrap_or(0.0)), missing) {
            (Some(part), _) => format!("reports {part} there {jvms}"),
            (None, Some(_)) => format!("leaves a part without a sample {jvms}"),
            (None, None) => format!("reports a wrong part there {jvms}"),
        },
    )
}

/// `in 1 of 4 JVMs`; `in 1 of the 3 JVMs that had a row` where others failed, or could not tell.
fn in_jvms(some: usize, one: &Attribution, row: &AttributionRow) -> String {
    let had = row.jvms.total();
    match row.unknown_runs + one.failed_runs.len() {
        0 => of(some, had),
        _ => format!("in {some} of the {had} JVMs that had a row"),
    }
}

/// `0 %`, or `0 to 23 %`: what is in place in the JVMs in which a row is wrong, which are those farthest off. None where their values
/// are not known, or one of them is not off by more than this part of the added time, %: something else makes it wrong.
fn in_place_where_wrong(row: &AttributionRow, least_off_pct: f64) -> Option<String> {
    let each = &row.in_place_per_run_pct;
    if each.len() != row.jvms.total() {
        return None;
    }
    let [low, high] = row.truth_pct;
    let off = |part: &Estimate| (low - part.high).max(part.low - high);
    let mut wrong: Vec<&Estimate> = each.iter().collect();
    wrong.sort_by(|a, b| off(b).total_cmp(&off(a)));
    wrong.truncate(row.jvms.wrong);
    if wrong.iter().any(|part| off(part) <= least_off_pct) {
        return None;
    }
    let values: Vec<f64> = wrong.iter().map(|part| part.value).collect();
    Some(range(&values))
}

/// `23 %`, or `0 to 23 %`, from the least to the most; what is below 0 is 0.
pub(super) fn range(pct: &[f64]) -> String {
    let values = pct.iter().map(|value| value.max(0.0).abs());
    let (least, most) = values.fold((f64::INFINITY, 0.0), |(least, most), value| {
        (f64::min(least, value), f64::max(most, value))
    });
    let (least, most) = (format!("{least:.0}"), format!("{most:.0}"));
    match least == most {
        true => format!("{most} %"),
        false => format!("{least} to {most} %"),
    }
}
