//! Blocks that were slowed alone: a row for each experiment, single blocks apart from methods.

use proofmark_experiment::evaluate::Evaluation;

use super::super::cost::aligned_in_parts;
use super::{named, section as part};
use crate::names::{clean, fit};
use crate::number::without_unit;
use crate::words::evaluation::control;
use crate::words::experiments::{KINDS, OfProgram, profilers, shown, slowed_alone, under};
use crate::{Names, Style};

/// Columns of what was slowed.
const WHAT: usize = 38;

const TITLES: [&str; 8] = [
    "program",
    "slowed alone",
    "shown before",
    "after",
    "before, % (95 %)",
    "after, % (95 %)",
    "predicted, pt (95 %)",
    "error, pt (95 %)",
];
/// Columns that stay together: what it was; shares; gains.
const GROUPS: [usize; 3] = [3, 2, 2];

const LEGEND: &str = "Numbered over all programs. shown: whether the profiler showed the method at all, with nothing slowed and with the blocks slowed. before, after: its \
     share in the profile under few and under many instructions. predicted: what it ought to gain, by the clock; error: what it gained beyond that. (*): our own \
     samples do not agree with the clock, so that it says nothing about a profiler.";

/// A table for each profiler under test and kind of experiment.
pub(super) fn section(evaluation: &Evaluation, style: Style) -> String {
    let tested = profilers(evaluation).into_iter();
    let tested = tested.filter(|name| control(evaluation, name).is_none());
    let mut tables: Vec<(String, String)> = Vec::new();
    for profiler in tested {
        let all = under(evaluation, profiler);
        for (kind, title) in KINDS {
            let here = all.iter().filter(|(_, single)| single.dosed() == kind);
            let rows: Vec<Vec<String>> = here.enumerate().map(row).collect();
            if !rows.is_empty() {
                let title = format!("{}, slowed alone: {title}", clean(profiler));
                tables.push((title, aligned_in_parts(&TITLES, &rows, &GROUPS, style)));
            }
        }
    }
    let last = tables.pop();
    let mut out: String = (tables.iter())
        .map(|(title, table)| format!("\n{title}\n\n{table}"))
        .collect();
    out.extend(last.map(|(title, table)| part(&title, &table, LEGEND, style)));
    out
}

fn row((at, (program, single)): (usize, &OfProgram<'_>)) -> Vec<String> {
    let mark = if single.counts { "" } else { " (*)" };
    let what = slowed_alone(single, &Names::default());
    vec![
        format!("{} {}", at + 1, named(program)),
        fit(&what, WHAT),
        shown(single.detected_before).to_owned(),
        shown(Some(single.detected)).to_owned(),
        without_unit(&single.before_pct),
        without_unit(&single.after_pct),
        without_unit(&single.predicted_pt),
        format!("{}{mark}", without_unit(&single.error_pt)),
    ]
}
