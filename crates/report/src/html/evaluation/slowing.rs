//! Is a program slowed as asked: totals per program, blocks off their target, tables.

use proofmark_experiment::evaluate::{Evaluation, PlanResult, ProgramResult, Slowing};
use proofmark_stats::Estimate;

use super::super::escape::text;
use super::super::figure as picture;
use super::super::table::{Cell, table};
use super::{figure, measured, section as part, unknown};
use crate::number::{count, duration, fixed, grouped, with_n};
use crate::svg::{MissBins, Total, misses, totals};
use crate::words::evaluation::{
    by_steps, left_out, one_set, published_search, published_total, target, total_with_n, tried,
};

const ABOUT: &str = "A <em>block</em> is a stretch of machine code that is entered at its beginning and left at its end. Instructions that change nothing but the time are \
     put into every block, as many as make each block, and with them the whole program, take longer by the same part. What is shown here was measured in \
     windows that the search for these numbers did not use. A block is <em>judged</em> if it has enough samples for its time to be known; the others \
     are slowed too, and only the program&#39;s total tells of them. Blocks that are too short to be told apart are judged together, as one <em>set</em>. \
     Where a program is one set, its error is that of the total and says nothing about single blocks.";

pub(super) fn section(evaluation: &Evaluation) -> String {
    if evaluation.slowing.iter().all(|of| of.programs == 0) {
        return String::new();
    }
    let pictures: String = all_totals(evaluation);
    let mut body = format!(
        "<div class=\"grid\">{pictures}</div>\n<h3>Blocks on their own</h3>\n<div class=\"grid\">{}</div>\n",
        all_misses(evaluation)
    );
    body.push_str(&summary(&evaluation.slowing));
    if let Some(meaning) = by_steps(evaluation) {
        body.push_str(&format!("<p class=\"prose\">{meaning}</p>\n"));
    }
    for of in &evaluation.slowing {
        for said in left_out(&evaluation.programs, of) {
            let said = format!("At {}, {said}", target(of.target_pct));
            body.push_str(&format!("<p class=\"prose\">{}</p>\n", text(&said)));
        }
        body.push_str(&programs(&evaluation.programs, of));
    }
    part("slowing", "Is a program slowed as asked?", ABOUT, &body)
}

fn plan(program: &ProgramResult, target_pct: f64) -> Option<&PlanResult> {
    let mut plans = program.plans.iter();
    plans.find(|plan| plan.target_pct == target_pct)
}

/// A panel per target: every program's total.
fn all_totals(evaluation: &Evaluation) -> String {
    let panel = |of: &Slowing| {
        let row = |program: &ProgramResult| {
            let reached = plan(program, of.target_pct)?.overhead_pct;
            let published = published_total(&program.program, of.target_pct);
            let words = reached.map_or("not evaluated".into(), |e| total_with_n(&e));
            let beside = published.map_or(String::new(), |p| {
                format!("; published: +{} %", fixed(p, 1))
            });
            Some(Total {
                name: crate::names::clean(&program.program),
                reached,
                published,
                tip: format!("{}: {words}{beside}", program.program),
            })
        };
        let rows: Vec<Total> = evaluation.programs.iter().filter_map(row).collect();
        let title = format!("Programs slowed by {}", target(of.target_pct));
        let n = count(rows.len() as u64, "program");
        let description =
            format!("How much longer {n} took, one row each, and what was published.");
        let svg = totals(&rows, of.target_pct, &title, &description)?;
        let caption = format!(
            "n = {n}. Dashed: what was asked for; lines: 95 %; hollow: published, of another machine."
        );
        Some(picture(&title, &svg, &caption))
    };
    evaluation.slowing.iter().filter_map(panel).collect()
}

/// A panel per target: how far the blocks of all programs are off.
fn all_misses(evaluation: &Evaluation) -> String {
    let bins = |of: &Slowing| {
        let plans = evaluation
            .programs
            .iter()
            .filter_map(|p| plan(p, of.target_pct));
        let all: Vec<(f64, f64)> = plans.flat_map(|plan| plan.misses.iter().copied()).collect();
        Some((of.target_pct, MissBins::of(&all)?))
    };
    let panels: Vec<(f64, MissBins)> = evaluation.slowing.iter().filter_map(bins).collect();
    let highest = panels
        .iter()
        .map(|(_, bins)| bins.highest())
        .fold(0.0, f64::max);
    let panel = |(asked, bins): &(f64, MissBins)| {
        let title = format!("Blocks slowed by {}", target(*asked));
        let [below, above] = bins.beyond;
        let beyond = match below + above {
            0.0 => "no block is off by more than 100 points".to_owned(),
            _ => format!(
                "the first bin also holds {} % of the time, of blocks below -100 points, the last one {} %, of blocks above 100",
                fixed(below, 1),
                fixed(above, 1)
            ),
        };
        let caption = format!(
            "n = {} of all programs, weighted by their share of run time; bins of 10 points; {beyond}. {} % of the judged time is within 10 points.",
            count(bins.blocks, "judged block"),
            fixed(bins.within_10, 0)
        );
        picture(&title, &misses(bins, highest, &title), &caption)
    };
    panels.iter().map(panel).collect()
}

