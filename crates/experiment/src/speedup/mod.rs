//! Virtual speed-up: what would a program gain if one of its functions were faster? Everything else is slowed instead.
//!
//! A plan slows every block by the same factor. The program under the plan, and under the plan without the instructions of one
//! function, are run by turns; beside the first, the second is the program with that function faster.
//!
//! *Accuracy.* What the plan misses in a function scales its gain, so that stands beside it. What cannot be slowed, libraries
//! and waiting, counts as if it were faster as well.

mod functions;
mod gain;
mod lab;
mod remarks;
mod result;
mod rounds;

use proofmark_rules::NEAR_PT;

use crate::ExperimentError;
use crate::divine::Plan;
use crate::lab::{Insertion, UnitTable, Variant};
use crate::progress::Progress;
use crate::tables::{NamedTable, of_plan, resolve};
use functions::path;
use gain::{gain_pct, growth_pct, own_pct, saved_pct};
use rounds::{Round, rounds};

pub use functions::{PlannedFunction, chosen, name_and_object};
pub use lab::Clocked;
pub use result::{
    Clock, Clocks, FunctionGain, PlanFacts, SPEEDUP_SCHEMA, SlowedBlock, SpeedupLeftOut,
    SpeedupResult,
};

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct SpeedupRequest {
    /// The program with its arguments, for people.
    pub program: String,
    /// Functions; none: the hottest ones.
    pub functions: Vec<String>,
    /// How many, if none is named.
    pub hottest: usize,
    /// The plan's slowdown instruction, and where in a block it goes.
    pub insertion: Insertion,
    /// Rounds.
    pub rounds: u32,
    /// Least time of a variant under an alignment in a round, s.
    pub window_s: f64,
    /// Seed of the order of variants.
    pub seed: u64,
}

/// Index of a variant: the program as it is, under the plan, and from here on under the plan without a function.
const BASELINE: usize = 0;
const PLAN: usize = 1;
const FUNCTIONS: usize = 2;

/// Measures what the program would gain.
///
/// # Errors
/// When the plan is one for another build, slows no such function, or the laboratory fails.
pub fn run<L: Clocked + ?Sized>(
    lab: &mut L,
    plan: &Plan,
    request: &SpeedupRequest,
    progress: &dyn Progress,
) -> Result<SpeedupResult, ExperimentError> {
    let began_s = progress.elapsed_s();
    let (chosen, left_out) = chosen(plan, &request.functions, request.hottest)?;
    let tables = tables(lab, plan, request.insertion)?;
    let variants = variants(lab, &tables, &chosen, progress)?;
    let seen = rounds(lab, &variants, request, progress)?;
    let clock = match lab.concurrent() {
        true => Clock::Wall,
        false => Clock::Cpu,
    };
    let aim = aim(plan);
    let gain = |(at, function): (usize, &PlannedFunction)| {
        of_function(&seen, (FUNCTIONS + at, function), clock, aim)
    };
    let mut functions: Vec<FunctionGain> = chosen.iter().enumerate().map(gain).collect();
    let value = |one: &FunctionGain| one.gain_pct.map_or(f64::NEG_INFINITY, |gain| gain.value);
    functions.sort_by(|a, b| value(b).total_cmp(&value(a)));
    let mut result = SpeedupResult {
        schema: SPEEDUP_SCHEMA.into(),
        program: request.program.clone(),
        plan: facts(plan),
        clock,
        concurrent: clock == Clock::Wall,
        faster_by_pct: saved_pct(aim),
        slowed: Clocks {
            wall_pct: growth_pct(&pairs(&seen, Clock::Wall, BASELINE, PLAN)),
            cpu_pct: growth_pct(&pairs(&seen, Clock::Cpu, BASELINE, PLAN)),
        },
        functions,
        left_out,
        remarks: Vec::new(),
        rounds: seen.len() as u64,
        alignments: lab.alignments() as u64,
        iterations: seen.iter().map(|round| round.iterations).sum(),
        seed: request.seed,
        seconds: progress.elapsed_s() - began_s,
    };
    result.remarks = remarks::of(&result);
    Ok(result)
}

/// What the plan slows blocks by, parts of their time.
fn aim(plan: &Plan) -> f64 {
    plan.report.aim_pct.unwrap_or(plan.file.target_pct) / 100.0
}

fn facts(plan: &Plan) -> PlanFacts {
    let (file, report) = (&plan.file, &plan.report);
    PlanFacts {
        path: report.plan_path.clone(),
        workload: file.workload.clone(),
        target_pct: file.target_pct,
        aim_pct: report.aim_pct,
        overhead_pct: file.overhead_pct,
        block_error_pt: file.block_error_pt,
        coverage_pct: file.coverage_pct,
        outside_pct: report.outside_pct,
    }
}

