//! From windows under doses to rows and verdicts.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;
use proofmark_stats::Estimate;

use super::{BlockDoses, BlockTarget, MapTruth, ORACLE};
use crate::dose::{
    Attribution, AttributionRow, EarlierLook, Elsewhere, JvmWords, Level, LineVerdict, Row,
    RowVerdict, Subject, Vehicle, Window, WorkTested, judge, shares_at_rest,
};

/// What one profiler, or our own sampler, saw of the doses.
#[derive(Debug, Clone, Default)]
pub struct Watched {
    /// Its name.
    pub name: String,
    /// Windows of each target that was dosed in its process, with the place of the target in the list of all.
    pub targets: Vec<WatchedTarget>,
    /// Windows without a dose.
    pub rest: Vec<Window>,
    /// Samples per second of windows.
    pub samples_per_s: f64,
    /// Samples that it says it lost.
    pub lost_samples: f64,
    /// The same of further runs, each with profiles that were collected anew; rows are over runs then.
    pub further: Vec<Watched>,
}

/// Windows of one target.
#[derive(Debug, Clone, Default)]
pub struct WatchedTarget {
    /// Its place in the list of targets.
    pub target: usize,
    /// Most instructions in one of its blocks, under the low and under the high dose.
    pub instructions: [u16; 2],
    /// Windows under both doses.
    pub windows: Vec<(Level, Window)>,
}

/// Rows and verdicts of everybody who watched. A target with fewer than two good windows of a dose has no row in that run:
/// anything may be true there, and the row over all runs says so. A target without a row in any run leaves the profiler
/// uncertified.
///
/// A profiler's verdict and its misplaced points rest on one row per method: the one with the most of its blocks. Rows of
/// single blocks of the same method say whether they are right, and a profiler with any row that is neither right nor too small to
/// matter is not certified.
#[must_use]
pub fn block_doses(targets: Vec<BlockTarget>, watched: &[Watched], margin_pt: f64) -> BlockDoses {
    let runs = watched.iter().map(|one| one.runs().count()).max();
    let of = |one| Seen::of(one, &targets, runs.unwrap_or(1));
    let seen: Vec<Seen> = watched.iter().map(of).collect();
    let of_rows = |all: bool| -> Vec<RowVerdict> {
        let subject = |one: &Seen<'_>| one.subject(|row| all || row.first);
        judge(&seen.iter().map(subject).collect::<Vec<_>>(), margin_pt)
    };
    let verdicts = of_rows(true).into_iter().zip(of_rows(false));
    let attribution: BTreeMap<String, Attribution> = seen
        .iter()
        .zip(verdicts)
        .map(|(one, (every, first))| {
            let verdict = RowVerdict {
                verdict: match first.verdict {
                    Verdict::Right if !every.certified => Verdict::Undecided,
                    verdict => verdict,
                },
                misplaced_pt: first.misplaced_pt,
                profile: first.profile,
                change: None,
                ..every
            };
            let name = one.watched.name.clone();
            (name, one.attribution(verdict, &targets))
        })
        .collect();
    let own = attribution.get(ORACLE);
    let unseen = seen
        .iter()
        .any(|one| one.watched.name == ORACLE && one.unseen);
    BlockDoses {
        margin_pt,
        map: MapTruth::of(own.map_or(&[], |own| &own.rows), unseen),
        targets,
        attribution,
    }
}

/// One who watched, with the rows of what it saw.
struct Seen<'a> {
    watched: &'a Watched,
    rows: Vec<SeenRow<'a>>,
    /// What was dosed under its eyes has no row in any run.
    unseen: bool,
    /// Runs of the one who saw most.
    runs: usize,
}

struct SeenRow<'a> {
    dosed: &'a WatchedTarget,
    row: Row,
    /// The part in place in each run that has a row.
    per_run: Vec<Estimate>,
    /// Runs without one.
    unknown: usize,
    /// No row before is of the same method.
    first: bool,
}

