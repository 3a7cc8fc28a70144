//! Windows under one profiler, in one process or in several.

use std::collections::BTreeMap;

use proofmark_rules::{DOSE_JVMS_LEAST_PART, DOSE_TOLERANCE_PER_MARGIN};
use proofmark_stats::Estimate;

use super::DoseOrder;
use super::clock::{StepClock, rest};
use super::lab::{SiteLab, WARM};
use super::pace::{Pace, SiteRounds};
use super::report::SiteReport;
use super::rounds::Rounds;
use super::runs::{Process, Runs};
use super::tune::Tuned;
use super::went_over::{WentOver, went_over};
use super::windows::{Ran, others_pct, rest_parts, rest_windows, samples, slower, threads_at_rest};
use crate::dose::failed::not_judged;
use crate::dose::profile::change;
use crate::dose::{
    Doses, EarlierLook, FailedRun, JavaShares, LeftOut, OwnShare, ProfileChange, Row, java_shares,
    over_runs, shares_at_rest, without_vague,
};
use crate::lab::ProfiledWindow;
use crate::progress::Progress;

/// What one profiler reported.
pub(super) struct Profiled {
    pub(super) name: String,
    /// Processes that it was judged in, and those that failed.
    pub(super) jvms: usize,
    /// What could have been said by fewer of them.
    pub(super) earlier: EarlierLook,
    pub(super) failed: Vec<FailedRun>,
    pub(super) rows: Vec<SiteRow>,
    /// Share of each method at rest, %.
    pub(super) shares_pct: BTreeMap<String, Estimate>,
    /// The same of the time in Java methods.
    pub(super) java_shares: JavaShares,
    pub(super) samples_per_s: f64,
    pub(super) lost_samples: f64,
    /// The same as a part of all that it took, 0 to 1.
    pub(super) lost_part: f64,
    /// Of each window at rest, threads with CPU time and the busiest one's part.
    pub(super) threads: Vec<(u32, f64)>,
    /// Time of an iteration in each window at rest, as a part of the usual one in its process.
    pub(super) rest_parts: Vec<f64>,
    /// In how many processes the program itself changed meanwhile.
    pub(super) went_over: Option<WentOver>,
    /// Samples of threads that are not the program's, % of all.
    pub(super) others_pct: f64,
    /// What became of the sites, in each process.
    pub(super) reports: Vec<SiteReport>,
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
    /// What it changes in the profile when its gate is open, without a turn.
    pub(super) change: Option<ProfileChange>,
    /// The same of its own method's share.
    pub(super) own_share: Option<OwnShare>,
}

/// Why a site has no row.
#[derive(Debug, Clone, Default)]
pub(super) struct NoRow {
    pub(super) reason: String,
    /// The profiler took no sample while time was added there.
    pub(super) unseen: bool,
}

/// Turns and row of a site, or why there is none.
pub(super) type Shown = Result<([u16; 2], Row), NoRow>;

/// What one process showed.
pub(super) struct Run {
    /// Its number under this profiler.
    pub(super) number: usize,
    /// Of each site.
    pub(super) rows: Vec<Shown>,
    /// The set of sites that each was in.
    pub(super) sets: Vec<usize>,
    pub(super) doses: Vec<Option<Doses>>,
    pub(super) ran: Vec<Ran>,
    pub(super) reported: Vec<ProfiledWindow>,
    pub(super) report: SiteReport,
    /// Rounds that it had, and those for which there was no time.
    pub(super) rounds: SiteRounds,
}

/// What was reported under a profiler; or why it is not judged.
pub(super) fn profiled(
    order: &DoseOrder,
    profiler: &str,
    tuned: &[Tuned],
    all: &Runs,
) -> Result<Profiled, String> {
    if !all.enough() {
        return Err(not_judged(&all.failed, all.asked));
    }
    let runs = all.good.as_slice();
    let tolerance = DOSE_TOLERANCE_PER_MARGIN * order.margin_pt / 100.0;
    let mut found = Vec::new();
    let mut left_out = Vec::new();
    let mut unseen = false;
    for (site, one) in tuned.iter().enumerate() {
        match site_row((site, one), runs, tolerance) {
            Ok(row) => found.push(SiteRow {
                change: match one.drowns {
                    true => Some(drowned_by(site, runs, &one.candidate.name)),
                    false => changed_by(site, runs, order.margin_pt),
                },
                own_share: own_share(site, runs, &one.candidate.name),
                ..row
            }),
            Err(why) => {
                unseen |= why.unseen;
                left_out.push(LeftOut {
                    method: one.candidate.name.clone(),
                    reason: match is_one_of_several(one, tuned) {
                        true => format!("its site at {}: {}", one.place(), why.reason),
                        false => why.reason,
                    },
                });
            }
        }
    }
    let reported = || runs.iter().flat_map(|run| &run.reported);
    let ran = runs.iter().flat_map(|run| &run.ran);
    let seconds: f64 = ran.map(|one| one.window.cpu_s()).sum();
    let taken: f64 = reported().map(samples).sum();
    let lost_samples: f64 = reported().map(|one| one.lost).sum();
    let every: Vec<&Run> = runs.iter().collect();
    let rest = rest_windows(&every, None);
    Ok(Profiled {
        name: profiler.to_owned(),
        jvms: runs.len(),
        earlier: EarlierLook::default(),
        failed: all.failed.clone(),
        rows: found,
        shares_pct: shares_at_rest(&rest),
        java_shares: java_shares(&rest),
        samples_per_s: taken / seconds.max(f64::MIN_POSITIVE),
        lost_samples,
        lost_part: lost_samples / (lost_samples + taken).max(f64::MIN_POSITIVE),
        threads: threads_at_rest(runs),
        rest_parts: rest_parts(runs),
        went_over: went_over(runs, order.margin_pt),
        others_pct: others_pct(runs),
        reports: runs.iter().map(|run| run.report.clone()).collect(),
        left_out,
        unseen,
    })
}

