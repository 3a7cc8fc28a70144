//! Tables of the page.

use std::collections::BTreeMap;

use super::super::table::{Cell, table};
use super::{count, each, grouped, short_names, text};
use crate::names::full_name;
use crate::number::{fixed, interval};
use crate::words;
use proofmark_events::{EventFigures, EventsReport, PositionRow, Uncounted};

/// Columns of types in the table of units.
const COLUMNS: usize = 6;
/// Rows of units and of source lines that are shown; the JSON has all.
const ROWS: usize = 60;

fn number(value: f64) -> Cell {
    let shown = if value.abs() < 1000.0 && value.fract() != 0.0 {
        fixed(value, if value.abs() < 1.0 { 2 } else { 1 })
    } else {
        grouped(value.round().abs() as u64)
    };
    Cell::number(&shown, value)
}

/// Of an iteration, or of one run of the program where an iteration is several.
fn per_run(count: i64, report: &EventsReport) -> Cell {
    number(count as f64 / report.runs() as f64)
}

/// All types that happened.
pub(super) fn events(report: &EventsReport) -> String {
    let names = short_names(report);
    let row = |(kind, figures): &(&str, &EventFigures)| {
        let all: i64 = figures.per_unit.values().sum();
        let most = figures.per_unit.iter().max_by_key(|(_, n)| **n);
        let most = most.map_or("-".into(), |(unit, n)| {
            let part = 100.0 * *n as f64 / all.max(1) as f64;
            format!("{} ({} %)", names.short(unit), fixed(part, 0))
        });
        let total = figures
            .total
            .unwrap_or(proofmark_stats::Estimate::around(0.0, 0.0, 0));
        let bounds = if total.low == total.value && total.high == total.value {
            "exact".to_owned()
        } else {
            interval(&total)
        };
        vec![
            Cell::words(kind),
            Cell::words(&figures.category),
            number(total.value / report.runs() as f64),
            number(total.value),
            Cell::words(&bounds),
            Cell::words(&most),
        ]
    };
    let rows: Vec<Vec<Cell>> = report.ranked().iter().map(row).collect();
    if rows.is_empty() {
        return "<p>No event of the chosen types happened in the counted units.</p>".into();
    }
    let per = format!("per {}", each(report));
    let titles = [
        "event",
        "category",
        per.as_str(),
        "total",
        "what losses allow",
        "most in",
    ];
    table("sortable stack", "", &titles, &rows)
}

/// Units with the most events, and their most frequent types.
pub(super) fn units(report: &EventsReport) -> String {
    let names = short_names(report);
    let kinds: Vec<&str> = report
        .ranked()
        .iter()
        .take(COLUMNS)
        .map(|(kind, _)| *kind)
        .collect();
    let all = report.units();
    let row = |(unit, sum): &(&str, i64)| {
        let mut cells = vec![Cell::words(&names.short(unit)), per_run(*sum, report)];
        for kind in &kinds {
            let count = report.events[*kind]
                .per_unit
                .get(*unit)
                .copied()
                .unwrap_or(0);
            cells.push(per_run(count, report));
        }
        cells
    };
    let rows: Vec<Vec<Cell>> = all.iter().take(ROWS).map(row).collect();
    let mut titles = vec!["unit", "all types"];
    titles.extend(&kinds);
    format!(
        "<section id=\"units\"><h2>Per unit</h2>\n<p class=\"prose\">A unit is a root method with everything that was inlined into it. Events per {}; {}.</p>{}</section>\n",
        each(report),
        shown(rows.len(), all.len(), "unit"),
        table("sortable stack", "", &titles, &rows)
    )
}

