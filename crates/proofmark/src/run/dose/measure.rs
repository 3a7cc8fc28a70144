//! Windows under one profiler.

use std::collections::BTreeMap;

use proofmark_experiment::dose::{
    Doses, LeftOut, Level, Planned, Row, Window, order, rows, shares_at_rest,
};
use proofmark_experiment::lab::ProfiledWindow;
use proofmark_jvm::dose::{AgentReport, DosedWindow, SiteLab, WantedSite};
use proofmark_jvm::{LabError, ProfilerSpec};
use proofmark_stats::Estimate;

use super::choose::{counts, of_window};
use super::session::{Session, mean_ns};
use super::tune::{Tuned, WARM, found, rest};

/// Least iterations of a window.
const ITERATIONS: u32 = 2;

/// What one profiler reported.
pub(super) struct Profiled {
    pub(super) name: String,
    /// Site, its turns, its row.
    pub(super) rows: Vec<(usize, [u16; 2], Row)>,
    /// Share of each method at rest, 0 to 1.
    pub(super) shares: BTreeMap<String, f64>,
    /// The same with intervals, %.
    pub(super) shares_pct: BTreeMap<String, Estimate>,
    pub(super) samples_per_s: f64,
    pub(super) lost_samples: f64,
    pub(super) report: AgentReport,
    /// Methods without a row.
    pub(super) left_out: Vec<LeftOut>,
}

/// A window that ran.
struct Ran {
    planned: Planned,
    window: DosedWindow,
}

/// Runs all windows under a profiler and reads what it reported.
pub(super) fn profiled(
    session: &Session<'_>,
    spec: &ProfilerSpec,
    tuned: &[Tuned],
) -> Result<Profiled, LabError> {
    let sites: Vec<WantedSite> = tuned.iter().map(|one| one.site.clone()).collect();
    session.say(&format!("{}: warm-up and doses", spec.name));
    let mut lab = session.lab(&spec.name, &sites, Some(spec))?;
    lab.warm_up(&WARM)?;
    let rest_ns = rest(&mut lab)?;
    let mut doses: Vec<Option<Doses>> = Vec::with_capacity(sites.len());
    for site in 0..sites.len() as u16 {
        doses.push(found(&mut lab, site, rest_ns)?.ok());
    }
    let ran = windows(session, spec, &mut lab, &doses)?;
    let report = lab.report();
    let reported = lab.finish()?;
    let rest_ns =
        mean_of(ran.iter().filter(|one| one.planned.level == Level::Rest)).unwrap_or(rest_ns);
    let mut rows_found = Vec::new();
    let mut left_out = Vec::new();
    for (site, one) in tuned.iter().enumerate() {
        let of_site = ran.iter().zip(&reported);
        let of_site = of_site.filter(|(ran, _)| ran.planned.site == Some(site));
        let windows: Vec<(Level, Window)> = of_site
            .map(|(ran, reported)| (ran.planned.level, joined(ran, reported, &report)))
            .collect();
        let row = rows(&one.candidate.name, &windows, rest_ns);
        match (row, doses[site]) {
            (Some(row), Some(doses)) => rows_found.push((site, [doses.low, doses.high], row)),
            (_, doses) => left_out.push(LeftOut {
                method: one.candidate.name.clone(),
                reason: why_missing(&spec.name, &windows, doses.is_some()),
            }),
        }
    }
    let seconds: f64 = ran.iter().map(cpu_s).sum();
    let samples: f64 = reported.iter().map(samples).sum();
    Ok(Profiled {
        name: spec.name.clone(),
        rows: rows_found,
        shares: at_rest(&ran, &reported),
        shares_pct: shares_at_rest(&rest_windows(&ran, &reported, &report)),
        samples_per_s: samples / seconds.max(f64::MIN_POSITIVE),
        lost_samples: reported.iter().map(|one| one.lost).sum(),
        report,
        left_out,
    })
}

