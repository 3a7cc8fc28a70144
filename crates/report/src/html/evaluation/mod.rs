//! The page of an evaluation: a picture and a table per question, in the form of the published figures.

mod added;
mod checks;
mod costs;
mod experiments;
mod matrices;
mod shares;
mod slowing;
mod tail;

use proofmark_experiment::evaluate::Evaluation;
use proofmark_stats::Estimate;

use super::escape::{json, name, text};
use super::table::Cell;
use super::{StudyPage, document, footer, heading, method};
use crate::number::{count, with_n};
use crate::words::environment;
use crate::words::evaluation::{PUBLISHED, findings};

/// The page; the same data give the same text. Colours follow the reader's setting.
#[must_use]
pub fn evaluation_html(evaluation: &Evaluation, about: &StudyPage) -> String {
    let mut body = header(evaluation, about);
    let sentences = findings(evaluation);
    let sentences: String = sentences
        .iter()
        .map(|sentence| format!("<p>{}</p>", text(sentence)))
        .collect();
    body.push_str(&format!(
        "<section id=\"findings\"><h2>What was found</h2>\n<div class=\"advice\">{sentences}</div>\n<p class=\"prose\"><small>{}</small></p></section>\n",
        text(PUBLISHED)
    ));
    body.push_str(&slowing::section(evaluation));
    body.push_str(&checks::protocols(evaluation));
    body.push_str(&shares::section(evaluation));
    body.push_str(&added::section(evaluation));
    body.push_str(&tail::debug_info(&evaluation.programs));
    body.push_str(&checks::sampler(evaluation));
    body.push_str(&costs::static_cost(evaluation));
    body.push_str(&tail::verdicts(evaluation));
    body.push_str(&matrices::section(&evaluation.programs));
    body.push_str(&tail::not_measured(&evaluation.programs));
    body.push_str(&method(&tail::METHOD));
    body.push_str(&footer(about));
    document(&about.title, &body, &json(evaluation))
}

fn header(evaluation: &Evaluation, about: &StudyPage) -> String {
    let size = count(evaluation.programs.len() as u64, "program");
    let machines = evaluation.environments.iter().map(environment);
    let mut lines: Vec<String> = machines.collect();
    lines.extend([size, about.generated.clone()]);
    heading("Proofmark evaluate", &text(&about.title), &lines)
}

/// A value with interval and n; `-` if it is not known.
fn measured(of: Option<Estimate>, unit: &str) -> Cell {
    of.map_or_else(unknown, |e| figure(&with_n(&e, unit), e.value))
}

/// Words that sort as this number.
fn figure(words: &str, value: f64) -> Cell {
    match value.is_finite() {
        true => Cell::number(words, value),
        false => Cell::words(words),
    }
}

/// What is not known sorts before everything else.
fn unknown() -> Cell {
    Cell::number("-", -1e9)
}

/// A heading, what it is about (HTML already), pictures and tables.
fn section(id: &str, title: &str, about: &str, body: &str) -> String {
    format!(
        "<section id=\"{id}\"><h2>{}</h2>\n<p class=\"prose\">{about}</p>\n{body}</section>\n",
        text(title)
    )
}

/// What the numbers in a picture stand for: names of experiments, and what was seen there.
fn numbered(key: &[(String, String)]) -> String {
    let item = |(label, seen): &(String, String)| {
        format!("<li><code>{}</code>: {}</li>", name(label), text(seen))
    };
    let items: String = key.iter().map(item).collect();
    match items.is_empty() {
        true => items,
        false => format!("<ol class=\"key\">{items}</ol>"),
    }
}
