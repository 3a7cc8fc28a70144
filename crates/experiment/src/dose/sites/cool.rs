//! Cooler places for sites that are passed every few cycles.
//!
//! Wherever a site stands, at rest it is a load, a comparison and a branch: what it costs is how often it is passed. So a
//! site that is passed very often moves to a branch of its method that is run less often, if there is one. Longer turns
//! make up for it.

use super::lab::SitePlace;
use super::report::SiteReport;
use super::tune::Tuned;

/// Branches of a method that are looked at, and of all methods together.
const BRANCHES: u16 = 12;
const MOST: usize = 512;
/// A branch that is run more often than this, as a part of how often the site is passed where it is, spares too little.
const MOST_PART: f64 = 2.0 / 3.0;

/// Where a site may move: its number, and the place.
pub(super) type Branch = (usize, SitePlace);

/// Branches that are to be counted.
pub(super) fn branches(tuned: &[Tuned]) -> Vec<Branch> {
    let hot = tuned.iter().enumerate().filter(|(_, one)| one.is_hot());
    let all = hot.flat_map(|(site, _)| (0..BRANCHES).map(move |at| (site, SitePlace::Branch(at))));
    all.take(MOST).collect()
}

/// Moves sites. `reached` says how often each branch is run in an iteration, `report` is that of the process in which this
/// was counted, where branches stand behind the sites.
pub(super) fn move_sites(
    tuned: &mut [Tuned],
    branches: &[Branch],
    reached: &[Option<f64>],
    report: &SiteReport,
) {
    for site in 0..tuned.len() {
        let counted = (tuned.len()..).zip(branches.iter().zip(reached));
        let moved = counted.filter_map(|(index, (&(of, place), &reached))| {
            if of != site || placed(report, index) != placed(report, site) {
                return None;
            }
            at_branch(tuned, site, (place, index as u16), reached?, report)
        });
        let best = moved.max_by(|a, b| rank(a).total_cmp(&rank(b)));
        if let Some(best) = best {
            tuned[site] = best;
        }
    }
}

/// In how many overloads a site is.
fn placed(report: &SiteReport, site: usize) -> usize {
    let all = report.placed.iter();
    all.filter(|one| usize::from(one.index) == site).count()
}

/// The site at a branch, if that spares something and no other one is at the same line.
fn at_branch(
    tuned: &[Tuned],
    site: usize,
    branch: (SitePlace, u16),
    reached: f64,
    report: &SiteReport,
) -> Option<Tuned> {
    let here = &tuned[site];
    let moved = here.moved(branch, reached, report)?;
    let mut others = tuned.iter().enumerate().filter(|(at, _)| *at != site);
    let same = |one: &Tuned| one.candidate.name == here.candidate.name && one.lines == moved.lines;
    let spares = reached <= MOST_PART * here.executions?;
    (spares && !others.any(|(_, one)| same(one))).then_some(moved)
}

/// The more the better: of the places that are not hot the one that is passed most, for it says most about the method; else
/// the one that is passed least.
fn rank(one: &Tuned) -> f64 {
    match one.is_hot() {
        true => -one.per_turn,
        false => one.per_turn,
    }
}
