//! What the sampler itself costs.
//!
//! *Accuracy.* Watched and unwatched windows of a round follow each other within seconds, so that the machine's speed hardly
//! differs between them; what it does differ by is in the interval, which is over rounds.

use proofmark_stats::{Estimate, median, paired_ratio_robust};

use crate::{Observation, Round};

/// How much longer an iteration of the baseline takes while it is sampled, %; n: rounds. None below two rounds that have
/// windows of both kinds.
pub(crate) fn sampler_cost(rounds: &[Round]) -> Option<Estimate> {
    let ratio = paired_ratio_robust(&both_kinds(rounds, |round| &round.baseline))?;
    Some(ratio.map_increasing(|ratio| 100.0 * (ratio - 1.0)))
}

/// How many times as long an iteration of one side takes while it is sampled; 1 where not both kinds of windows were measured.
pub(crate) fn sampler_ratio(rounds: &[Round], side: fn(&Round) -> &[Observation]) -> f64 {
    let both = both_kinds(rounds, side);
    let ratios: Vec<f64> = both
        .iter()
        .map(|(plain, sampled)| sampled / plain)
        .collect();
    median(&ratios).unwrap_or(1.0)
}

/// Typical time of an iteration of one side, ns, without the sampler and with it, of each round that has both.
fn both_kinds(rounds: &[Round], side: fn(&Round) -> &[Observation]) -> Vec<(f64, f64)> {
    let typical = |round: &Round, sampled: bool| {
        let of = side(round).iter().filter(|o| o.sampled == sampled);
        median(&of.map(|o| o.ns_per_iteration()).collect::<Vec<f64>>())
    };
    let both = |round: &Round| Some((typical(round, false)?, typical(round, true)?));
    rounds.iter().filter_map(both).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(ns: f64, sampled: bool) -> Observation {
        Observation {
            counts: vec![0],
            iterations: 2.0,
            cpu_ns: 2.0 * ns,
            samples: if sampled { vec![100.0] } else { Vec::new() },
            outside_samples: 0.0,
            placements: 4,
            sampled,
        }
    }

    /// The machine gets slower from round to round; the slowed code pays nothing, which is not asked.
    fn round(speed: f64, watched: f64) -> Round {
        let both = |cost: f64| {
            let plain = [100.0, 101.0, 300.0].map(|ns| window(ns * speed, false));
            let sampled = [100.0, 101.0, 102.0].map(|ns| window(ns * speed * cost, true));
            [plain, sampled].concat()
        };
        Round {
            baseline: both(watched),
            slowed: both(1.0),
        }
    }

    #[test]
    fn it_is_told_from_the_baseline_of_each_round() {
        let rounds = [1.18, 1.20, 1.22, 1.20].map(|cost| round(cost * cost, cost));
        let found = sampler_cost(&rounds).expect("four rounds");
        assert!((found.value - 20.0).abs() < 0.1, "{found:?}");
        assert!(found.low > 16.0 && found.high < 24.0, "{found:?}");
        assert_eq!(found.n, 4);
    }

    #[test]
    fn one_kind_of_windows_tells_nothing() {
        let mut rounds = [1.2, 1.2, 1.2].map(|cost| round(1.0, cost));
        rounds[1].baseline.retain(|o| o.sampled);
        assert_eq!(sampler_cost(&rounds).map(|cost| cost.n), Some(2));
        rounds[2].baseline.retain(|o| !o.sampled);
        assert_eq!(sampler_cost(&rounds), None, "one round has no interval");
        let ratio = sampler_ratio(&rounds, |round| &round.baseline);
        assert!((ratio - 1.2).abs() < 1e-9, "{ratio}");
        assert_eq!(sampler_ratio(&rounds[1..], |round| &round.baseline), 1.0);
    }
}
