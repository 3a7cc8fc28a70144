//! Run times with a profiler against run times without.

use proofmark_stats::{
    Estimate, Resampling, mean, median, percentile_interval, two_sample_replicates,
};

use super::{Settings, without_interval};
use crate::model::{Cell, ENOUGH_RUNS, Study};
use crate::result::Overhead;

/// An overhead with the replicates behind its interval.
pub(super) struct Replicated {
    pub(super) result: Overhead,
    replicates: Vec<f64>,
}

/// Overhead per program and profiler, where both kinds of runs have times.
pub(super) fn overhead(study: &Study, settings: Settings) -> Vec<Replicated> {
    let cells = study.cells().enumerate();
    cells
        .filter_map(|(at, (program, cell))| {
            let (with, without) = (times(cell), &program.unprofiled_ms);
            let value = percent(&with, without)?;
            let how = Resampling {
                seed: settings.seed.wrapping_add(at as u64),
                times: settings.resamples,
            };
            let known = with.len().min(without.len()) >= ENOUGH_RUNS;
            let replicates = if known {
                let statistic = |a: &[f64], b: &[f64]| percent(a, b).unwrap_or(0.0);
                two_sample_replicates(&with, without, statistic, how)
            } else {
                Vec::new()
            };
            let n = (with.len() + without.len()) as u64;
            Some(Replicated {
                result: Overhead {
                    program: program.name.clone(),
                    profiler: cell.profiler.clone(),
                    overhead_pct: estimate(value, &replicates, n),
                },
                replicates,
            })
        })
        .collect()
}

/// Mean over programs; `n` counts programs.
pub(super) fn mean_overhead(all: &[Replicated], profiler: &str) -> Option<Estimate> {
    let of: Vec<&Replicated> = all
        .iter()
        .filter(|o| o.result.profiler == profiler)
        .collect();
    if of.is_empty() {
        return None;
    }
    let values: Vec<f64> = of.iter().map(|o| o.result.overhead_pct.value).collect();
    let times = of.iter().map(|o| o.replicates.len()).min().unwrap_or(0);
    let column = |at: usize| mean(&of.iter().map(|o| o.replicates[at]).collect::<Vec<f64>>());
    let means: Vec<f64> = (0..times).map(column).collect();
    Some(estimate(mean(&values), &means, of.len() as u64))
}

/// Median times of an iteration of the runs that tell them, ms.
pub(super) fn times(cell: &Cell) -> Vec<f64> {
    let times = cell.runs.iter().filter_map(|run| run.iteration_ms);
    times.filter(|ms| *ms > 0.0).collect()
}

fn percent(with: &[f64], without: &[f64]) -> Option<f64> {
    let without = median(without).filter(|ms| *ms > 0.0)?;
    Some(100.0 * (median(with)? / without - 1.0))
}

fn estimate(value: f64, replicates: &[f64], n: u64) -> Estimate {
    percentile_interval(value, replicates, n).unwrap_or_else(|| without_interval(value, n))
}
