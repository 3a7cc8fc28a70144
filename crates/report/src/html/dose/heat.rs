//! The attribution matrix of each profiler: rows are where time was put, columns where it is reported.
//!
//! A table and no picture, so that it can be read aloud, copied and scrolled.

use std::collections::BTreeSet;

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{Attribution, AttributionRow, DoseResult};
use proofmark_stats::Estimate;

use super::super::escape::{name, text};
use super::super::verdict::badge;
use super::worst::paragraph;
use super::{ranked, site};
use crate::number::{count, fixed, grouped, with_n};
use crate::{Names, words};

/// Least part for which a method without a site gets a column, % of the added time.
pub(super) const LEAST_COLUMN: f64 = 5.0;
/// Most columns of methods without a site.
const MOST_OTHERS: usize = 8;
/// Title of the last column.
const NOWHERE: &str = "no Java method";

/// How a matrix is read.
pub(in crate::html) const KEY: &str = "A right profiler has 100 in every outlined cell and nothing beside it, give or take twice the margin or what a row says is accepted. <span class=\"mark-wrong\">\u{2717}</span> missing where it was put, <span class=\"mark-blamed\">\u{2192}</span> reported there instead. Several figures in a cell are those of the JVMs, where these contradict each other. Point at a cell for its interval; the table below has all of them.";

/// What a row is called.
#[derive(Clone, Copy)]
pub(super) struct Rows<'n> {
    /// Short forms of methods.
    pub(super) names: &'n Names,
    said: fn(&AttributionRow, &Names) -> String,
}

impl Rows<'_> {
    /// This one.
    pub(super) fn said(&self, row: &AttributionRow) -> String {
        (self.said)(row, self.names)
    }
}

pub(super) fn section(result: &DoseResult, names: &Names) -> String {
    let figures = matrices(ranked(result), names, site);
    if figures.is_empty() {
        return figures;
    }
    format!(
        "<section id=\"matrix\"><h2>Where the added time is reported, %</h2>\n<p class=\"prose\">Time was put into one method after the other (rows); every profiler reports it somewhere (columns).</p>\n{figures}</section>\n"
    )
}

/// How the matrices are read, and the matrix of each profiler that has one, in this order; nothing if none has. `said`:
/// what a row is called.
pub(in crate::html) fn matrices<'a>(
    all: impl IntoIterator<Item = (&'a str, &'a Attribution)>,
    names: &Names,
    said: fn(&AttributionRow, &Names) -> String,
) -> String {
    let figures = figures(all, names, said);
    if figures.is_empty() {
        return figures;
    }
    format!("<p class=\"prose\">{KEY}</p>\n{figures}")
}

/// The same where it was said before how they are read.
pub(in crate::html) fn figures<'a>(
    all: impl IntoIterator<Item = (&'a str, &'a Attribution)>,
    names: &Names,
    said: fn(&AttributionRow, &Names) -> String,
) -> String {
    let rows = Rows { names, said };
    let figures: String = all
        .into_iter()
        .filter(|(_, one)| !one.rows.is_empty())
        .map(|(profiler, one)| matrix(profiler, one, rows))
        .collect();
    if figures.is_empty() {
        return figures;
    }
    format!("<div class=\"heats\">{figures}</div>")
}

fn matrix(profiler: &str, one: &Attribution, rows: Rows<'_>) -> String {
    let names = rows.names;
    let columns = columns(one);
    let head: String = columns
        .iter()
        .map(|method| {
            let short = names.short(method);
            head(&short, method)
        })
        .chain(std::iter::once(head(NOWHERE, NOWHERE)))
        .collect();
    let body: String = one
        .rows
        .iter()
        .map(|row| line(row, &columns, rows))
        .collect();
    let samples = one.rows.iter().map(samples).sum();
    // Blocks of one method have rows of their own.
    let methods: BTreeSet<&str> = one.rows.iter().map(|row| row.method.as_str()).collect();
    let n = format!(
        "n = {}, {} samples",
        count(methods.len() as u64, "method"),
        grouped(samples)
    );
    format!(
        "<figure class=\"heat\"><h4>{} {}</h4>{}<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"matrix of {}\"><table><thead><tr><th scope=\"col\">put into \u{2193}, reported in \u{2192}</th>{head}</tr></thead><tbody>{body}</tbody></table></div><figcaption>{}</figcaption></figure>\n",
        text(profiler),
        badge(one.verdict),
        paragraph(one, rows),
        text(profiler),
        text(&n)
    )
}

/// Samples behind a row: over several JVMs its own n counts these.
fn samples(row: &AttributionRow) -> u64 {
    match row.in_place_per_run_pct.as_slice() {
        [] | [_] => row.in_place_pct.n,
        several => several.iter().map(|part| part.n).sum(),
    }
}

