//! How reproducible profilers are and how far they agree, in tables.

use proofmark_stats::Estimate;
use proofmark_study::Analysis;
use proofmark_study::result::{Agreement, FlagEffect, Interval, ModeTest, Pair, ProfilerFigures};

use super::cost::aligned;
use crate::names::{clean, fit};
use crate::number::{count, fixed, grouped, signed_percent};
use crate::style::hanging;
use crate::{Style, words};

/// Lines of one kind that are printed; the JSON has all.
const LINES: usize = 8;

/// Columns of a name that is not the last of its line.
const NAME: usize = 24;
/// What the columns of the first table mean.
const LEGEND: &str = "Unstable: methods that are in some but not all top tens, mean share 1 % at least. Differences: largest less smallest share over the runs, mean share 5 % at least. Hottest: most different hottest methods of a program.";

/// All tables.
#[must_use]
pub fn study_tables(analysis: &Analysis, style: Style) -> String {
    let mut out = hanging("", &words::study(analysis), style.columns());
    out.push_str(&format!("{}\n\n", size(analysis)));
    let rows: Vec<Vec<String>> = analysis.profilers.iter().map(profiler).collect();
    let titles = [
        "profiler",
        "unstable",
        "median diff., pt",
        "largest",
        "hottest",
        "overhead",
    ];
    out.push_str(&aligned(&titles, &rows, style));
    out.push_str(&hanging("", LEGEND, style.columns()));
    out.push('\n');
    let rows: Vec<Vec<String>> = analysis.agreement.iter().map(agreement).collect();
    let titles = [
        "program",
        "hottest",
        "top 5",
        "who names which hottest method",
    ];
    out.push_str(&aligned(&titles, &rows, style));
    out.push_str(&pairs(analysis, style));
    out.push_str(&flags(&analysis.debug_info, style));
    out.push_str(&modes(&analysis.modes, style));
    out.push_str(&remarks(&analysis.remarks, style));
    out
}

/// `2,520 recordings of 14 programs by 6 profilers; intervals: 95 %, 1,000 resamples, seed 1`.
fn size(analysis: &Analysis) -> String {
    let runs = analysis.profilers.values().map(|p| p.runs).sum();
    format!(
        "{} of {} by {}; intervals: 95 %, {} resamples, seed {}",
        count(runs, "recording"),
        count(analysis.programs.len() as u64, "program"),
        count(analysis.profilers.len() as u64, "profiler"),
        grouped(analysis.resamples),
        analysis.seed
    )
}

fn profiler((name, f): (&String, &ProfilerFigures)) -> Vec<String> {
    let i = f.intervals.as_ref();
    let points = |value: Option<f64>, ends: Option<Interval>| {
        value.map_or("-".into(), |value| figure(value, ends, 1))
    };
    vec![
        named(name),
        figure(f.unstable_methods as f64, i.map(|i| i.unstable_methods), 0),
        points(f.median_difference_pt, i.map(|i| i.median_difference_pt)),
        points(f.max_difference_pt, i.map(|i| i.max_difference_pt)),
        figure(
            f.distinct_hottest.max as f64,
            i.map(|i| i.distinct_hottest_max),
            0,
        ),
        f.overhead_pct.map_or("-".into(), |e| signed_percent(&e)),
    ]
}

/// A name that fits its column.
fn named(name: &str) -> String {
    fit(&clean(name), NAME)
}

/// `35 (27 to 43)`.
fn figure(value: f64, ends: Option<Interval>, digits: usize) -> String {
    let value = fixed(value, digits);
    match ends {
        Some(i) => format!(
            "{value} ({} to {})",
            fixed(i.low, digits),
            fixed(i.high, digits)
        ),
        None => value,
    }
}

fn agreement(a: &Agreement) -> Vec<String> {
    let names = crate::Names::of(a.groups.iter().map(|g| g.method.as_str()));
    let groups: Vec<String> = a
        .groups
        .iter()
        .map(|g| {
            format!(
                "{}: {}",
                clean(&g.profilers.join(" ")),
                names.short(&g.method)
            )
        })
        .collect();
    vec![
        named(&a.program),
        figure(a.union_hottest as f64, a.union_hottest_interval, 0),
        figure(a.union_top5 as f64, a.union_top5_interval, 0),
        groups.join("; "),
    ]
}

/// Every two profilers: programs with the same hottest method, and overlap of shares.
fn pairs(analysis: &Analysis, style: Style) -> String {
    let names: Vec<&String> = analysis.profilers.keys().collect();
    let of = |a: &String, b: &String| {
        let mut all = analysis.pairs.iter();
        all.find(|p| (&p.a, &p.b) == (a, b) || (&p.b, &p.a) == (a, b))
    };
    let row = |a: &&String| {
        let cells = names.iter().map(|b| of(a, b).map_or("-".into(), cell));
        std::iter::once(named(a))
            .chain(cells)
            .collect::<Vec<String>>()
    };
    let rows: Vec<Vec<String>> = names.iter().map(row).collect();
    let heads: Vec<String> = names.iter().map(|name| named(name)).collect();
    let titles: Vec<&str> = std::iter::once("overlap")
        .chain(heads.iter().map(String::as_str))
        .collect();
    let note = "Overlap of shares, %, and programs with the same hottest method; with itself: one half of the runs against the other.";
    format!(
        "\n{}{}",
        aligned(&titles, &rows, style),
        hanging("", note, style.columns())
    )
}

/// `93 % 12/14`.
fn cell(pair: &Pair) -> String {
    let same = &pair.same_hottest;
    format!(
        "{} % {}/{}",
        fixed(pair.overlap_pct.value, 0),
        fixed(same.value, 0),
        same.n
    )
}

fn flags(effects: &[FlagEffect], style: Style) -> String {
    let line = |e: &FlagEffect| {
        format!(
            "{}: {} charges {} {} % without DebugNonSafepoints, {} % with it; the flag is the cause of {}",
            clean(&e.program),
            clean(&e.profiler),
            crate::Names::default().short(&e.method),
            fixed(e.without_pct, 0),
            fixed(e.with_pct, 0),
            points(&e.change_pt)
        )
    };
    lines(
        "Debug information (-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints):",
        effects.iter().map(line).collect(),
        style,
    )
}

fn points(e: &Estimate) -> String {
    let absolute = if e.value < 0.0 { e.scaled(-1.0) } else { *e };
    crate::number::with_unit(&absolute, "pt")
}

fn modes(tests: &[ModeTest], style: Style) -> String {
    let several = tests.iter().filter(|t| t.several);
    let said = several.filter_map(words::modes).collect();
    lines(
        "Several modes (dip test, false-discovery rate 5 %):",
        said,
        style,
    )
}

fn remarks(remarks: &[String], style: Style) -> String {
    lines(
        "Remarks:",
        remarks.iter().map(|r| clean(r)).collect(),
        style,
    )
}

fn lines(title: &str, all: Vec<String>, style: Style) -> String {
    if all.is_empty() {
        return String::new();
    }
    let mut out = format!("\n{title}\n");
    for line in all.iter().take(LINES) {
        out.push_str(&hanging("  ", line, style.columns()));
    }
    if all.len() > LINES {
        out.push_str(&format!(
            "  and {} more (--format json)\n",
            all.len() - LINES
        ));
    }
    out
}
