//! Events in tables.

mod compared;

use std::collections::BTreeMap;

use proofmark_events::{EventFigures, EventsReport};

use super::cost::aligned;
use super::plan::one_or_more_lines;
use crate::names::clean;
use crate::number::{count, fixed, grouped, with_unit};
use crate::words::events::{part, reason};
use crate::{Names, Style, words};

pub use compared::{events_cost_table, events_diff_table};

/// Lines of one kind that are printed; the JSON has all.
const LINES: usize = 12;

/// What a program's code did: events, units, source lines, and what was not counted.
#[must_use]
pub fn events_table(report: &EventsReport, style: Style) -> String {
    let mut out = headline(report, style);
    out.push_str(&coverage(report, style));
    out.push('\n');
    let names = Names::of(report.units().iter().map(|(unit, _)| *unit));
    let row = |(name, figures): &(&str, &EventFigures)| {
        vec![
            clean(name),
            clean(&figures.category),
            per_run(figures, report),
            hottest(figures, &names, style),
        ]
    };
    let ranked = report.ranked();
    let rows: Vec<Vec<String>> = ranked.iter().map(row).collect();
    if rows.is_empty() {
        out.push_str("no event of the chosen types happened in the counted units\n");
    } else {
        let per = format!("per {}", each(report));
        let titles = ["event", "category", per.as_str(), "most in"];
        out.push_str(&aligned(&titles, &rows, style));
    }
    out.push_str(&never(report, style));
    out.push_str(&lines(report, style));
    if let Some(table) = uncounted(report, style) {
        out.push_str(&format!("\n{table}"));
    }
    out.push_str(&lost(report, style));
    out
}

fn headline(report: &EventsReport, style: Style) -> String {
    let threads = if report.per_thread {
        ", counters per thread"
    } else {
        ""
    };
    let how = format!(
        "{}{threads}, {}, {}",
        report.strategy,
        words::events::iterations(report),
        count(report.coverage.units, "unit")
    );
    one_or_more_lines(
        &[
            clean(&report.workload),
            how,
            clean(&words::environment(&report.environment)),
        ],
        style,
    )
}

/// `counted: 99.8 % of the blocks executed in Graal's code; 1.2 % (0.9 to 1.6) of the time lies outside of it`
fn coverage(report: &EventsReport, style: Style) -> String {
    let blocks = report.coverage.graal_blocks_pct;
    let counted = blocks.map_or("an unknown part".into(), |pct| {
        format!("{} %", fixed(pct, 1))
    });
    let outside =
        report
            .coverage
            .outside_time_pct
            .map_or("time outside: not measured".into(), |e| {
                let share = with_unit(&e, "%");
                format!("{share} of the time lies outside of it (interpreter, C1, VM)")
            });
    let mut out = line(
        "counted: ",
        &format!("{counted} of the blocks executed in Graal's code; {outside}"),
        style,
    );
    if let Some(to) = &report.coverage.restricted {
        out.push_str(&line("only ", &format!("{to}, as asked for"), style));
    }
    if let Some(text) = words::events::totals_too_low(&report.coverage) {
        out.push_str(&line("note: ", &text, style));
    }
    out
}

/// The largest units that were executed and not counted.
fn uncounted(report: &EventsReport, style: Style) -> Option<String> {
    let largest = words::events::uncounted(&report.coverage);
    let named = largest.into_iter().map(|one| NotCounted {
        unit: &one.unit,
        figures: vec![part(one.blocks_pct), part(one.time_pct)],
        why: reason(one),
    });
    not_counted(&["blocks", "time"], &named.collect::<Vec<_>>(), style)
}

/// A unit that was executed and not counted, as a table names it.
struct NotCounted<'a> {
    unit: &'a str,
    figures: Vec<String>,
    why: &'a str,
}

/// Units that were executed and not counted, with figures under these titles; none where there are no such units.
fn not_counted(titles: &[&str], units: &[NotCounted<'_>], style: Style) -> Option<String> {
    if units.is_empty() {
        return None;
    }
    let names = Names::of(units.iter().map(|one| one.unit));
    let row = |one: &NotCounted<'_>| {
        let mut row = vec![names.fitted(one.unit, style.columns() / 3)];
        row.extend(one.figures.iter().cloned());
        row.push(clean(one.why));
        row
    };
    let rows: Vec<Vec<String>> = units.iter().map(row).collect();
    let mut all = vec!["executed, not counted"];
    all.extend(titles);
    all.push("why");
    Some(aligned(&all, &rows, style))
}

fn each(report: &EventsReport) -> &'static str {
    words::events::each(report.runs_per_iteration)
}

/// A paragraph with a hanging indent.
fn line(first: &str, text: &str, style: Style) -> String {
    crate::style::hanging(first, &clean(text), style.columns())
}