impl<'a> Seen<'a> {
    fn of(watched: &'a Watched, targets: &[BlockTarget], runs: usize) -> Self {
        let mut seen: Vec<SeenRow<'a>> = Vec::new();
        let mut unseen = false;
        for dosed in watched.dosed() {
            let method = &targets[dosed.target].method;
            let first = seen.iter().all(|one| one.row.method != *method);
            let Some(all) = watched.over_runs(dosed.target, method) else {
                unseen = true;
                continue;
            };
            seen.push(SeenRow {
                dosed,
                row: all.row,
                per_run: all.each.iter().map(|row| row.in_place).collect(),
                unknown: all.unknown,
                first,
            });
        }
        Seen {
            watched,
            rows: seen,
            unseen,
            runs,
        }
    }

    fn subject(&self, keep: impl Fn(&SeenRow<'_>) -> bool) -> Subject {
        let kept = self.rows.iter().filter(|row| keep(row));
        Subject {
            changes: Vec::new(),
            name: self.watched.name.clone(),
            rows: kept.map(|row| row.row.clone()).collect(),
            in_jvms: Vec::new(),
            shares_pct: shares_at_rest(&self.watched.all_rest()),
            looks: self.watched.looks(self.runs),
            as_it_is: Vec::new(),
            unseen: self.unseen,
            rest_cost: None,
            earlier: EarlierLook::default(),
            counted_pct: BTreeMap::new(),
        }
    }

    fn attribution(&self, verdict: RowVerdict, targets: &[BlockTarget]) -> Attribution {
        let rows = self.rows.iter().zip(verdict.rows).zip(verdict.small_pt);
        Attribution {
            vehicle: Vehicle::Blocks,
            certified: verdict.certified,
            work: WorkTested::default(),
            verdict: verdict.verdict,
            jvms: JvmWords::default(),
            misplaced_pt: [verdict.misplaced_pt.0, verdict.misplaced_pt.1],
            profile: verdict.profile,
            change: None,
            looks: 0,
            accusing_intervals: verdict.accusing_intervals,
            false_alarm: verdict.false_alarm,
            planted: verdict.planted,
            failed_runs: Vec::new(),
            rows: rows
                .map(|((seen, verdict), small_pt)| AttributionRow {
                    small_pt,
                    ..seen.written(verdict, &targets[seen.dosed.target])
                })
                .collect(),
            shares_pct: BTreeMap::new(),
            samples_per_s: self.watched.samples_per_s,
            lost_samples: self.watched.lost_samples,
        }
    }
}

impl SeenRow<'_> {
    fn written(&self, verdict: Verdict, target: &BlockTarget) -> AttributionRow {
        let row = &self.row;
        let pct = |part: &Estimate| part.scaled(100.0);
        let elsewhere = row.elsewhere.iter().map(|(method, part)| Elsewhere {
            method: method.clone(),
            pct: pct(part),
            per_run_pct: Vec::new(),
        });
        AttributionRow {
            method: row.method.clone(),
            line: None,
            place: String::new(),
            kind: kind(target),
            verdict,
            turns: self.dosed.instructions,
            growth_pct: row.growth.map(|part| 100.0 * part.value),
            growth: Some(row.growth.map(|part| pct(&part))),
            in_place_pct: pct(&row.in_place),
            truth_pct: row.truth.pct(),
            truth_by_others: row.truth.by_others,
            in_place_per_run_pct: self.per_run.iter().map(pct).collect(),
            unknown_runs: self.unknown,
            jvms: JvmWords::default(),
            line_pct: None,
            line_verdict: LineVerdict::Unknown,
            elsewhere: elsewhere.collect(),
            other_pct: pct(&row.other),
            missing_pct: row.missing.as_ref().map(pct),
            void_windows: row.void_windows,
            reveals_itself: None,
            change: None,
            own_share: None,
            small_pt: None,
            cause: None,
        }
    }
}

/// `block 138`, or `26 blocks`.
fn kind(target: &BlockTarget) -> String {
    match (target.blocks, target.label.split_once(" of ")) {
        (1, Some((block, _))) => block.to_owned(),
        (blocks, _) => format!("{blocks} blocks"),
    }
}
