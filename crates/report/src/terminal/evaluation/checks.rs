//! Checks around the slowdown: processes of their own beside the laboratory, and what the sampler costs.

use proofmark_experiment::evaluate::{Evaluation, PlanResult, ProgramResult};

use super::super::cost::{aligned, aligned_in_parts};
use super::{named, section};
use crate::Style;
use crate::number::{fixed, grouped, without_unit};
use crate::style::hanging;
use crate::words::evaluation::{agreed, agrees, published_sampler, short_total, target};

/// Columns that stay together: totals; how far they agree; sets and blocks.
const GROUPS: [usize; 3] = [3, 3, 3];

/// Does a plan do the same in processes of their own?
pub(super) fn protocols(evaluation: &Evaluation, style: Style) -> String {
    let of_program = |program: &ProgramResult| -> Vec<Vec<String>> {
        let plans = program.plans.iter();
        let rows = plans.filter_map(|plan| protocol(&program.program, plan));
        rows.collect()
    };
    let rows: Vec<Vec<String>> = evaluation.programs.iter().flat_map(of_program).collect();
    if rows.is_empty() {
        return String::new();
    }
    let titles = [
        "program",
        "asked for",
        "laboratory, % (95 %)",
        "fresh JVMs, % (95 %; n)",
        "difference, pt (95 %)",
        "agree",
        "between JVMs, pt",
        "sets agree",
        "blocks agree",
        "plan fits",
    ];
    let out = section(
        "Does a plan do the same in JVMs of their own?",
        &aligned_in_parts(&titles, &rows, &GROUPS, style),
        "laboratory: many windows in the JVM in which the plan was found. fresh JVMs: one window in each of several JVMs with the plan and without it, which \
         compile by what they have seen themselves; n counts pairs of them. agree: the interval of the difference holds 0. \
         between JVMs: standard deviation of the total from pair to pair. sets agree, blocks agree: of those that both know; 95 % do where nothing differs. plan fits: \
         part of the time that the plan adds that is in code that these JVMs have compiled alike; the rest is not slowed there.",
        style,
    );
    let failures = evaluation.programs.iter().flat_map(failures);
    let lines = failures.map(|line| hanging("", &line, style.columns()));
    out + &lines.collect::<String>()
}

fn protocol(program: &str, plan: &PlanResult) -> Option<Vec<String>> {
    let fresh = plan.fresh.as_ref()?;
    let known = |of: Option<String>| of.unwrap_or_else(|| "-".into());
    let total = fresh.total;
    Some(vec![
        named(program),
        target(plan.target_pct),
        known(total.map(|one| without_unit(&one.quick_pct))),
        known(total.map(|one| short_total(&one.fresh_pct))),
        known(total.map(|one| without_unit(&one.bias_pt))),
        known(total.map(|one| agrees(&one).to_owned())),
        known(fresh.spread_pt.map(|points| fixed(points, 1))),
        agreed(&fresh.sets),
        agreed(&fresh.blocks),
        known(fresh.fitted_pct.map(|part| format!("{} %", fixed(part, 0)))),
    ])
}

/// Processes that failed, with their reasons.
fn failures(program: &ProgramResult) -> Vec<String> {
    let fresh = program.plans.iter().filter_map(|plan| plan.fresh.as_ref());
    let all = fresh.flat_map(|fresh| &fresh.failures);
    let name = named(&program.program);
    all.map(|why| format!("{name}: a fresh JVM failed: {}", crate::names::clean(why)))
        .collect()
}

/// What does the sampler cost?
pub(super) fn sampler(evaluation: &Evaluation, style: Style) -> String {
    let row = |program: &ProgramResult| {
        let cost = program.plans.first()?.sampler?;
        Some(vec![
            named(&program.program),
            grouped(cost.rate_hz.round().max(0.0) as u64),
            without_unit(&cost.pct),
            cost.pct.n.to_string(),
            without_unit(&cost.us_per_sample()),
        ])
    };
    let rows: Vec<Vec<String>> = evaluation.programs.iter().filter_map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    let titles = [
        "program",
        "samples/s",
        "longer by, % (95 %)",
        "n",
        "us a sample",
    ];
    section(
        "What does our own sampler cost?",
        &aligned(&titles, &rows, style),
        &format!(
            "Time of an iteration while it is sampled against that of one which is not, nothing slowed; n: rounds of the evaluation. Totals come from windows without the \
             sampler, shares of blocks from those with it. {}",
            published_sampler()
        ),
        style,
    )
}
