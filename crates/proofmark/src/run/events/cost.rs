//! `proofmark events cost`: every way of counting against none, interleaved in one JVM per program.

use std::collections::BTreeMap;
use std::path::Path;

use proofmark_events::{EVENTS_COST_SCHEMA, EventsCost};
use proofmark_events::{Profile, Timed, Total, factors};
use proofmark_experiment::lab::{Variant, WindowSpec};
use proofmark_jvm::WarmJvm;
use proofmark_rewrite::of_the_program;
use proofmark_stats::median;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::count::{self, Compiled};
use super::{Counting, settings};
use crate::context::Refusal;
use crate::request::{EventsCostRequest, Mode, Selection};
use crate::session::Session;

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
    /// None where it is not known.
    coverage_pct: Option<f64>,
    remarks: Vec<String>,
}

/// Measures all programs.
///
/// # Errors
/// When one is refused: by the machine, or because nothing of it is chosen.
pub fn run(session: &Session, request: &EventsCostRequest) -> anyhow::Result<EventsCost> {
    let mut counting = Counting::new(session, &request.first());
    let programs = &request.programs;
    let mut by_mode: BTreeMap<usize, Vec<Timed>> = BTreeMap::new();
    let mut failed = Vec::new();
    let mut least: Option<(String, f64)> = None;
    for (at, program) in programs.iter().enumerate() {
        session.progress.stage(&format!(
            "{} ({} of {})",
            program.name,
            at + 1,
            programs.len()
        ));
        counting.program = request.program(program);
        match one(&counting, request, &program.name) {
            Ok(measured) => {
                for (mode, timed) in measured.times.into_iter().enumerate() {
                    by_mode.entry(mode).or_default().push(timed);
                }
                least = lower(least, &program.name, measured.coverage_pct);
                failed.extend(measured.remarks);
            }
            Err(error) if error.downcast_ref::<Refusal>().is_some() => return Err(error),
            Err(error) => failed.push(format!("{}: {error:#}", program.name)),
        }
    }
    let rows = by_mode
        .into_iter()
        .map(|(mode, times)| factors(&request.modes[mode].name, &times))
        .collect();
    Ok(EventsCost {
        schema: EVENTS_COST_SCHEMA.into(),
        environment: counting.environment(),
        rounds: request.rounds,
        rows,
        least_coverage_pct: least,
        failed,
    })
}

/// The lower of two coverages, with its program.
fn lower(least: Option<(String, f64)>, name: &str, pct: Option<f64>) -> Option<(String, f64)> {
    let Some(pct) = pct else { return least };
    match least {
        Some((_, known)) if known <= pct => least,
        _ => Some((name.to_owned(), pct)),
    }
}

fn one(
    counting: &Counting<'_>,
    request: &EventsCostRequest,
    program: &str,
) -> anyhow::Result<Measured> {
    let session = counting.session;
    let everything = Selection {
        threads: request.modes.iter().any(|mode| mode.per_thread),
        ..Selection::default()
    };
    let name = crate::session::file_name(program);
    let mut settings = settings(counting, &name, &everything, &[])?;
    if let Some(events) = &mut settings.launch.events {
        let compiled = (1 + COMPILED) * request.modes.len();
        events.counters_per_thread =
            (events.counters_per_thread * compiled as u32).min(MOST_COUNTERS);
    }
    let mut jvm = counting.warm_jvm(settings)?;
    let modes = &request.modes;
    let units = count::chosen(&jvm, &everything)?;
    let mut codes = Vec::new();
    let mut remarks = Vec::new();
    let plain = count::compile(&mut jvm, None, &units, &session.file("none.table"))?;
    let mut totals: BTreeMap<String, (String, i64)> = BTreeMap::new();
    for (at, mode) in modes.iter().enumerate() {
        session
            .progress
            .step(&format!("compiling and checking {}", mode.name));
        let table = session.file(&format!("{name}-{at}.table"));
        let compiled = count::compile(&mut jvm, Some(mode), &units, &table)?;
        let counted = count::run(&mut jvm, &compiled, CHECKED, &table)?;
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
                    "{program}: {} {kind} by {} and {total} by {}",
                    first.1, first.0, mode.name
                ));
            }
        }
        codes.push((compiled, touched.unwrap_or(0)));
    }
    let coverage = count::coverage(&mut jvm, &codes[0].0)?;
    session.progress.step("timing compilations");
    let compilations = compilations(&mut jvm, modes, &units, &session.file("timed.table"))?;
    let pairs = interleave(&mut jvm, request, session, &plain, &codes)?;
    jvm.stop();
    let timed = |(at, ((compiled, touched), pairs)): (usize, (&(Compiled, u64), _))| Timed {
        program: program.to_owned(),
        pairs,
        touched: *touched,
        compilations: compilations[at].clone(),
        code_size: compiled.bytes as f64 / plain.bytes.max(1) as f64,
    };
    Ok(Measured {
        times: codes.iter().zip(pairs).enumerate().map(timed).collect(),
        coverage_pct: coverage.graal_blocks_pct,
        remarks,
    })
}

/// CPU time of compiling all units without counting and by each way, ns: pairs of the same turn, by way. Every other
/// turn goes backwards, because the compiler grows faster all the while.
fn compilations(
    jvm: &mut WarmJvm,
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
            let compiled = count::compile(jvm, way, units, table)?;
            jvm.client_mut().forget(&compiled.codes)?;
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

/// Every way of counting between two installations of code that does not count, in an order of its own each round;
/// pairs of medians: the two neighbours' mean, and its own.
fn interleave(
    jvm: &mut WarmJvm,
    request: &EventsCostRequest,
    session: &Session,
    plain: &Compiled,
    codes: &[(Compiled, u64)],
) -> anyhow::Result<Vec<Vec<(f64, f64)>>> {
    let mut random = ChaCha8Rng::seed_from_u64(request.seed);
    let variant = |compiled: &Compiled| Variant {
        aligned: vec![compiled.codes.clone()],
    };
    let mut variants = vec![variant(plain)];
    variants.extend(codes.iter().map(|(compiled, _)| variant(compiled)));
    let spec = WindowSpec {
        label: "cost",
        seconds: request.seconds,
        iterations: 2,
        rate_hz: None,
    };
    let mut pairs = vec![Vec::new(); codes.len()];
    for round in 0..request.rounds {
        session
            .progress
            .step(&format!("round {} of {}", round + 1, request.rounds));
        let mut modes: Vec<usize> = (1..variants.len()).collect();
        modes.shuffle(&mut random);
        let mut order = vec![0];
        order.extend(modes.iter().flat_map(|mode| [*mode, 0]));
        let measured = jvm.window(&spec, &variants, &order, &mut ())?;
        let medians: Vec<f64> = measured.groups.iter().map(time).collect();
        for (at, mode) in modes.iter().enumerate() {
            let around = (medians[2 * at] + medians[2 * at + 2]) / 2.0;
            pairs[mode - 1].push((around, medians[2 * at + 1]));
        }
    }
    Ok(pairs)
}

/// Median CPU time of an iteration, ns.
fn time(group: &proofmark_experiment::lab::GroupData) -> f64 {
    let cpu: Vec<f64> = group
        .iterations
        .iter()
        .map(|(_, _, cpu)| *cpu as f64)
        .collect();
    median(&cpu).unwrap_or(0.0)
}
