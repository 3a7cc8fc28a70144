//! What a wrong row says: where the time is that was added to a method.

use proofmark_stats::Estimate;

use super::super::told::of;
use super::super::{Attribution, AttributionRow, DoseKind};

/// Smaller parts of added time in no Java method are not said, %.
const LEAST_OUTSIDE_PCT: f64 = 0.5;

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
/// with `place` for the method and `who` for the profiler. Of a row that is wrong in some JVMs only: what is in place in those.
pub(super) fn charge(
    one: &Attribution,
    row: &AttributionRow,
    (place, who): (&str, &str),
) -> String {
    let time = format!("the time that was added {place}, {who}");
    if let Some(said) = in_some_jvms(one, row) {
        return format!("{time} {said}");
    }
    let said = |pct: f64| format!("{:.0} %", pct.clamp(0.0, 100.0));
    let missing = row.missing_pct.filter(|part| part.low > 0.0);
    if let Some(part) = missing.filter(|part| part.value > 100.0 - row.in_place_pct.value) {
        return format!("{time} leaves {} without a sample", said(part.value));
    }
    let outside = row.other_pct.value;
    let to = row.elsewhere.iter().find(|one| one.pct.value > 0.0);
    match to {
        Some(to) if to.pct.value >= outside => {
            let (part, method) = (said(to.pct.value), &to.method);
            format!("{time} reports {part} in {method}")
        }
        _ if outside > LEAST_OUTSIDE_PCT => {
            format!("{time} reports {} in no Java method", said(outside))
        }
        _ => {
            let part = row.in_place_pct.value.max(0.0);
            format!("{time} shows {part:.0} %")
        }
    }
}

/// `reports 0 % there in 1 of 4 JVMs`, of a row that is wrong in some JVMs and not in others: its means are no JVM's own figures.
/// `in 1 of the 3 JVMs that had a row` where others failed, or could not tell. None where all JVMs have the same word.
fn in_some_jvms(one: &Attribution, row: &AttributionRow) -> Option<String> {
    let (wrong, had) = (row.jvms.wrong, row.jvms.total());
    if wrong == 0 || wrong == had {
        return None;
    }
    let jvms = match row.unknown_runs + one.failed_runs.len() {
        0 => of(wrong, had),
        _ => format!("in {wrong} of the {had} JVMs that had a row"),
    };
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
    let values = wrong.iter().map(|part| part.value.max(0.0).abs());
    let (least, most) = values.fold((f64::INFINITY, 0.0), |(least, most), value| {
        (f64::min(least, value), f64::max(most, value))
    });
    let (least, most) = (format!("{least:.0}"), format!("{most:.0}"));
    Some(match least == most {
        true => format!("{most} %"),
        false => format!("{least} to {most} %"),
    })
}
