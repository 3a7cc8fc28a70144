//! All figures of a test by dose.

use std::collections::BTreeSet;

use proofmark_experiment::dose::{AttributionRow, DoseResult, KnownShare, UntestedMethod};
use proofmark_stats::Estimate;

use super::super::escape::{kept, name, text};
use super::super::table::{Cell, facts as facts_table, table};
use super::super::verdict::badge;
use super::chart::{charted, has_shares};
use super::{ranked, site};
use crate::number::{fixed, grouped, with_n, with_unit};
use crate::{Names, words};

/// Every part with its interval, and every share: what the pictures show, in words.
pub(super) fn figures(result: &DoseResult, names: &Names) -> String {
    let rows = ranked(result).into_iter().flat_map(|(profiler, one)| {
        let row = move |row| matrix_row((profiler, result.margin_pt), row, names);
        one.rows.iter().map(row)
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    if rows.is_empty() {
        return String::new();
    }
    let titles = [
        "profiler",
        "time added to",
        "verdict",
        "program grew, %",
        "reported there, % of the added time",
        "reported elsewhere",
        "in no Java method",
    ];
    format!(
        "<section id=\"figures\"><h2>All figures</h2>\n{}{}{}</section>\n",
        table(
            "sortable stack attribution",
            "Where the added time is reported",
            &titles,
            &rows
        ),
        notes(result),
        shares(result, names)
    )
}

/// What the notes in the rows mean, those that occur.
fn notes(result: &DoseResult) -> String {
    let item =
        |(form, means): (&str, &str)| format!("<li><b>{}</b>: {}</li>", text(form), kept(means));
    let items: String = words::sorts(result).into_iter().map(item).collect();
    match items.is_empty() {
        true => items,
        false => format!("<p>Notes in these rows:</p>\n<ul class=\"notes\">{items}</ul>\n"),
    }
}

fn matrix_row(
    (profiler, margin_pt): (&str, f64),
    row: &AttributionRow,
    names: &Names,
) -> Vec<Cell> {
    let elsewhere: String = row
        .elsewhere
        .iter()
        .map(|to| {
            let jvms = words::in_some_jvms(row, to);
            let jvms = jvms.map_or(String::new(), |said| {
                format!(" <small>{}</small>", kept(&said))
            });
            format!(
                "<li title=\"{}\"><code>{}</code> {}{jvms}</li>",
                text(&to.method),
                name(&names.short(&to.method)),
                kept(&with_n(&to.pct, "%"))
            )
        })
        .collect();
    let jvms = words::in_jvms(row.jvms);
    let jvms = jvms.map_or(String::new(), |said| {
        format!(" <small>{}</small>", text(&said))
    });
    let mut remarks: Vec<String> = words::missing(row).into_iter().collect();
    remarks.extend(words::no_row(row));
    if row.void_windows > 0 {
        remarks.push(words::discarded(row.void_windows));
    }
    if row.reveals_itself == Some(true) {
        remarks.push(words::REVEALS_ITSELF.to_owned());
    }
    remarks.extend(words::truth(row, margin_pt));
    remarks.extend(words::own_share(row));
    remarks.extend(words::not_counted(row, names));
    remarks.extend(words::why(row, names).map(|why| format!("why: {why}")));
    let remarks = match remarks.is_empty() {
        true => String::new(),
        false => format!("<small>{}</small>", kept(&remarks.join("; "))),
    };
    vec![
        Cell::words(profiler),
        Cell::html(format!("<code>{}</code>", name(&site(row, names)))),
        Cell::html(format!("{}{jvms}", badge(row.verdict))),
        Cell::number(&words::grew(row), row.growth_pct[1]),
        Cell::number(&words::in_place_with_n(row), row.in_place_pct.value),
        Cell::html(format!("<ul>{elsewhere}</ul>{remarks}")),
        Cell::number(&with_n(&row.other_pct, "%"), row.other_pct.value),
    ]
}

/// Shares of the program as it is: the chart's figures.
fn shares(result: &DoseResult, names: &Names) -> String {
    let profilers = result.attribution.keys();
    let profilers: Vec<&String> = profilers.filter(|name| has_shares(result, name)).collect();
    if profilers.is_empty() {
        return String::new();
    }
    let row = |method: &str| {
        let known = match result.known_as_it_is(method) {
            Some(KnownShare::Certified(share)) => Cell::number(&with_n(&share, "%"), share.value),
            Some(KnownShare::Between(low, high)) => {
                Cell::words(&format!("{} to {} %", fixed(low, 1), fixed(high, 1)))
            }
            None => Cell::words("-"),
        };
        let reported = profilers.iter().map(|name| {
            let shares = result.as_it_is(method);
            let share = shares.and_then(|shares| shares.get(*name));
            share.map_or(Cell::words("-"), |share| {
                Cell::number(&with_unit(share, "%"), share.value)
            })
        });
        let mut tested = result.methods.iter();
        let tested = tested.find(|one| one.name == method);
        let bytecode_pct = tested.and_then(|one| one.bytecode_pct);
        let bytecodes = bytecode_pct.map_or(Cell::words("-"), |pct| {
            Cell::number(&format!("{} %", fixed(pct, 1)), pct)
        });
        let aside = match words::has_row(result, method) {
            true => "",
            false => " <small>not tested</small>",
        };
        let short = name(&names.short(method));
        std::iter::once(Cell::html(format!("<code>{short}</code>{aside}")))
            .chain([known])
            .chain(reported)
            .chain([bytecodes])
            .collect()
    };
    let rows: Vec<Vec<Cell>> = charted(result).into_iter().map(row).collect();
    let mut titles = vec!["method", "known share"];
    titles.extend(profilers.iter().map(|name| name.as_str()));
    titles.push("of the bytecodes");
    table(
        "sortable stack",
        "Shares of the Java time without sites: the figures of the chart",
        &titles,
        &rows,
    )
}

/// Methods that could not be tested, and hot ones without a row.
pub(super) fn not_tested(result: &DoseResult) -> String {
    let tables = format!("{}{}", left_out(result), hot(result));
    match tables.is_empty() {
        true => tables,
        false => {
            format!("<section id=\"not-tested\"><h2>Not tested</h2>\n{tables}</section>\n")
        }
    }
}

fn left_out(result: &DoseResult) -> String {
    if result.left_out.is_empty() {
        return String::new();
    }
    let row = |one: &proofmark_experiment::dose::LeftOut| {
        let site = match words::has_row(result, &one.method) {
            true => ", one site",
            false => "",
        };
        vec![
            Cell::html(format!("<code>{}</code>{site}", name(&one.method))),
            Cell::words(&one.reason),
        ]
    };
    let rows: Vec<Vec<Cell>> = result.left_out.iter().map(row).collect();
    table("sortable", "", &["method", "why"], &rows)
}

/// Methods with much of the time that no profiler has a row of, and what each of them shows.
fn hot(result: &DoseResult) -> String {
    let all = &result.untested;
    let profilers = all.iter().flat_map(|one| one.shares_pct.keys());
    let profilers: BTreeSet<&str> = profilers.map(String::as_str).collect();
    if all.is_empty() {
        return String::new();
    }
    let row = |one: &UntestedMethod| -> Vec<Cell> {
        let share = |profiler: &&str| match one.shares_pct.get(*profiler) {
            Some(share) => Cell::number(&with_n(share, "%"), share.value),
            None => Cell::words("-"),
        };
        let method = format!("<code>{}</code>", name(&one.method));
        let first = [Cell::html(method), Cell::words(&one.reason)];
        first
            .into_iter()
            .chain(profilers.iter().map(share))
            .collect()
    };
    let rows: Vec<Vec<Cell>> = all.iter().map(row).collect();
    let mut titles = vec!["method", "why"];
    titles.extend(&profilers);
    let caption = match &result.native {
        Some(native) => {
            let counting = native.of_instructions.join(", ");
            let besides = match counting.as_str() {
                "" => String::new(),
                counting => format!(" ({counting}: of its instructions)"),
            };
            format!(
                "Hot functions without a row: shares of the program's time{besides} with sites at rest"
            )
        }
        None => "Hot methods without a row: shares of the Java time without sites".to_owned(),
    };
    table("sortable stack", &caption, &titles, &rows)
}

/// Settings, sites and samples.
pub(in crate::html) fn facts(result: &DoseResult) -> String {
    let mut rows = vec![
        (
            "margin".to_owned(),
            format!("{} points of share", fixed(result.margin_pt, 1)),
        ),
        ("repeated".to_owned(), result.replication.says.clone()),
        ("all sites at rest".to_owned(), words::rest_cost(result)),
    ];
    let machine = result.machine.as_ref().map(words::machine);
    rows.extend(machine.map(|words| ("machine".to_owned(), words)));
    for method in &result.methods {
        let site = result.sites.iter().find(|site| site.method == method.name);
        let place = match site {
            Some(site) => site.place.as_str(),
            None if method.at_entry => "entry",
            None => "loop",
        };
        let inlined = match method.inlined_differently {
            true => "; inlined differently than without sites",
            false => "",
        };
        let words = format!("at its {place}, {} steps a turn{inlined}", method.steps);
        rows.push((format!("site in {}", method.name), words));
    }
    rows.extend(words::by_count(result).map(|words| ("cross-check".to_owned(), words)));
    for site in &result.sites {
        let reached = site
            .executions
            .map(|number| format!("reached {} times in an iteration", grouped(number as u64)));
        let counted = site
            .by_count_pct
            .map(|part| by_counting(&part, site.by_count_jvms));
        let words: Vec<String> = reached.into_iter().chain(counted).collect();
        if !words.is_empty() {
            rows.push((
                format!("{} at its {}", site.method, site.place),
                words.join("; "),
            ));
        }
    }
    for (profiler, one) in &result.attribution {
        let lost = match one.lost_samples {
            lost if lost > 0.0 => format!(", {} lost", grouped(lost.round() as u64)),
            _ => String::new(),
        };
        let words = format!(
            "{} a second{lost}. {}{}",
            grouped(one.samples_per_s.round() as u64),
            words::false_alarm(one),
            words::planted(one).map_or(String::new(), |planted| format!(". Planted: {planted}"))
        );
        rows.push((format!("samples of {profiler}"), words));
    }
    format!(
        "<section id=\"sites\"><details><summary class=\"h2\">Sites, samples, settings</summary>\n{}</details></section>\n",
        facts_table("", &rows)
    )
}

/// `98.0 % (96.0 to 100.0; n = 60) of the added time by counting, over 13 JVMs`
fn by_counting(part: &Estimate, jvms: usize) -> String {
    let over = match jvms {
        0 | 1 => String::new(),
        jvms => format!(", over {jvms} JVMs"),
    };
    format!("{} of the added time by counting{over}", with_n(part, "%"))
}
