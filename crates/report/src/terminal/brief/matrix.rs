//! All rows of all profilers in one table: what part of the added time is reported where it was added.

use std::fmt::Write as _;

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{AttributionRow, DoseResult};

use super::site;
use crate::names::{clean, fit};
use crate::number::fixed;
use crate::style::{Style, Tone, columns_of, hanging, padded};
use crate::{Names, words};

/// What stands behind the figure of a row that is not simply right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    sign: &'static str,
    means: &'static str,
    /// Whether a verdict rests on the row.
    pub(super) counts: bool,
}

impl Mark {
    const fn of(sign: &'static str, means: &'static str, counts: bool) -> Self {
        Self {
            sign,
            means,
            counts,
        }
    }
}

const WRONG: Mark = Mark::of("X", "wrong", true);
const OPEN: Mark = Mark::of("?", "undecided", true);
const WIDER: Mark = Mark::of("+", "right by a wider range", true);
const CHANGED: Mark = Mark::of(
    "*",
    "not counted: the site itself changes the profile",
    false,
);
const SMALL: Mark = Mark::of("~", "undecided, but too small to matter", false);
const SMALL_WRONG: Mark = Mark::of("x", "wrong, but too small to matter", false);
const NO_ROW: Mark = Mark::of("-", "no row", false);
/// What several figures in one cell are.
const EACH_JVM: &str = "several figures: one for each JVM, because some are right and others wrong";

/// The mark of a row; none of one that is right where only all of the added time is.
pub(super) fn mark(row: &AttributionRow, margin_pt: f64) -> Option<Mark> {
    match row.verdict {
        _ if row.is_void() => Some(CHANGED),
        _ if row.is_wrong_but_small() => Some(SMALL_WRONG),
        _ if row.small_pt.is_some() => Some(SMALL),
        Verdict::Right => words::truth(row, margin_pt).map(|_| WIDER),
        Verdict::Wrong => Some(WRONG),
        Verdict::Undecided => Some(OPEN),
    }
}

/// A column: its head, then a cell for each place.
type Column = Vec<String>;

/// The table, as many profilers beside each other as have room; then what its marks mean. Nothing without a row.
///
/// ```text
/// of the added time reported where it was added, %
///   time added to           async            jfr
///   Queens.placeQueen:57    98 (95 to 101)   100 (99 to 101)
///   Queens.getRowColumn:74  99 (98 to 100)   0 (-3 to 2) X
///   X wrong
/// ```
pub(super) fn matrix(result: &DoseResult, names: &Names, style: Style) -> String {
    let places = places(result);
    if places.is_empty() {
        return String::new();
    }
    let mut marks: Vec<Mark> = Vec::new();
    let columns: Vec<Column> = (result.attribution.iter())
        .map(|(name, one)| {
            let cells = places.iter().map(|place| {
                let row = one.rows.iter().find(|row| is_of(row, place));
                let mark = row.map_or(Some(NO_ROW), |row| mark(row, result.margin_pt));
                marks.extend(mark);
                cell(row, mark, style)
            });
            std::iter::once(clean(name)).chain(cells).collect()
        })
        .collect();
    let labels = places.iter().map(|row| site(row, names));
    let labels: Column = std::iter::once("time added to".to_owned())
        .chain(labels)
        .collect();
    let first = width(&labels).min(style.columns() / 2);
    let mut text = "of the added time reported where it was added, %\n".to_owned();
    for group in groups(&columns, style.columns().saturating_sub(2 + first)) {
        for (at, label) in labels.iter().enumerate() {
            let cells = group
                .iter()
                .map(|column| padded(&column[at], width(column)));
            let cells: Vec<String> = cells.collect();
            let line = format!(
                "  {}  {}",
                padded(&fit(label, first), first),
                cells.join("  ")
            );
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
    let mut rows = result.attribution.values().flat_map(|one| &one.rows);
    let several = rows.any(|row| words::of_each_jvm(row).is_some());
    let all = [WRONG, OPEN, WIDER, SMALL, SMALL_WRONG, CHANGED, NO_ROW];
    let meant = all.into_iter().filter(|mark| marks.contains(mark));
    let meant: Vec<String> = meant
        .map(|mark| format!("{} {}", mark.sign, mark.means))
        .chain(several.then(|| EACH_JVM.to_owned()))
        .collect();
    if !meant.is_empty() {
        text.push_str(&hanging("  ", &meant.join("; "), style.columns()));
    }
    text
}

/// A row of every place where time was added, hottest method first.
fn places(result: &DoseResult) -> Vec<&AttributionRow> {
    let mut places: Vec<&AttributionRow> = Vec::new();
    for row in result.attribution.values().flat_map(|one| &one.rows) {
        if !places.iter().any(|place| is_of(row, place)) {
            places.push(row);
        }
    }
    let heat = |row: &&AttributionRow| {
        let mut methods = result.methods.iter();
        methods.position(|method| method.name == row.method)
    };
    places.sort_by_key(|row| heat(row).unwrap_or(usize::MAX));
    places
}

/// Whether two rows are about the same place.
fn is_of(row: &AttributionRow, place: &AttributionRow) -> bool {
    (&row.method, &row.place, row.line) == (&place.method, &place.place, place.line)
}

/// `98 (95 to 101)`, or the figures of JVMs that contradict each other.
fn cell(row: Option<&AttributionRow>, mark: Option<Mark>, style: Style) -> String {
    let part = row.map(|row| {
        words::of_each_jvm(row).unwrap_or_else(|| {
            let part = &row.in_place_pct;
            let [value, low, high] = [part.value, part.low, part.high].map(|pct| fixed(pct, 0));
            format!("{value} ({low} to {high})")
        })
    });
    let sign = mark.map(|mark| match mark == WRONG {
        true => style.word(mark.sign, Tone::Bad),
        false => mark.sign.to_owned(),
    });
    let parts: Vec<String> = part.into_iter().chain(sign).collect();
    parts.join(" ")
}

fn width(column: &[String]) -> usize {
    let cells = column.iter().map(|cell| columns_of(cell));
    cells.max().unwrap_or(0)
}

/// As many columns beside each other as have room, one at least.
fn groups(columns: &[Column], room: usize) -> Vec<&[Column]> {
    let mut groups = Vec::new();
    let mut rest = columns;
    while !rest.is_empty() {
        let mut used = 0;
        let fits = |column: &&Column| {
            used += 2 + width(column);
            used <= room
        };
        let fitting = rest.iter().take_while(fits).count().max(1);
        let (group, behind) = rest.split_at(fitting);
        groups.push(group);
        rest = behind;
    }
    groups
}
