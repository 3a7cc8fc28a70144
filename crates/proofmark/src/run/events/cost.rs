//! `proofmark events cost`: every way of counting against none, interleaved in one JVM per program.

use std::collections::BTreeMap;
use std::path::Path;

use proofmark_events::{Profile, Strategy, Timed, Total, factors};
use proofmark_jvm::{Bench, EventTypeInfo, SUITE, Side, WindowSpec, of_the_program};
use proofmark_report::{EVENTS_COST_SCHEMA, EventsCost};
use proofmark_stats::median;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::args::{CostArguments, SelectionArguments, StrategyName};
use super::count::{self, Compiled, Mode};
use super::{selection, settings};
use crate::args::WorkloadArguments;
use crate::context::{Context, Refusal};
use crate::run::study::live_programs::{Program, from_file};

/// Iterations that are counted to see that each way counts, and counts the same.
const CHECKED: u32 = 2;
/// Turns in which compilations are timed, after one that still warms up the compiler. Each takes new counters.
const COMPILED: usize = 4;
/// Most counters of a thread, for all ways and turns together.
const MOST_COUNTERS: u32 = 1 << 20;
/// Relative difference of totals that garbage collections explain.
const EQUAL: f64 = 1e-3;

/// What one program gave.
struct Measured {
    times: Vec<Timed>,
    coverage_pct: f64,
    remarks: Vec<String>,
}

/// Programs of the command line; the suite's without any.
///
/// # Errors
/// When one cannot be understood.
pub fn programs(arguments: &CostArguments) -> anyhow::Result<Vec<Program>> {
    let mut programs = Vec::new();
    for name in &arguments.program {
        let workload = proofmark_jvm::Workload::parse(name, Vec::new())
            .map_err(|e| Refusal::Usage(e.to_string()))?;
        programs.push(Program {
            name: name.clone(),
            workload,
        });
    }
    if let Some(file) = &arguments.programs {
        programs.extend(from_file(file)?);
    }
    if programs.is_empty() {
        // The victim of the calibration is no program.
        for name in SUITE.iter().filter(|name| **name != "Victim") {
            let name = format!("suite:{name}");
            let workload = proofmark_jvm::Workload::parse(&name, Vec::new())
                .map_err(|e| Refusal::Usage(e.to_string()))?;
            programs.push(Program { name, workload });
        }
    }
    Ok(programs)
}

/// The workload's part of the command line, for the context.
#[must_use]
pub fn workload(arguments: &CostArguments) -> WorkloadArguments {
    WorkloadArguments {
        workload: Some("suite:Towers".into()),
        class_path: None,
        java: Vec::new(),
        heap: arguments.heap,
        iteration_timeout: arguments.iteration_timeout,
        out: arguments.out.clone(),
        seed: arguments.seed,
    }
}

/// Measures all programs.
///
/// # Errors
/// When a way of counting does not exist.
pub fn run(context: &mut Context, arguments: &CostArguments) -> anyhow::Result<EventsCost> {
    let programs = programs(arguments)?;
    let mut by_mode: BTreeMap<usize, Vec<Timed>> = BTreeMap::new();
    let mut failed = Vec::new();
    let mut least: Option<(String, f64)> = None;
    for (at, program) in programs.iter().enumerate() {
        context.progress.stage(&format!(
            "{} ({} of {})",
            program.name,
            at + 1,
            programs.len()
        ));
        context.workload.clone_from(&program.workload);
        match one(context, arguments, program) {
            Ok(measured) => {
                for (mode, timed) in measured.times.into_iter().enumerate() {
                    by_mode.entry(mode).or_default().push(timed);
                }
                if least
                    .as_ref()
                    .is_none_or(|(_, pct)| measured.coverage_pct < *pct)
                {
                    least = Some((program.name.clone(), measured.coverage_pct));
                }
                failed.extend(measured.remarks);
            }
            Err(error) if error.downcast_ref::<Refusal>().is_some() => return Err(error),
            Err(error) => failed.push(format!("{}: {error:#}", program.name)),
        }
    }
    let rows = by_mode
        .into_iter()
        .map(|(mode, times)| factors(&arguments.mode[mode], &times))
        .collect();
    Ok(EventsCost {
        schema: EVENTS_COST_SCHEMA.into(),
        environment: context.environment(),
        rounds: arguments.rounds,
        rows,
        least_coverage_pct: least,
        failed,
    })
}

