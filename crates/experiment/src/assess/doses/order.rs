//! In which order windows under doses come, and how long they are.

use proofmark_assess::Condition;

use crate::assess::Pace;
use crate::dose::{Level, Planned, order};

/// Rounds: in each one every target has two windows under the low and two under the high dose.
const ROUNDS: usize = 3;
/// Samples of the profiler that a window should hold.
const SAMPLES: f64 = 170.0;
/// Change of conditions, s.
const SWITCH_S: f64 = 0.15;

/// Conditions of the windows in order, with numbers of blocks inside of which times are compared: of the four windows of
/// a target (ABBA) two and two are a block, and drift through all four cancels.
#[must_use]
pub fn conditions(targets: usize, seed: u64) -> Vec<(u32, Condition)> {
    let mut windows = 0_u32;
    let planned = order(targets, ROUNDS, seed).into_iter();
    planned
        .map(|planned| {
            windows += 1;
            // A round begins and ends with a window at rest, between them are fours: pairs never reach across.
            (windows / 2, condition(planned))
        })
        .collect()
}

fn condition(planned: Planned) -> Condition {
    let index = planned.site.unwrap_or(0) as u32;
    match planned.level {
        Level::Rest => Condition::Baseline,
        Level::Low => Condition::SingleLow(index),
        Level::High => Condition::Single(index),
    }
}

impl Pace {
    /// Length of a window under a dose, s.
    #[must_use]
    pub fn dose_window_s(&self) -> f64 {
        self.least_window_s().max(SAMPLES / self.samples_per_s)
    }
}

/// Time of all windows under doses of so many targets, s.
#[must_use]
pub fn seconds(pace: &Pace, targets: usize) -> f64 {
    let windows = match targets {
        0 => 0,
        _ => ROUNDS * (4 * targets + 2),
    };
    windows as f64 * (pace.dose_window_s() + SWITCH_S)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn every_block_of_a_target_has_one_window_of_each_dose() {
        let mut blocks: BTreeMap<u32, Vec<Condition>> = BTreeMap::new();
        let all = conditions(3, 7);
        for (block, condition) in &all {
            blocks.entry(*block).or_default().push(*condition);
        }
        let mut pairs = 0;
        for (block, met) in blocks {
            let mut sorted = met.clone();
            sorted.sort();
            match sorted[..] {
                [Condition::SingleLow(low), Condition::Single(high)] => {
                    assert_eq!(low, high, "block {block}: {met:?}");
                    pairs += 1;
                }
                ref rest => assert!(
                    rest.iter().all(|one| *one == Condition::Baseline),
                    "block {block}: {met:?}"
                ),
            }
        }
        assert_eq!(pairs, 3 * 2 * ROUNDS);
        assert_eq!(all.len(), ROUNDS * (4 * 3 + 2));
        assert_eq!(conditions(3, 7), all);
        assert_ne!(conditions(3, 8), all);
    }
}
