//! Events in tables.

use std::collections::BTreeMap;

use proofmark_events::{Difference, Factor, Factors};

use super::cost::aligned;
use super::plan::one_or_more_lines;
use crate::names::clean;
use crate::number::{count, fixed, grouped, interval, with_unit};
use crate::{Names, Style, words};
use proofmark_events::{EventFigures, EventsCost, EventsDiff, EventsReport};

/// Lines of one kind that are printed; the JSON has all.
const LINES: usize = 12;
/// Least part of executed blocks that must be counted, %.
const COVERAGE_WANTED_PCT: f64 = 95.0;

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
            per_iteration(figures, report.iterations),
            hottest(figures, &names, style),
        ]
    };
    let ranked = report.ranked();
    let rows: Vec<Vec<String>> = ranked.iter().map(row).collect();
    if rows.is_empty() {
        out.push_str("no event of the chosen types happened in the counted units\n");
    } else {
        let titles = ["event", "category", "per iteration", "most in"];
        out.push_str(&aligned(&titles, &rows, style));
    }
    out.push_str(&never(report, style));
    out.push_str(&lines(report, style));
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
        count(report.iterations, "iteration"),
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
    match (&report.coverage.restricted, blocks) {
        (Some(to), _) => out.push_str(&line("only ", &format!("{to}, as asked for"), style)),
        (None, Some(pct)) if pct < COVERAGE_WANTED_PCT => {
            let text = format!(
                "less than {COVERAGE_WANTED_PCT:.0} % of the executed blocks were counted: totals are too low"
            );
            out.push_str(&line("note: ", &text, style));
        }
        _ => {}
    }
    out
}

/// A paragraph with a hanging indent.
fn line(first: &str, text: &str, style: Style) -> String {
    crate::style::hanging(first, &clean(text), style.columns())
}

fn per_iteration(figures: &EventFigures, iterations: u64) -> String {
    let total = figures.total.map_or(0.0, |total| total.value);
    let mean = total / iterations.max(1) as f64;
    if mean.abs() < 1000.0 && mean.fract() != 0.0 {
        fixed(mean, 1)
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
                    format!(
                        "{} {}",
                        clean(name),
                        grouped(per(*count, report.iterations))
                    )
                })
                .collect();
            let unit = unit.filter(|_| inlined);
            vec![place(inner, unit, style), shown.join(", ")]
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "\n{}",
        aligned(
            &["source position (events per iteration)", ""],
            &rows,
            style
        )
    )
}

fn per(count: i64, iterations: u64) -> u64 {
    (count as f64 / iterations.max(1) as f64).round().abs() as u64
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

/// What differs between two configurations.
#[must_use]
pub fn events_diff_table(diff: &EventsDiff, style: Style) -> String {
    let options = |c: &proofmark_events::Configuration| {
        if c.jvm_options.is_empty() {
            "no further options".to_owned()
        } else {
            clean(&c.jvm_options.join(" "))
        }
    };
    let mut out = format!(
        "{}\nA: {}\nB: {}\n",
        clean(&diff.workload),
        options(&diff.a),
        options(&diff.b)
    );
    if let Some(ratio) = &diff.run_time_ratio {
        out.push_str(&format!(
            "run time B / A, without counting: {} ({})\n",
            fixed(ratio.value, 3),
            interval3(ratio)
        ));
    }
    let found = &diff.differences.found;
    out.push_str(&format!(
        "{} of {} differ by more than {} % and beyond the spread between JVMs (5 % false discoveries)\n\n",
        found.len(),
        count(diff.differences.compared as u64, "metric"),
        fixed(100.0 * diff.differences.threshold, 0)
    ));
    let names = Names::of(found.iter().filter_map(|d| d.unit.as_deref()));
    let row = |d: &Difference| {
        let unit = d.unit.as_deref();
        vec![
            clean(&d.event),
            grouped(d.a.value.round().abs() as u64),
            grouped(d.b.value.round().abs() as u64),
            format!(
                "{}{} %",
                if d.change_pct > 0.0 { "+" } else { "" },
                fixed(d.change_pct, 0)
            ),
            unit.map_or("whole program".into(), |u| {
                names.fitted(u, style.columns() / 2)
            }),
        ]
    };
    let rows: Vec<Vec<String>> = found.iter().take(3 * LINES).map(row).collect();
    if !rows.is_empty() {
        let titles = ["event", "A per iteration", "B", "of the larger", "where"];
        out.push_str(&aligned(&titles, &rows, style));
    }
    for remark in &diff.remarks {
        out.push_str(&crate::style::hanging(
            "note: ",
            &clean(remark),
            style.columns(),
        ));
    }
    out
}

/// Three digits: factors near 1.
fn interval3(e: &proofmark_stats::Estimate) -> String {
    if e.low.is_finite() && e.high.is_finite() {
        format!("{} to {}", fixed(e.low, 3), fixed(e.high, 3))
    } else {
        interval(e)
    }
}

/// What counting costs: one line per way of counting.
#[must_use]
pub fn events_cost_table(cost: &EventsCost, style: Style) -> String {
    let worst = |row: &Factors| -> Option<(String, f64)> {
        let factors = row.run_time.iter();
        factors
            .filter_map(|f: &Factor| Some((f.program.clone(), f.factor?.value)))
            .max_by(|a, b| a.1.total_cmp(&b.1))
    };
    let mean = |e: &Option<proofmark_stats::Estimate>| {
        e.map_or("-".into(), |e| {
            format!("{} ({})", fixed(e.value, 3), interval3(&e))
        })
    };
    let line = |row: &Factors| {
        vec![
            clean(&row.mode),
            mean(&row.run_time_mean),
            worst(row).map_or("-".into(), |(program, f)| {
                format!("{} {}", fixed(f, 2), clean(&program))
            }),
            mean(&row.compile_time_mean),
            fixed(row.code_size_mean, 2),
        ]
    };
    let rows: Vec<Vec<String>> = cost.rows.iter().map(line).collect();
    let titles = [
        "counting",
        "run time, geometric mean",
        "worst",
        "compile time, geometric mean",
        "code size",
    ];
    let programs = cost.rows.first().map_or(0, |row| row.run_time.len());
    let mut out = format!(
        "{}, {}; thread CPU time, interleaved with code that does not count\n",
        count(programs as u64, "program"),
        count(u64::from(cost.rounds), "round")
    );
    out.push_str(&aligned(&titles, &rows, style));
    if let Some((program, pct)) = &cost.least_coverage_pct {
        out.push_str(&format!(
            "counted blocks among those executed: {} % at least ({})\n",
            fixed(*pct, 1),
            clean(program)
        ));
    }
    for failure in &cost.failed {
        out.push_str(&crate::style::hanging(
            "failed: ",
            &clean(failure),
            style.columns(),
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
