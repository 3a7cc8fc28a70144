//! In which order windows come.

use rand::seq::SliceRandom;
use rand::{RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

/// What a window's site does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// No site makes a turn.
    Rest,
    /// The low dose.
    Low,
    /// The high dose.
    High,
}

/// A window to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Place in the list of sites of the one that is there; none where all gates are closed.
    pub site: Option<usize>,
    /// What it does.
    pub level: Level,
}

/// Rounds of windows: in every round each site gets low and high windows in the order ABBA (which of them is first is
/// drawn), sites in a random order, with a window at rest before the first and after the last one. A linear drift
/// through the four windows of a site cancels.
#[must_use]
pub fn order(sites: usize, rounds: usize, seed: u64) -> Vec<Planned> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut all = Vec::with_capacity(rounds * (4 * sites + 2));
    let rest = Planned {
        site: None,
        level: Level::Rest,
    };
    for _ in 0..rounds {
        let mut turn: Vec<usize> = (0..sites).collect();
        turn.shuffle(&mut random);
        all.push(rest);
        for site in turn {
            let (a, b) = match random.random::<bool>() {
                true => (Level::Low, Level::High),
                false => (Level::High, Level::Low),
            };
            all.extend([a, b, b, a].map(|level| Planned {
                site: Some(site),
                level,
            }));
        }
        all.push(rest);
    }
    all
}

/// What a site gets while its gate is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Place of the site in the list of sites.
    pub site: usize,
    /// Its windows.
    pub levels: Vec<Level>,
}

/// A visit of every one of these sites, in a random order: rounds of low and high windows in the order ABBA (which of them is
/// first is drawn), with a window at rest before the first round and behind each. A linear drift through the four windows of a
/// round cancels.
#[must_use]
pub fn visits(sites: &[usize], rounds: usize, seed: u64) -> Vec<Visit> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut order = sites.to_vec();
    order.shuffle(&mut random);
    let mut round = || {
        let (a, b) = match random.random::<bool>() {
            true => (Level::Low, Level::High),
            false => (Level::High, Level::Low),
        };
        [a, b, b, a, Level::Rest]
    };
    let mut visit = |site| {
        let rounds = (0..rounds).flat_map(|_| round());
        Visit {
            site,
            levels: std::iter::once(Level::Rest).chain(rounds).collect(),
        }
    };
    order.into_iter().map(&mut visit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_drift_cancels_in_every_site() {
        let all = order(5, 3, 9);
        assert_eq!(all.len(), 3 * 22);
        for site in 0..5 {
            for four in all
                .iter()
                .enumerate()
                .filter(|(_, planned)| planned.site == Some(site))
                .collect::<Vec<_>>()
                .chunks(4)
            {
                let at = |level| {
                    let of = four.iter().filter(|(_, planned)| planned.level == level);
                    of.map(|(at, _)| *at).sum::<usize>()
                };
                assert_eq!(at(Level::Low), at(Level::High));
            }
        }
        assert_ne!(order(5, 3, 9), order(5, 3, 10));
        assert_eq!(order(5, 3, 9), all);
    }

    #[test]
    fn a_linear_drift_cancels_in_every_round() {
        let all = visits(&[0, 1, 2, 3, 4], 3, 9);
        let mut sites: Vec<usize> = all.iter().map(|one| one.site).collect();
        sites.sort_unstable();
        assert_eq!(sites, [0, 1, 2, 3, 4]);
        for visit in &all {
            assert_eq!((visit.levels.len(), visit.levels[0]), (16, Level::Rest));
            for round in visit.levels[1..].chunks(5) {
                let at = |level| -> usize {
                    let all = round.iter().enumerate();
                    all.filter(|(_, one)| **one == level)
                        .map(|(at, _)| at)
                        .sum()
                };
                assert_eq!(
                    (at(Level::Low), at(Level::High), at(Level::Rest)),
                    (3, 3, 4)
                );
            }
        }
        assert_ne!(visits(&[0, 1, 2, 3, 4], 3, 10), all);
        assert_eq!(visits(&[0, 1, 2, 3, 4], 3, 9), all);
    }
}
