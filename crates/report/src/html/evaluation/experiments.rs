//! A row for each experiment, as the study has them: blocks that were slowed alone, methods when everything is slowed.

use proofmark_experiment::evaluate::{Evaluation, SingleResult};

use super::super::escape::{name, text};
use super::super::table::{Cell, table};
use super::{figure, measured};
use crate::Names;
use crate::number::{count, fixed, with_n};
use crate::words::evaluation::{change, target};
use crate::words::experiments::{KINDS, OfProgram, shown, slowed_alone, under};

const TITLES: [&str; 10] = [
    "program",
    "slowed alone",
    "shown before",
    "shown after",
    "added",
    "share before",
    "share after",
    "predicted gain",
    "error",
    "counts",
];

/// Blocks that were slowed alone under a profiler: single blocks, then several blocks of a method.
pub(super) fn slowed_alone_under(evaluation: &Evaluation, profiler: &str) -> String {
    let all = under(evaluation, profiler);
    let names = Names::of(all.iter().map(|(_, single)| single.method.as_str()));
    let mut out = String::new();
    for (kind, title) in KINDS {
        let here = all.iter().filter(|(_, single)| single.dosed() == kind);
        let rows: Vec<Vec<Cell>> = here.map(|one| row(one, &names)).collect();
        if rows.is_empty() {
            continue;
        }
        out.push_str(&format!(
            "<details><summary>{}, {title}: {}</summary>\n{}</details>\n",
            text(profiler),
            count(rows.len() as u64, "experiment"),
            table("sortable stack", "", &TITLES, &rows)
        ));
    }
    out
}

fn row((program, single): &OfProgram<'_>, names: &Names) -> Vec<Cell> {
    let SingleResult {
        label,
        added_pct,
        before_pct,
        after_pct,
        predicted_pt,
        error_pt,
        ..
    } = single;
    vec![
        Cell::words(program),
        Cell::html(format!(
            "<code title=\"{}\">{}</code>",
            text(label),
            name(&slowed_alone(single, names))
        )),
        Cell::words(shown(single.detected_before)),
        Cell::words(shown(Some(single.detected))),
        measured(Some(*added_pct), "%"),
        measured(Some(*before_pct), "%"),
        measured(Some(*after_pct), "%"),
        measured(Some(*predicted_pt), "pt"),
        measured(Some(*error_pt), "pt"),
        Cell::words(if single.counts { "yes" } else { "no" }),
    ]
}

/// The hottest methods that a profiler shows in every program, normal and slowed.
pub(super) fn shares_under(evaluation: &Evaluation, profiler: &str) -> String {
    let mut rows = Vec::new();
    for program in &evaluation.programs {
        let here = program.profilers.iter().filter(|one| one.name == profiler);
        for finding in here.flat_map(|one| &one.top) {
            rows.extend(finding.methods.iter().map(|pair| {
                let moved = change(pair);
                let sign = if moved > 0.0 { "+" } else { "" };
                vec![
                    Cell::words(&program.program),
                    Cell::words(&target(f64::from(finding.target_pct))),
                    Cell::html(format!(
                        "<code>{}</code>",
                        name(&Names::default().short(&pair.method))
                    )),
                    figure(&with_n(&pair.normal_pct, "%"), pair.normal_pct.value),
                    figure(&with_n(&pair.slowed_pct, "%"), pair.slowed_pct.value),
                    figure(&format!("{sign}{} points", fixed(moved, 1)), moved),
                ]
            }));
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    let titles = [
        "program",
        "slowed by",
        "method",
        "nothing slowed",
        "everything slowed",
        "change",
    ];
    format!(
        "<details><summary>{}: {}</summary>\n{}</details>\n",
        text(profiler),
        count(rows.len() as u64, "method"),
        table("sortable stack", "", &titles, &rows)
    )
}
