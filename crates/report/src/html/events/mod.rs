//! The page of a program's events: which, in which units, over source lines, over time.

mod tables;

use super::escape::{json, name, text};
use super::{StudyPage, document, figure, footer, heading};
use crate::Names;
use crate::number::{count, fixed, grouped, with_unit};
use crate::svg::{Group, Range, cloud, ranges};
use crate::words;
use proofmark_events::{EventFigures, EventsReport};

/// Rows of the first chart.
const BARS: usize = 12;
/// Types drawn over time.
const OVER_TIME: usize = 5;

/// How the figures come about.
const METHOD: [&str; 5] = [
    "Events are counted in the machine code itself, after every optimisation that could remove them: an allocation that escape analysis removed does not happen and is not counted. docs/events.md says for each type where in the compiler it is recognised.",
    "Counts are exact. Low and high ends of a total are what lost traversals allow: control that left code in the middle of a block, by a deoptimisation, is missing at the exits, and its events are known up to one path.",
    "Strategies: edge counts the edges outside of a spanning tree and computes the rest; live adds the same edges' weights to the counters of the types; pc counts paths; pd adds a path's events at its end; dec counts every event where it happens. All give the same totals.",
    "Only code that Graal compiled is counted. What runs in the interpreter, in C1's code or in the VM is named as a part of the time.",
    "A source position is the line of the innermost method; inlined copies are listed with the unit that they were compiled into.",
];

/// The page; the same data give the same text. Colours follow the reader's setting.
#[must_use]
pub fn events_html(report: &EventsReport, page: &StudyPage) -> String {
    let mut body = header(report, page);
    body.push_str(&overview(report));
    body.push_str(&tables::units(report));
    body.push_str(&tables::lines(report));
    body.push_str(&tables::not_counted(report));
    body.push_str(&tail(page));
    document(&page.title, &body, &json(report))
}

fn header(report: &EventsReport, page: &StudyPage) -> String {
    let lines = [
        format!(
            "{}, {}, counted by the strategy {}{}",
            words::events::iterations(report),
            count(report.coverage.units, "unit"),
            report.strategy,
            if report.per_thread {
                ", counters per thread"
            } else {
                ""
            }
        ),
        words::environment(&report.environment),
        page.generated.clone(),
    ];
    heading("Proofmark events", &name(&report.workload), &lines)
}

fn overview(report: &EventsReport) -> String {
    let coverage = &report.coverage;
    let blocks = coverage
        .graal_blocks_pct
        .map_or("an unknown part".into(), |pct| {
            format!("{} %", fixed(pct, 1))
        });
    let outside = coverage
        .outside_time_pct
        .map_or("not measured".into(), |e| with_unit(&e, "%"));
    let restricted = coverage.restricted.as_ref().map_or(String::new(), |to| {
        format!(" Only {} were counted, as asked for.", text(to))
    });
    let note = words::events::totals_too_low(coverage).map_or(String::new(), |note| {
        format!("<p class=\"notes\">Note: {}.</p>\n", text(&note))
    });
    let charts: String = [most_frequent(report), over_time(report)]
        .into_iter()
        .flatten()
        .collect();
    format!(
        "<section id=\"events\"><h2>What the code did</h2>\n<p class=\"prose\">Counted: {} of the blocks executed in Graal's code. Time outside of that code: {}. Traversals lost: {}.{restricted}</p>\n{note}<div class=\"grid\">{charts}</div>\n{}</section>\n",
        text(&blocks),
        text(&outside),
        grouped(report.lost.traversals),
        tables::events(report)
    )
}

/// `iteration`, or `run` where an iteration is several.
fn each(report: &EventsReport) -> &'static str {
    words::events::each(report.runs_per_iteration)
}

fn per_iteration(figures: &EventFigures, report: &EventsReport) -> f64 {
    figures.total.map_or(0.0, |total| total.value) / report.iterations.max(1) as f64
}

/// Of an iteration, or of one run of the program where an iteration is several.
fn per_run(figures: &EventFigures, report: &EventsReport) -> f64 {
    figures.total.map_or(0.0, |total| total.value) / report.runs() as f64
}

/// The most frequent types.
fn most_frequent(report: &EventsReport) -> Option<String> {
    let ranked = report.ranked();
    let each = each(report);
    let largest = per_run(ranked.first()?.1, report);
    let (unit, events) = match largest {
        n if n >= 2e6 => (1e6, "million events"),
        n if n >= 2e3 => (1e3, "thousand events"),
        _ => (1.0, "events"),
    };
    let axis = format!("{events} per {each}");
    let bar = |(name, figures): &(&str, &EventFigures)| {
        let mean = per_run(figures, report) / unit;
        Range {
            name: (*name).to_owned(),
            mean,
            ends: (mean, mean),
            hatched: false,
            tip: format!(
                "{name}: {} per {each}",
                grouped((mean * unit).round().abs() as u64)
            ),
        }
    };
    let rows: Vec<Range> = ranked.iter().take(BARS).map(bar).collect();
    let n = format!("n = {}", count(report.iterations, "iteration"));
    let title = "Most frequent events";
    let description = format!("Bars of events per {each}, one per type; {n}.");
    let svg = ranges(&rows, title, &description, (axis.as_str(), 0.0))?;
    let caption = format!("{n}. All types are in the table below.");
    Some(figure(title, &svg, &caption))
}

/// The most frequent types, relative to their means.
fn over_time(report: &EventsReport) -> Option<String> {
    if report.iterations < 2 {
        return None;
    }
    let group = |(name, figures): &(&str, &EventFigures)| {
        let mean = per_iteration(figures, report);
        let point = |(at, n): (usize, &i64)| ((at + 1) as f64, 100.0 * *n as f64 / mean);
        Group {
            name: (*name).to_owned(),
            points: figures.over_time.iter().enumerate().map(point).collect(),
        }
    };
    let groups: Vec<Group> = report.ranked().iter().take(OVER_TIME).map(group).collect();
    let title = "Over time";
    let n = format!("n = {}", count(report.iterations, "iteration"));
    let description = format!("Events of each iteration in % of their mean; {n}.");
    let svg = cloud(&groups, title, &description, ("iteration", "% of the mean"))?;
    let caption = format!("{n}. A program that does the same work every time stays at 100 %.");
    Some(figure(title, &svg, &caption))
}

fn tail(page: &StudyPage) -> String {
    let paragraphs: String = METHOD
        .iter()
        .map(|p| format!("<p>{}</p>", text(p)))
        .collect();
    format!(
        "<section id=\"method\"><h2>Method</h2>\n<div class=\"prose\">{paragraphs}</div></section>\n{}",
        footer(page)
    )
}

/// Short names of all units and methods on the page.
fn short_names(report: &EventsReport) -> Names {
    let units = report
        .events
        .values()
        .flat_map(|figures| figures.per_unit.keys());
    let methods = report
        .positions
        .iter()
        .flat_map(|row| row.frames.iter().map(|f| &f.method));
    Names::of(units.chain(methods).map(String::as_str))
}