/// Source lines with the most events; the places that a line was inlined into are folded away.
pub(super) fn lines(report: &EventsReport) -> String {
    if report.positions.is_empty() {
        return "<section id=\"lines\"><h2>Over source lines</h2><p>This strategy keeps no source positions; use edge, pc or dec.</p></section>\n".into();
    }
    let names = short_names(report);
    let mut lines: BTreeMap<(&str, Option<u32>), Vec<&PositionRow>> = BTreeMap::new();
    for row in &report.positions {
        if let Some(inner) = row.frames.first() {
            lines
                .entry((&inner.method, inner.line))
                .or_default()
                .push(row);
        }
    }
    let mut lines: Vec<_> = lines.into_iter().collect();
    let sum = |rows: &[&PositionRow]| rows.iter().flat_map(|r| r.events.values()).sum::<i64>();
    lines.sort_by_key(|(_, rows)| std::cmp::Reverse(sum(rows)));
    let row = |((method, line), rows): &((&str, Option<u32>), Vec<&PositionRow>)| {
        let line = line.map_or("?".into(), |line| line.to_string());
        vec![
            Cell::words(&format!("{}:{line}", names.short(method))),
            per_run(sum(rows), report),
            Cell::html(kinds(rows, report)),
            Cell::html(inlined(rows, report, &names)),
        ]
    };
    let rows: Vec<Vec<Cell>> = lines.iter().take(ROWS).map(row).collect();
    let events = format!("events per {}", each(report));
    let titles = ["line", "all types", events.as_str(), "compiled into"];
    format!(
        "<section id=\"lines\"><h2>Over source lines</h2>\n<p class=\"prose\">{}; inlined copies of a line together.</p>{}</section>\n",
        shown(rows.len(), lines.len(), "line"),
        table("sortable stack", "", &titles, &rows)
    )
}

fn kinds(rows: &[&PositionRow], report: &EventsReport) -> String {
    let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
    for row in rows {
        for (kind, n) in &row.events {
            *sums.entry(kind).or_default() += n;
        }
    }
    let mut sums: Vec<(&str, i64)> = sums.into_iter().collect();
    sums.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let item = |(kind, n): &(&str, i64)| format!("<li>{} {}</li>", text(kind), mean(*n, report));
    format!("<ul>{}</ul>", sums.iter().map(item).collect::<String>())
}

fn mean(count: i64, report: &EventsReport) -> String {
    grouped((count as f64 / report.runs() as f64).round().abs() as u64)
}

/// `units: chain of inlining, events`.
fn inlined(rows: &[&PositionRow], report: &EventsReport, names: &crate::Names) -> String {
    let item = |row: &&PositionRow| {
        let chain: Vec<String> = row
            .frames
            .iter()
            .skip(1)
            .map(|f| {
                let line = f.line.map_or("?".into(), |line| line.to_string());
                text(&format!("{}:{line}", names.short(&f.method)))
            })
            .collect();
        let sum = row.events.values().sum::<i64>();
        let chain = if chain.is_empty() {
            "itself".to_owned()
        } else {
            chain.join(" &#8592; ")
        };
        format!("<li>{chain}: {}</li>", mean(sum, report))
    };
    let items: String = rows.iter().map(item).collect();
    if rows.len() == 1 {
        format!("<ul>{items}</ul>")
    } else {
        let places = count(rows.len() as u64, "place");
        format!("<details><summary>{places}</summary><ul>{items}</ul></details>")
    }
}

/// What is missing, and why.
pub(super) fn not_counted(report: &EventsReport) -> String {
    let largest = words::events::uncounted(&report.coverage);
    let mut items: Vec<String> = largest.into_iter().map(uncounted).collect();
    for (kind, figures) in &report.events {
        if let Some(reason) = &figures.cannot_occur {
            items.push(format!("{kind} cannot occur: {reason}"));
        }
    }
    let lost = report.lost.per_unit.iter();
    items.extend(lost.map(|(unit, n)| format!("{}: {} lost", unit, count(*n, "traversal"))));
    let replaced = report.coverage.replaced.iter();
    items
        .extend(replaced.map(|unit| format!("{unit}: its code was replaced while it was counted")));
    items.extend(report.refused.iter().cloned());
    if items.is_empty() {
        return String::new();
    }
    let items: String = items
        .iter()
        .map(|item| format!("<li>{}</li>", text(item)))
        .collect();
    format!(
        "<section id=\"missing\"><h2>What is not in these numbers</h2><ul class=\"notes\">{items}</ul></section>\n"
    )
}

/// `p.C.m(): 12.3 % of the executed blocks not counted (left out, as asked for)`
fn uncounted(one: &Uncounted) -> String {
    let (pct, of) = match (one.blocks_pct, one.time_pct) {
        (Some(pct), _) => (Some(pct), "executed blocks"),
        (None, pct) => (pct, "time"),
    };
    let reason = one.reason.as_ref();
    format!(
        "{}: {} of the {of} not counted{}",
        full_name(&one.unit),
        words::events::part(pct),
        reason.map_or(String::new(), |reason| format!(" ({reason})"))
    )
}

/// `12 units`, or `60 of 431 units, those with the most events`.
fn shown(shown: usize, all: usize, one: &str) -> String {
    if shown == all {
        count(all as u64, one)
    } else {
        format!(
            "{shown} of {}, those with the most events",
            count(all as u64, one)
        )
    }
}