/// A row per target.
fn summary(all: &[Slowing]) -> String {
    let worst = |of: &Option<(String, Estimate)>, words: &dyn Fn(&Estimate) -> String| {
        let words = |(program, e): &(String, Estimate)| format!("{program}: {}", words(e));
        Cell::words(&of.as_ref().map_or("-".into(), words))
    };
    let row = |of: &Slowing| {
        vec![
            figure(&target(of.target_pct), of.target_pct),
            figure(&grouped(of.programs), of.programs as f64),
            of.overhead_pct
                .map_or_else(unknown, |e| figure(&total_with_n(&e), e.value)),
            figure(&grouped(of.within_2_pt), of.within_2_pt as f64),
            worst(&of.worst, &total_with_n),
            measured(of.set_error_pt, "pt"),
            worst(&of.worst_sets, &|e| with_n(e, "pt")),
            figure(
                &format!("{} (most {})", grouped(of.plans), grouped(of.most_plans)),
                of.plans as f64,
            ),
            figure(&duration(of.wall_s), of.wall_s),
        ]
    };
    let rows: Vec<Vec<Cell>> = all.iter().map(row).collect();
    let titles = [
        "asked for",
        "programs",
        "typical total",
        "within 2 points",
        "farthest from the target",
        "sets typically off by",
        "sets off most",
        "plans tried",
        "time of all searches",
    ];
    table("stack", "All programs", &titles, &rows)
}

/// Every program at one target: the total beside the published one, then its sets.
fn programs(programs: &[ProgramResult], of: &Slowing) -> String {
    let known = programs
        .iter()
        .filter_map(|one| Some((one.program.as_str(), plan(one, of.target_pct)?)));
    let known: Vec<(&str, &PlanResult)> = known.collect();
    if known.is_empty() {
        return String::new();
    }
    format!(
        "<details><summary>Every program slowed by {}</summary>\n{}{}{}</details>\n",
        target(of.target_pct),
        efforts(&known),
        sets(&known),
        loops(&known)
    )
}

/// The total beside the published one, and what it cost to get there. Where the published search is not told of, it has no
/// columns.
fn efforts(known: &[(&str, &PlanResult)]) -> String {
    let search = |(name, plan): &(&str, &PlanResult)| published_search(name, plan.target_pct);
    let told = known.iter().any(|one| search(one).is_some());
    let row = |one: &(&str, &PlanResult)| {
        let (name, plan) = one;
        let published = published_total(name, plan.target_pct);
        let mut cells = vec![
            Cell::words(name),
            plan.overhead_pct
                .map_or_else(unknown, |e| figure(&total_with_n(&e), e.value)),
            published.map_or_else(unknown, |p| figure(&format!("+{} %", fixed(p, 1)), p)),
            figure(&tried(plan), f64::from(plan.plans_tried)),
            figure(&duration(plan.wall_s), plan.wall_s),
        ];
        if told {
            let runs = |(runs, _)| figure(&format!("{runs}"), f64::from(runs));
            let time = |(_, seconds)| figure(&duration(seconds), seconds);
            cells.push(search(one).map_or_else(unknown, runs));
            cells.push(search(one).map_or_else(unknown, time));
        }
        cells
    };
    let rows: Vec<Vec<Cell>> = known.iter().map(row).collect();
    let titles = [
        "program",
        "total",
        "published",
        "plans",
        "time",
        "published runs",
        "published time",
    ];
    let titles = if told { &titles[..] } else { &titles[..5] };
    table("sortable stack", "Total and effort", titles, &rows)
}

fn sets(known: &[(&str, &PlanResult)]) -> String {
    let row = |(name, plan): &(&str, &PlanResult)| {
        let alone = one_set(plan);
        let of_sets = |of: Option<Estimate>, unit| measured(of.filter(|_| !alone), unit);
        let error = match plan.set_error_pt.filter(|_| alone) {
            Some(e) => figure(&format!("that of the total: {}", with_n(&e, "pt")), e.value),
            None => measured(plan.set_error_pt, "pt"),
        };
        vec![
            Cell::words(name),
            figure(&plan.judged_sets.to_string(), plan.judged_sets as f64),
            error,
            measured(plan.noise_pt, "pt"),
            of_sets(plan.worst_pt, "pt"),
            of_sets(plan.within_10_pt_pct, "%"),
        ]
    };
    let rows: Vec<Vec<Cell>> = known.iter().map(row).collect();
    let titles = [
        "program",
        "sets",
        "off by, mean",
        "noise alone",
        "worst set",
        "time within 10 points",
    ];
    table("sortable stack", "Sets", &titles, &rows)
}

fn loops(known: &[(&str, &PlanResult)]) -> String {
    let percent = |share: f64| figure(&format!("{} %", fixed(share, 0)), share);
    let row = |(name, plan): &(&str, &PlanResult)| {
        vec![
            Cell::words(name),
            measured(plan.loop_error_pt, "pt"),
            measured(plan.judged_overhead_pct, "%"),
            measured(plan.loop_apart_pt, "pt"),
            measured(plan.block_error_pt, "pt"),
            percent(plan.judged_pct),
            match plan.outside_share_pct {
                Some(share) => measured(Some(share), "%"),
                None => plan.outside_pct.map_or_else(unknown, percent),
            },
        ]
    };
    let rows: Vec<Vec<Cell>> = known.iter().map(row).collect();
    let titles = [
        "program",
        "loops off by",
        "all judged code slowed by",
        "loops off from that",
        "every block on its own off by",
        "judged share of time",
        "cannot be slowed",
    ];
    table("sortable stack", "Loops and blocks", &titles, &rows)
}
