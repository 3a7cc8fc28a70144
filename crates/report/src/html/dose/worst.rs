//! What a matrix shows first of all, in words above it: on a narrow screen the cells that tell it may be out of sight.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{Attribution, AttributionRow};

use super::super::escape::name;
use super::heat::{LEAST_COLUMN, Rows};
use crate::words;

/// Most rows that are named.
const NAMED: usize = 2;

/// A paragraph that narrow screens show: the wrong rows, or the undecided ones where none is wrong, those that are off most first. Rows
/// that decide nothing are not named.
pub(super) fn paragraph(one: &Attribution, rows: Rows<'_>) -> String {
    let wrong = those(one, Verdict::Wrong);
    let said = match wrong.is_empty() {
        false => named("\u{2717}", wrong, rows),
        true => named("?", those(one, Verdict::Undecided), rows),
    };
    let said = match said.as_str() {
        "" => "No row that counts is wrong or undecided.",
        said => said,
    };
    format!("<p class=\"narrow-only\">{}</p>", name(said))
}

/// Rows of that verdict that count.
fn those(one: &Attribution, verdict: Verdict) -> Vec<&AttributionRow> {
    let counting = one.rows.iter().filter(|row| !row.is_void());
    counting.filter(|row| row.verdict == verdict).collect()
}

/// `✗ Parser.getText:107: only 0 % in place, → Parser._finishString 95 %; 2 more`; empty without a row.
fn named(sign: &str, mut all: Vec<&AttributionRow>, rows: Rows<'_>) -> String {
    all.sort_by(|a, b| off(b).total_cmp(&off(a)));
    let (first, more) = all.split_at(all.len().min(NAMED));
    let first = first.iter().map(|row| format!("{sign} {}", of(row, rows)));
    let more = (!more.is_empty()).then(|| format!("{} more", more.len()));
    let said: Vec<String> = first.chain(more).collect();
    said.join("; ")
}

/// How far the part in place is from all of the added time, points of it.
fn off(row: &AttributionRow) -> f64 {
    (row.in_place_pct.value - 100.0).abs()
}

/// What is in place, and where most of the rest is, if a cell shows that.
fn of(row: &AttributionRow, rows: Rows<'_>) -> String {
    let to = row.elsewhere.first();
    let to = to.filter(|to| to.pct.value >= LEAST_COLUMN).map(|to| {
        let method = rows.names.short(&to.method);
        format!(", \u{2192} {method} {}", words::part_elsewhere(row, to))
    });
    format!(
        "{}: {}{}",
        rows.said(row),
        words::only_in_place(row),
        to.unwrap_or_default()
    )
}
