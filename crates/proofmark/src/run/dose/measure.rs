//! Windows under one profiler, in one JVM or in several.

use std::collections::BTreeMap;

use proofmark_experiment::dose::{
    Doses, Found, JavaShares, LeftOut, Level, Planned, Row, Window, find_doses, is_wide,
    java_shares, order, over_runs, rows, shares_at_rest,
};
use proofmark_experiment::lab::ProfiledWindow;
use proofmark_jvm::dose::{AgentReport, SiteLab, WantedSite};
use proofmark_jvm::{LabError, ProfilerSpec};
use proofmark_stats::Estimate;

use super::session::{LabClock, Session};
use super::tune::{Tuned, WARM, rest, settings};
use super::windows::{Ran, cpu_s, joined, keep, mean_of, rest_windows, samples};

/// Time that a further round should at least take, s: behind each the profiler's recording is read.
const ROUND_S: f64 = 2.0;
/// Windows of a site in a round.
const WINDOWS: f64 = 4.0;

/// What one profiler reported.
pub(super) struct Profiled {
    pub(super) name: String,
    pub(super) rows: Vec<SiteRow>,
    /// Share of each method at rest, %.
    pub(super) shares_pct: BTreeMap<String, Estimate>,
    /// The same of the time in Java methods.
    pub(super) java_shares: JavaShares,
    pub(super) samples_per_s: f64,
    pub(super) lost_samples: f64,
    pub(super) report: AgentReport,
    /// Methods without a row.
    pub(super) left_out: Vec<LeftOut>,
    /// One of them has none because the profiler took no sample there.
    pub(super) unseen: bool,
}

/// The row of a site.
pub(super) struct SiteRow {
    /// Its number.
    pub(super) site: usize,
    pub(super) turns: [u16; 2],
    /// Over all JVMs.
    pub(super) row: Row,
    /// In each of them.
    pub(super) runs: Vec<Row>,
}

/// Why a site has no row.
#[derive(Debug, Clone)]
struct NoRow {
    reason: String,
    /// The profiler took no sample while time was added there.
    unseen: bool,
}

/// What one JVM showed.
pub(super) struct Run {
    /// Turns and row of each site, or why there is none.
    rows: Vec<Result<([u16; 2], Row), NoRow>>,
    pub(super) ran: Vec<Ran>,
    pub(super) reported: Vec<ProfiledWindow>,
    pub(super) report: AgentReport,
}

/// Runs all windows under a profiler and reads what it reported.
pub(super) fn profiled(
    session: &Session<'_>,
    spec: &ProfilerSpec,
    tuned: &[Tuned],
) -> Result<Profiled, LabError> {
    let runs = (0..session.request.runs).map(|number| one_run(session, spec, tuned, number));
    let mut runs: Vec<Run> = runs.collect::<Result<_, _>>()?;
    let mut found = Vec::new();
    let mut left_out = Vec::new();
    let mut unseen = false;
    for (site, one) in tuned.iter().enumerate() {
        let of_runs: Vec<&([u16; 2], Row)> = runs
            .iter()
            .flat_map(|run| run.rows[site].as_ref())
            .collect();
        let rows: Vec<Row> = of_runs.iter().map(|(_, row)| row.clone()).collect();
        let missing = runs.iter().find_map(|run| run.rows[site].as_ref().err());
        // A mean over some of the JVMs only would be another thing.
        match (over_runs(&rows), missing) {
            (Some(row), None) => found.push(SiteRow {
                site,
                turns: of_runs[0].0,
                row,
                runs: rows,
            }),
            (_, reason) => {
                unseen |= reason.is_some_and(|one| one.unseen);
                left_out.push(LeftOut {
                    method: one.candidate.name.clone(),
                    reason: reason.map(|one| one.reason.clone()).unwrap_or_default(),
                });
            }
        }
    }
    let reported = || runs.iter().flat_map(|run| &run.reported);
    let seconds: f64 = runs.iter().flat_map(|run| &run.ran).map(cpu_s).sum();
    let taken: f64 = reported().map(samples).sum();
    let rest = rest_windows(&runs);
    Ok(Profiled {
        name: spec.name.clone(),
        rows: found,
        shares_pct: shares_at_rest(&rest),
        java_shares: java_shares(&rest),
        samples_per_s: taken / seconds.max(f64::MIN_POSITIVE),
        lost_samples: reported().map(|one| one.lost).sum(),
        report: runs.swap_remove(0).report,
        left_out,
        unseen,
    })
}

