//! Where the time of a window went.

use std::collections::BTreeMap;

use proofmark_stats::Estimate;
use serde::{Deserialize, Serialize};

use crate::{Replay, Weight, replay};

/// A block of one JVM's code map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct BlockKey {
    /// Index of the unit.
    pub unit: u32,
    /// Id of the block inside the unit.
    pub block: u32,
}

/// Time of a method.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct MethodTime {
    /// All of it.
    pub all: Weight,
    /// The part that comes from code without a source position in blocks of several methods, so that
    /// it could as well be another method's.
    pub ambiguous: Weight,
    /// Ambiguous time of other methods that could be this one's; a method may have nothing but this.
    #[serde(default)]
    pub claimable: Weight,
}

/// Samples of a window by block and by method. Windows of the same JVM can be merged.
///
/// # Accuracy
/// Time is retirement-sampled CPU time. Blocks of one loop overlap in the processor: a loop's time is
/// conserved to about 1 point, the part of a block in it is a matter of definition.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BlockTimes {
    /// All samples of the window.
    pub total: Weight,
    /// Samples outside of all known code.
    pub outside: Weight,
    /// By unit index, its blocks and its other code together.
    pub units: BTreeMap<u32, Weight>,
    /// By block; a unit's prologue counts as its first block's.
    #[serde(with = "pairs")]
    pub blocks: BTreeMap<BlockKey, Weight>,
    /// By unit index: slow paths and stubs that belong to no block.
    pub no_block: BTreeMap<u32, Weight>,
    /// By method name, as in [`crate::Frame::method`].
    pub methods: BTreeMap<String, MethodTime>,
    /// By method name: what the VM's debug information says about the sampled addresses, uncorrected. A
    /// profiler that asks the VM cannot know better.
    #[serde(default)]
    pub reported: BTreeMap<String, Weight>,
    /// The same by every rule that profilers follow, for the sampled addresses and for those of the instructions that were
    /// waited for. Empty where no debug information was reported.
    #[serde(default)]
    pub replays: Vec<Replay>,
    /// By method name: samples in all code of the units that have it as their root, inlined methods included.
    #[serde(default)]
    pub roots: BTreeMap<String, Weight>,
    /// Ambiguous part of the methods' time.
    pub ambiguous: Weight,
    /// Samples at block starts that were divided among predecessors without execution counts.
    pub uncounted: Weight,
}

impl BlockTimes {
    /// Adds another window of the same JVM.
    pub fn merge(&mut self, other: &Self) {
        self.total.merge(&other.total);
        self.outside.merge(&other.outside);
        self.ambiguous.merge(&other.ambiguous);
        self.uncounted.merge(&other.uncounted);
        merge_all(&mut self.units, &other.units);
        merge_all(&mut self.blocks, &other.blocks);
        merge_all(&mut self.no_block, &other.no_block);
        for (name, weight) in &other.reported {
            self.reported.entry(name.clone()).or_default().merge(weight);
        }
        for (name, weight) in &other.roots {
            self.roots.entry(name.clone()).or_default().merge(weight);
        }
        replay::merge(&mut self.replays, &other.replays);
        for (name, time) in &other.methods {
            let own = self.methods.entry(name.clone()).or_default();
            own.all.merge(&time.all);
            own.ambiguous.merge(&time.ambiguous);
            own.claimable.merge(&time.claimable);
        }
    }

    /// Share of a block in all samples, 0 to 1; see [`Weight::share_of`].
    #[must_use]
    pub fn block_share(&self, block: BlockKey) -> Estimate {
        self.share(self.blocks.get(&block))
    }

    /// Share of a method in all samples, 0 to 1, ambiguous time included.
    #[must_use]
    pub fn method_share(&self, method: &str) -> Estimate {
        self.share(self.methods.get(method).map(|time| &time.all))
    }

    /// Share of several blocks together, 0 to 1.
    #[must_use]
    pub fn share_of_blocks(&self, blocks: impl IntoIterator<Item = BlockKey>) -> Estimate {
        self.weight_of_blocks(blocks).share_of(&self.total)
    }

    /// Weight of several blocks together.
    #[must_use]
    pub fn weight_of_blocks(&self, blocks: impl IntoIterator<Item = BlockKey>) -> Weight {
        let mut sum = Weight::default();
        for weight in blocks
            .into_iter()
            .filter_map(|block| self.blocks.get(&block))
        {
            sum.merge(weight);
        }
        sum
    }

    fn share(&self, weight: Option<&Weight>) -> Estimate {
        weight.copied().unwrap_or_default().share_of(&self.total)
    }
}

fn merge_all<K: Ord + Copy>(own: &mut BTreeMap<K, Weight>, other: &BTreeMap<K, Weight>) {
    for (key, weight) in other {
        own.entry(*key).or_default().merge(weight);
    }
}

/// A map whose keys are no strings, as a list of pairs.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer};

    use super::BlockKey;
    use crate::Weight;

    pub fn serialize<S: Serializer>(
        map: &BTreeMap<BlockKey, Weight>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(map)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<BlockKey, Weight>, D::Error> {
        Ok(Vec::deserialize(deserializer)?.into_iter().collect())
    }
}
