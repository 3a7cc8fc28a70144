//! In which order windows come.

use rand::seq::SliceRandom;
use rand::{RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;

/// What a window's site does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// All sites are at rest.
    Rest,
    /// The low dose.
    Low,
    /// The high dose.
    High,
}

/// A window to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Place of the site in the list of sites; none at rest.
    pub site: Option<usize>,
    /// Its dose.
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
}
