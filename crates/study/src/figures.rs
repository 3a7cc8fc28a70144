//! Precision and reliability of a profiler: how far its shares and its hottest methods change from run to run.

use std::collections::BTreeSet;

use proofmark_stats::{median, quantile};

use crate::draw::Draw;
use crate::model::{Cell, Study};

/// Mean share, %, from which on a method's difference counts for precision.
pub const PRECISION_PCT: f64 = 5.0;
/// Mean share, %, from which on an unstable method counts.
pub const UNSTABLE_PCT: f64 = 1.0;

/// One method of a cell over some of its runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tally {
    /// Runs that tell its share.
    pub(crate) known: u64,
    /// Runs that list it among their hottest.
    pub(crate) listed: u64,
    sum: f64,
    /// Smallest share, %.
    pub(crate) min: f64,
    /// Largest share, %.
    pub(crate) max: f64,
}

impl Tally {
    const NONE: Self = Self {
        known: 0,
        listed: 0,
        sum: 0.0,
        min: f64::INFINITY,
        max: f64::NEG_INFINITY,
    };

    fn add(&mut self, share: f64, listed: bool) {
        self.known += 1;
        self.listed += u64::from(listed);
        self.sum += share;
        self.min = self.min.min(share);
        self.max = self.max.max(share);
    }

    /// So many more runs that tell a share of zero.
    fn add_zeros(&mut self, runs: u64) {
        if runs > 0 {
            self.known += runs;
            self.min = self.min.min(0.0);
            self.max = self.max.max(0.0);
        }
    }

    /// Mean share over the runs that tell it, %; 0 if none does.
    pub(crate) fn mean(&self) -> f64 {
        if self.known == 0 {
            0.0
        } else {
            self.sum / self.known as f64
        }
    }

    /// Largest minus smallest share, points; 0 if no run tells it.
    pub(crate) fn difference(&self) -> f64 {
        if self.known == 0 {
            0.0
        } else {
            self.max - self.min
        }
    }

    /// In some but not all lists of `runs` recordings, with a mean that counts.
    pub(crate) fn unstable(&self, runs: u64) -> bool {
        self.listed > 0 && self.listed < runs && self.mean() >= UNSTABLE_PCT
    }
}

/// Every method of a cell over these runs. Most runs report few of the methods: only these are looked at.
pub(crate) fn tallies(cell: &Cell, runs: &[usize]) -> Vec<Tally> {
    let mut tallies = vec![Tally::NONE; cell.methods.len()];
    let mut in_whole = vec![0; cell.methods.len()];
    let mut whole = 0;
    for run in runs.iter().map(|at| &cell.runs[*at]) {
        whole += u64::from(run.whole);
        for method in &run.reported {
            tallies[*method].add(run.shares_pct[*method], run.listed[*method]);
            in_whole[*method] += u64::from(run.whole);
        }
    }
    for (tally, in_whole) in tallies.iter_mut().zip(in_whole) {
        tally.add_zeros(whole - in_whole);
    }
    tallies
}

/// Number of different hottest methods over these runs.
fn distinct_hottest(cell: &Cell, runs: &[usize]) -> u64 {
    let hottest = runs.iter().filter_map(|at| cell.runs[*at].hottest);
    hottest.collect::<BTreeSet<usize>>().len() as u64
}

/// Figures of one profiler over all programs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Figures {
    pub(crate) unstable: u64,
    /// Ascending, points.
    pub(crate) differences: Vec<f64>,
    pub(crate) hottest_median: f64,
    pub(crate) hottest_max: u64,
}

impl Figures {
    /// Figures of `profiler` over the runs of a draw.
    pub(crate) fn of(study: &Study, profiler: &str, draw: &Draw) -> Self {
        let (mut unstable, mut differences, mut hottest) = (0, Vec::new(), Vec::new());
        for (p, program) in study.programs.iter().enumerate() {
            for (c, cell) in program.cells.iter().enumerate() {
                if cell.profiler != profiler {
                    continue;
                }
                let runs = draw.runs(p, c);
                let tallies = tallies(cell, runs);
                let flips = |t: &&Tally| t.unstable(runs.len() as u64);
                unstable += tallies.iter().filter(flips).count() as u64;
                let hot = tallies.iter().filter(|t| t.mean() >= PRECISION_PCT);
                differences.extend(hot.map(Tally::difference));
                hottest.push(distinct_hottest(cell, runs));
            }
        }
        differences.sort_by(f64::total_cmp);
        let counts: Vec<f64> = hottest.iter().map(|n| *n as f64).collect();
        Self {
            unstable,
            differences,
            hottest_median: median(&counts).unwrap_or(0.0),
            hottest_max: hottest.into_iter().max().unwrap_or(0),
        }
    }

    /// Quantile of the differences, points.
    pub(crate) fn quantile(&self, p: f64) -> Option<f64> {
        quantile(&self.differences, p)
    }

    /// All figures in the order of [`crate::result::Intervals`]; no difference is zero.
    pub(crate) fn flat(&self) -> [f64; 7] {
        let q = |p| self.quantile(p).unwrap_or(0.0);
        [
            self.unstable as f64,
            q(1.0),
            q(0.5),
            q(0.25),
            q(0.75),
            self.hottest_median,
            self.hottest_max as f64,
        ]
    }
}
