//! Order of the windows of one profiler's JVM.
//!
//! Blocks hold every condition once and the baseline more often (it takes part in every comparison). The order inside a
//! block is random, and every second block is the reverse of the one before (ABBA), so that a linear drift over the pair
//! cancels for every condition exactly.

use crate::Condition;
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

/// What is wished for.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Uniform targets, percent; empty: no uniform test.
    pub uniform_pct: Vec<u32>,
    /// Number of single-block experiments.
    pub singles: u32,
    /// Time for all windows of this JVM with the changes between them, seconds.
    pub budget_s: f64,
    /// Shortest useful window, seconds (a few iterations, a few samples).
    pub least_window_s: f64,
    /// Cost of a change of condition (recompiling, settling), seconds.
    pub switch_s: f64,
    /// Samples of the profiler per second; sets how many windows can hold at least ten samples each.
    pub samples_per_s: f64,
    /// Seed of the order.
    pub seed: u64,
}

/// Windows in order, block by block.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    /// Conditions in order; one entry per block.
    pub blocks: Vec<Vec<Condition>>,
    /// Length of every window, seconds.
    pub window_s: f64,
    /// Time of everything, seconds.
    pub total_s: f64,
}

/// Why there is no schedule.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "{needed_s:.0} s are needed for {blocks} blocks of {windows} windows, the budget is {budget_s:.0} s"
)]
pub struct ScheduleError {
    /// Time needed, seconds.
    pub needed_s: f64,
    /// Time given, seconds.
    pub budget_s: f64,
    /// Fewest blocks.
    pub blocks: usize,
    /// Windows per block.
    pub windows: usize,
}

/// Fewest and most blocks: 4 with at least two baseline windows each give 8 windows, 20 settle the variance between windows.
const BLOCKS: (usize, usize) = (4, 20);
/// Samples that a window should hold.
const SAMPLES_PER_WINDOW: f64 = 10.0;
/// Largest part of the budget for changes of condition, before windows get longer instead of more.
const MOST_SWITCHING: f64 = 0.25;

impl Schedule {
    /// All windows in order with the number of their block.
    pub fn windows(&self) -> impl Iterator<Item = (u32, Condition)> + '_ {
        let numbered = self.blocks.iter().enumerate();
        numbered.flat_map(|(block, order)| order.iter().map(move |c| (block as u32, *c)))
    }

    /// Time of the windows of one condition, seconds.
    #[must_use]
    pub fn seconds_of(&self, condition: Condition) -> f64 {
        self.windows().filter(|(_, c)| *c == condition).count() as f64 * self.window_s
    }
}

/// Makes the order of windows.
///
/// # Errors
/// If the budget does not hold the fewest blocks of shortest windows; the error says what would be needed.
pub fn plan(request: &Request) -> Result<Schedule, ScheduleError> {
    let contents = block_contents(request);
    let shortest = request
        .least_window_s
        .max(SAMPLES_PER_WINDOW / request.samples_per_s);
    let cost = |blocks: usize, window_s: f64| {
        (blocks * contents.len()) as f64 * (window_s + request.switch_s)
    };
    let needed_s = cost(BLOCKS.0, shortest);
    if needed_s > request.budget_s {
        let (budget_s, windows) = (request.budget_s, contents.len());
        return Err(ScheduleError {
            needed_s,
            budget_s,
            blocks: BLOCKS.0,
            windows,
        });
    }
    let calm = |blocks: usize| {
        (blocks * contents.len()) as f64 * request.switch_s <= MOST_SWITCHING * request.budget_s
    };
    let fits = |blocks: &usize| cost(*blocks, shortest) <= request.budget_s && calm(*blocks);
    let blocks = (BLOCKS.0..=BLOCKS.1)
        .rev()
        .filter(|b| b % 2 == 0)
        .find(fits)
        .unwrap_or(BLOCKS.0);
    let window_s = request.budget_s / (blocks * contents.len()) as f64 - request.switch_s;
    Ok(Schedule {
        blocks: order(&contents, blocks, request.seed),
        window_s,
        total_s: cost(blocks, window_s),
    })
}

/// Every condition once, the baseline about as often as the square root of the number of comparisons it takes part in
/// (Dunnett 1955), at least twice.
fn block_contents(request: &Request) -> Vec<Condition> {
    let comparisons = request.uniform_pct.len() + request.singles as usize;
    let baselines = ((comparisons as f64).sqrt().round() as usize).max(2);
    let mut contents = vec![Condition::Baseline; baselines];
    contents.extend(
        request
            .uniform_pct
            .iter()
            .map(|pct| Condition::Uniform(*pct)),
    );
    contents.extend((0..request.singles).map(Condition::Single));
    contents
}

fn order(contents: &[Condition], blocks: usize, seed: u64) -> Vec<Vec<Condition>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut out: Vec<Vec<Condition>> = Vec::with_capacity(blocks);
    for block in 0..blocks {
        let mut next = if block % 2 == 0 {
            contents.to_vec()
        } else {
            out[block - 1].clone()
        };
        if block % 2 == 0 {
            next.shuffle(&mut rng)
        } else {
            next.reverse()
        }
        out.push(next);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> Request {
        Request {
            uniform_pct: vec![100],
            singles: 3,
            budget_s: 120.0,
            least_window_s: 0.5,
            switch_s: 0.25,
            samples_per_s: 100.0,
            seed: 4,
        }
    }

    #[test]
    fn pairs_of_blocks_cancel_a_linear_drift_for_every_condition() {
        let s = plan(&request()).unwrap();
        let windows: Vec<(u32, Condition)> = s.windows().collect();
        let pair = s.blocks[0].len() * 2;
        for condition in [
            Condition::Baseline,
            Condition::Uniform(100),
            Condition::Single(0),
            Condition::Single(2),
        ] {
            let at: Vec<f64> = (0..pair)
                .filter(|i| windows[*i].1 == condition)
                .map(|i| i as f64)
                .collect();
            let centre = at.iter().sum::<f64>() / at.len() as f64;
            assert!(
                (centre - (pair as f64 - 1.0) / 2.0).abs() < 1e-9,
                "{condition:?} {at:?}"
            );
        }
    }

    #[test]
    fn the_budget_is_used_and_not_exceeded() {
        for budget_s in [30.0, 60.0, 120.0, 600.0] {
            let s = plan(&Request {
                budget_s,
                ..request()
            })
            .unwrap();
            assert!(
                (s.total_s - budget_s).abs() < 1e-6 && s.window_s >= 0.5,
                "{s:?}"
            );
            assert!(s.blocks.len() >= BLOCKS.0 && s.blocks.len().is_multiple_of(2));
            assert_eq!(
                s.seconds_of(Condition::Baseline),
                2.0 * s.seconds_of(Condition::Single(1))
            );
        }
    }

    #[test]
    fn same_seed_same_order_other_seed_other_order() {
        assert_eq!(plan(&request()), plan(&request()));
        assert_ne!(
            plan(&request()).unwrap().blocks,
            plan(&Request {
                seed: 5,
                ..request()
            })
            .unwrap()
            .blocks
        );
    }

    #[test]
    fn too_small_a_budget_says_what_is_needed() {
        let error = plan(&Request {
            budget_s: 5.0,
            ..request()
        })
        .unwrap_err();
        assert!((error.needed_s - 4.0 * 6.0 * 0.75).abs() < 1e-9);
        assert!(error.to_string().contains("18 s are needed"), "{error}");
    }
}
