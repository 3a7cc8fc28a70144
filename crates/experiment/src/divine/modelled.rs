//! What static cost models say of the judged blocks of a program, beside the windows that judged a plan for it.

use std::collections::HashMap;

use proofmark_blocks::{Block, BlockKey, Unit};
use proofmark_divine::{Evaluation, Round, TunableKind};

use super::report::{CostModel, Sampled, StaticCost};
use crate::lab::Lab;
use crate::select::Tunables;

/// Of every model for which there is all that it needs; `windows` are the rounds of the evaluation, and the seed of its
/// intervals.
pub(super) fn static_costs(
    lab: &dyn Lab,
    tunables: &Tunables,
    evaluation: &Evaluation,
    windows: (&[Round], u64),
) -> Vec<StaticCost> {
    let (rounds, seed) = windows;
    let seen = rounds.iter().flat_map(|round| &round.baseline);
    let seen = seen.filter(|window| window.sampled);
    let seen: Vec<&[f64]> = seen.map(|window| &window.samples[..]).collect();
    let Some(sampled) = Sampled::of(&seen, seed) else {
        return Vec::new();
    };
    let of = tunables.as_slice();
    let judged = (0..of.len()).filter(|at| of[*at].kind == TunableKind::Block);
    let blocks: Vec<Vec<usize>> = judged.map(|at| vec![at]).collect();
    let sets = evaluation.sets.iter().map(|set| set.tunables.clone());
    let sets: Vec<Vec<usize>> = sets.collect();
    let told = Told::by(lab);
    let against = |model: CostModel| {
        let costs = told.costs(tunables, model)?;
        Some(StaticCost {
            model,
            sets: sampled.compared(&costs, &sets, of),
            blocks: sampled.compared(&costs, &blocks, of),
        })
    };
    CostModel::ALL.into_iter().filter_map(against).collect()
}

/// What is known of blocks without measuring their time.
struct Told<'a> {
    units: &'a [Unit],
    executions: &'a HashMap<BlockKey, f64>,
    blocks: HashMap<BlockKey, &'a Block>,
}

impl<'a> Told<'a> {
    fn by(lab: &'a dyn Lab) -> Self {
        let units = lab.map().units();
        let key = |unit: u32, block: &Block| BlockKey {
            unit,
            block: block.id,
        };
        let blocks = (0..).zip(units).flat_map(|(number, unit)| {
            let blocks = unit.blocks.iter();
            blocks.map(move |block| (key(number, block), block))
        });
        Told {
            units,
            executions: lab.executions(),
            blocks: blocks.collect(),
        }
    }

    /// Costs of all tunables by a model; none if it knows nothing of some block.
    fn costs(&self, tunables: &Tunables, model: CostModel) -> Option<Vec<f64>> {
        let of_tunable = |at: usize| {
            let blocks = tunables.blocks(at).iter();
            blocks
                .map(|key| self.cost(*key, model))
                .sum::<Option<f64>>()
        };
        (0..tunables.as_slice().len()).map(of_tunable).collect()
    }

    fn cost(&self, key: BlockKey, model: CostModel) -> Option<f64> {
        let block = self.blocks.get(&key)?;
        let cycles = || block.cycles.map(f64::from);
        Some(match model {
            CostModel::Cycles => cycles()? * self.counted(key),
            CostModel::Expected => cycles()? * self.expected(key.unit, block)?,
            // The label at its start is no instruction.
            CostModel::Operations => {
                block.operations.len().saturating_sub(1) as f64 * self.counted(key)
            }
        })
    }

    fn counted(&self, key: BlockKey) -> f64 {
        self.executions.get(&key).copied().unwrap_or(0.0)
    }

    /// Executions by the compiler's frequencies; its first block is where a unit is entered.
    fn expected(&self, unit: u32, block: &Block) -> Option<f64> {
        let entry = self.units.get(unit as usize)?.blocks.first()?;
        let entries = self.counted(BlockKey {
            unit,
            block: entry.id,
        });
        Some(entries * block.frequency / entry.frequency.max(f64::MIN_POSITIVE))
    }
}
