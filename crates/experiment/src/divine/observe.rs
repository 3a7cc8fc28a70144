//! From placements to what the search is told: one observation per turn through all alignments.
//!
//! Where the code begins in its cache line moves a program's time by up to a fifth (docs/method-time.md),
//! for baseline and slowed code differently. A turn through all alignments is one measurement of
//! the mean over them, and its placements are weighted alike: each is brought to the same number of
//! iterations.

use proofmark_divine::Observation;

use super::winsorized::winsorized;
use crate::lab::GroupData;
use crate::select::Tunables;

/// Observations of one variant: its watched and its unwatched placements in their order, as many to each as there are
/// alignments; an incomplete turn at the end is left out.
#[must_use]
pub fn observations(
    tunables: &Tunables,
    counts: &[u32],
    watched: &[&GroupData],
    unwatched: &[&GroupData],
    alignments: usize,
) -> Vec<Observation> {
    let times = winsorized(watched, unwatched);
    let samples = |placement: &GroupData| tunables.samples(&placement.times);
    let mut seen = Vec::new();
    for ((placements, times), sampled) in [watched, unwatched]
        .into_iter()
        .zip(&times)
        .zip([true, false])
    {
        let stays: Vec<Stay> = placements
            .iter()
            .copied()
            .zip(times.iter().copied())
            .collect();
        let turns = stays.chunks_exact(alignments.max(1));
        seen.extend(turns.map(|turn| one(&samples, counts, turn, sampled)));
    }
    seen
}

/// A placement and the time of an iteration under it, ns.
type Stay<'a> = (&'a GroupData, f64);

/// `samples`: per tunable, and those in no tunable.
fn one(
    samples: &dyn Fn(&GroupData) -> (Vec<f64>, f64),
    counts: &[u32],
    turn: &[Stay<'_>],
    sampled: bool,
) -> Observation {
    let iterations: usize = turn
        .iter()
        .map(|(placement, _)| placement.iterations.len())
        .sum();
    let mut seen = Observation {
        counts: counts.to_vec(),
        iterations: iterations as f64,
        cpu_ns: 0.0,
        samples: if sampled {
            vec![0.0; counts.len()]
        } else {
            Vec::new()
        },
        outside_samples: 0.0,
        placements: turn.len() as u32,
        sampled,
    };
    for (placement, ns) in turn {
        let to_each = iterations as f64 / turn.len() as f64;
        seen.cpu_ns += to_each * ns;
        if sampled {
            let weight = to_each / placement.iterations.len().max(1) as f64;
            let (samples, outside) = samples(placement);
            seen.outside_samples += weight * outside;
            for (sum, samples) in seen.samples.iter_mut().zip(samples) {
                *sum += weight * samples;
            }
        }
    }
    seen
}

/// Mean CPU time per iteration of each turn, ns.
#[must_use]
pub fn turn_times<'a>(
    placements: impl Iterator<Item = &'a GroupData>,
    alignments: usize,
) -> Vec<f64> {
    let [_, times] = winsorized(&[], &placements.collect::<Vec<_>>());
    let turns = times.chunks_exact(alignments.max(1));
    turns
        .map(|turn| turn.iter().sum::<f64>() / turn.len() as f64)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placement(alignment: usize, iterations: usize, ns: u64) -> GroupData {
        GroupData {
            variant: 0,
            alignment,
            iterations: vec![(0, 0, ns); iterations],
            times: Default::default(),
            streams: Default::default(),
        }
    }

    #[test]
    fn alignments_weigh_alike_however_many_iterations_they_got() {
        // Equal time under each: the slow alignment got half of the iterations.
        let placements = [
            placement(0, 8, 100),
            placement(1, 4, 200),
            placement(0, 8, 100),
        ];
        assert_eq!(turn_times(placements.iter(), 2), [150.0]);
        let turn: Vec<Stay> = placements[..2].iter().zip([100.0, 200.0]).collect();
        // Ten samples under each: per iteration the slow alignment has twice as many.
        let seen = one(&|_| (vec![9.0], 1.0), &[3], &turn, true);
        assert_eq!(seen.ns_per_iteration(), 150.0);
        assert_eq!((seen.iterations, seen.placements), (12.0, 2));
        assert_eq!(seen.samples, [9.0 * 0.75 + 9.0 * 1.5]);
        assert_eq!(seen.outside_samples, 0.75 + 1.5);
    }
}