/// Whether its method has another site.
fn is_one_of_several(one: &Tuned, tuned: &[Tuned]) -> bool {
    let same = |other: &&Tuned| other.candidate.name == one.candidate.name;
    tuned.iter().filter(same).count() > 1
}

/// The row of a site over processes, from those that have one and know something of it: the most of them, and none that took no sample
/// there.
fn site_row((site, one): (usize, &Tuned), runs: &[Run], tolerance: f64) -> Result<SiteRow, NoRow> {
    let shown = || runs.iter().map(move |run| run.rows[site].as_ref());
    let known: Vec<&([u16; 2], Row)> = shown().flatten().collect();
    let missing: Vec<&NoRow> = shown().filter_map(Result::err).collect();
    let unseen = missing.iter().find(|one| one.unseen);
    let each = runs.iter().map(|run| with_truth((site, one), run));
    let each = without_vague(each.collect(), tolerance);
    let rows: Vec<Row> = each.iter().flatten().cloned().collect();
    let enough = known.len() as f64 > DOSE_JVMS_LEAST_PART * runs.len() as f64;
    match over_runs(&rows).filter(|_| enough && unseen.is_none()) {
        Some(row) => Ok(SiteRow {
            site,
            turns: known[0].0,
            row,
            runs: each,
            change: None,
            own_share: None,
        }),
        None => {
            let why = unseen.or(missing.first()).copied();
            Err(why.cloned().unwrap_or_default())
        }
    }
}

/// The row of a site in a process, with what is right there.
fn with_truth((site, one): (usize, &Tuned), run: &Run) -> Option<Row> {
    let (_, row) = run.rows[site].as_ref().ok()?;
    let doses = run.doses[site]?;
    Some(Row {
        truth: one.truth(&doses, row.grown()),
        ..row.clone()
    })
}

/// What a site, with those of its set, changes in the profile when their gates are open, without a turn; by the processes in which
/// it was there with the fewest others. What the sites take themselves is by the clock of the same processes.
pub(super) fn changed_by(site: usize, runs: &[Run], margin_pt: f64) -> Option<ProfileChange> {
    let runs = with_fewest_others(site, runs);
    let [closed, open] = without_and_with(site, &runs);
    change(&[closed], &open, slower(&runs, site)?, margin_pt)
}

/// What it changes of its own method's share, by the same processes.
fn own_share(site: usize, runs: &[Run], method: &str) -> Option<OwnShare> {
    let [closed, open] = without_and_with(site, &with_fewest_others(site, runs));
    OwnShare::of(method, &closed, &open)
}

/// Processes in which a site was there with the fewest others.
fn with_fewest_others(site: usize, runs: &[Run]) -> Vec<&Run> {
    let together = |run: &Run| {
        let set = run.sets[site];
        run.sets.iter().filter(|one| **one == set).count()
    };
    let fewest = runs.iter().map(together).min();
    let with_fewest = runs.iter().filter(|run| Some(together(run)) == fewest);
    with_fewest.collect()
}

/// Shares of methods in windows without a turn: with all gates closed, and with those of a site's set open.
fn without_and_with(site: usize, runs: &[&Run]) -> [JavaShares; 2] {
    [None, Some(site)].map(|site| java_shares(&rest_windows(runs, site)))
}

/// The same of a site with which the program is mostly the site itself. All that its method has may be otherwise without it.
fn drowned_by(site: usize, runs: &[Run], method: &str) -> ProfileChange {
    let runs: Vec<&Run> = runs.iter().collect();
    let share = |site: Option<usize>| {
        let shares = java_shares(&rest_windows(&runs, site));
        let share = shares.get(method).copied();
        share.unwrap_or_else(|| Estimate::around(0.0, 0.0, 0))
    };
    let [closed, open] = [None, Some(site)].map(share);
    ProfileChange {
        beyond_pt: closed.high.max(open.high),
        voids_rows: true,
        drowned: true,
        method: method.to_owned(),
        as_it_is_pct: closed,
        with_sites_pct: open,
    }
}

/// What a process is asked for.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) order: &'a DoseOrder,
    pub(super) progress: &'a dyn Progress,
    pub(super) tuned: &'a [Tuned],
    /// The clock behind them, where there is one.
    pub(super) clock: Option<StepClock>,
    /// Doses that were found in another process.
    pub(super) known: &'a [Option<Doses>],
    /// How long it may take, s, as far as its time decides; none: as long as it takes.
    pub(super) most_s: Option<f64>,
}

/// One process: doses, rounds of windows for all sites, and more for those whose rows are wide then.
pub(super) fn one_run<S: SiteLab>(
    mut lab: S,
    process: Process<'_>,
    asked: Asked<'_>,
) -> Result<Run, S::Error> {
    lab.warm_up(&WARM)?;
    let rest_ns = rest(&mut lab)?;
    let clock = match asked.clock {
        Some(clock) => Some(clock.beside(&mut lab)?),
        None => None,
    };
    let rounds = Rounds {
        asked,
        number: process.number,
        name: &process.name(),
        profiler: process.profiler,
        lab,
        clock,
        doses: vec![None; asked.tuned.len()],
        rest_ns,
        opened: None,
        ran: Vec::new(),
        seed: asked.order.seed.wrapping_add(1000 * process.number as u64),
        pace: Pace::of(asked.most_s),
    };
    rounds.narrowed()
}
