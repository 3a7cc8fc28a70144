//! The end of the page: what was left out, machine, method, settings.

use proofmark_stats::Estimate;
use serde_json::Value;

use super::PageData;
use super::escape::{name, text};
use super::facts::{grids_of, rows_of};
use super::table::{Cell, facts, table};
use crate::names::readable;
use crate::number::{count, fixed, grouped, with_n};
use proofmark_experiment::divine::{DivineReport, Sampling, WarmUp};

/// What every report says about what it can and cannot know.
const ALWAYS: [&str; 5] = [
    "Truth is our own: samples of the processor's timer or counters, mapped to blocks of machine code by zero-byte probes, in windows other than those that the search used. Where these samples do not find added time in its place, what is compared with them decides nothing.",
    "The laboratory compiles with Graal; the JVM's usual compiler is C2. What a profiler gets wrong here need not be wrong there in the same place.",
    "Only CPU time in compiled Java methods of the workload's threads is judged; blocked time, the compiler and the collector are not.",
    "Every interval is a 95 % interval. n is the number of samples, windows, pairs or runs behind a value.",
    "Controls: a profiler that samples only at safepoints must be found wrong, an oracle that reads our own block map must be found right. If one fails or stays undecided, no verdict is given. Where fewer than two methods own 10 % of the time, the first one is not applicable.",
];

/// All of it.
pub(super) fn sections(data: &PageData) -> String {
    let mut out = String::new();
    out.push_str(&left_out(data));
    out.push_str(&method(data));
    if let Some(dose) = &data.dose {
        out.push_str(&super::dose::facts(dose));
    }
    out.push_str(&block("Machine", &data.machine));
    out.push_str(&block(
        "What the machine's samples mean: victims of known answer",
        &data.calibration,
    ));
    out.push_str(&block("Settings", &data.settings));
    if let Some(assessment) = &data.assessment {
        let settings = serde_json::to_value(&assessment.settings).unwrap_or_default();
        out.push_str(&block("Settings of the judge", &settings));
    }
    out.push_str(&footer(data));
    out
}

fn block(title: &str, value: &Value) -> String {
    let mut inner = facts("", &rows_of(value));
    for grid in grids_of(value) {
        let titles: Vec<&str> = grid.columns.iter().map(String::as_str).collect();
        let cells = |row: &Vec<String>| row.iter().map(|cell| Cell::words(cell)).collect();
        let rows: Vec<Vec<Cell>> = grid.rows.iter().map(cells).collect();
        inner.push_str(&table("stack", &grid.title, &titles, &rows));
    }
    if inner.is_empty() {
        return inner;
    }
    format!(
        "<section><details><summary class=\"h2\">{}</summary>\n{inner}</details></section>\n",
        text(title)
    )
}

fn left_out(data: &PageData) -> String {
    let mut inner = String::new();
    if let Some(divine) = &data.divine {
        let rows = divine.excluded.iter();
        inner.push_str(&excluded(
            "Neither judged nor pooled",
            rows.map(|e| (e.what.as_str(), &e.share_pct, e.reason.as_str())),
        ));
    }
    if let Some(assessment) = &data.assessment {
        let rows = assessment.excluded_blocks.iter();
        inner.push_str(&excluded(
            "Looked at for doses in blocks, and not used",
            rows.map(|e| (e.label.as_str(), &e.share_pct, e.reason.as_str())),
        ));
    }
    inner.push_str(&data.divine.as_ref().map_or(String::new(), conditions));
    if inner.is_empty() {
        inner
    } else {
        format!("<section id=\"left-out\"><h2>Left out and lost</h2>\n{inner}</section>\n")
    }
}

/// What is left out, its share and why.
fn excluded<'a>(
    title: &str,
    rows: impl Iterator<Item = (&'a str, &'a Estimate, &'a str)>,
) -> String {
    let row = |(what, share, reason): (&str, &Estimate, &str)| {
        vec![
            Cell::html(name(what)),
            Cell::number(&with_n(share, "%"), share.value),
            Cell::words(&readable(reason)),
        ]
    };
    let rows: Vec<Vec<Cell>> = rows.map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    table("sortable", title, &["what", "share of time", "why"], &rows)
}

/// How the search sampled, and in what state the program was.
fn conditions(divine: &DivineReport) -> String {
    let mut out = facts(
        "Sampling while searching",
        &divine
            .sampling
            .as_ref()
            .map_or(vec![], |how| sampling(how, divine.sampler_pct)),
    );
    if let Some(warm) = &divine.warm_up {
        out.push_str(&facts("State of the program", &warm_up(warm)));
        if !warm.refused.is_empty() {
            let items: String = warm
                .refused
                .iter()
                .map(|r| format!("<li>{}</li>", name(&readable(r))))
                .collect();
            out.push_str(&format!(
                "<h3>Could not be taken under control</h3><ul>{items}</ul>\n"
            ));
        }
    }
    out
}

fn sampling(s: &Sampling, cost_pct: Option<Estimate>) -> Vec<(String, String)> {
    let row = |what: &str, value: String| (what.to_owned(), value);
    let mut rows = vec![
        row("rate", format!("{} Hz", fixed(s.rate_hz, 0))),
        row("samples", grouped(s.samples)),
        row("lost", grouped(s.lost)),
        row("throttled", format!("{} times", grouped(s.throttled))),
        row("windows measured again", grouped(s.repeated_windows)),
    ];
    rows.extend(cost_pct.map(|cost| {
        let longer = "an iteration takes longer while it is sampled, by";
        row(longer, with_n(&cost, "%"))
    }));
    rows
}

fn warm_up(w: &WarmUp) -> Vec<(String, String)> {
    let row = |what: &str, value: String| (what.to_owned(), value);
    let steady = if w.steady { "steady" } else { "not steady" };
    vec![
        row(
            "warm-up",
            format!(
                "{}, {steady}: {}",
                count(w.iterations, "iteration"),
                w.reason
            ),
        ),
        row(
            "CPU time of an iteration",
            format!("{} ms", fixed(w.iteration_ms, 2)),
        ),
        row(
            "time in units under control",
            format!("{} %", fixed(w.controlled_pct, 1)),
        ),
        row(
            "in compiled code not under control",
            format!("{} %", fixed(w.foreign_pct, 1)),
        ),
        row(
            "in interpreter, VM and stubs",
            format!("{} %", fixed(w.outside_pct, 1)),
        ),
    ]
}

fn method(data: &PageData) -> String {
    let own = data
        .assessment
        .iter()
        .map(|a| a.method.as_str())
        .filter(|m| !m.is_empty());
    let sites = data.dose.iter().flat_map(|_| super::dose::METHOD);
    let of_laboratory = data.dose.is_none() || data.divine.is_some();
    let always = ALWAYS.into_iter().filter(|_| of_laboratory);
    let given = data.method.iter().map(String::as_str);
    let all = sites.chain(given).chain(own).chain(always);
    let paragraphs: String = all.map(|p| format!("<p>{}</p>\n", text(p))).collect();
    format!(
        "<section id=\"method\"><h2>Method</h2>\n<div class=\"prose\">{paragraphs}</div></section>\n"
    )
}

fn footer(data: &PageData) -> String {
    let command = if data.command.is_empty() {
        String::new()
    } else {
        format!("<p>Again: <code>{}</code></p>", text(&data.command))
    };
    let version = if data.version.is_empty() {
        String::new()
    } else {
        format!(" {}", text(&data.version))
    };
    format!(
        "<footer>{command}<p>Proofmark{version}. All figures are in this file as JSON, in the element with the id <code>data</code>.</p></footer>\n"
    )
}
