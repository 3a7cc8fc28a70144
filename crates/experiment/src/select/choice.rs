//! Chooses units and blocks, and pools what is too small.

use std::collections::HashMap;

use proofmark_blocks::{
    BlockCosts, BlockKey, BlockTimes, CodeMap, Weight, clusters, detectable_share,
};

use super::selection::{
    Exclusion, Member, Reason, SelectedCluster, Selection, SelectionSettings, Tunable,
};

/// Chooses what is judged from the times of baseline windows; `costs` by unit index, where executions
/// were counted.
///
/// # Accuracy
/// Whether a share is large enough is decided on its point estimate: tunables near the limit have a
/// standard error near the one wanted. Choose and judge in different windows.
#[must_use]
pub fn select(
    map: &CodeMap,
    times: &BlockTimes,
    costs: &HashMap<u32, BlockCosts>,
    settings: &SelectionSettings,
) -> Selection {
    let samples = settings.samples.unwrap_or_else(|| times.total.samples());
    let limit = detectable_share(settings.ratio, settings.standard_error, samples);
    let mut choice = Choice {
        map,
        times,
        costs,
        settings,
        limit,
        result: empty(times, limit),
    };
    choice.exclude(None, Vec::new(), Reason::OutsideOfUnits, &times.outside);
    for (unit, weight) in &times.units {
        if weight.share_of(&times.total).value < settings.unit_share {
            choice.exclude(Some(*unit), Vec::new(), Reason::SmallUnit, weight);
        } else {
            choice.add_unit(*unit);
        }
    }
    choice.finish()
}

struct Choice<'a> {
    map: &'a CodeMap,
    times: &'a BlockTimes,
    costs: &'a HashMap<u32, BlockCosts>,
    settings: &'a SelectionSettings,
    limit: f64,
    result: Selection,
}

fn empty(times: &BlockTimes, detectable_share: f64) -> Selection {
    let none = Weight::default().share_of(&times.total);
    Selection {
        units: Vec::new(),
        clusters: Vec::new(),
        tunables: Vec::new(),
        excluded: Vec::new(),
        judged: none,
        covered: none,
        detectable_share,
    }
}

impl Choice<'_> {
    fn add_unit(&mut self, unit: u32) {
        self.result.units.push(unit);
        if let Some(weight) = self.times.no_block.get(&unit) {
            self.exclude(Some(unit), Vec::new(), Reason::NoBlock, weight);
        }
        let of_unit = &self.map.units()[unit as usize];
        let found = clusters(
            of_unit,
            self.costs.get(&unit),
            self.settings.merge_below_cycles,
        );
        let mut rest = Vec::new();
        for cluster in found {
            let keys = cluster.blocks.iter().map(|block| BlockKey {
                unit,
                block: *block,
            });
            let share = self.times.share_of_blocks(keys);
            let id = index(self.result.clusters.len());
            let (alone, pooled): (Vec<Member>, Vec<Member>) = cluster
                .blocks
                .iter()
                .map(|block| {
                    self.member(BlockKey {
                        unit,
                        block: *block,
                    })
                })
                .partition(|member| member.pooled.is_none());
            self.result.clusters.push(SelectedCluster {
                unit,
                header: cluster.header,
                blocks: cluster.blocks,
                share,
            });
            for member in alone {
                self.add_tunable(unit, Some(id), vec![member]);
            }
            if self.is_detectable(&pooled) {
                self.add_tunable(unit, Some(id), pooled);
            } else {
                rest.extend(pooled);
            }
        }
        if self.is_detectable(&rest) {
            self.add_tunable(unit, None, rest);
        } else {
            let weight = self.weight(&rest);
            let blocks = rest.iter().map(|member| member.block.block).collect();
            self.exclude(Some(unit), blocks, Reason::TooFewSamples, &weight);
        }
    }

    fn member(&self, block: BlockKey) -> Member {
        let share = self.times.block_share(block);
        let cycles = self
            .costs
            .get(&block.unit)
            .and_then(|costs| costs.cycles_per_execution(block.block));
        let pooled = if share.value < self.limit {
            Some(Reason::TooFewSamples)
        } else if cycles.is_some_and(|cycles| cycles < self.settings.shortest_block_cycles) {
            Some(Reason::TooShort)
        } else {
            None
        };
        Member {
            block,
            share,
            pooled,
        }
    }

    fn is_detectable(&self, members: &[Member]) -> bool {
        !members.is_empty() && self.weight(members).share_of(&self.times.total).value >= self.limit
    }

    fn weight(&self, members: &[Member]) -> Weight {
        self.times
            .weight_of_blocks(members.iter().map(|member| member.block))
    }

    fn add_tunable(&mut self, unit: u32, cluster: Option<u32>, members: Vec<Member>) {
        let share = self.weight(&members).share_of(&self.times.total);
        let id = index(self.result.tunables.len());
        self.result.tunables.push(Tunable {
            id,
            unit,
            cluster,
            members,
            share,
        });
    }

    fn exclude(&mut self, unit: Option<u32>, blocks: Vec<u32>, reason: Reason, weight: &Weight) {
        if weight.sum > 0.0 {
            let share = weight.share_of(&self.times.total);
            self.result.excluded.push(Exclusion {
                unit,
                blocks,
                reason,
                share,
            });
        }
    }

    fn finish(mut self) -> Selection {
        let blocks = |pools: bool| {
            let tunables = self
                .result
                .tunables
                .iter()
                .filter(move |tunable| pools || !tunable.is_pool());
            tunables.flat_map(|tunable| tunable.members.iter().map(|member| member.block))
        };
        let judged = self.times.share_of_blocks(blocks(false));
        let covered = self.times.share_of_blocks(blocks(true));
        self.result
            .excluded
            .sort_by(|left, right| right.share.value.total_cmp(&left.share.value));
        Selection {
            judged,
            covered,
            ..self.result
        }
    }
}

fn index(len: usize) -> u32 {
    u32::try_from(len).expect("fewer than 2^32 tunables")
}
