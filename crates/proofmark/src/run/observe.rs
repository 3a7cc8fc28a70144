//! From placements to what the search is told: one observation per turn through all shifts.
//!
//! Where the code begins in its cache line moves a program's time by up to a fifth (docs/accuracy.md),
//! for baseline and slowed code differently. A turn through all shifts is one measurement of
//! the mean over them, and its placements are weighted alike: each is brought to the same number of
//! iterations.

use proofmark_divine::Observation;
use proofmark_jvm::GroupData;

use super::cells::Cells;

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
    turns
        .map(|turn| one(cells, counts, turn, sampled))
        .collect()
}

fn one(cells: &Cells, counts: &[u32], turn: &[&GroupData], sampled: bool) -> Observation {
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
        let own = placement.iterations.len().max(1) as f64;
        let weight = iterations as f64 / turn.len() as f64 / own;
        seen.cpu_ns += weight * placement.cpu_ns();
        if sampled {
            let (samples, outside) = cells.samples(&placement.times);
            seen.outside_samples += weight * outside;
            for (sum, samples) in seen.samples.iter_mut().zip(samples) {
                *sum += weight * samples;
            }
        }
    }
    seen
}

/// Mean CPU time per iteration of each turn, ns.
pub fn turn_times<'a>(placements: impl Iterator<Item = &'a GroupData>, shifts: usize) -> Vec<f64> {
    let times: Vec<f64> = placements
        .map(|placement| placement.cpu_ns() / placement.iterations.len().max(1) as f64)
        .collect();
    let turns = times.chunks_exact(shifts.max(1));
    turns
        .map(|turn| turn.iter().sum::<f64>() / turn.len() as f64)
        .collect()
}
