//! Is a program slowed as asked? One table per target.

use proofmark_experiment::evaluate::{Evaluation, PlanResult, ProgramResult, Slowing};
use proofmark_stats::Estimate;

use super::super::cost::aligned_in_parts;
use super::named;
use crate::number::{fixed, value, without_unit};
use crate::style::hanging;
use crate::words::evaluation::{
    by_steps, hours, left_out, one_set, plans, published_search, published_total, short_total,
    slowing,
};
use crate::{Style, words};

const TITLES: [&str; 12] = [
    "program",
    "total, % (95 %; n)",
    "plans, time",
    "published",
    "sets",
    "sets off by, pt",
    "noise",
    "worst set, pt",
    "within 10, %",
    "loops off by, pt",
    "blocks off by, pt",
    "judged",
];
/// Columns that stay together: effort and total; sets; the rest.
const GROUPS: [usize; 3] = [3, 4, 4];

const LEGEND: &str = "total: growth of the program's time in windows that the search did not use; in brackets the 95 % interval and the number of \
     pairs of windows. plans, time: what the search tried and took. published: total, %; at +100 % also runs and hours of the search. \
     sets: blocks that are too short to be told apart are judged as one set; off by: their mean distance from the target, \
     weighted by time, as measured; noise: what it would be if every set were on target. \"total\" instead of a set: there is only one, so that its error \
     is that of the total. within 10: part of the judged time in sets within 10 points of the target. blocks off by: \
     every block on its own, also those that cannot be told apart here. judged: share of the program's time in judged blocks; the \
     rest is slowed too, but has too few samples to be looked at. Sample sizes stand in the figures (--format json).";

pub(super) fn section(evaluation: &Evaluation, style: Style) -> String {
    let mut out = String::new();
    for of in &evaluation.slowing {
        let title = format!(
            "Is a program slowed by {}?",
            words::evaluation::target(of.target_pct)
        );
        out.push_str(&format!("\n{title}\n"));
        out.push_str(&hanging("", &slowing(of), style.columns()));
        let rows = rows(&evaluation.programs, of);
        if !rows.is_empty() {
            out.push('\n');
            out.push_str(&aligned_in_parts(&TITLES, &rows, &GROUPS, style));
            for said in left_out(&evaluation.programs, of) {
                out.push_str(&hanging("", &said, style.columns()));
            }
        }
    }
    if evaluation.slowing.iter().any(|of| of.programs > 0) {
        out.push_str(&format!("\n{}", hanging("", LEGEND, style.columns())));
    }
    if let Some(meaning) = by_steps(evaluation) {
        out.push_str(&hanging("", meaning, style.columns()));
    }
    out
}

fn rows(programs: &[ProgramResult], of: &Slowing) -> Vec<Vec<String>> {
    let row = |program: &ProgramResult| {
        let mut plans = program.plans.iter();
        let plan = plans.find(|plan| plan.target_pct == of.target_pct)?;
        Some(row(&program.program, plan))
    };
    programs.iter().filter_map(row).collect()
}

fn row(program: &str, plan: &PlanResult) -> Vec<String> {
    let alone = one_set(plan);
    let known = |of: Option<Estimate>, words: fn(&Estimate) -> String| {
        of.map_or("-".into(), |one| words(&one))
    };
    let of_sets = |of: Option<Estimate>| known(of.filter(|_| !alone), without_unit);
    let error = match alone {
        true => format!("total {}", known(plan.set_error_pt, without_unit)),
        false => of_sets(plan.set_error_pt),
    };
    vec![
        named(program),
        known(plan.overhead_pct, short_total),
        plans(plan),
        published(program, plan.target_pct),
        plan.judged_sets.to_string(),
        error,
        known(plan.noise_pt, value),
        of_sets(plan.worst_pt),
        of_sets(plan.within_10_pt_pct),
        known(plan.loop_error_pt, without_unit),
        known(plan.block_error_pt, without_unit),
        format!("{} %", fixed(plan.judged_pct, 0)),
    ]
}

/// `94.1, 329, 8.6 h`; `-` of a program that was not among them.
fn published(program: &str, target_pct: f64) -> String {
    let total = published_total(program, target_pct).map(|total| fixed(total, 1));
    let search = published_search(program, target_pct)
        .map(|(runs, seconds)| format!("{runs}, {}", hours(seconds)));
    let all: Vec<String> = total.into_iter().chain(search).collect();
    match all.is_empty() {
        true => "-".into(),
        false => all.join(", "),
    }
}