/// One JVM: doses, rounds of windows for all sites, then more for those whose rows are still wide.
fn one_run(
    session: &Session<'_>,
    spec: &ProfilerSpec,
    tuned: &[Tuned],
    number: usize,
) -> Result<Run, LabError> {
    let sites: Vec<WantedSite> = tuned.iter().map(|one| one.site.clone()).collect();
    let name = match number {
        0 => spec.name.clone(),
        number => format!("{}-run-{}", spec.name, number + 1),
    };
    session.say(&format!("{name}: warm-up and doses"));
    let mut lab = session.lab(&name, &sites, Some(spec))?;
    lab.warm_up(&WARM)?;
    let rest_ns = rest(&mut lab)?;
    let mut doses = Vec::with_capacity(sites.len());
    for (site, one) in tuned.iter().enumerate() {
        doses.push(found(&mut lab, site as u16, rest_ns, one)?);
    }
    let mut windows = Windows {
        session,
        name: &name,
        lab,
        doses,
        rest_ns,
        ran: Vec::new(),
        seed: session.request.seed + 1000 * number as u64,
    };
    let mut open: Vec<usize> = (0..tuned.len())
        .filter(|site| windows.doses[*site].is_some())
        .collect();
    windows.run(&open, session.request.rounds)?;
    let begin = std::time::Instant::now();
    loop {
        let reported = windows.lab.reported()?;
        let found = windows.rows(tuned, &reported, &spec.name);
        let left = session.request.budget_s - begin.elapsed().as_secs_f64();
        open.retain(|site| found[*site].as_ref().map_or(true, |(_, row)| is_wide(row)));
        if open.is_empty() || left <= 0.0 {
            let report = windows.lab.report();
            let file = session.directory.join(&name).join("windows.json");
            keep(&file, &windows.ran, &reported, &report)?;
            windows.lab.end();
            return Ok(Run {
                rows: found,
                ran: windows.ran,
                reported,
                report,
            });
        }
        let round_s = WINDOWS * session.request.window_s * open.len() as f64;
        let rounds = (ROUND_S.min(left) / round_s).ceil().max(1.0);
        windows.run(&open, rounds as usize)?;
    }
}

/// Doses of a site in this JVM.
fn found(
    lab: &mut SiteLab,
    site: u16,
    rest_ns: f64,
    tuned: &Tuned,
) -> Result<Option<Doses>, LabError> {
    let settings = settings(rest_ns);
    let mut clock = LabClock { lab };
    let found = find_doses(&mut clock, site, rest_ns, Some(tuned.turns), &settings)?;
    Ok(match found {
        Found::Doses(doses) => Some(doses),
        Found::Rare { .. } => None,
    })
}

/// The windows of one JVM.
struct Windows<'w> {
    session: &'w Session<'w>,
    name: &'w str,
    lab: SiteLab,
    doses: Vec<Option<Doses>>,
    rest_ns: f64,
    ran: Vec<Ran>,
    seed: u64,
}

impl Windows<'_> {
    /// Runs rounds of windows for some of the sites.
    fn run(&mut self, sites: &[usize], rounds: usize) -> Result<(), LabError> {
        let all = order(sites.len(), rounds, self.seed + self.ran.len() as u64);
        let behind = self.ran.len() + all.len();
        for planned in all {
            if self.ran.len().is_multiple_of(10) {
                let (name, at) = (self.name, self.ran.len() + 1);
                self.session
                    .say(&format!("{name}: window {at} of {behind}"));
            }
            let site = planned.site.map(|at| sites[at]);
            self.one(Planned { site, ..planned })?;
        }
        Ok(())
    }

    fn one(&mut self, planned: Planned) -> Result<(), LabError> {
        let dose = planned.site.and_then(|site| {
            let doses = self.doses[site]?;
            Some(match planned.level {
                Level::Rest => (0, 0.0),
                Level::Low => (doses.low, doses.growth[0]),
                Level::High => (doses.high, doses.growth[1]),
            })
        });
        let growth = dose.map_or(0.0, |(_, growth)| growth);
        let seconds = self.session.request.window_s;
        // One iteration fills the window where they are long.
        let long = self.rest_ns * (1.0 + growth) > seconds * 1e9;
        let site = planned.site.zip(dose);
        let site = site.map(|(site, (turns, _))| (site as u16, turns));
        let window = self
            .lab
            .window(site, seconds, if long { 1 } else { 2 }, true)?;
        self.ran.push(Ran { planned, window });
        Ok(())
    }

    /// The row of each site, or why it has none.
    fn rows(
        &self,
        tuned: &[Tuned],
        reported: &[ProfiledWindow],
        profiler: &str,
    ) -> Vec<Result<([u16; 2], Row), NoRow>> {
        let report = self.lab.report();
        let rest = self.ran.iter().filter(|one| one.planned.site.is_none());
        let rest_ns = mean_of(rest).unwrap_or(self.rest_ns);
        let of_site = |site: usize, one: &Tuned| {
            let doses = self.doses[site].ok_or_else(|| NoRow {
                reason: format!("under {profiler} the loop in it hardly slows the program"),
                unseen: false,
            })?;
            let lines: Vec<(String, u32)> = (one.lines.iter())
                .map(|line| (one.candidate.name.clone(), u32::from(*line)))
                .collect();
            let windows: Vec<(Level, Window)> = (self.ran.iter().zip(reported))
                .filter(|(ran, _)| ran.planned.site == Some(site))
                .map(|(ran, reported)| (ran.planned.level, joined(ran, reported, &report, &lines)))
                .collect();
            rows(&one.candidate.name, &windows, rest_ns)
                .map(|row| ([doses.low, doses.high], row))
                .ok_or_else(|| why_missing(profiler, &windows))
        };
        let all = tuned.iter().enumerate();
        all.map(|(site, one)| of_site(site, one)).collect()
    }
}

fn why_missing(profiler: &str, windows: &[(Level, Window)]) -> NoRow {
    let void = windows.iter().filter(|(_, window)| window.void).count();
    if 2 * void > windows.len() {
        let all = windows.len();
        return NoRow {
            reason: format!(
                "under {profiler} methods with sites were compiled in {void} of {all} windows"
            ),
            unseen: false,
        };
    }
    NoRow {
        reason: format!("{profiler} took no sample, or too few, in its windows"),
        unseen: true,
    }
}
