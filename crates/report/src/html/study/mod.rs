//! The page of a study: how reproducible profilers are, how far they agree, and every program's methods.

mod charts;
mod tables;

use proofmark_study::Analysis;
use proofmark_study::result::{MethodFigures, ProgramSize};

use super::escape::{json, text};
use super::{document, figure, footer, heading};
use crate::number::count;
use crate::words;

/// What is said on the page besides the figures.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyPage {
    /// Name of the study, such as the directory that it was read from.
    pub title: String,
    /// When the page was made; may be empty.
    pub generated: String,
    /// Version of Proofmark.
    pub version: String,
    /// The command that makes it again.
    pub command: String,
}

/// How the figures come about.
const METHOD: [&str; 6] = [
    "A method is listed if it is among the ten hottest of a recording. Unstable: listed in some but not all recordings of a program, mean share 1 % at least.",
    "Difference: largest minus smallest share of a method over the recordings of a program, for methods with a mean share of 5 % at least.",
    "Overlap: sum over methods of the smaller of two mean shares; overloads count as one method between profilers. The diagonal compares one half of a profiler's runs with the other: no two profilers can be expected to agree better.",
    "Intervals are 95 % intervals from resampled runs: runs are drawn anew within every program and profiler. Those of differences and of numbers of methods say what another study of as many runs would show.",
    "Several modes: dip test against one flat mode. Rates of false alarms: 5 % of all finds are expected to be false (Benjamini and Hochberg).",
    "Agreement says nothing about who is right: profilers can agree on a wrong method. proofmark assess judges that.",
];

/// The page; the same data give the same text. Colours follow the reader's setting.
#[must_use]
pub fn study_html(analysis: &Analysis, page: &StudyPage) -> String {
    let mut body = header(analysis, page);
    body.push_str(&profilers(analysis));
    body.push_str(&agreement(analysis));
    body.push_str(&tables::debug_info(&analysis.debug_info));
    body.push_str(&tables::modes(&analysis.modes));
    let programs = analysis.programs.iter().map(|p| program(analysis, p));
    body.push_str(&format!(
        "<section id=\"programs\"><h2>Programs</h2>{}</section>\n",
        programs.collect::<String>()
    ));
    body.push_str(&tables::overhead(&analysis.overhead));
    body.push_str(&tail(analysis, page));
    document(&page.title, &body, &json(analysis))
}

fn header(analysis: &Analysis, page: &StudyPage) -> String {
    let runs = analysis.profilers.values().map(|p| p.runs).sum();
    let size = format!(
        "{} of {} by {}",
        count(runs, "recording"),
        count(analysis.programs.len() as u64, "program"),
        count(analysis.profilers.len() as u64, "profiler")
    );
    let lines = [size, page.generated.clone()];
    let head = heading("Proofmark study", &text(&page.title), &lines);
    let found = words::study(analysis);
    format!("{head}<p class=\"advice plain\">{}</p>\n", text(&found))
}

fn profilers(analysis: &Analysis) -> String {
    let boxes = charts::precision(analysis).unwrap_or_default();
    format!(
        "<section id=\"profilers\"><h2>Does each profiler agree with itself?</h2>\n{}<div class=\"single\">{boxes}</div></section>\n",
        tables::profilers(analysis)
    )
}

fn agreement(analysis: &Analysis) -> String {
    let matrix = charts::agreement(analysis).unwrap_or_default();
    format!(
        "<section id=\"agreement\"><h2>Do profilers agree with each other?</h2>\n<div class=\"single\">{matrix}</div>\n{}</section>\n",
        tables::agreement(&analysis.agreement)
    )
}

/// One program: a chart per profiler, all on one scale, then its hottest method against run time.
fn program(analysis: &Analysis, program: &ProgramSize) -> String {
    let here = analysis
        .methods
        .iter()
        .filter(|m| m.program == program.program);
    let highest = here.map(|m| m.max_pct).fold(0.0, f64::max);
    let of = |profiler: &String| {
        let methods = analysis.methods.iter();
        let here: Vec<&MethodFigures> = methods
            .filter(|m| m.program == program.program && m.profiler == *profiler)
            .collect();
        charts::methods(profiler, &here, highest)
    };
    let bars: String = program.runs.keys().filter_map(of).collect();
    let scatter = analysis.scatter.iter();
    let scatter = scatter
        .filter(|s| s.program == program.program)
        .filter_map(charts::scatter);
    format!(
        "<details class=\"program\"><summary>{}</summary>\n<div class=\"grid\">{bars}{}</div></details>\n",
        text(&program.program),
        scatter.collect::<String>()
    )
}

fn tail(analysis: &Analysis, page: &StudyPage) -> String {
    let paragraphs: String = METHOD
        .iter()
        .map(|p| format!("<p>{}</p>", text(p)))
        .collect();
    let remarks: String = analysis
        .remarks
        .iter()
        .map(|r| format!("<li>{}</li>", text(r)))
        .collect();
    let remarks = if remarks.is_empty() {
        remarks
    } else {
        format!("<section><h2>Left out</h2><ul class=\"notes\">{remarks}</ul></section>\n")
    };
    format!(
        "{remarks}<section id=\"method\"><h2>Method</h2>\n<div class=\"prose\">{paragraphs}<p>{} resamples, seed {}.</p></div></section>\n{}",
        crate::number::grouped(analysis.resamples),
        analysis.seed,
        footer(page)
    )
}