fn why_missing(profiler: &str, windows: &[(Level, Window)], dosed: bool) -> String {
    let void = windows.iter().filter(|(_, window)| window.void).count();
    if !dosed {
        return format!("under {profiler} the loop in it hardly slowed the program");
    }
    if 2 * void > windows.len() {
        return format!(
            "under {profiler} methods with sites were compiled in {void} of {} windows",
            windows.len()
        );
    }
    format!("{profiler} took no sample, or too few, in its windows")
}

/// Runs the windows in their order; those that were void run once more at the end.
fn windows(
    session: &Session<'_>,
    spec: &ProfilerSpec,
    lab: &mut SiteLab,
    doses: &[Option<Doses>],
) -> Result<Vec<Ran>, LabError> {
    let request = session.request;
    let tested: Vec<usize> = (0..doses.len())
        .filter(|site| doses[*site].is_some())
        .collect();
    let all = order(tested.len(), request.rounds, request.seed);
    let all: Vec<Planned> = all
        .into_iter()
        .map(|planned| Planned {
            site: planned.site.map(|at| tested[at]),
            ..planned
        })
        .collect();
    let mut ran = Vec::with_capacity(all.len());
    for (at, planned) in all.iter().enumerate() {
        if at % 10 == 0 {
            session.say(&format!(
                "{}: window {} of {}",
                spec.name,
                at + 1,
                all.len()
            ));
        }
        ran.push(one(lab, *planned, doses, request.window_s)?);
    }
    let report = lab.report();
    let void: Vec<Planned> = ran
        .iter()
        .filter(|one| report.compiled_within(one.window.begin_ns, one.window.end_ns))
        .map(|one| one.planned)
        .collect();
    for planned in void {
        ran.push(one(lab, planned, doses, request.window_s)?);
    }
    Ok(ran)
}

fn one(
    lab: &mut SiteLab,
    planned: Planned,
    doses: &[Option<Doses>],
    seconds: f64,
) -> Result<Ran, LabError> {
    let dose = planned.site.and_then(|site| {
        let doses = doses[site]?;
        let turns = match planned.level {
            Level::Rest => 0,
            Level::Low => doses.low,
            Level::High => doses.high,
        };
        Some((site as u16, turns))
    });
    let window = lab.window(dose, seconds, ITERATIONS, true)?;
    Ok(Ran { planned, window })
}

/// What clock and profiler say of a window.
fn joined(ran: &Ran, reported: &ProfiledWindow, report: &AgentReport) -> Window {
    Window {
        iteration_ns: mean_ns(&ran.window),
        methods: counts(reported),
        other: reported.native + reported.unattributed,
        void: report.compiled_within(ran.window.begin_ns, ran.window.end_ns),
    }
}

fn mean_of<'r>(all: impl Iterator<Item = &'r Ran>) -> Option<f64> {
    let times: Vec<f64> = all.map(|one| mean_ns(&one.window)).collect();
    (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64)
}

fn cpu_s(ran: &Ran) -> f64 {
    let all = ran.window.iterations.iter().map(|(_, _, cpu)| *cpu as f64);
    all.sum::<f64>() / 1e9
}

fn samples(window: &ProfiledWindow) -> f64 {
    window.methods.values().sum::<f64>() + window.native + window.unattributed
}

/// What clock and profiler say of the windows at rest.
fn rest_windows(ran: &[Ran], reported: &[ProfiledWindow], report: &AgentReport) -> Vec<Window> {
    let rest = ran.iter().zip(reported);
    let rest = rest.filter(|(ran, _)| ran.planned.level == Level::Rest);
    rest.map(|(ran, reported)| joined(ran, reported, report))
        .collect()
}

/// Mean share of each method over the windows at rest.
fn at_rest(ran: &[Ran], reported: &[ProfiledWindow]) -> BTreeMap<String, f64> {
    let rest = ran.iter().zip(reported);
    let rest: Vec<&ProfiledWindow> = rest
        .filter(|(ran, reported)| ran.planned.level == Level::Rest && samples(reported) > 0.0)
        .map(|(_, reported)| reported)
        .collect();
    let mut all = BTreeMap::new();
    for window in &rest {
        for (name, share) in of_window(window) {
            *all.entry(name).or_insert(0.0) += share / rest.len() as f64;
        }
    }
    all
}
