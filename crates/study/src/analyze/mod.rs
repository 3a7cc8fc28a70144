//! All figures of a study.

mod agreement;
mod methods;
mod modes;
mod profilers;
mod times;

use proofmark_stats::{Estimate, Resampling};

use crate::flag::effects;
use crate::model::{Cell, ENOUGH_RUNS, Recording, Study};
use crate::result::{Analysis, Interval, ProgramSize, SCHEMA};

/// How to analyse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Seed of every resampling.
    pub seed: u64,
    /// Resamples behind every interval; 1,000 settle the ends of an interval to about 3 % of its width.
    pub resamples: usize,
}

impl Default for Settings {
    /// Seed 1, 1,000 resamples.
    fn default() -> Self {
        Self {
            seed: 1,
            resamples: 1000,
        }
    }
}

impl Settings {
    fn resampling(&self) -> Resampling {
        Resampling {
            times: self.resamples,
            seed: self.seed,
        }
    }
}

/// Figures with intervals of everything that these recordings can tell. The same recordings and settings give the same
/// result. `unprofiled` are runs without profiler: program and median time of an iteration, ms.
#[must_use]
pub fn analyze(
    recordings: Vec<Recording>,
    unprofiled: Vec<(String, f64)>,
    settings: Settings,
) -> Analysis {
    let debug_info = effects(&recordings);
    let study = &Study::new(recordings, unprofiled);
    let overhead = times::overhead(study, settings);
    let mut profilers = profilers::figures(study, settings);
    for (name, figures) in &mut profilers {
        figures.overhead_pct = times::mean_overhead(&overhead, name);
    }
    let hottest = modes::hottest_methods(study);
    Analysis {
        schema: SCHEMA.into(),
        seed: settings.seed,
        resamples: settings.resamples as u64,
        programs: study.programs.iter().map(size).collect(),
        profilers,
        agreement: agreement::agreement(study, settings),
        pairs: agreement::pairs(study, settings),
        methods: methods::methods(study, settings),
        scatter: modes::scatter(study, &hottest),
        modes: modes::tests(study, &hottest, settings),
        overhead: overhead.into_iter().map(|o| o.result).collect(),
        debug_info,
        remarks: few_runs(study).into_iter().collect(),
    }
}

fn size(program: &crate::model::Program) -> ProgramSize {
    let runs = program.cells.iter();
    ProgramSize {
        program: program.name.clone(),
        runs: runs
            .map(|cell| (cell.profiler.clone(), cell.runs.len() as u64))
            .collect(),
        unprofiled_runs: program.unprofiled_ms.len() as u64,
    }
}

/// Runs enough for an interval.
fn enough(cell: &Cell) -> bool {
    cell.runs.len() >= ENOUGH_RUNS
}

/// Says of what there are runs, but too few of them for intervals.
fn few_runs(study: &Study) -> Option<String> {
    let few = study
        .cells()
        .filter(|(_, cell)| (2..ENOUGH_RUNS).contains(&cell.runs.len()));
    let few: Vec<String> = few
        .map(|(program, cell)| format!("{} under {}", program.name, cell.profiler))
        .collect();
    let more = match few.len().checked_sub(1)? {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "Fewer than {ENOUGH_RUNS} runs hardly tell how runs differ, so intervals are withheld: {}{more}.",
        few[0]
    ))
}

/// The ends of an estimate, cut to what the figure can be.
fn interval(estimate: Estimate, floor: f64, ceiling: f64) -> Interval {
    Interval {
        low: estimate.low.max(floor),
        high: estimate.high.min(ceiling),
    }
}

/// A figure whose interval is not known.
pub(crate) fn without_interval(value: f64, n: u64) -> Estimate {
    Estimate {
        value,
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        n,
    }
}