/// Of an iteration, or of one run of the program where an iteration is several.
fn per_run(figures: &EventFigures, report: &EventsReport) -> String {
    let total = figures.total.map_or(0.0, |total| total.value);
    let mean = total / report.runs() as f64;
    if mean.abs() < 1000.0 && mean.fract() != 0.0 {
        fixed(mean, if mean.abs() < 1.0 { 2 } else { 1 })
    } else {
        grouped(mean.round().abs() as u64)
    }
}

fn hottest(figures: &EventFigures, names: &Names, style: Style) -> String {
    let all: i64 = figures.per_unit.values().sum();
    let most = figures.per_unit.iter().max_by_key(|(_, count)| **count);
    most.map_or("-".into(), |(unit, count)| {
        let part = 100.0 * *count as f64 / all.max(1) as f64;
        format!(
            "{} {} %",
            names.fitted(unit, style.columns() / 2),
            fixed(part, 0)
        )
    })
}

/// Types that did not happen, and those that cannot.
fn never(report: &EventsReport, style: Style) -> String {
    let ranked: Vec<&str> = report.ranked().iter().map(|(name, _)| *name).collect();
    let names = |cannot: bool| -> Vec<String> {
        report
            .events
            .iter()
            .filter(|(name, f)| {
                f.cannot_occur.is_some() == cannot && !ranked.contains(&name.as_str())
            })
            .map(|(name, _)| clean(name))
            .collect()
    };
    let mut out = String::new();
    for (title, names) in [
        ("never: ", names(false)),
        ("cannot occur in this compiler: ", names(true)),
    ] {
        if !names.is_empty() {
            out.push_str(&crate::style::hanging(
                title,
                &names.join(", "),
                style.columns(),
            ));
        }
    }
    out
}

/// Source lines with the most events; copies of a line that were inlined into the same unit by different ways are
/// one line here.
fn lines(report: &EventsReport, style: Style) -> String {
    let mut lines: BTreeMap<_, BTreeMap<&String, i64>> = BTreeMap::new();
    for row in &report.positions {
        let inner = row.frames.first().map(|frame| (&frame.method, frame.line));
        let unit = row.frames.last().map(|frame| &frame.method);
        let line = lines
            .entry((inner, unit, row.frames.len() > 1))
            .or_default();
        for (name, count) in &row.events {
            *line.entry(name).or_default() += count;
        }
    }
    let mut lines: Vec<_> = lines.into_iter().collect();
    lines.sort_by_key(|(_, events)| std::cmp::Reverse(events.values().sum::<i64>()));
    let rows: Vec<Vec<String>> = lines
        .into_iter()
        .take(LINES)
        .map(|((inner, unit, inlined), events)| {
            let mut events: Vec<(&String, i64)> = events.into_iter().collect();
            events.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            let shown = events.iter().take(4);
            let shown: Vec<String> = shown
                .map(|(name, count)| {
                    format!("{} {}", clean(name), grouped(per(*count, report.runs())))
                })
                .collect();
            let unit = unit.filter(|_| inlined);
            vec![place(inner, unit, style), shown.join(", ")]
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let title = format!("source position (events per {})", each(report));
    format!("\n{}", aligned(&[title.as_str(), ""], &rows, style))
}

fn per(count: i64, runs: u64) -> u64 {
    (count as f64 / runs.max(1) as f64).round().abs() as u64
}

/// `Board.moveTopDisk:40 in Board.moveDisks`.
fn place(inner: Option<(&String, Option<u32>)>, unit: Option<&String>, style: Style) -> String {
    let names = Names::default();
    let Some((method, line)) = inner else {
        return "-".into();
    };
    let line = line.map_or("?".into(), |line| line.to_string());
    let own = format!("{}:{line}", names.short(method));
    let whole = unit.map_or(own.clone(), |unit| {
        format!("{own} in {}", names.short(unit))
    });
    crate::names::fit(&whole, style.columns() * 3 / 5)
}

fn lost(report: &EventsReport, style: Style) -> String {
    let lost = &report.lost;
    let replaced = report.coverage.replaced.len() as u64;
    let mut out = String::new();
    if lost.traversals > 0 {
        let bound = if lost.unbounded {
            "no upper bound: a loop counted in a register was left by deoptimisation"
        } else {
            "bounds of every total in the JSON"
        };
        let text = format!(
            "{} of code in {} ({bound})",
            count(lost.traversals, "traversal"),
            count(lost.per_unit.len() as u64, "unit")
        );
        out.push_str(&line("lost: ", &text, style));
    }
    if replaced > 0 {
        let units = count(replaced, "unit");
        let text = format!("the code of {units} was replaced while it was counted");
        out.push_str(&line("note: ", &text, style));
    }
    if !report.refused.is_empty() {
        let units = count(report.refused.len() as u64, "unit");
        out.push_str(&line(
            "note: ",
            &format!("{units} not counted (reasons in the JSON)"),
            style,
        ));
    }
    out
}

/// Types of events: name, category, where they are recognised, what they are.
#[must_use]
pub fn types_table(rows: &[[String; 4]], style: Style) -> String {
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.iter().map(|text| clean(text)).collect())
        .collect();
    aligned(&["event", "category", "after", "what it is"], &rows, style)
}
