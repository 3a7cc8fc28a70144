//! Checks around the slowdown: processes of their own beside the laboratory, and what the sampler costs.

use proofmark_experiment::evaluate::{Evaluation, PlanResult, ProgramResult};

use super::super::escape::text;
use super::super::table::{Cell, table};
use super::{figure, measured, section, unknown};
use crate::number::{count, fixed, grouped, with_n};
use crate::words::evaluation::{self as words, agreed, agrees, target};

const ABOUT: &str = "The laboratory measures a plan in many windows of the JVM in which it was found. Here it is measured once more in JVMs of their own, a window in each, with the plan and without it \
     by turns; each compiles by what it has seen itself, without profiles of others. What a JVM has compiled otherwise is not slowed there, and its blocks are not compared. Two figures \
     agree if the interval of their difference holds 0; where nothing differs 95 % of them do.";

/// Does a plan do the same in processes of their own?
pub(super) fn protocols(evaluation: &Evaluation) -> String {
    if evaluation.protocols.is_empty() {
        return String::new();
    }
    let sentences = evaluation.protocols.iter();
    let mut body: String = sentences
        .map(|of| format!("<p class=\"prose\">{}</p>\n", text(&words::protocols(of))))
        .collect();
    let rows = |program: &ProgramResult| -> Vec<Vec<Cell>> {
        let plans = program.plans.iter();
        let rows = plans.filter_map(|plan| row(&program.program, plan));
        rows.collect()
    };
    let rows: Vec<Vec<Cell>> = evaluation.programs.iter().flat_map(rows).collect();
    let titles = [
        "program",
        "asked for",
        "in the laboratory",
        "in fresh JVMs",
        "difference",
        "agree",
        "between JVMs",
        "without the plan",
        "sets agree",
        "blocks agree",
        "plan fits",
        "failed",
    ];
    body.push_str(&table("sortable stack", "", &titles, &rows));
    section(
        "protocols",
        "Does a plan do the same in JVMs of their own?",
        ABOUT,
        &body,
    )
}

fn row(program: &str, plan: &PlanResult) -> Option<Vec<Cell>> {
    let fresh = plan.fresh.as_ref()?;
    let total = fresh.total;
    let spread = |of: Option<f64>, unit: &str| {
        of.map_or_else(unknown, |sd| {
            figure(&format!("{} {unit}", fixed(sd, 1)), sd)
        })
    };
    Some(vec![
        Cell::words(program),
        figure(&target(plan.target_pct), plan.target_pct),
        measured(total.map(|one| one.quick_pct), "%"),
        measured(total.map(|one| one.fresh_pct), "%"),
        measured(total.map(|one| one.bias_pt), "pt"),
        Cell::words(total.map_or("-", |one| agrees(&one))),
        spread(fresh.spread_pt, "pt"),
        spread(fresh.baseline_spread_pct, "%"),
        Cell::words(&agreed(&fresh.sets)),
        Cell::words(&agreed(&fresh.blocks)),
        spread(fresh.fitted_pct, "%"),
        Cell::words(&match fresh.failures.len() as u64 {
            0 => "-".to_owned(),
            failed => format!("{}: {}", count(failed, "JVM"), fresh.failures.join("; ")),
        }),
    ])
}

/// What does the sampler cost?
pub(super) fn sampler(evaluation: &Evaluation) -> String {
    let Some(all) = &evaluation.sampler else {
        return String::new();
    };
    let row = |program: &ProgramResult| {
        let cost = program.plans.first()?.sampler?;
        let us = cost.us_per_sample();
        Some(vec![
            Cell::words(&program.program),
            figure(&grouped(cost.rate_hz.round().max(0.0) as u64), cost.rate_hz),
            figure(&with_n(&cost.pct, "%"), cost.pct.value),
            figure(&with_n(&us, "us"), us.value),
        ])
    };
    let rows: Vec<Vec<Cell>> = evaluation.programs.iter().filter_map(row).collect();
    let titles = [
        "program",
        "samples per second",
        "longer while sampled",
        "a sample",
    ];
    let about = format!(
        "Time of an iteration while it is sampled against that of one which is not, nothing slowed, in the windows that judge the plan; n counts rounds of them. Totals come from windows without \
         the sampler, shares of blocks from those with it. {}",
        text(&words::published_sampler())
    );
    let body = format!(
        "<p class=\"prose\">{}</p>\n{}",
        text(&words::sampler(all)),
        table("sortable stack", "", &titles, &rows)
    );
    section("sampler", "What does our own sampler cost?", &about, &body)
}
