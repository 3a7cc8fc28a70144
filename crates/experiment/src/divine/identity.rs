//! Which cell is which in another JVM: by the names of its blocks.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_blocks::BlockKey;
use proofmark_divine::{Observation, Round};

use crate::lab::{Lab, unit_name};
use crate::select::Cells;

/// Blocks of a cell by unit name: the same in every JVM.
pub type CellName = BTreeSet<(String, u32)>;

/// Names of all cells, in their order.
#[must_use]
pub fn cell_names(lab: &dyn Lab, cells: &Cells) -> Vec<CellName> {
    let name = |key: &BlockKey| (unit_name(lab, key.unit).to_owned(), key.block);
    (0..cells.cells().len())
        .map(|cell| cells.blocks(cell).iter().map(name).collect())
        .collect()
}

/// For each cell here its place there; none if the cells are not the same.
#[must_use]
pub fn order(here: &[CellName], there: &[CellName]) -> Option<Vec<usize>> {
    let places: BTreeMap<&CellName, usize> = there
        .iter()
        .enumerate()
        .map(|(at, name)| (name, at))
        .collect();
    let same = here.len() == there.len() && places.len() == there.len();
    let order: Option<Vec<usize>> = here.iter().map(|name| places.get(name).copied()).collect();
    order.filter(|_| same)
}

/// The round with its cells in another order.
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

    fn name(blocks: &[u32]) -> CellName {
        blocks
            .iter()
            .map(|block| ("a.B.c()V".to_owned(), *block))
            .collect()
    }

    #[test]
    fn cells_are_found_by_their_blocks() {
        let (here, there) = ([name(&[1, 2]), name(&[3])], [name(&[3]), name(&[2, 1])]);
        assert_eq!(order(&here, &there), Some(vec![1, 0]));
        assert_eq!(order(&here, &[name(&[3]), name(&[1])]), None);
        assert_eq!(order(&here[..1], &there), None);
    }

    #[test]
    fn rounds_follow_their_cells() {
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
