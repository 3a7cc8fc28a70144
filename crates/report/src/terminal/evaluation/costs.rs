//! Static cost models beside measured times.

use proofmark_experiment::divine::{CostFigures, CostModel};
use proofmark_experiment::evaluate::{Evaluation, ProgramResult};

use super::super::cost::aligned_in_parts;
use super::{named, section};
use crate::Style;
use crate::number::{fixed, without_unit};
use crate::style::hanging;
use crate::words::evaluation::{correlation, static_costs};

/// Columns that stay together: sets; how far they are off; the worst one, and blocks.
const GROUPS: [usize; 3] = [3, 2, 3];

const TITLES: [&str; 9] = [
    "program",
    "sets",
    "overlap, % (95 %)",
    "again",
    "correlation (95 %)",
    "off by > 5 pt, %",
    "worst set, %",
    "blocks",
    "overlap, % (95 %)",
];

const LEGEND: &str = "The table is of the compiler's own estimate of cycles, times counted executions. overlap: sum of the smaller of both shares; a plan made by the model would \
     miss +100 % by twice what it lacks, in points. again: overlap of one half of our windows with the other one. off by > 5 pt: part of the judged time in sets whose share the model misses by \
     more than 5 points. worst set: the one that it misses most, its share by the model and as measured. blocks: each on its own, also those that cannot be told apart here. Published: a static model was found unreliable.";

/// Would the compiler's own estimates do instead of measuring?
pub(super) fn static_cost(evaluation: &Evaluation, style: Style) -> String {
    if evaluation.static_costs.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> = evaluation.programs.iter().filter_map(row).collect();
    let table = match rows.is_empty() {
        true => String::new(),
        false => aligned_in_parts(&TITLES, &rows, &GROUPS, style),
    };
    let out = section(
        "Would the compiler's own estimates do instead of measuring?",
        &table,
        LEGEND,
        style,
    );
    let sentences = evaluation.static_costs.iter();
    let lines = sentences.map(|of| hanging("", &static_costs(of), style.columns()));
    out + &lines.collect::<String>()
}

fn row(program: &ProgramResult) -> Option<Vec<String>> {
    let mut costs = program.plans.iter().flat_map(|plan| &plan.static_cost);
    let cost = costs.find(|cost| cost.model == CostModel::Cycles)?;
    let known = |of: &Option<CostFigures>, words: fn(&CostFigures) -> String| {
        of.as_ref().map_or_else(|| "-".into(), words)
    };
    let (sets, blocks) = (&cost.sets, &cost.blocks);
    Some(vec![
        named(&program.program),
        known(sets, |of| of.compared.to_string()),
        known(sets, |of| without_unit(&of.overlap_pct)),
        known(sets, |of| fixed(of.again_pct, 1)),
        known(sets, |of| {
            of.correlation.as_ref().map_or("-".into(), correlation)
        }),
        known(sets, |of| without_unit(&of.off_by_5_pt_pct)),
        known(sets, |of| {
            let worst = &of.worst;
            format!(
                "{}, {}",
                fixed(worst.model_pct, 1),
                without_unit(&worst.measured_pct)
            )
        }),
        known(blocks, |of| of.compared.to_string()),
        known(blocks, |of| without_unit(&of.overlap_pct)),
    ])
}
