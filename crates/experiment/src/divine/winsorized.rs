//! Winsorized times: without most of what a neighbour on the machine took.
//!
//! On a shared machine somebody else takes the processor's caches, or half of the core, for some ms to some hundred ms
//! now and then. Times can only get longer by it. So two things are cut off: an iteration counts as at most
//! [`CUT_ITERATION`] times the median of its placement, and a placement as at most what the other placements of the same code
//! at the same alignment make likely.
//!
//! # Accuracy
//! 2 vCPUs, 2026-11-22: of 4,000 equal stretches of 2.5 ms one in a hundred took 1.2 times the median, one in a thousand
//! 2.6 times, and means over 40 of them were off by up to 30 %. What a program itself does in few of its iterations is
//! cut off too, on both sides of a ratio: if it is slowed like the rest the ratio stays, else it comes out too large (one
//! iteration in twenty with three times the time, of which nothing is slowed: 2.00 instead of 1.91). Where more than half
//! of the placements of a code are disturbed alike, nothing can be cut off. The choice of doses takes times as
//! they are.

use proofmark_rules::{CUT_DEVIATIONS, CUT_ITERATION, CUT_LEAST};
use proofmark_stats::{deviation_by_median, median};

use crate::lab::GroupData;

/// CPU time of an iteration under each placement of one code, ns. Watched placements are slower by what the sampler
/// costs, which is found from the medians of both.
#[must_use]
pub fn winsorized(watched: &[&GroupData], unwatched: &[&GroupData]) -> [Vec<f64>; 2] {
    let [watched, unwatched] = [watched, unwatched].map(|placements| {
        let stay = |placement: &&GroupData| Stay {
            alignment: placement.alignment,
            ns: iteration_ns(placement),
        };
        placements.iter().map(stay).collect::<Vec<Stay>>()
    });
    let cost = cost(&watched, &unwatched);
    let scaled = |stays: &[Stay], by: f64| -> Vec<Stay> {
        let stays = stays.iter();
        stays
            .map(|stay| Stay {
                ns: stay.ns / by,
                ..*stay
            })
            .collect()
    };
    let all = [scaled(&watched, cost), unwatched.clone()].concat();
    let cut = cut(&all);
    let (first, second) = cut.split_at(watched.len());
    [first.iter().map(|ns| ns * cost).collect(), second.to_vec()]
}

/// Time of an iteration under one placement, ns.
#[derive(Debug, Clone, Copy)]
struct Stay {
    alignment: usize,
    ns: f64,
}

/// Mean CPU time of an iteration under one placement, ns, long ones cut off.
#[must_use]
pub fn iteration_ns(placement: &GroupData) -> f64 {
    let times = placement.iterations.iter().map(|(_, _, cpu)| *cpu as f64);
    let times: Vec<f64> = times.collect();
    let most = CUT_ITERATION * median(&times).unwrap_or(0.0);
    times.iter().map(|ns| ns.min(most)).sum::<f64>() / times.len().max(1) as f64
}

/// How much longer iterations are under the sampler: median over the alignments; 1 if only one kind is there.
fn cost(watched: &[Stay], unwatched: &[Stay]) -> f64 {
    let mut alignments: Vec<usize> = watched.iter().map(|stay| stay.alignment).collect();
    alignments.sort_unstable();
    alignments.dedup();
    let ratio =
        |alignment: &usize| Some(typical(watched, *alignment)? / typical(unwatched, *alignment)?);
    let ratios: Vec<f64> = alignments.iter().filter_map(ratio).collect();
    median(&ratios).filter(|cost| *cost > 0.0).unwrap_or(1.0)
}

fn typical(stays: &[Stay], alignment: usize) -> Option<f64> {
    let own = stays.iter().filter(|stay| stay.alignment == alignment);
    median(&own.map(|stay| stay.ns).collect::<Vec<f64>>())
}

/// Times, cut off at what is likely.
fn cut(stays: &[Stay]) -> Vec<f64> {
    let typical = |stay: &Stay| typical(stays, stay.alignment).unwrap_or(stay.ns);
    let away = |stay: &Stay| (stay.ns / typical(stay) - 1.0).abs();
    let away: Vec<f64> = stays.iter().map(away).collect();
    let spread = deviation_by_median(&away);
    let most = 1.0 + (CUT_DEVIATIONS * spread).max(CUT_LEAST);
    let cut = |stay: &Stay| stay.ns.min(most * typical(stay));
    stays.iter().map(cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placement(alignment: usize, iterations: &[u64]) -> GroupData {
        GroupData {
            variant: 0,
            alignment,
            iterations: iterations.iter().map(|ns| (0, 0, *ns)).collect(),
            times: Default::default(),
            streams: Default::default(),
        }
    }

    fn times(placements: &[GroupData]) -> Vec<f64> {
        let all: Vec<&GroupData> = placements.iter().collect();
        let [none, times] = winsorized(&[], &all);
        assert!(none.is_empty());
        times
    }

    #[test]
    fn long_iterations_are_cut_off_but_modes_of_the_programs_own_stay() {
        let long = placement(0, &[100, 100, 100, 100, 260]);
        assert_eq!(iteration_ns(&long), 104.0);
        let modes = placement(0, &[100, 100, 110, 110]);
        assert_eq!(iteration_ns(&modes), 105.0);
        assert_eq!(iteration_ns(&placement(0, &[])), 0.0);
    }

    /// Two alignments with times of their own, one placement of nine disturbed as a whole.
    #[test]
    fn a_disturbed_placement_counts_as_the_others_of_its_alignment() {
        let at = |alignment: usize, ns: u64| placement(alignment, &[ns; 4]);
        let mut placements: Vec<GroupData> = (0..9)
            .flat_map(|i| [at(0, 1000 + i), at(1, 1200 + i)])
            .collect();
        let calm = times(&placements);
        assert_eq!(calm[1], 1200.0, "nothing is cut off without need");
        placements[4] = at(0, 1400);
        let found = times(&placements);
        assert!((1004.0..1025.0).contains(&found[4]), "{}", found[4]);
        assert_eq!(found[5], calm[5]);
    }

    /// The sampler makes everything a fifth slower; the one unwatched placement of three that is not disturbed is
    /// recognised by the watched ones.
    #[test]
    fn watched_placements_help_few_unwatched_ones() {
        let watched: Vec<GroupData> = (0..12).map(|i| placement(i % 4, &[1200; 3])).collect();
        let mut unwatched: Vec<GroupData> = (0..8).map(|i| placement(i % 4, &[1000; 3])).collect();
        unwatched[2] = placement(2, &[1300; 3]);
        let lists = [&watched, &unwatched].map(|all| all.iter().collect::<Vec<_>>());
        let [slow, fast] = winsorized(&lists[0], &lists[1]);
        assert_eq!(slow, [1200.0; 12]);
        assert!(fast[2] < 1020.0, "{fast:?}");
        assert_eq!(fast[3], 1000.0);
    }
}
