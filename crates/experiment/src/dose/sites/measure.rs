//! Windows under one profiler, in one process or in several.

use std::collections::BTreeMap;

use proofmark_rules::DOSE_JVMS_LEAST_PART;
use proofmark_stats::Estimate;

use super::Test;
use super::clock::{LabClock, rest};
use super::lab::{SiteLab, SiteLabs, WARM, WantedSite};
use super::report::SiteReport;
use super::runs::{Runs, all_runs, process};
use super::tune::Tuned;
use super::windows::{
    Ran, joined, kept, mean_of, others_pct, rest_windows, samples, threads_at_rest,
};
use crate::dose::failed::not_judged;
use crate::dose::matrix::{Lacking, lacking};
use crate::dose::{
    Clock as _, Dose, Doses, FailedRun, FindSettings, Found, JavaShares, LeftOut, Level, Planned,
    Row, Window, find_doses, is_wide, java_shares, order, over_runs, rows, shares_at_rest,
};
use crate::lab::ProfiledWindow;

/// Time that a further round should at least take, s: behind each the profiler's recording is read.
const ROUND_S: f64 = 2.0;
/// Windows of a site in a round.
const WINDOWS: f64 = 4.0;
/// How many times more or less than in another process a dose may slow the program and still do.
const ALIKE: f64 = 2.0;

/// What one profiler reported.
pub(super) struct Profiled {
    pub(super) name: String,
    /// Processes that it was judged in, and those that failed.
    pub(super) jvms: usize,
    pub(super) failed: Vec<FailedRun>,
    pub(super) rows: Vec<SiteRow>,
    /// Share of each method at rest, %.
    pub(super) shares_pct: BTreeMap<String, Estimate>,
    /// The same of the time in Java methods.
    pub(super) java_shares: JavaShares,
    pub(super) samples_per_s: f64,
    pub(super) lost_samples: f64,
    /// Of each window at rest, threads with CPU time and the busiest one's part.
    pub(super) threads: Vec<(u32, f64)>,
    /// Samples of threads that are not the program's, % of all.
    pub(super) others_pct: f64,
    pub(super) report: SiteReport,
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
    /// Over all processes that have it.
    pub(super) row: Row,
    /// In each process; none where it has no row.
    pub(super) runs: Vec<Option<Row>>,
}

/// Why a site has no row.
#[derive(Debug, Clone, Default)]
struct NoRow {
    reason: String,
    /// The profiler took no sample while time was added there.
    unseen: bool,
}

/// Turns and row of a site, or why there is none.
type Shown = Result<([u16; 2], Row), NoRow>;

/// What one process showed.
pub(super) struct Run {
    /// Of each site.
    rows: Vec<Shown>,
    pub(super) doses: Vec<Option<Doses>>,
    pub(super) ran: Vec<Ran>,
    pub(super) reported: Vec<ProfiledWindow>,
    pub(super) report: SiteReport,
}

/// Runs all windows under a profiler and reads what it reported; or why it is not judged.
pub(super) fn profiled<L: SiteLabs>(
    test: &Test<'_, L>,
    profiler: &str,
    tuned: &[Tuned],
) -> Result<Result<Profiled, String>, L::Error> {
    let Runs {
        good: mut runs,
        failed,
        enough,
    } = all_runs(test, profiler, tuned)?;
    if !enough {
        return Ok(Err(not_judged(&failed, test.order.size.runs)));
    }
    let mut found = Vec::new();
    let mut left_out = Vec::new();
    let mut unseen = false;
    for (site, one) in tuned.iter().enumerate() {
        match site_row(site, &runs) {
            Ok(row) => found.push(row),
            Err(why) => {
                unseen |= why.unseen;
                left_out.push(LeftOut {
                    method: one.candidate.name.clone(),
                    reason: why.reason,
                });
            }
        }
    }
    let reported = || runs.iter().flat_map(|run| &run.reported);
    let ran = runs.iter().flat_map(|run| &run.ran);
    let seconds: f64 = ran.map(|one| one.window.cpu_s()).sum();
    let taken: f64 = reported().map(samples).sum();
    let lost_samples: f64 = reported().map(|one| one.lost).sum();
    let rest = rest_windows(&runs);
    Ok(Ok(Profiled {
        name: profiler.to_owned(),
        jvms: runs.len(),
        failed,
        rows: found,
        shares_pct: shares_at_rest(&rest),
        java_shares: java_shares(&rest),
        samples_per_s: taken / seconds.max(f64::MIN_POSITIVE),
        lost_samples,
        threads: threads_at_rest(&runs),
        others_pct: others_pct(&runs),
        report: runs.swap_remove(0).report,
        left_out,
        unseen,
    }))
}

