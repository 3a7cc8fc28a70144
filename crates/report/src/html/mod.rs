//! One self-contained page per run: verdict first, evidence below, method last. No network, no script needed.

mod blocks;
mod charts;
mod data;
mod divined;
mod dose;
pub(crate) mod escape;
mod evaluation;
mod events;
mod facts;
mod profiler;
mod scatters;
mod study;
mod table;
mod tail;
mod verdict;

use proofmark_assess::Judgement;

pub use data::PageData;
pub use dose::dose_html;
use escape::{kept, text};
pub use evaluation::evaluation_html;
pub use events::events_html;
pub use study::{StudyPage, study_html};

use crate::{Names, words};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page. The same data give the same text.
///
/// `data-theme="light"` or `"dark"` on the root element forces a colour scheme; without it the reader's setting counts.
#[must_use]
pub fn html(data: &PageData) -> String {
    let mut out = String::new();
    out.push_str(&header(data));
    if let Some(dose) = &data.dose {
        out.push_str(&dose::sections(dose, &data.advice));
        out.push_str(&not_run(data));
    }
    match &data.assessment {
        Some(assessment) => {
            let names = Names::of(
                assessment
                    .profilers
                    .iter()
                    .flat_map(crate::terminal::methods),
            );
            out.push_str(&verdict::section(assessment, &names, &beside(data)));
            let doses = data.block_doses.as_ref();
            out.push_str(&doses.map_or(String::new(), blocks::section));
            out.push_str(&slowdown(data));
            let each = |(at, j): (usize, &Judgement)| {
                profiler::section(at, j, &names, &assessment.settings)
            };
            out.extend(assessment.profilers.iter().enumerate().map(each));
        }
        None if data.dose.is_some() => out.push_str(&slowdown(data)),
        None => {
            out.push_str("<section id=\"verdict\"><h2>A plan, no verdict</h2><p>This run looked for a slowdown; <code>proofmark assess --plan</code> judges profilers with it.</p></section>\n");
            out.push_str(&slowdown(data));
        }
    }
    out.push_str(&about(&facts_of_run(data)));
    out.push_str(&tail::sections(data));
    document(&data.program, &out, &escape::json(data))
}

/// A page with its style, script and data inside of it.
fn document(title: &str, body: &str, json: &str) -> String {
    let title = text(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>Proofmark: {title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n<script type=\"application/json\" id=\"data\">{json}</script>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

fn header(data: &PageData) -> String {
    let platform = data.dose.as_ref().map(words::introduced);
    let line = under_title(platform, &data.generated);
    heading("Proofmark", &escape::name(&data.program), &[line])
}

/// What stands under a title: what ran the program, if it is known, and when. All else comes behind what was found.
fn under_title(platform: Option<String>, generated: &str) -> String {
    let parts = platform.into_iter().chain([generated.to_owned()]);
    let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("; ")
}

/// JVMs, machine and resolution, a line each.
fn facts_of_run(data: &PageData) -> Vec<String> {
    let mut lines: Vec<String> = data.dose.iter().map(dose::about).collect();
    if let Some(divine) = &data.divine {
        lines.push(words::environment(&divine.environment));
    } else if let Some(assessment) = &data.assessment {
        lines.push(assessment.machine.clone());
    }
    let known = data.divine.as_ref().and_then(|d| d.resolution.as_ref());
    lines.push(match known {
        Some(known) if data.resolution.is_empty() => words::resolution(known),
        _ => data.resolution.clone(),
    });
    lines
}

/// The top of a page: what it is of (HTML already), and lines about it; empty ones are left out.
fn heading(brand: &str, title: &str, lines: &[String]) -> String {
    let lines = each_in_p(lines);
    format!("<header><p class=\"brand\">{brand}</p><h1>{title}</h1>{lines}</header>\n")
}

/// A paragraph for each line that is not empty.
fn each_in_p(lines: &[String]) -> String {
    let said = lines.iter().filter(|line| !line.is_empty());
    said.map(|line| format!("<p>{}</p>", kept(line))).collect()
}

/// How a run came about, a line for each fact; empty lines are left out.
fn about(lines: &[String]) -> String {
    let lines = each_in_p(lines);
    match lines.is_empty() {
        true => lines,
        false => format!(
            "<section id=\"about\"><h2>This run</h2>\n<div class=\"prose\">{lines}</div></section>\n"
        ),
    }
}

/// How figures come about.
fn method(paragraphs: &[&str]) -> String {
    let paragraphs: String = paragraphs
        .iter()
        .map(|p| format!("<p>{}</p>", kept(p)))
        .collect();
    format!(
        "<section id=\"method\"><h2>Method</h2>\n<div class=\"prose\">{paragraphs}</div></section>\n"
    )
}

/// The end of a page.
fn footer(page: &StudyPage) -> String {
    format!(
        "<footer><p>Again: <code>{}</code></p><p>Proofmark {}. All figures are in this file as JSON, in the element with the id <code>data</code>.</p></footer>\n",
        text(&page.command),
        text(&page.version)
    )
}

/// Why a part was not run.
fn not_run(data: &PageData) -> String {
    let item = |(part, why): (&String, &String)| {
        format!(
            "<li>The part {} was not run: {}</li>",
            text(part),
            text(why)
        )
    };
    let items: String = data.not_run.iter().map(item).collect();
    match items.is_empty() {
        true => items,
        false => format!("<section id=\"not-run\"><ul class=\"notes\">{items}</ul></section>\n"),
    }
}

/// How the laboratory's verdicts are called, and what is said first: sites may stand above them.
fn beside(data: &PageData) -> verdict::Title {
    let sentences = words::all_advice(&data.advice, data.dose.as_ref());
    match data.dose {
        Some(_) => verdict::Title {
            id: "laboratory",
            text: "In the laboratory: the program's own code, under Graal",
            sentences: vec![
                "Sites, above, are new code in methods of the program, on your own JVM. Here blocks of the program's own machine code are slowed instead, which Graal compiles: the two see different faults.".into(),
            ],
        },
        None => verdict::Title {
            id: "verdict",
            text: "Verdict",
            sentences,
        },
    }
}

fn slowdown(data: &PageData) -> String {
    let mut out = String::new();
    if let Some(divine) = &data.divine {
        out.push_str(&divined::section(divine));
    }
    if let Some(chart) = charts::times(
        &data.windows,
        "Iteration times while the plan was evaluated",
    ) {
        out.push_str(&format!(
            "<section><div class=\"grid\">{chart}</div></section>\n"
        ));
    }
    out
}

/// A chart with its title above and its words below.
pub(crate) fn figure(title: &str, svg: &str, caption: &str) -> String {
    format!(
        "<figure><h4>{}</h4>{svg}<figcaption>{}</figcaption></figure>\n",
        text(title),
        kept(caption)
    )
}

/// A chart that is wider than a telephone, in a frame that scrolls.
fn scrolling(title: &str, svg: &str) -> String {
    format!(
        "<div class=\"scroll wide-chart\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">{svg}</div>",
        text(title)
    )
}
