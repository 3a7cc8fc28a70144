//! Which instruction's time a sampled address stands for.

use serde::{Deserialize, Serialize};

use super::recorded::Recorded;

/// Which instruction's time a sampled address stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Skid {
    /// The instruction itself: nothing is to be corrected.
    None,
    /// The instruction before: a sample on a block's first address belongs to the blocks that ran into it, by edge counts.
    NextInstruction,
    /// One of the two before, in equal parts: the processor retires instructions in pairs, and a sample names what follows the pair.
    RetirePair,
}

impl Skid {
    /// Every rule, the simplest first.
    pub(super) const ALL: [Skid; 3] = [Skid::None, Skid::NextInstruction, Skid::RetirePair];

    /// Parts of the samples on a block's first and second address that belong to the block before it.
    fn parts_before(self) -> [f64; 2] {
        match self {
            Skid::None => [0.0, 0.0],
            Skid::NextInstruction => [1.0, 0.0],
            Skid::RetirePair => [1.0, 0.5],
        }
    }

    /// Samples per block of a loop in which each block is entered only from the one before it. A jump takes the wait before it upon
    /// itself, so that nothing moves across it.
    pub(super) fn corrected(self, recorded: &Recorded) -> Vec<f64> {
        let blocks = &recorded.blocks;
        let mut counts: Vec<f64> = blocks.iter().map(|block| block.samples() as f64).collect();
        for (at, block) in blocks
            .iter()
            .enumerate()
            .filter(|(_, block)| !block.after_jump)
        {
            let before = (at + blocks.len() - 1) % blocks.len();
            let [first, second] = self.parts_before();
            let moved = first * block.on_first as f64 + second * block.on_second as f64;
            counts[at] -= moved;
            counts[before] += moved;
        }
        counts
    }
}