fn one(
    context: &Context,
    arguments: &CostArguments,
    program: &Program,
) -> anyhow::Result<Measured> {
    let everything = SelectionArguments {
        category: Vec::new(),
        event: Vec::new(),
        strategy: StrategyName::Edge,
        threads: arguments.mode.iter().any(|mode| mode.contains("+threads")),
        units: None,
        no_jdk: false,
        event_class_path: None,
    };
    let name = crate::context::file_name(&program.name);
    let mut settings = settings(context, &name, &everything, &[])?;
    if let Some(events) = &mut settings.launch.events {
        let compiled = (1 + COMPILED) * arguments.mode.len();
        events.counters_per_thread =
            (events.counters_per_thread * compiled as u32).min(MOST_COUNTERS);
    }
    let mut bench = Bench::prepare(&context.kit, &context.workload, settings)?;
    let modes = modes(arguments)?;
    let units = count::chosen(&bench, &everything)?;
    let mut codes = Vec::new();
    let mut remarks = Vec::new();
    let plain = count::compile(&mut bench, None, &units, &context.file("none.table"))?;
    let mut totals: BTreeMap<String, (String, i64)> = BTreeMap::new();
    for (at, mode) in modes.iter().enumerate() {
        context
            .progress
            .step(&format!("compiling and checking {}", mode.name));
        let table = context.file(&format!("{name}-{at}.table"));
        let compiled = count::compile(&mut bench, Some(mode), &units, &table)?;
        let counted = count::run(&mut bench, &compiled, CHECKED, &table)?;
        let touched = counted
            .run
            .iterations
            .iter()
            .map(|i| i.added.len() as u64)
            .max();
        let asked = |kind: &str| mode.types.is_empty() || mode.types.iter().any(|t| t == kind);
        for (kind, total) in of_program(&counted.profile) {
            if !asked(&kind) {
                continue;
            }
            let first = totals
                .entry(kind.clone())
                .or_insert_with(|| (mode.name.clone(), total));
            if !agree(first.1, total) {
                remarks.push(format!(
                    "{}: {} {kind} by {} and {total} by {}",
                    program.name, first.1, first.0, mode.name
                ));
            }
        }
        codes.push((compiled, touched.unwrap_or(0)));
    }
    let coverage = count::coverage(&mut bench, &codes[0].0)?;
    context.progress.step("timing compilations");
    let compilations = compilations(&mut bench, &modes, &units, &context.file("timed.table"))?;
    let pairs = interleave(&mut bench, arguments, context, &plain, &codes)?;
    bench.stop();
    let timed = |(at, ((compiled, touched), pairs)): (usize, (&(Compiled, u64), _))| Timed {
        program: program.name.clone(),
        pairs,
        touched: *touched,
        compilations: compilations[at].clone(),
        code_size: compiled.bytes as f64 / plain.bytes.max(1) as f64,
    };
    Ok(Measured {
        times: codes.iter().zip(pairs).enumerate().map(timed).collect(),
        coverage_pct: coverage.graal_blocks_pct.unwrap_or(0.0),
        remarks,
    })
}

/// CPU time of compiling all units without counting and by each way, ns: pairs of the same turn, by way. Every other
/// turn goes backwards, because the compiler grows faster all the while.
fn compilations(
    bench: &mut Bench,
    modes: &[Mode],
    units: &[u32],
    table: &Path,
) -> anyhow::Result<Vec<Vec<(f64, f64)>>> {
    let mut pairs = vec![Vec::new(); modes.len()];
    for turn in 0..COMPILED {
        let mut order: Vec<usize> = (0..=modes.len()).collect();
        if turn % 2 == 1 {
            order.reverse();
        }
        let mut took = vec![0.0; order.len()];
        for at in order {
            let way = at.checked_sub(1).map(|mode| &modes[mode]);
            let compiled = count::compile(bench, way, units, table)?;
            bench.lab_mut().forget(&compiled.codes)?;
            took[at] = compiled.compile_ns as f64;
        }
        for (pairs, with) in pairs.iter_mut().zip(&took[1..]) {
            pairs.push((took[0], *with));
        }
    }
    Ok(pairs)
}

