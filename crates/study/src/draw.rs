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
/// samples add is inside of what differs between runs). All processors share the work; how many there are changes
/// nothing in the result.
pub(crate) fn replicates(
    study: &Study,
    how: Resampling,
    figures: impl Fn(&Draw) -> Vec<f64> + Sync,
) -> Vec<Vec<f64>> {
    let mut rng = ChaCha8Rng::seed_from_u64(how.seed);
    let mut columns: Vec<Vec<f64>> = Vec::new();
    let mut left = how.times;
    while left > 0 {
        let draws: Vec<Draw> = (0..left.min(BATCH))
            .map(|_| {
                Draw::of(study, |runs| {
                    (0..runs).map(|_| rng.random_range(0..runs)).collect()
                })
            })
            .collect();
        left -= draws.len();
        for row in side_by_side(&draws, &figures) {
            columns.resize_with(row.len(), || Vec::with_capacity(how.times));
            for (column, figure) in columns.iter_mut().zip(row) {
                column.push(figure);
            }
        }
    }
    columns
}

/// Draws that are in memory at a time.
const BATCH: usize = 256;

/// The figures of every draw, in their order.
fn side_by_side(draws: &[Draw], figures: &(impl Fn(&Draw) -> Vec<f64> + Sync)) -> Vec<Vec<f64>> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let parts = draws.chunks(draws.len().div_ceil(processors).max(1));
    std::thread::scope(|scope| {
        let workers: Vec<_> = parts
            .map(|part| scope.spawn(|| part.iter().map(figures).collect::<Vec<_>>()))
            .collect();
        let done = workers.into_iter();
        done.flat_map(|worker| worker.join().expect("a figure has panicked"))
            .collect()
    })
}
