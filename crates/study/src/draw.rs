//! Which runs take part: all of them, or as many drawn anew within every program and profiler.

use proofmark_stats::Resampling;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::model::Study;

/// Per program and cell, indexes of runs.
pub(crate) struct Draw(Vec<Vec<Vec<usize>>>);

impl Draw {
    /// Every run once.
    pub(crate) fn all(study: &Study) -> Self {
        Self::of(study, |runs| (0..runs).collect())
    }

    fn of(study: &Study, mut pick: impl FnMut(usize) -> Vec<usize>) -> Self {
        let programs = study.programs.iter();
        let cells = programs.map(|p| p.cells.iter().map(|c| pick(c.runs.len())).collect());
        Self(cells.collect())
    }

    /// Every run once, in random order: one half of a cell's runs against the other.
    pub(crate) fn shuffled(study: &Study, rng: &mut ChaCha8Rng) -> Self {
        Self::of(study, |runs| {
            let mut order: Vec<usize> = (0..runs).collect();
            for at in (1..runs).rev() {
                order.swap(at, rng.random_range(0..=at));
            }
            order
        })
    }

    /// Runs of one cell.
    pub(crate) fn runs(&self, program: usize, cell: usize) -> &[usize] {
        &self.0[program][cell]
    }
}

/// Figures of resamples: one list per figure. Runs are drawn with replacement within every program and profiler, so
/// that the programs and the number of runs stay what they are (a stratified bootstrap on the level of runs; what
/// samples add is inside of what differs between runs).
pub(crate) fn replicates(
    study: &Study,
    how: Resampling,
    figures: impl Fn(&Draw) -> Vec<f64>,
) -> Vec<Vec<f64>> {
    let mut rng = ChaCha8Rng::seed_from_u64(how.seed);
    let mut columns: Vec<Vec<f64>> = Vec::new();
    for _ in 0..how.times {
        let draw = Draw::of(study, |runs| {
            (0..runs).map(|_| rng.random_range(0..runs)).collect()
        });
        let row = figures(&draw);
        columns.resize_with(row.len(), || Vec::with_capacity(how.times));
        for (column, figure) in columns.iter_mut().zip(row) {
            column.push(figure);
        }
    }
    columns
}
