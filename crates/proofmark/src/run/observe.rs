//! From placements to what the search is told: one observation per turn through all shifts.
//!
//! Where the code begins in its cache line moves a program's time by up to a fifth (docs/accuracy.md),
//! for baseline and slowed code differently. A turn through all shifts is one measurement of
//! the mean over them, and its placements are weighted alike: each is brought to the same number of
//! iterations.
//!
//! # Accuracy
//! On a shared machine a neighbour takes the processor for some ms now and then: of 4,000 equal stretches of 2.5 ms
//! (2 vCPUs, 2026-11-22) one in a hundred took 1.2 times the median, one in a thousand 2.6 times, and means over 40 of
//! them were off by up to 30 %. So an iteration counts as at most [`SLOWEST`] times the median of its placement. What
//! a program itself does in few of its iterations (it collects garbage) counts as no more, on both sides of a ratio.

use proofmark_divine::Observation;
use proofmark_jvm::GroupData;
use proofmark_stats::median;

use super::cells::Cells;

/// Longest that an iteration may count, in medians of its placement.
const SLOWEST: f64 = 1.2;

/// Observations of one side's placements, in their order, `shifts` to each; an incomplete turn at
/// the end is left out.
pub fn observations(
    cells: &Cells,
    counts: &[u32],
    placements: &[&GroupData],
    shifts: usize,
    sampled: bool,
) -> Vec<Observation> {
    let turns = placements.chunks_exact(shifts.max(1));
    let samples = |placement: &GroupData| cells.samples(&placement.times);
    turns
        .map(|turn| one(&samples, counts, turn, sampled))
        .collect()
}

/// `samples`: per cell, and those in no cell.
fn one(
    samples: &dyn Fn(&GroupData) -> (Vec<f64>, f64),
    counts: &[u32],
    turn: &[&GroupData],
    sampled: bool,
) -> Observation {
    let iterations: usize = turn
        .iter()
        .map(|placement| placement.iterations.len())
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
    for placement in turn {
        let to_each = iterations as f64 / turn.len() as f64;
        seen.cpu_ns += to_each * iteration_ns(placement);
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

/// Mean CPU time of an iteration under one placement, ns, without what a neighbour took.
fn iteration_ns(placement: &GroupData) -> f64 {
    let times = placement.iterations.iter().map(|(_, _, cpu)| *cpu as f64);
    let times: Vec<f64> = times.collect();
    let most = SLOWEST * median(&times).unwrap_or(0.0);
    times.iter().map(|ns| ns.min(most)).sum::<f64>() / times.len().max(1) as f64
}

/// Mean CPU time per iteration of each turn, ns.
pub fn turn_times<'a>(placements: impl Iterator<Item = &'a GroupData>, shifts: usize) -> Vec<f64> {
    let times: Vec<f64> = placements.map(iteration_ns).collect();
    let turns = times.chunks_exact(shifts.max(1));
    turns
        .map(|turn| turn.iter().sum::<f64>() / turn.len() as f64)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placement(iterations: usize, ns: u64) -> GroupData {
        GroupData {
            side: 0,
            iterations: vec![(0, 0, ns); iterations],
            times: Default::default(),
            streams: Default::default(),
        }
    }

    #[test]
    fn what_a_neighbour_took_does_not_count() {
        let mut disturbed = placement(9, 100);
        disturbed.iterations.push((0, 0, 260));
        assert_eq!(iteration_ns(&disturbed), 102.0);
        assert_eq!(iteration_ns(&placement(0, 0)), 0.0);
        let mut uneven = placement(5, 100);
        uneven.iterations.extend(placement(5, 110).iterations);
        assert_eq!(
            iteration_ns(&uneven),
            105.0,
            "modes of the program's own stay"
        );
    }

    #[test]
    fn shifts_weigh_alike_however_many_iterations_they_got() {
        // Equal time under each: the slow shift got half of the iterations.
        let placements = [placement(8, 100), placement(4, 200), placement(8, 100)];
        assert_eq!(turn_times(placements.iter(), 2), [150.0]);
        let turn: Vec<&GroupData> = placements[..2].iter().collect();
        // Ten samples under each: per iteration the slow shift has twice as many.
        let seen = one(&|_| (vec![9.0], 1.0), &[3], &turn, true);
        assert_eq!(seen.ns_per_iteration(), 150.0);
        assert_eq!((seen.iterations, seen.placements), (12.0, 2));
        assert_eq!(seen.samples, [9.0 * 0.75 + 9.0 * 1.5]);
        assert_eq!(seen.outside_samples, 0.75 + 1.5);
    }
}
