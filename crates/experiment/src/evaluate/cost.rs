//! Static cost models over programs: how much of the time is where the compiler believes it to be.

use proofmark_stats::{Estimate, pseudomedian};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::program::ProgramResult;
use crate::divine::{CostFigures, CostMiss, CostModel, StaticCost};

/// A static cost model over all programs. Nothing slowed: each program counts once, whatever it was slowed by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StaticCosts {
    /// The model.
    pub model: CostModel,
    /// Programs of which it says something.
    pub programs: u64,
    /// Those with more than one set of blocks that can be told apart: of these are all figures but `block_overlap_pct`.
    pub with_sets: u64,
    /// Typical overlap of sets (pseudo-median over programs), %.
    pub overlap_pct: Option<Estimate>,
    /// Typical correlation of their shares.
    pub correlation: Option<Estimate>,
    /// Typical part of the time in sets whose share is missed by more than 5 points, %.
    pub off_by_5_pt_pct: Option<Estimate>,
    /// Typical overlap of blocks, each on its own, %.
    pub block_overlap_pct: Option<Estimate>,
    /// The program with the set whose share is missed most, and that set.
    pub worst: Option<(String, CostMiss)>,
}

impl StaticCosts {
    /// Over all programs; none if the model says nothing of any.
    #[must_use]
    pub fn of(programs: &[ProgramResult], model: CostModel) -> Option<Self> {
        let all: Vec<(&str, &StaticCost)> = programs
            .iter()
            .filter_map(|program| Some((program.program.as_str(), of_program(program, model)?)))
            .collect();
        let sets = || {
            let sets = all.iter().copied();
            sets.filter_map(|(name, cost)| Some((name, cost.sets.as_ref()?)))
        };
        let typical = |of: &dyn Fn(&CostFigures) -> Option<f64>| {
            pseudomedian(&sets().filter_map(|(_, cost)| of(cost)).collect::<Vec<_>>())
        };
        let blocks = all.iter().filter_map(|(_, cost)| cost.blocks.as_ref());
        let blocks: Vec<f64> = blocks.map(|cost| cost.overlap_pct.value).collect();
        let off = |cost: &CostFigures| cost.worst.off_pt().abs();
        let worst = sets().max_by(|a, b| off(a.1).total_cmp(&off(b.1)));
        (!all.is_empty()).then(|| Self {
            model,
            programs: all.len() as u64,
            with_sets: sets().count() as u64,
            overlap_pct: typical(&|cost| Some(cost.overlap_pct.value)),
            correlation: typical(&|cost| Some(cost.correlation?.value)),
            off_by_5_pt_pct: typical(&|cost| Some(cost.off_by_5_pt_pct.value)),
            block_overlap_pct: pseudomedian(&blocks),
            worst: worst.map(|(name, cost)| (name.to_owned(), cost.worst.clone())),
        })
    }
}

/// What the model says of a program, beside the windows of its first plan.
fn of_program(program: &ProgramResult, model: CostModel) -> Option<&StaticCost> {
    let mut costs = program.plans.iter().flat_map(|plan| &plan.static_cost);
    costs.find(|cost| cost.model == model)
}
