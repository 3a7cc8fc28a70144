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
    /// Place in the list of sites of the one that makes turns, or is alone there; none where there is none.
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

/// What the sites of a set get while their gates are open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Number of the set.
    pub set: usize,
    /// Its windows; those without a turn are of no site.
    pub windows: Vec<Planned>,
}

/// A visit of every one of these sets, in a random order: rounds of low and high windows for each of its sites in the order ABBA
/// (which of them is first is drawn, and in which order sites come), with a window at rest before the first round and behind
/// each. A linear drift through the four windows of a site cancels.
#[must_use]
pub fn visits(sets: &[(usize, Vec<usize>)], rounds: usize, seed: u64) -> Vec<Visit> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut order = sets.to_vec();
    order.shuffle(&mut random);
    let rest = Planned {
        site: None,
        level: Level::Rest,
    };
    let mut visit = |(set, sites): &(usize, Vec<usize>)| {
        let mut windows = vec![rest];
        for _ in 0..rounds {
            let mut turn = sites.clone();
            turn.shuffle(&mut random);
            for site in turn {
                let (a, b) = match random.random::<bool>() {
                    true => (Level::Low, Level::High),
                    false => (Level::High, Level::Low),
                };
                let planned = |level| Planned {
                    site: Some(site),
                    level,
                };
                windows.extend([a, b, b, a].map(planned));
            }
            windows.push(rest);
        }
        Visit { set: *set, windows }
    };
    order.iter().map(&mut visit).collect()
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
    fn a_linear_drift_cancels_in_every_site_of_a_set() {
        let sets = [(0, vec![2]), (1, vec![0, 4, 1]), (3, vec![3])];
        let all = visits(&sets, 3, 9);
        let mut seen: Vec<usize> = all.iter().map(|one| one.set).collect();
        seen.sort_unstable();
        assert_eq!(seen, [0, 1, 3]);
        for visit in &all {
            let (_, sites) = sets.iter().find(|(set, _)| *set == visit.set).expect("it");
            assert_eq!(visit.windows.len(), 1 + 3 * (4 * sites.len() + 1));
            let rest = visit.windows.iter().filter(|one| one.level == Level::Rest);
            assert_eq!((rest.count(), visit.windows[0].level), (4, Level::Rest));
            for site in sites {
                let own = visit.windows.iter().enumerate();
                let own: Vec<_> = own.filter(|(_, one)| one.site == Some(*site)).collect();
                assert_eq!(own.len(), 12);
                for four in own.chunks(4) {
                    let at = |level| -> usize {
                        let of = four.iter().filter(|(_, one)| one.level == level);
                        of.map(|(at, _)| *at).sum()
                    };
                    assert_eq!(at(Level::Low), at(Level::High));
                }
            }
        }
        assert_ne!(visits(&sets, 3, 10), all);
        assert_eq!(visits(&sets, 3, 9), all);
    }
}