/// The row of a site over processes, from those that have one: the most of them, and none that took no sample there.
fn site_row(site: usize, runs: &[Run]) -> Result<SiteRow, NoRow> {
    let shown = || runs.iter().map(move |run| run.rows[site].as_ref());
    let known: Vec<&([u16; 2], Row)> = shown().flatten().collect();
    let missing: Vec<&NoRow> = shown().filter_map(Result::err).collect();
    let unseen = missing.iter().find(|one| one.unseen);
    let rows: Vec<Row> = known.iter().map(|(_, row)| row.clone()).collect();
    let enough = known.len() as f64 > DOSE_JVMS_LEAST_PART * runs.len() as f64;
    match over_runs(&rows).filter(|_| enough && unseen.is_none()) {
        Some(row) => Ok(SiteRow {
            site,
            turns: known[0].0,
            row,
            runs: shown().map(|one| Some(one.ok()?.1.clone())).collect(),
        }),
        None => {
            let why = unseen.or(missing.first()).copied();
            Err(why.cloned().unwrap_or_default())
        }
    }
}

/// One process with a profiler, of this number: doses, rounds of windows for all sites, then more for those whose rows are still
/// wide. `known`: doses that were found in another one.
pub(super) fn one_run<L: SiteLabs>(
    test: &Test<'_, L>,
    (profiler, number): (&str, usize),
    tuned: &[Tuned],
    known: Option<&[Option<Doses>]>,
) -> Result<Run, L::Error> {
    let sites: Vec<WantedSite> = tuned.iter().map(|one| one.site.clone()).collect();
    let name = process(profiler, number);
    test.say(&format!("{name}: warm-up and doses"));
    let mut lab = test.lab(&name, &sites, Some(profiler))?;
    lab.warm_up(&WARM)?;
    let rest_ns = rest(&mut lab)?;
    let mut doses = Vec::with_capacity(sites.len());
    for (site, one) in tuned.iter().enumerate() {
        let before = known.and_then(|known| known[site]);
        let dose = match before {
            Some(before) if still_do(&mut lab, site as u16, rest_ns, &before)? => Some(before),
            _ => found(&mut lab, site as u16, rest_ns, one)?,
        };
        doses.push(dose);
    }
    let windows = Windows {
        test,
        name: &name,
        lab,
        doses,
        rest_ns,
        ran: Vec::new(),
        seed: test.order.seed + 1000 * number as u64,
    };
    windows.narrowed(tuned, profiler)
}

/// Whether doses of another process do in this one: the low dose slows the program about as much. The high one is as many turns
/// more of the same loop.
fn still_do<S: SiteLab>(
    lab: &mut S,
    site: u16,
    rest_ns: f64,
    doses: &Doses,
) -> Result<bool, S::Error> {
    let low = Dose {
        site,
        turns: doses.low,
    };
    let growth = LabClock { lab }.iteration_ns(Some(low))? / rest_ns - 1.0;
    let part = growth / doses.growth[0];
    Ok((1.0 / ALIKE..ALIKE).contains(&part))
}

/// Doses of a site in this process.
fn found<S: SiteLab>(
    lab: &mut S,
    site: u16,
    rest_ns: f64,
    tuned: &Tuned,
) -> Result<Option<Doses>, S::Error> {
    let settings = FindSettings::for_iterations(rest_ns);
    let mut clock = LabClock { lab };
    let found = find_doses(&mut clock, site, rest_ns, Some(tuned.turns), &settings)?;
    Ok(match found {
        Found::Doses(doses) => Some(doses),
        Found::Rare { .. } => None,
    })
}

/// The windows of one process.
struct Windows<'w, L: SiteLabs> {
    test: &'w Test<'w, L>,
    name: &'w str,
    lab: L::Lab,
    doses: Vec<Option<Doses>>,
    rest_ns: f64,
    ran: Vec<Ran>,
    seed: u64,
}