/// A title that is turned, because methods have long names.
fn head(short: &str, full: &str) -> String {
    let short = crate::names::fit(short, 30);
    format!(
        "<th scope=\"col\" title=\"{}\"><span>{}</span></th>",
        text(full),
        text(&short)
    )
}

/// Methods with a site in their order, then others that get a part of some method's time.
fn columns(one: &Attribution) -> Vec<&str> {
    let mut columns: Vec<&str> = Vec::new();
    for row in &one.rows {
        if !columns.contains(&row.method.as_str()) {
            columns.push(&row.method);
        }
    }
    let mut others: Vec<(&str, f64)> = Vec::new();
    let elsewhere = one.rows.iter().flat_map(|row| &row.elsewhere);
    for to in elsewhere.filter(|to| to.pct.value.abs() >= LEAST_COLUMN) {
        match others.iter_mut().find(|(method, _)| *method == to.method) {
            Some((_, most)) => *most = most.max(to.pct.value),
            None if columns.contains(&to.method.as_str()) => {}
            None => others.push((&to.method, to.pct.value)),
        }
    }
    others.sort_by(|a, b| b.1.total_cmp(&a.1));
    columns.extend(
        others
            .into_iter()
            .take(MOST_OTHERS)
            .map(|(method, _)| method),
    );
    columns
}

fn line(row: &AttributionRow, columns: &[&str], rows: Rows<'_>) -> String {
    let cells: String = columns
        .iter()
        .map(|column| cell(row, column, rows))
        .collect();
    let nowhere = match row.other_pct.covers(0.0) || row.other_pct.value < 1.0 {
        true => EMPTY.to_owned(),
        false => filled(
            "",
            &fixed(row.other_pct.value, 0),
            &row.other_pct,
            &tip(row, NOWHERE, &with_n(&row.other_pct, "%"), rows),
        ),
    };
    format!(
        "<tr><th scope=\"row\" title=\"{}\">{}</th>{cells}{nowhere}</tr>\n",
        text(&row.method),
        name(&rows.said(row))
    )
}

const EMPTY: &str = "<td></td>";

fn cell(row: &AttributionRow, column: &str, rows: Rows<'_>) -> String {
    if row.method == column {
        let part = &row.in_place_pct;
        let (class, sign) = match row.verdict {
            Verdict::Right => ("in-place", ""),
            Verdict::Wrong => ("in-place missing", "\u{2717} "),
            Verdict::Undecided => ("in-place open", "? "),
        };
        // Figures of JVMs may stand below each other, so that one row does not widen its column.
        let (class, said) = match words::of_each_jvm(row) {
            Some(each) => (format!("{class} several"), each),
            None => (class.to_owned(), fixed(part.value, 0)),
        };
        let tip = tip(row, column, &words::in_place_with_n(row), rows);
        return filled(&class, &format!("{sign}{said}"), part, &tip);
    }
    let Some(to) = row.elsewhere.iter().find(|to| to.method == column) else {
        return EMPTY.into();
    };
    let blamed = row.verdict == Verdict::Wrong && to.pct.value >= LEAST_COLUMN;
    let (class, sign) = match blamed {
        true => ("blamed", "\u{2192} "),
        false => ("", ""),
    };
    let part = with_n(&to.pct, "%");
    // Where some JVMs report nothing there, the mean is the figure of none.
    let (class, said, part) = match words::in_some_jvms(row, to) {
        Some(jvms) => (
            format!("{class} several"),
            jvms.replace(" % ", " "),
            format!("{jvms}; in the mean {part}"),
        ),
        None => (class.to_owned(), fixed(to.pct.value, 0), part),
    };
    let tip = tip(row, column, &part, rows);
    filled(class.trim(), &format!("{sign}{said}"), &to.pct, &tip)
}

/// A cell, darker the larger its part is. `said`: its text.
fn filled(class: &str, said: &str, part: &Estimate, tip: &str) -> String {
    let shade = (part.value.clamp(0.0, 100.0) / 10.0).round() as usize;
    let class = format!("{class} p{shade}");
    format!(
        "<td class=\"{}\" title=\"{}\">{}</td>",
        class.trim(),
        text(tip),
        text(said)
    )
}

fn tip(row: &AttributionRow, column: &str, part: &str, rows: Rows<'_>) -> String {
    let to = match column {
        NOWHERE => NOWHERE.to_owned(),
        method => rows.names.short(method),
    };
    format!(
        "of the time put into {}, reported in {to}: {part}",
        rows.said(row)
    )
}
