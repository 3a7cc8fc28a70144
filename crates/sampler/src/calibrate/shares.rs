//! Whether corrected shares of blocks of known length come out right.

use std::ops::Range;

use proofmark_stats::{Estimate, wilson};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::skid::Skid;
use super::stretch::sample_victim;
use super::victims::{SHARES_CYCLES, shares, shares_blocks};
use crate::error::SamplerError;
use crate::records::{Loss, Sample};
use crate::settings::Settings;

/// Samples without which shares say nothing.
const NEEDED: u64 = 300;

/// What retirement sampling may be off by besides chance, as a share: 0.7 points were measured on this victim with 70 000 samples.
const SYSTEMATIC: f64 = 0.015;

/// Corrected shares of blocks whose lengths in cycles are known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SharesFinding {
    /// The rule that the samples were corrected by.
    pub skid: Skid,
    /// The blocks in the order of execution; the first falls through with a slow instruction at its end.
    pub blocks: Vec<BlockShare>,
    /// Samples inside the victim.
    pub samples: u64,
    /// Whether every block's interval, widened by 1.5 points, covers its known share: if not, block times of this machine are not to be trusted.
    pub known_answer_found: bool,
    /// What the sampler missed meanwhile.
    pub loss: Loss,
}

/// One block: known and sampled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BlockShare {
    /// Known length of the block in cycles.
    pub cycles: u64,
    /// Known share (0 to 1) of the victim's time.
    pub expected: f64,
    /// Sampled share (0 to 1) after correction.
    pub observed: Estimate,
}

/// Samples three blocks of known lengths and corrects by a rule.
pub(super) fn check_shares(
    settings: &Settings,
    skid: Skid,
    cpu_ns: u64,
) -> Result<SharesFinding, SamplerError> {
    let (samples, loss) = sample_victim(settings, cpu_ns, shares)?;
    compare(&samples, skid, &shares_blocks(), &SHARES_CYCLES, loss)
}

fn compare(
    samples: &[Sample],
    skid: Skid,
    blocks: &[Range<u64>],
    cycles: &[u64],
    loss: Loss,
) -> Result<SharesFinding, SamplerError> {
    let counts = count_corrected(samples, skid, blocks);
    let all: u64 = counts.iter().sum();
    let total_cycles: u64 = cycles.iter().sum();
    let too_few = || SamplerError::TooFewSamples {
        victim: "shares",
        samples: all,
        needed: NEEDED,
    };
    if all < NEEDED {
        return Err(too_few());
    }
    let block = |(&count, &cycles): (&u64, &u64)| {
        let observed = wilson(count, all).ok_or_else(too_few)?;
        Ok(BlockShare {
            cycles,
            expected: cycles as f64 / total_cycles as f64,
            observed,
        })
    };
    let blocks = counts
        .iter()
        .zip(cycles)
        .map(block)
        .collect::<Result<Vec<_>, SamplerError>>()?;
    let found = |block: &BlockShare| {
        (block.observed.low - SYSTEMATIC..=block.observed.high + SYSTEMATIC)
            .contains(&block.expected)
    };
    Ok(SharesFinding {
        skid,
        known_answer_found: blocks.iter().all(found),
        blocks,
        samples: all,
        loss,
    })
}

/// Samples per block of a loop in which each block is entered only from the one before it.
fn count_corrected(samples: &[Sample], skid: Skid, blocks: &[Range<u64>]) -> Vec<u64> {
    let mut counts = vec![0; blocks.len()];
    for sample in samples {
        let Some(block) = blocks.iter().position(|block| block.contains(&sample.ip)) else {
            continue;
        };
        let belongs_before = skid == Skid::NextInstruction && sample.ip == blocks[block].start;
        let owner = if belongs_before {
            (block + blocks.len() - 1) % blocks.len()
        } else {
            block
        };
        counts[owner] += 1;
    }
    counts
}

#[cfg(test)]
#[path = "shares_test.rs"]
mod tests;
