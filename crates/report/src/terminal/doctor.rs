//! What this machine can measure, what is missing, how to get it.

use proofmark_experiment::doctor::{Check, CheckStatus, DoctorReport};

use crate::Style;
use crate::names::clean;
use crate::style::{Tone, columns_of, hanging, padded};

/// What is measured of a check, why, and what to do where it is in order as far as can be told and figures are bad all the same.
struct Measured {
    name: &'static str,
    what: &'static str,
    remedy: &'static str,
}

/// Checks that are figures, which say nothing to those who do not know what is measured.
static MEASURED: [Measured; 2] = [
    Measured {
        name: "sampling",
        what: "how well samples tell where in machine code time goes (the border, in cycles), and what one costs, by loops of known length; \
               only the laboratory needs it (divine, candidates, evaluate, a part of assess and demo), dose does not",
        remedy: "machines that were tested have borders of 0.8 to 2.6 cycles; if yours is much larger, or the machine has changed: proofmark doctor --calibrate, with nothing else running",
    },
    Measured {
        name: "slowdown-instruction",
        what: "what the laboratory makes machine code slower with, and what one such instruction costs; dose does not need it",
        remedy: "if plans miss their targets: proofmark doctor --calibrate, or proofmark candidates, which looks for a better one",
    },
];

/// Said where commands speak of block times.
const BLOCKS: &str = "A block is a stretch of machine code. The laboratory (divine, candidates, evaluate, a part of assess and demo) tells the time of one to so many cycles; shorter ones are judged together with their neighbours, as a set. dose needs none of this.";

/// One line per command with what it can do here, then one per check with its remedy below. Figures that only the laboratory needs come
/// last, unless something is missing there.
#[must_use]
pub fn doctor_table(report: &DoctorReport, style: Style) -> String {
    let (figures, checks): (Vec<&Check>, Vec<&Check>) =
        report.checks.iter().partition(|check| is_figure(check));
    let [figures, checks] =
        [figures, checks].map(|all| all.into_iter().map(line).collect::<Vec<Line<'_>>>());
    let nothing = String::new();
    let commands = report.commands.iter().map(|row| {
        let names = row.commands.join(", ");
        (clean(&names), row.status, &row.resolution, &nothing)
    });
    let mut out = lines(&commands.collect::<Vec<_>>(), style);
    out.push('\n');
    out.push_str(&lines(&checks, style));
    if !figures.is_empty() {
        let figures = lines(&figures, style);
        out.push_str(&format!(
            "\nfor the laboratory; dose needs none of this\n{figures}"
        ));
    }
    let mut commands = report.commands.iter();
    if commands.any(|row| row.resolution.contains("block times")) {
        out.push_str(&format!("\n{}", hanging("", BLOCKS, style.columns())));
    }
    out
}

/// Name, status, detail and remedy.
type Line<'a> = (String, CheckStatus, &'a String, &'a String);

fn line(check: &Check) -> Line<'_> {
    (
        clean(&check.name),
        check.status,
        &check.detail,
        &check.remedy,
    )
}

/// Whether a check is a figure of the laboratory with which all is well.
fn is_figure(check: &Check) -> bool {
    let measured = MEASURED.iter().any(|one| one.name == check.name);
    measured && check.status == CheckStatus::Ok
}

/// Lines in columns.
fn lines(rows: &[Line<'_>], style: Style) -> String {
    let width = rows.iter().map(|(name, ..)| columns_of(name)).max();
    let width = width.unwrap_or(0) + 2;
    let mut out = String::new();
    for (name, how, detail, remedy) in rows {
        let (word, tone) = status(*how);
        let start = format!(
            "{}{}",
            padded(name, width),
            padded(&style.word(word, tone), 9)
        );
        let below = |sign: &str| format!("{}{sign}", " ".repeat(width + 9));
        let measured = MEASURED.iter().find(|one| one.name == name);
        if let Some(measured) = measured {
            out.push_str(&hanging(&start, measured.what, style.columns()));
            let start = below("measured: ");
            out.push_str(&hanging(&start, &clean(detail), style.columns()));
        } else {
            out.push_str(&hanging(&start, &clean(detail), style.columns()));
        }
        let else_do = measured.map_or("", |one| one.remedy);
        let remedy = if remedy.is_empty() {
            else_do
        } else {
            remedy.as_str()
        };
        if !remedy.is_empty() {
            out.push_str(&hanging(&below("-> "), &clean(remedy), style.columns()));
        }
    }
    out
}

fn status(status: CheckStatus) -> (&'static str, Tone) {
    match status {
        CheckStatus::Ok => ("ok", Tone::Good),
        CheckStatus::Limited => ("limited", Tone::Open),
        CheckStatus::Missing => ("missing", Tone::Bad),
    }
}
