//! Samples of one placement, drawn from its true times.

use proofmark_blocks::{BlockKey, BlockTimes, MethodTime, Weight};

use super::random::Random;

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