/// Tables of the whole plan with the names of their units.
fn tables<L: Clocked + ?Sized>(
    lab: &L,
    plan: &Plan,
    insertion: Insertion,
) -> Result<Vec<(String, UnitTable)>, ExperimentError> {
    /// Differences that an error names at most.
    const NAMED: usize = 3;
    let (map, units) = (lab.map(), lab.units());
    let name = |unit: u32| map.units()[unit as usize].name.as_str();
    let is_here = |table: &NamedTable| units.iter().any(|unit| name(*unit) == table.unit);
    let (here, missing): (Vec<_>, Vec<_>) = of_plan(&plan.file).into_iter().partition(is_here);
    let resolved = resolve((map, &units), &here, insertion, &plan.units);
    let missing = missing
        .iter()
        .map(|table| format!("{}: not in this program, or without slots", table.unit));
    let wrong: Vec<String> = missing.chain(resolved.refused).collect();
    if wrong.is_empty() && !resolved.tables.is_empty() {
        let named = |table: UnitTable| (name(table.unit).to_owned(), table);
        return Ok(resolved.tables.into_iter().map(named).collect());
    }
    let more = match wrong.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let what = wrong.iter().take(NAMED).cloned().collect::<Vec<_>>();
    Err(ExperimentError::Usage(format!(
        "{} is a plan for another build of the program: {}{more}; make one for this build with `proofmark divine`",
        path(plan),
        what.join("; ")
    )))
}

/// The program as it is, under the plan, and under the plan without each of the functions.
fn variants<L: Clocked + ?Sized>(
    lab: &mut L,
    tables: &[(String, UnitTable)],
    chosen: &[PlannedFunction],
    progress: &dyn Progress,
) -> Result<Vec<Variant>, ExperimentError> {
    let all: Vec<UnitTable> = tables.iter().map(|(_, table)| table.clone()).collect();
    progress.step("making the plan's variant");
    let mut variants = vec![lab.baseline(), lab.variant(&all)?];
    for function in chosen {
        progress.step(&format!("making the variant without {}", function.name));
        let rest = tables
            .iter()
            .filter(|(unit, _)| !function.units.contains(unit));
        let rest: Vec<UnitTable> = rest.map(|(_, table)| table.clone()).collect();
        variants.push(lab.variant(&rest)?);
    }
    Ok(variants)
}

/// Times of two variants in every round.
fn pairs(seen: &[Round], clock: Clock, first: usize, second: usize) -> Vec<(f64, f64)> {
    let times = |round: &Round| match clock {
        Clock::Wall => (round.wall[first], round.wall[second]),
        Clock::Cpu => (round.cpu[first], round.cpu[second]),
    };
    seen.iter().map(times).collect()
}

fn of_function(
    seen: &[Round],
    (variant, function): (usize, &PlannedFunction),
    clock: Clock,
    aim: f64,
) -> FunctionGain {
    let by = |clock: Clock| gain_pct(&pairs(seen, clock, PLAN, variant));
    let by_clock = Clocks {
        wall_pct: by(Clock::Wall),
        cpu_pct: by(Clock::Cpu),
    };
    let not_extrapolated = why_not_extrapolated(function, clock, aim);
    let cpu = |round: &Round| [BASELINE, PLAN, variant].map(|at| round.cpu[at]);
    let times: Vec<[f64; 3]> = seen.iter().map(cpu).collect();
    FunctionGain {
        function: function.name.clone(),
        gain_pct: by_clock.by(clock),
        by_clock,
        without_it_pct: match not_extrapolated {
            None => own_pct(&times, aim),
            Some(_) => None,
        },
        not_extrapolated,
        share_pct: function.share_pct,
        slowed_pct: function.slowed_pct,
        blocks: function.blocks.clone(),
    }
}

/// Why nothing is said of the function taking no time at all; none where the time is a sum and the plan is near its aim in it.
fn why_not_extrapolated(function: &PlannedFunction, clock: Clock, aim: f64) -> Option<String> {
    if clock == Clock::Wall {
        let text = "the program works in several threads or processes: from some point on others are what it waits for";
        return Some(text.to_owned());
    }
    let Some(slowed) = function.slowed_pct else {
        return Some("the plan does not say how much it slows the function's blocks".to_owned());
    };
    let miss = slowed.value - 100.0 * aim;
    (miss.abs() > NEAR_PT).then(|| {
        format!(
            "the plan slows the function's blocks by {:.0} %, where {:.0} % is wanted",
            slowed.value,
            100.0 * aim
        )
    })
}
