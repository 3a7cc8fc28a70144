//! Static cost models beside measured times.

use proofmark_experiment::divine::{CostFigures, StaticCost};
use proofmark_experiment::evaluate::{Evaluation, ProgramResult};

use super::super::escape::text;
use super::super::table::{Cell, table};
use super::{figure, measured, section, unknown};
use crate::number::fixed;
use crate::words::evaluation::{believed, correlation, model, static_costs};

const ABOUT: &str = "A compiler has an idea of its own of what its code costs: Graal has an estimate of cycles for every node of its graph, and by its profile it expects how often each block is executed. Here these \
     estimates are compared with the measured shares of the judged time, nothing slowed. <em>Overlap</em>: sum of the smaller of both shares; a plan made by the model instead of by measuring would miss +100 % by twice what it \
     lacks, in points, in the mean over time. <em>Again</em>: overlap of one half of our windows with the other one, which is what measuring alone lacks. Blocks that cannot be told apart are one set. The \
     published study found a static model unreliable.";

const TITLES: [&str; 9] = [
    "program",
    "model",
    "sets",
    "overlap",
    "again",
    "correlation",
    "time off by more than 5 points",
    "worst set",
    "blocks: overlap",
];

/// Would the compiler's own estimates do instead of measuring?
pub(super) fn static_cost(evaluation: &Evaluation) -> String {
    if evaluation.static_costs.is_empty() {
        return String::new();
    }
    let sentences = evaluation.static_costs.iter();
    let mut body: String = sentences
        .map(|of| format!("<p class=\"prose\">{}</p>\n", text(&static_costs(of))))
        .collect();
    let rows: Vec<Vec<Cell>> = evaluation.programs.iter().flat_map(rows).collect();
    body.push_str(&table("sortable stack", "", &TITLES, &rows));
    section(
        "static-cost",
        "Would the compiler's own estimates do instead of measuring?",
        ABOUT,
        &body,
    )
}

/// A row for each model, beside the windows of the first plan.
fn rows(program: &ProgramResult) -> Vec<Vec<Cell>> {
    let mut plans = program.plans.iter();
    let plan = plans.find(|plan| !plan.static_cost.is_empty());
    let costs = plan.into_iter().flat_map(|plan| &plan.static_cost);
    costs.map(|cost| row(&program.program, cost)).collect()
}

fn row(program: &str, cost: &StaticCost) -> Vec<Cell> {
    let known = |of: &Option<CostFigures>, cell: fn(&CostFigures) -> Cell| {
        of.as_ref().map_or_else(unknown, cell)
    };
    let sets = &cost.sets;
    vec![
        Cell::words(program),
        Cell::words(model(cost.model)),
        known(sets, |of| {
            figure(&of.compared.to_string(), of.compared as f64)
        }),
        known(sets, |of| measured(Some(of.overlap_pct), "%")),
        known(sets, |of| {
            figure(&format!("{} %", fixed(of.again_pct, 1)), of.again_pct)
        }),
        known(sets, |of| {
            of.correlation
                .map_or_else(unknown, |r| figure(&correlation(&r), r.value))
        }),
        known(sets, |of| measured(Some(of.off_by_5_pt_pct), "%")),
        known(sets, |of| {
            figure(&believed(&of.worst), of.worst.off_pt().abs())
        }),
        known(&cost.blocks, |of| measured(Some(of.overlap_pct), "%")),
    ]
}
