//! Pairs of windows that an evaluation counts.

use proofmark_rules::SPEED_LEAST_PAIRS;

use crate::speed::at_usual_speed;
use crate::watched::sampler_ratio;
use crate::{Observation, Round};

/// A baseline window and the slowed window beside it.
pub(crate) type Pair<'a> = (&'a Observation, &'a Observation);

/// Pairs of one kind, sampled or not.
pub(crate) struct Pairs<'a> {
    /// Those that count.
    pub(crate) counted: Vec<Pair<'a>>,
    /// Those that do not.
    pub(crate) left_out: Vec<Pair<'a>>,
    /// How many were measured at another speed of the machine than usual. They count only where too few others are left.
    pub(crate) disturbed: usize,
}

impl<'a> Pairs<'a> {
    /// Of pairs, each with whether the machine had its usual speed.
    fn of(pairs: Vec<(Pair<'a>, bool)>) -> Self {
        let usual = pairs.iter().filter(|(_, usual)| *usual).count();
        let disturbed = pairs.len() - usual;
        let enough = usual >= SPEED_LEAST_PAIRS;
        let counts = |(pair, usual): (Pair<'a>, bool)| (pair, usual || !enough);
        let (counted, left_out): (Vec<_>, Vec<_>) = pairs
            .into_iter()
            .map(counts)
            .partition(|(_, counts)| *counts);
        let [counted, left_out] =
            [counted, left_out].map(|pairs| pairs.into_iter().map(|(pair, _)| pair).collect());
        Pairs {
            counted,
            left_out,
            disturbed,
        }
    }

    /// How many were measured.
    pub(crate) fn measured(&self) -> usize {
        self.counted.len() + self.left_out.len()
    }
}

/// Pairs that are sampled, and those that are not.
pub(crate) struct Chosen<'a> {
    pub(crate) sampled: Pairs<'a>,
    pub(crate) unsampled: Pairs<'a>,
}

impl<'a> Chosen<'a> {
    /// Of pairs, each with whether the machine had its usual speed.
    fn of(pairs: impl Iterator<Item = (Pair<'a>, bool)>) -> Self {
        let (sampled, unsampled): (Vec<_>, Vec<_>) = pairs.partition(|((one, _), _)| one.sampled);
        Chosen {
            sampled: Pairs::of(sampled),
            unsampled: Pairs::of(unsampled),
        }
    }
}

/// All pairs of windows: of processes of their own, which have speeds of their own.
pub(crate) fn every(rounds: &[Round]) -> Chosen<'_> {
    Chosen::of(pairs(rounds).map(|pair| (pair, true)))
}

/// The pairs that were measured at the machine's usual speed, which is one for both kinds and both sides: what the sampler takes is no
/// other speed.
pub(crate) fn at_one_speed(rounds: &[Round]) -> Chosen<'_> {
    let sides: [fn(&Round) -> &[Observation]; 2] = [|round| &round.baseline, |round| &round.slowed];
    let watched = sides.map(|side| sampler_ratio(rounds, side));
    let time = |one: &Observation, watched: f64| match one.sampled {
        true => one.ns_per_iteration() / watched,
        false => one.ns_per_iteration(),
    };
    let times: Vec<[f64; 2]> = pairs(rounds)
        .map(|(a, b)| [time(a, watched[0]), time(b, watched[1])])
        .collect();
    Chosen::of(pairs(rounds).zip(at_usual_speed(&times)))
}

/// Baseline and slowed windows side by side, round by round, in each first those that are sampled.
fn pairs(rounds: &[Round]) -> impl Iterator<Item = Pair<'_>> {
    fn side(windows: &[Observation], sampled: bool) -> impl Iterator<Item = &Observation> {
        windows.iter().filter(move |o| o.sampled == sampled)
    }
    fn of(round: &Round, sampled: bool) -> impl Iterator<Item = Pair<'_>> {
        side(&round.baseline, sampled).zip(side(&round.slowed, sampled))
    }
    rounds
        .iter()
        .flat_map(|round| of(round, true).chain(of(round, false)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A round at this speed of the machine: three sampled windows that take a fifth longer, four others; slowed ones twice as long.
    fn round(speed: f64) -> Round {
        let window = |time: f64, sampled: bool| Observation {
            counts: vec![0],
            iterations: 1.0,
            cpu_ns: speed * time * if sampled { 1.2 } else { 1.0 },
            samples: if sampled { vec![100.0] } else { Vec::new() },
            outside_samples: 0.0,
            placements: 1,
            sampled,
        };
        let side = |time: f64| {
            let kinds = [true, false, true, false, true, false, false];
            kinds.map(|sampled| window(time, sampled)).to_vec()
        };
        Round {
            baseline: side(1e7),
            slowed: side(2e7),
        }
    }

    /// Two fast rounds of eight: what the sampler takes is no other speed, and both kinds lose the same rounds.
    #[test]
    fn both_kinds_of_windows_have_one_speed() {
        let rounds = [1.0, 1.0, 1.4, 1.4, 1.4, 1.4, 1.4, 1.4].map(round);
        let chosen = at_one_speed(&rounds);
        let of = |pairs: &Pairs<'_>| (pairs.counted.len(), pairs.left_out.len(), pairs.disturbed);
        assert_eq!(
            (of(&chosen.sampled), of(&chosen.unsampled)),
            ((18, 6, 6), (24, 8, 8))
        );
        let all = every(&rounds);
        assert_eq!(
            (of(&all.sampled), of(&all.unsampled)),
            ((24, 0, 0), (32, 0, 0))
        );
    }

    /// Where too few pairs are left all of them count, and how many were disturbed is known all the same.
    #[test]
    fn too_few_pairs_leave_none_out() {
        let rounds = [1.4, 1.0, 1.2].map(round);
        let chosen = at_one_speed(&rounds);
        assert_eq!(chosen.unsampled.measured(), 12);
        assert_eq!(chosen.unsampled.disturbed, 8);
        assert!(chosen.unsampled.left_out.is_empty());
    }
}
