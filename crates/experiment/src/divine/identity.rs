//! Which tunable is which in another JVM: by the names of its blocks.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_blocks::BlockKey;
use proofmark_divine::{Observation, Round};

use crate::lab::{Lab, unit_name};
use crate::select::Tunables;

/// Blocks of a tunable by unit name: the same in every JVM.
pub type TunableName = BTreeSet<(String, u32)>;

/// Names of all tunables, in their order.
#[must_use]
pub fn tunable_names(lab: &dyn Lab, tunables: &Tunables) -> Vec<TunableName> {
    let name = |key: &BlockKey| (unit_name(lab, key.unit).to_owned(), key.block);
    (0..tunables.as_slice().len())
        .map(|tunable| tunables.blocks(tunable).iter().map(name).collect())
        .collect()
}

/// For each tunable here its place there; none if the tunables are not the same.
#[must_use]
pub fn order(here: &[TunableName], there: &[TunableName]) -> Option<Vec<usize>> {
    let places: BTreeMap<&TunableName, usize> = there
        .iter()
        .enumerate()
        .map(|(at, name)| (name, at))
        .collect();
    let same = here.len() == there.len() && places.len() == there.len();
    let order: Option<Vec<usize>> = here.iter().map(|name| places.get(name).copied()).collect();
    order.filter(|_| same)
}

/// The round with its tunables in another order.
#[must_use]
pub fn reordered(round: &Round, order: &[usize]) -> Round {
    let one = |seen: &Observation| {
        let samples = if seen.samples.is_empty() {
            Vec::new()
        } else {
            order.iter().map(|at| seen.samples[*at]).collect()
        };
        Observation {
            counts: order.iter().map(|at| seen.counts[*at]).collect(),
            samples,
            ..seen.clone()
        }
    };
    Round {
        baseline: round.baseline.iter().map(one).collect(),
        slowed: round.slowed.iter().map(one).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(blocks: &[u32]) -> TunableName {
        blocks
            .iter()
            .map(|block| ("a.B.c()V".to_owned(), *block))
            .collect()
    }

    #[test]
    fn tunables_are_found_by_their_blocks() {
        let (here, there) = ([name(&[1, 2]), name(&[3])], [name(&[3]), name(&[2, 1])]);
        assert_eq!(order(&here, &there), Some(vec![1, 0]));
        assert_eq!(order(&here, &[name(&[3]), name(&[1])]), None);
        assert_eq!(order(&here[..1], &there), None);
    }

    #[test]
    fn rounds_follow_their_tunables() {
        let seen = Observation {
            counts: vec![5, 6],
            iterations: 1.0,
            cpu_ns: 1.0,
            samples: vec![0.5, 0.6],
            outside_samples: 0.0,
            placements: 1,
            sampled: true,
        };
        let unsampled = Observation {
            samples: Vec::new(),
            sampled: false,
            ..seen.clone()
        };
        let round = reordered(
            &Round {
                baseline: vec![seen],
                slowed: vec![unsampled],
            },
            &[1, 0],
        );
        assert_eq!(
            (
                round.baseline[0].counts.clone(),
                round.baseline[0].samples.clone()
            ),
            (vec![6, 5], vec![0.6, 0.5])
        );
        assert!(round.slowed[0].samples.is_empty());
    }
}
