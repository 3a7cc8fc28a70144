//! In which order the runs are made.
//!
//! A round has every program once under every profiler and once without, in random order: whatever drifts on the
//! machine meets all of them alike, and a study that is broken off after any round is balanced. A round depends on the
//! seed and its number only, so that a longer study begins like a shorter one.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Most bytes by which the environment is made larger; a stack moves by as much, and its alignment repeats after a page.
pub const MOST_ENV_BYTES: u64 = 4096;

/// A run to be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Planned {
    /// Index of the program.
    pub program: usize,
    /// Index of the profiler.
    pub profiler: usize,
    /// Number of the run among those of this program and profiler, from 0.
    pub run: u32,
    /// Bytes by which the environment is made larger.
    pub env_bytes: u64,
}

/// All runs in their order.
pub fn order(programs: usize, profilers: usize, runs: u32, seed: u64) -> Vec<Planned> {
    (0..runs)
        .flat_map(|run| round(programs, profilers, run, seed))
        .collect()
}

fn round(programs: usize, profilers: usize, run: u32, seed: u64) -> Vec<Planned> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(u64::from(run));
    let mut cells: Vec<(usize, usize)> = (0..programs)
        .flat_map(|program| (0..profilers).map(move |profiler| (program, profiler)))
        .collect();
    cells.shuffle(&mut random);
    let planned = cells.into_iter().map(|(program, profiler)| Planned {
        program,
        profiler,
        run,
        env_bytes: random.random_range(0..=MOST_ENV_BYTES),
    });
    planned.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_round_has_every_cell_once() {
        let all = order(3, 4, 5, 7);
        for (at, round) in all.chunks(12).enumerate() {
            let cells: BTreeSet<_> = round.iter().map(|p| (p.program, p.profiler)).collect();
            assert_eq!(cells.len(), 12);
            assert!(round.iter().all(|p| p.run as usize == at));
        }
        assert_eq!(all.len(), 60);
    }

    #[test]
    fn the_seed_decides_and_a_longer_study_begins_like_a_shorter_one() {
        let all = order(3, 4, 5, 7);
        assert_eq!(order(3, 4, 9, 7)[..60], all);
        assert_ne!(order(3, 4, 5, 8), all);
        let first: Vec<_> = all[..12].iter().map(|p| (p.program, p.profiler)).collect();
        let second: Vec<_> = all[12..24]
            .iter()
            .map(|p| (p.program, p.profiler))
            .collect();
        assert_ne!(first, second);
    }

    #[test]
    fn environments_vary_over_their_whole_range() {
        let sizes: Vec<u64> = order(4, 5, 20, 1).iter().map(|p| p.env_bytes).collect();
        assert!(sizes.iter().all(|size| *size <= MOST_ENV_BYTES));
        let different: BTreeSet<_> = sizes.iter().collect();
        assert!(different.len() > 300, "{}", different.len());
        assert!(sizes.iter().any(|s| *s < 200) && sizes.iter().any(|s| *s > 3900));
    }
}
