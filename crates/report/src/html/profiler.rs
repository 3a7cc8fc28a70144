//! One profiler: charts, tests, amounts, losses.

use proofmark_assess::{AaTest, Cause, Judgement, Role, Settings};
use proofmark_stats::Estimate;

use super::escape::text;
use super::table::{Cell, facts, table};
use super::{charts, scatters, verdict};
use crate::number::{duration, fixed, grouped, with_n};
use crate::{Names, words};

/// The section; controls are closed, they are of interest only when something is broken.
pub(super) fn section(at: usize, j: &Judgement, names: &Names, settings: &Settings) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(charts::truth(j, names));
    parts.extend(
        j.tests
            .uniform
            .iter()
            .filter_map(|t| scatters::uniform(j, t, names, settings)),
    );
    parts.extend(scatters::single(j, names));
    parts.extend(charts::times(
        &j.windows,
        "Iteration times, A and B windows",
    ));
    let tests = verdict::tests(j, names);
    if !parts.is_empty() && !tests.is_empty() {
        parts.push(format!("<div class=\"wide\"><h4>Tests</h4>{tests}</div>"));
    }
    let charts = if parts.is_empty() {
        "<p>There was not enough data for a chart.</p>\n".into()
    } else {
        format!("<div class=\"grid\">{}</div>\n", parts.concat())
    };
    let aa = j.tests.aa.as_ref().map_or(String::new(), |aa| {
        facts("A/A: unslowed windows against each other", &alarms(aa))
    });
    let inner = format!(
        "{charts}{}<details><summary>Amounts, losses and A/A windows</summary>\n{}{}{}{aa}</details>\n",
        causes(j),
        amounts(j),
        losses(j),
        parts_of_error(j)
    );
    let title = format!("{} {}", text(&j.name), verdict::badge(j.verdict));
    match j.role {
        Role::Subject => format!("<section id=\"p{at}\"><h2>{title}</h2>\n{inner}</section>\n"),
        _ => format!(
            "<section id=\"p{at}\"><details><summary class=\"h2\">Control: {title}</summary>\n{inner}</details></section>\n"
        ),
    }
}

/// What explains the error, what that is, and what to do.
fn causes(j: &Judgement) -> String {
    let row = |one: &Cause| {
        let (what, to_do) = words::cause(one.kind);
        (one.says.clone(), format!("{what} {to_do}"))
    };
    let rows: Vec<(String, String)> = j.causes.iter().map(row).collect();
    facts("Causes that were found, and what to do", &rows)
}

/// What debug information, skid and the rest make of the error in unslowed code.
fn parts_of_error(j: &Judgement) -> String {
    let replay = j.tests.replay.as_ref();
    replay.map_or(String::new(), |replay| {
        let title = "Error in unslowed code by parts: the JVM's records, replayed over our samples";
        facts(title, &words::part_rows(replay))
    })
}

fn alarms(aa: &AaTest) -> Vec<(String, String)> {
    let alarms = format!(
        "{} of {} comparisons ({} to {} %); nominal {} %",
        grouped(aa.alarms),
        grouped(aa.rate.n),
        fixed(100.0 * aa.rate.low, 1),
        fixed(100.0 * aa.rate.high, 1),
        fixed(100.0 * aa.nominal, 1)
    );
    let drift = format!(
        "{}{}",
        with_n(&aa.drift_pt, "pt"),
        if aa.drift {
            ", more than noise"
        } else {
            ", no more than noise"
        }
    );
    vec![
        ("false alarms".into(), alarms),
        ("first against second half".into(), drift),
    ]
}

fn amounts(j: &Judgement) -> String {
    let row = |s: &proofmark_assess::ConditionSize| {
        let number = |v: f64| Cell::number(&grouped(v.max(0.0).round() as u64), v);
        vec![
            Cell::words(&words::condition(s.condition)),
            number(s.profiler_windows as f64),
            number(s.profiler_samples),
            number(s.truth_windows as f64),
            number(s.truth_samples),
            Cell::number(&duration(s.seconds), s.seconds),
        ]
    };
    let rows: Vec<Vec<Cell>> = j.sizes.iter().map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    let titles = [
        "windows",
        "profiler's",
        "its samples",
        "ours",
        "our samples",
        "time",
    ];
    table("", "Amount of data", &titles, &rows)
}

fn losses(j: &Judgement) -> String {
    let l = &j.losses;
    let all: [(&str, Option<Estimate>); 5] = [
        (
            "native leaves, of its samples of the workload",
            l.native_pct,
        ),
        ("Java samples without a name", l.unattributed_pct),
        ("lost, of all that it took or lost", l.lost_pct),
        ("other threads, of all its samples", l.other_threads_pct),
        (
            "outside of compiled Java methods, of our samples",
            l.truth_outside_pct,
        ),
    ];
    let rows: Vec<(String, String)> = all
        .into_iter()
        .filter_map(|(what, e)| Some((what.to_owned(), with_n(&e?, "%"))))
        .collect();
    facts("In no share", &rows)
}