/// Totals of the program's units by type; the JVM compiles units of the JDK when it wants, and they count from then on.
fn of_program(profile: &Profile) -> Vec<(String, i64)> {
    let own = |(unit, _): &(&String, &Vec<Total>)| of_the_program(unit);
    let total = |kind: usize| -> i64 {
        let units = profile.units.iter().filter(own);
        units.map(|(_, totals)| totals[kind].value).sum()
    };
    let kinds = profile.types.iter().enumerate();
    kinds
        .map(|(at, kind)| (kind.name.clone(), total(at)))
        .collect()
}

fn agree(one: i64, other: i64) -> bool {
    (one - other).abs() as f64 <= EQUAL * one.abs().max(other.abs()) as f64 + 20.0
}

/// The ways of counting that the command line names.
///
/// # Errors
/// When one does not exist.
pub fn modes(arguments: &CostArguments) -> Result<Vec<Mode>, Refusal> {
    let known = selection::known();
    let modes = arguments.mode.iter();
    modes.map(|text| parse(text, &known)).collect()
}

/// `STRATEGY[+threads][+check][:CATEGORY[+CATEGORY...]]`.
fn parse(text: &str, catalogue: &[EventTypeInfo]) -> Result<Mode, Refusal> {
    let (how, categories) = text.split_once(':').unwrap_or((text, ""));
    let mut words = how.split('+');
    let strategy = words.next().unwrap_or_default();
    let additions: Vec<&str> = words.collect();
    let unknown = |what: &str| {
        Refusal::Usage(format!(
            "'{text}' is no way of counting ({what}): write STRATEGY[+threads][+check][:CATEGORY[+CATEGORY...]], for example edge+threads:branches"
        ))
    };
    let strategy = Strategy::named(strategy).ok_or_else(|| unknown("no such strategy"))?;
    let categories: Vec<&str> = categories.split('+').filter(|c| !c.is_empty()).collect();
    let known = |category: &&str| catalogue.iter().any(|kind| kind.category == **category);
    let possible = |addition: &&str| matches!(*addition, "threads" | "check");
    if !additions.iter().all(possible) || !categories.iter().all(known) {
        return Err(unknown("no such category or addition"));
    }
    Ok(Mode {
        name: text.to_owned(),
        strategy,
        types: catalogue
            .iter()
            .filter(|kind| categories.contains(&kind.category.as_str()))
            .map(|kind| kind.name.clone())
            .collect(),
        per_thread: additions.contains(&"threads"),
        check: additions.contains(&"check"),
    })
}

/// Every way of counting between two installations of code that does not count, in an order of its own each round;
/// pairs of medians: the two neighbours' mean, and its own.
fn interleave(
    bench: &mut Bench,
    arguments: &CostArguments,
    context: &Context,
    plain: &Compiled,
    codes: &[(Compiled, u64)],
) -> anyhow::Result<Vec<Vec<(f64, f64)>>> {
    let mut random = ChaCha8Rng::seed_from_u64(arguments.seed);
    let side = |compiled: &Compiled| Side {
        shifted: vec![compiled.codes.clone()],
    };
    let mut sides = vec![side(plain)];
    sides.extend(codes.iter().map(|(compiled, _)| side(compiled)));
    let spec = WindowSpec {
        label: "cost",
        seconds: arguments.seconds,
        iterations: 2,
        rate_hz: None,
    };
    let mut pairs = vec![Vec::new(); codes.len()];
    for round in 0..arguments.rounds {
        context
            .progress
            .step(&format!("round {} of {}", round + 1, arguments.rounds));
        let mut modes: Vec<usize> = (1..sides.len()).collect();
        modes.shuffle(&mut random);
        let mut order = vec![0];
        order.extend(modes.iter().flat_map(|mode| [*mode, 0]));
        let measured = bench.window(&spec, &sides, &order, &mut ())?;
        let medians: Vec<f64> = measured.groups.iter().map(time).collect();
        for (at, mode) in modes.iter().enumerate() {
            let around = (medians[2 * at] + medians[2 * at + 2]) / 2.0;
            pairs[mode - 1].push((around, medians[2 * at + 1]));
        }
    }
    Ok(pairs)
}

/// Median CPU time of an iteration, ns.
fn time(group: &proofmark_jvm::GroupData) -> f64 {
    let cpu: Vec<f64> = group
        .iterations
        .iter()
        .map(|(_, _, cpu)| *cpu as f64)
        .collect();
    median(&cpu).unwrap_or(0.0)
}