impl<L: SiteLabs> Windows<'_, L> {
    /// Runs the rounds that every site gets, then more until all rows are narrow or the time for that is used up.
    fn narrowed(mut self, tuned: &[Tuned], profiler: &str) -> Result<Run, L::Error> {
        let size = &self.test.order.size;
        let mut open: Vec<usize> = (0..tuned.len())
            .filter(|site| self.doses[*site].is_some())
            .collect();
        self.run(&open, size.rounds_in_each())?;
        let begin_s = self.lab.elapsed_s();
        loop {
            let reported = self.lab.reported()?;
            let rows = self.rows(tuned, &reported, profiler);
            let left = size.budget_in_each_s() - (self.lab.elapsed_s() - begin_s);
            open.retain(|site| rows[*site].as_ref().map_or(true, |(_, row)| is_wide(row)));
            if open.is_empty() || left <= 0.0 {
                let report = self.lab.report();
                self.lab.keep(&kept(&self.ran, &reported, &report))?;
                self.lab.end();
                return Ok(Run {
                    rows,
                    doses: self.doses,
                    ran: self.ran,
                    reported,
                    report,
                });
            }
            let round_s = WINDOWS * size.window_s * open.len() as f64;
            let rounds = (ROUND_S.min(left) / round_s).ceil().max(1.0);
            self.run(&open, rounds as usize)?;
        }
    }

    /// Runs rounds of windows for some of the sites.
    fn run(&mut self, sites: &[usize], rounds: usize) -> Result<(), L::Error> {
        let all = order(sites.len(), rounds, self.seed + self.ran.len() as u64);
        let behind = self.ran.len() + all.len();
        for planned in all {
            if self.ran.len().is_multiple_of(10) {
                let (name, at) = (self.name, self.ran.len() + 1);
                self.test.say(&format!("{name}: window {at} of {behind}"));
            }
            let site = planned.site.map(|at| sites[at]);
            self.one(Planned { site, ..planned })?;
        }
        Ok(())
    }

    fn one(&mut self, planned: Planned) -> Result<(), L::Error> {
        let dose = planned.site.and_then(|site| {
            let doses = self.doses[site]?;
            Some(match planned.level {
                Level::Rest => (0, 0.0),
                Level::Low => (doses.low, doses.growth[0]),
                Level::High => (doses.high, doses.growth[1]),
            })
        });
        let growth = dose.map_or(0.0, |(_, growth)| growth);
        let seconds = self.test.order.size.window_s;
        // One iteration fills the window where they are long.
        let long = self.rest_ns * (1.0 + growth) > seconds * 1e9;
        let dose = planned.site.zip(dose).map(|(site, (turns, _))| Dose {
            site: site as u16,
            turns,
        });
        let least = if long { 1 } else { 2 };
        let window = self.lab.window(dose, seconds, least, true)?;
        self.ran.push(Ran { planned, window });
        Ok(())
    }

    /// The row of each site, or why it has none.
    fn rows(&self, tuned: &[Tuned], reported: &[ProfiledWindow], profiler: &str) -> Vec<Shown> {
        let report = self.lab.report();
        let rest = self.ran.iter().filter(|one| one.planned.site.is_none());
        let rest_ns = mean_of(rest).unwrap_or(self.rest_ns);
        let of_site = |site: usize, one: &Tuned| {
            let doses = self.doses[site].ok_or_else(|| NoRow {
                reason: format!("under {profiler} the loop in it hardly slows the program"),
                unseen: false,
            })?;
            let method = &one.candidate.name;
            let callee = self.test.order.kind.callee();
            // Which line of it another method spends the time in is not known.
            let lines = one.lines.iter().filter(|_| callee.is_none());
            let lines: Vec<(String, u32)> = lines
                .map(|line| (method.clone(), u32::from(*line)))
                .collect();
            let windows: Vec<(Level, Window)> = (self.ran.iter().zip(reported))
                .filter(|(ran, _)| ran.planned.site == Some(site))
                .map(|(ran, reported)| (ran.planned.level, joined(ran, reported, &report, &lines)))
                .collect();
            let row = rows(callee.unwrap_or(method), &windows, rest_ns).map(|row| Row {
                method: method.clone(),
                ..row
            });
            row.map(|row| ([doses.low, doses.high], row))
                .ok_or_else(|| why_missing(profiler, &windows))
        };
        let all = tuned.iter().enumerate();
        all.map(|(site, one)| of_site(site, one)).collect()
    }
}

/// Only where the program did what it was asked to do is it the profiler's fault.
fn why_missing(profiler: &str, windows: &[(Level, Window)]) -> NoRow {
    let lacking = lacking(windows);
    let reason = match lacking {
        Lacking::Quiet => {
            let void = windows.iter().filter(|(_, window)| window.void).count();
            let all = windows.len();
            format!("under {profiler} methods with sites were compiled in {void} of {all} windows")
        }
        Lacking::Samples => format!("{profiler} took no sample, or too few, in its windows"),
        Lacking::Growth => {
            format!("under {profiler} more turns of the loop in it did not slow the program")
        }
    };
    NoRow {
        reason,
        unseen: lacking == Lacking::Samples,
    }
}
