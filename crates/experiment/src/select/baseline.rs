//! The baseline profile of a program, as the choice of tunables needs it.

use std::collections::HashMap;

use proofmark_blocks::{BlockCosts, BlockKey, BlockTimes, CodeMap};

use super::joined::{self, Joined};

/// Baseline times and exact counts of the same code.
pub struct Baseline<'a> {
    /// Description of the code.
    pub map: &'a CodeMap,
    /// Samples per block.
    pub times: &'a BlockTimes,
    /// Executions per iteration, every block under control.
    pub executions: &'a HashMap<BlockKey, f64>,
    /// CPU time per iteration, ns.
    pub iteration_ns: f64,
    /// Core clock, GHz.
    pub clock_ghz: f64,
}

impl Baseline<'_> {
    /// Cycles per iteration that the samples give a block.
    fn cycles(&self, samples: f64) -> f64 {
        samples / self.times.total.sum.max(1.0) * self.iteration_ns * self.clock_ghz
    }

    /// Cycles per iteration of a block.
    pub(super) fn block_cycles(&self, key: BlockKey) -> f64 {
        let weight = self.times.blocks.get(&key);
        self.cycles(weight.map_or(0.0, |weight| weight.sum))
    }

    pub(super) fn costs(&self) -> HashMap<u32, BlockCosts> {
        let mut costs: HashMap<u32, BlockCosts> = HashMap::new();
        for (key, executions) in self.executions {
            let of_unit = costs.entry(key.unit).or_default();
            of_unit.cycles.insert(key.block, self.block_cycles(*key));
            of_unit.executions.insert(key.block, *executions);
        }
        costs
    }

    /// Blocks that are set, and judged, together: the latter from so many cycles per execution on alone.
    pub(super) fn joined(&self, judged_alone: f64) -> Joined {
        let executed = self
            .executions
            .iter()
            .filter(|(_, executions)| **executions > 0.0);
        let cost =
            |(key, executions): (&BlockKey, &f64)| (*key, (self.block_cycles(*key), *executions));
        joined::join(self.map, &executed.map(cost).collect(), judged_alone)
    }

    /// Guess of a small block's cycles per execution: what was sampled, pulled towards one cycle per two operations.
    pub(super) fn guessed_cycles(&self, key: BlockKey) -> f64 {
        let operations = self.map.units()[key.unit as usize]
            .blocks
            .iter()
            .find(|block| block.id == key.block)
            .map_or(2.0, |block| block.operations.len() as f64);
        let executions = self.executions[&key];
        let samples = self.times.blocks.get(&key).map_or(0.0, |weight| weight.sum);
        let prior = operations / 2.0;
        // As if the prior had been seen in ten samples.
        let one_sample = self.cycles(1.0);
        let prior_samples = 10.0;
        (samples + prior_samples) * one_sample / (executions + prior_samples * one_sample / prior)
    }
}
