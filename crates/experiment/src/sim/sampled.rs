//! Samples of one placement, drawn from its true times.

use proofmark_blocks::{BlockKey, BlockTimes, MethodTime, Weight};

use super::program::Program;
use super::random::Random;

/// Times of the blocks as samples show them that land `border` cycles late, as parts of the baseline total. Each sample of
/// a block goes that far along the blocks of its cluster, round about.
pub(super) fn late(program: &Program, times: &[f64], border: f64) -> Vec<f64> {
    let cycles = |at: usize| {
        let executions = program.executions(&program.blocks[at]);
        times[at] * program.iteration_ns * program.clock_ghz / executions
    };
    let mut shown = vec![0.0; times.len()];
    for (at, time) in times.iter().enumerate() {
        let own = cycles(at);
        if own <= 0.0 {
            continue;
        }
        let (mut begin, mut in_block) = (0.0, at);
        while begin < border + own {
            let end = begin + cycles(in_block).max(LEAST_CYCLES);
            let overlap = end.min(border + own) - begin.max(border);
            shown[in_block] += time * overlap.max(0.0) / own;
            (begin, in_block) = (end, program.behind(in_block));
        }
    }
    shown
}

/// No block is passed in less, cycles.
const LEAST_CYCLES: f64 = 0.1;

/// Where one stream's samples fell: so many are expected of each block, whose place and owner are given, and outside.
pub(super) fn stream(
    random: &mut Random,
    expected: &[f64],
    places: &[(BlockKey, String)],
    outside: f64,
) -> BlockTimes {
    let mut times = BlockTimes::default();
    for (mean, (key, owner)) in expected.iter().zip(places) {
        let weight = samples(random.poisson(*mean));
        if weight.sum == 0.0 {
            continue;
        }
        times.total.merge(&weight);
        times.blocks.entry(*key).or_default().merge(&weight);
        times.units.entry(key.unit).or_default().merge(&weight);
        let method: &mut MethodTime = times.methods.entry(owner.clone()).or_default();
        method.all.merge(&weight);
        let reported = times.reported.entry(owner.clone()).or_default();
        reported.merge(&weight);
    }
    let weight = samples(random.poisson(outside));
    times.total.merge(&weight);
    times.outside.merge(&weight);
    times
}

/// So many samples of weight 1.
fn samples(number: f64) -> Weight {
    Weight {
        sum: number,
        squares: number,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_samples_keep_their_sum_and_move_by_the_border() {
        let program = Program::mix();
        let times: Vec<f64> = program.blocks.iter().map(|block| block.share).collect();
        assert_eq!(late(&program, &times, 0.0).len(), times.len());
        for border in [0.0, 1.0, 20.0] {
            let shown = late(&program, &times, border);
            let moved: f64 = shown.iter().zip(&times).map(|(a, b)| (a - b).abs()).sum();
            let all: f64 = shown.iter().sum();
            assert!(
                (all - times.iter().sum::<f64>()).abs() < 1e-9,
                "{border}: {all}"
            );
            assert_eq!(moved > 0.05, border > 0.0, "{border}: {moved}");
        }
    }
}
