//! The page of a test by dose: what is wrong and what to do, every method's share, the matrix of each profiler, the figures.

mod arrow;
mod caption;
mod chart;
mod heat;
mod marked;
mod sign;
mod tables;
mod verdict;
mod worst;

pub(super) use heat::{KEY, figures, matrices};
pub(super) use tables::facts;

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{Attribution, DoseResult};

pub(super) use crate::terminal::site;

use super::escape::{json, name, text};
use super::{StudyPage, document, footer, heading, method, under_title};
use crate::number::{count, duration};
use crate::words;

/// How the figures come about.
pub(super) const METHOD: [&str; 6] = [
    "A site is a short loop in a method's bytecode; a field says how many turns it makes. With few turns and with many the same machine code runs; windows in which code with a site is compiled anew do not count. So the program's time grows by what is spent in that loop, or in what it calls, and the clock says by how much. A processor may hide other work behind the loop, and code around it may get slower; the accepted range allows for that as far as it is known.",
    "The part of the added time that a profiler reports in a method is the growth of its samples there, as time, by the growth of the program's time. A right profiler has about 100 % in place and 0 % elsewhere. What is the same under both doses, the program's own time and what the profiler does with it, drops out.",
    "A method is right if the 95 % interval of its part in place lies within 100 % plus and minus twice the margin, wrong if a wider one lies wholly outside, else undecided. The range is wider where more or less than 100 % may be right; the row says so. A row with more than twice the margin in another place for certain is not right, and one where so much for certain left no sample is wrong. A profiler whose methods are all right, but for open or wrong ones that are too small to matter, is certified at the sites of this program. It is wrong if a method with at least the margin's share is wrong, or if more points of share than the margin are misplaced. Where there are several JVMs, each is judged by its own windows too: a method is wrong if one of them is wrong for certain, or all of them together; it is right if each JVM alone is right and the interval of the mean over them does not lie wholly outside, or if that interval is right and no JVM is wrong.",
    "A witness is a profiler that is certified and not wrong, and whose own profile sites do not change. The share of a method is what witnesses report of it. Where there is none, only bounds are known: the least and the greatest share that any of them reports.",
    "Right means: right where we looked. A site is new code with its own line; code of the program that lost its debug information while it was optimised can still be reported wrongly. A row that is found wrong can be a false alarm; the wider interval keeps these rare.",
    "Every interval is a 95 % interval, from the spread between pairs of windows, or between runs where there are several. n counts what is behind a value: the profiler's samples, runs where there are several, pairs of windows of what sites cost.",
];

/// The page; the same data give the same text. Colours follow the reader's setting.
#[must_use]
pub fn dose_html(result: &DoseResult, page: &StudyPage) -> String {
    let mut body = header(result, page);
    body.push_str(&sections(result, &words::sentences(result)));
    body.push_str(&super::about(&[about(result)]));
    body.push_str(&facts(result));
    body.push_str(&method(&METHOD));
    body.push_str(&footer(page));
    let body = words::of_kind(body, result);
    document(&page.title, &body, &json(result))
}

/// What a page shows first: the sentences, every method's share, what would tell more, the profilers, the matrices, all figures.
pub(super) fn sections(result: &DoseResult, advice: &[String]) -> String {
    let names = words::dose_names(result);
    let [verdicts, more] = verdict::section(result, advice);
    let chart = chart::section(result, &names);
    let mut out = match overall(result) {
        // What would tell more is what to do.
        Verdict::Undecided => [verdicts, more, chart].concat(),
        Verdict::Right | Verdict::Wrong => [verdicts, chart, more].concat(),
    };
    out.push_str(&verdict::profilers(result, &names));
    for remark in &result.remarks {
        let remark = marked::marked(remark);
        out.push_str(&format!("<p class=\"notes\">Note: {remark}.</p>\n"));
    }
    if let Some(certificate) = words::certificate(result) {
        out.push_str(&format!(
            "<p class=\"notes\">A right verdict covers {}.</p>\n",
            text(&certificate)
        ));
    }
    out.push_str(&heat::section(result, &names));
    out.push_str(&tables::figures(result, &names));
    out.push_str(&tables::not_tested(result));
    out
}

fn header(result: &DoseResult, page: &StudyPage) -> String {
    let line = under_title(Some(words::introduced(result)), &page.generated);
    heading("Proofmark dose", &name(&result.program), &[line])
}

/// JVM, size and cost of the test in a line.
pub(super) fn about(result: &DoseResult) -> String {
    let jvm = &result.jvm;
    let options = match jvm.options.as_slice() {
        [] => String::new(),
        options => format!(" with {}", options.join(" ")),
    };
    format!(
        "{}{options}; time added to {}, as much as the clock says; {}; {}",
        words::platform(result),
        count(result.methods.len() as u64, "method"),
        duration(result.seconds),
        words::rest_cost(result)
    )
}

/// The verdict on all profilers together.
fn overall(result: &DoseResult) -> Verdict {
    Verdict::all(result.attribution.values().map(|one| one.verdict))
}

/// Profilers: wrong ones first, then undecided ones.
fn ranked(result: &DoseResult) -> Vec<(&str, &Attribution)> {
    let rank = |verdict| match verdict {
        Verdict::Wrong => 0,
        Verdict::Undecided => 1,
        Verdict::Right => 2,
    };
    let all = result.attribution.iter();
    let mut all: Vec<(&str, &Attribution)> = all.map(|(name, one)| (name.as_str(), one)).collect();
    all.sort_by_key(|(_, one)| rank(one.verdict));
    all
}
