//! From figures to tables.

use proofmark_study::Analysis;
use proofmark_study::result::{
    Agreement, FlagEffect, Interval, ModeTest, Overhead, ProfilerFigures,
};

use super::super::escape::text;
use super::super::table::{Cell, table};
use crate::number::{fixed, interval, signed_percent};
use crate::{Names, words};

/// One row per profiler.
pub(super) fn profilers(analysis: &Analysis) -> String {
    let rows: Vec<Vec<Cell>> = analysis.profilers.iter().map(profiler).collect();
    table(
        "sortable stack",
        "",
        &[
            "profiler",
            "unstable methods",
            "median difference, pt",
            "largest difference, pt",
            "different hottest methods, median",
            "different hottest methods, most",
            "overhead",
        ],
        &rows,
    )
}

fn profiler((name, f): (&String, &ProfilerFigures)) -> Vec<Cell> {
    let i = f.intervals.as_ref();
    let points = |value: Option<f64>, ends: Option<Interval>| {
        value.map_or(Cell::words("-"), |value| figure(value, ends, 1))
    };
    vec![
        Cell::words(name),
        figure(f.unstable_methods as f64, i.map(|i| i.unstable_methods), 0),
        points(f.median_difference_pt, i.map(|i| i.median_difference_pt)),
        points(f.max_difference_pt, i.map(|i| i.max_difference_pt)),
        figure(
            f.distinct_hottest.median,
            i.map(|i| i.distinct_hottest_median),
            1,
        ),
        figure(
            f.distinct_hottest.max as f64,
            i.map(|i| i.distinct_hottest_max),
            0,
        ),
        f.overhead_pct.map_or(Cell::words("-"), |e| {
            Cell::number(&signed_percent(&e), e.value)
        }),
    ]
}

fn figure(value: f64, ends: Option<Interval>, digits: usize) -> Cell {
    let words = fixed(value, digits);
    let ends = ends.map_or(String::new(), |i| {
        format!(" ({} to {})", fixed(i.low, digits), fixed(i.high, digits))
    });
    Cell::number(&format!("{words}{ends}"), value)
}

/// One row per program.
pub(super) fn agreement(all: &[Agreement]) -> String {
    let row = |a: &Agreement| {
        let names = Names::of(a.groups.iter().map(|g| g.method.as_str()));
        let groups: String = a
            .groups
            .iter()
            .map(|g| {
                let method = super::super::escape::name(&names.short(&g.method));
                format!(
                    "<li>{}: <code>{method}</code></li>",
                    text(&g.profilers.join(", "))
                )
            })
            .collect();
        let support = a.groups_support.map_or(Cell::words("-"), |part| {
            Cell::number(&format!("{} %", fixed(100.0 * part, 0)), part)
        });
        vec![
            Cell::words(&a.program),
            figure(a.union_hottest as f64, a.union_hottest_interval, 0),
            figure(a.union_top5 as f64, a.union_top5_interval, 0),
            Cell::html(format!("<ul>{groups}</ul>")),
            support,
        ]
    };
    let rows: Vec<Vec<Cell>> = all.iter().map(row).collect();
    table(
        "sortable stack",
        "Different methods over all profilers",
        &[
            "program",
            "hottest",
            "five hottest",
            "who names what",
            "same groups in resamples",
        ],
        &rows,
    )
}

/// What DebugNonSafepoints changes; nothing if it was not varied.
pub(super) fn debug_info(effects: &[FlagEffect]) -> String {
    if effects.is_empty() {
        return String::new();
    }
    let names = Names::of(effects.iter().map(|e| e.method.as_str()));
    let row = |e: &FlagEffect| {
        let percent = |value| Cell::number(&format!("{} %", fixed(value, 1)), value);
        let change = format!(
            "{} pt ({})",
            fixed(e.change_pt.value, 1),
            interval(&e.change_pt)
        );
        vec![
            Cell::words(&e.program),
            Cell::words(&e.profiler),
            Cell::words(&names.short(&e.method)),
            percent(e.without_pct),
            percent(e.with_pct),
            Cell::number(&change, e.change_pt.value),
        ]
    };
    let rows: Vec<Vec<Cell>> = effects.iter().map(row).collect();
    let table = table(
        "sortable stack",
        "",
        &[
            "program",
            "profiler",
            "method",
            "without the flag",
            "with it",
            "change",
        ],
        &rows,
    );
    format!(
        "<section id=\"flag\"><h2>Shares that depend on DebugNonSafepoints</h2>\n<p class=\"prose\">Without <code>-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints</code> the JVM keeps debug information at safepoints only, and samples between them are charged to another method, mostly the caller that a hot method was inlined into. The flag is the cause of these changes; only changes of 5 points and more that noise does not explain are listed.</p>{table}</section>\n"
    )
}

/// What has several modes.
pub(super) fn modes(tests: &[ModeTest]) -> String {
    let several = tests.iter().filter(|t| t.several);
    let said: String = several
        .filter_map(words::modes)
        .map(|line| format!("<li>{}</li>", text(&line)))
        .collect();
    let said = if said.is_empty() {
        "<p>None was found.</p>".to_owned()
    } else {
        format!("<ul class=\"notes\">{said}</ul>")
    };
    format!(
        "<section id=\"modes\"><h2>Several modes</h2>\n<p class=\"prose\">Runs that fall into two groups: the same program compiled, or seen, in different ways. {} tests.</p>{said}</section>\n",
        tests.len()
    )
}

/// One row per program and profiler with run times.
pub(super) fn overhead(all: &[Overhead]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let row = |o: &Overhead| {
        let e = &o.overhead_pct;
        vec![
            Cell::words(&o.program),
            Cell::words(&o.profiler),
            Cell::number(&signed_percent(e), e.value),
            Cell::number(&e.n.to_string(), e.n as f64),
        ]
    };
    let rows: Vec<Vec<Cell>> = all.iter().map(row).collect();
    let table = table(
        "sortable",
        "",
        &["program", "profiler", "overhead", "runs"],
        &rows,
    );
    format!(
        "<section id=\"overhead\"><details><summary class=\"h2\">Overhead</summary>\n{table}</details></section>\n"
    )
}
