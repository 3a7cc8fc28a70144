//! The JSON of `divine --format json`: flat figures for scripts, then everything behind them.

mod cost;
mod fresh;
mod resolved;
mod rows;
mod verification;

use proofmark_divine::{
    Environment, Evaluation, Outcome, PlanFile, Reason, SearchKind, Stop, Tunable, TunableKind,
};
use proofmark_rules::{NEAR_PT, TOO_WIDE_PT};
use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) use cost::Sampled;
pub use cost::{CostFigures, CostMiss, CostModel, StaticCost};
pub(super) use fresh::Process;
pub use fresh::{Agreement, Compared, ComparedRow, FreshResult};
pub use rows::{BlockRow, DebugInfo, Excluded, Resolved, Sampling, SetRow, UnitRow, WarmUp};
pub use verification::{FreshJvm, Verification};

/// Name and version of the format.
pub const DIVINE_SCHEMA: &str = "proofmark-divine/1";

/// What divining found. [`DivineReport::of_plan`] fills what a plan file holds; the search, the evaluation and the
/// laboratory add to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DivineReport {
    /// [`DIVINE_SCHEMA`].
    pub schema: String,
    /// Workload.
    pub workload: String,
    /// Slowdown wanted, % of the baseline time.
    pub target_pct: f64,
    /// Machine and versions.
    pub environment: Environment,
    /// Where the plan file is; none if it was not written.
    pub plan_path: Option<String>,
    /// Distinct plans that were measured.
    pub plans_tried: u32,
    /// Wall time of the search in a laboratory that is ready, evaluation included, s.
    pub wall_s: f64,
    /// Wall time until the search's last round was measured, s; none if the plan was read from a file.
    #[serde(default)]
    pub search_s: Option<f64>,
    /// How the plan was searched for.
    #[serde(default)]
    pub search: SearchKind,
    /// Rounds of the search; none if the plan was read from a file.
    pub rounds: Option<u32>,
    /// Why the search ended; none if the plan was read from a file.
    pub stop: Option<Stop>,
    /// Overhead of the program, %; n: pairs of interleaved windows.
    pub overhead_pct: Option<Estimate>,
    /// Overhead under an earlier plan that was evaluated too, was off, and was searched on from, %; none if there was none.
    #[serde(default)]
    pub rejected_overhead_pct: Option<Estimate>,
    /// Pairs of windows of the evaluation; none in documents of earlier versions.
    #[serde(default)]
    pub window_pairs: Option<u64>,
    /// Those of them that were measured while the machine was faster or slower than usual. They do not count where
    /// six others of their kind are left. Earlier versions: while it was slower than at its fastest.
    #[serde(default)]
    pub disturbed_pairs: Option<u64>,
    /// Overhead of the program in those of them that `overhead_pct` leaves out, %; n: pairs. None where it leaves out none, or one, and in
    /// documents of earlier versions.
    #[serde(default)]
    pub disturbed_overhead_pct: Option<Estimate>,
    /// How much longer an iteration of the unslowed program takes while it is sampled, at the rate of `sampling`, %; n: rounds
    /// of the evaluation. None in documents of earlier versions.
    #[serde(default)]
    pub sampler_pct: Option<Estimate>,
    /// Sets of blocks that are judged; of a single set the error is that of the total. None in documents of earlier
    /// versions, whose errors other than `block_error_raw_pt` have the noise removed.
    #[serde(default)]
    pub judged_sets: Option<u64>,
    /// Mean absolute miss of the judged sets as measured, weighted by time, points; interval for the true one; n: pairs of
    /// windows.
    pub block_error_pt: Option<Estimate>,
    /// The same.
    pub block_error_raw_pt: Option<Estimate>,
    /// What it would be if every set were on target, points; interval: where it then would be in 95 % of evaluations.
    pub block_error_noise_pt: Option<Estimate>,
    /// The mean with the measuring noise removed, points; none below 20 sets.
    #[serde(default)]
    pub block_error_denoised_pt: Option<Estimate>,
    /// Largest absolute miss of a judged set as measured, points.
    #[serde(default)]
    pub block_error_worst_pt: Option<Estimate>,
    /// As `block_error_pt`, with every block on its own, also those that are judged together.
    #[serde(default)]
    pub short_block_error_pt: Option<Estimate>,
    /// As `block_error_noise_pt`, with every block on its own.
    #[serde(default)]
    pub short_block_error_noise_pt: Option<Estimate>,
    /// Loop clusters with judged blocks.
    #[serde(default)]
    pub judged_loops: Option<u64>,
    /// As `block_error_pt`, per loop cluster.
    pub cluster_error_pt: Option<Estimate>,
    /// As `block_error_noise_pt`, per loop cluster.
    #[serde(default)]
    pub cluster_error_noise_pt: Option<Estimate>,
    /// Overhead of all judged code together, %; n: slowed samples. More than the target where it makes up for time that cannot
    /// be slowed. None in documents of earlier versions.
    #[serde(default)]
    pub judged_overhead_pct: Option<Estimate>,
    /// Mean absolute distance of the loops from `judged_overhead_pct`, weighted by time, points: how unevenly they are slowed.
    /// None in documents of earlier versions.
    #[serde(default)]
    pub cluster_apart_pt: Option<Estimate>,
    /// Part of the judged time in sets within 10 points of the target, as measured, %.
    pub within_10_pt_pct: Option<Estimate>,
    /// Share of the program's baseline time in judged blocks, %.
    pub coverage_pct: f64,
    /// Share of the baseline time that cannot be slowed, %.
    pub outside_pct: Option<f64>,
    /// The same with its interval, by the spread from window to window; n: samples of the search's unslowed windows. None in
    /// documents of earlier versions.
    #[serde(default)]
    pub outside_share_pct: Option<Estimate>,
    /// What the blocks were brought to, %: more than the target where some time cannot be slowed.
    pub aim_pct: Option<f64>,
    /// Blocks of machine code that are judged, alone or in a set.
    pub judged_blocks: u64,
    /// Blocks that are too small, slowed together and not judged.
    pub pooled_blocks: u64,
    /// Compilation units, in the order of the plan.
    pub units: Vec<UnitRow>,
    /// Judged blocks and pools, largest share first (in the order of the plan if shares are not known).
    pub blocks: Vec<BlockRow>,
    /// What this machine can resolve; none if the plan was read from a file.
    #[serde(default)]
    pub resolution: Option<Resolved>,
    /// What was judged as one, largest share first. Empty if the plan was read from a file.
    #[serde(default)]
    pub sets: Vec<SetRow>,
    /// What is neither judged nor pooled, and why.
    pub excluded: Vec<Excluded>,
    /// How it was sampled, and what was lost; none if the plan was read from a file.
    pub sampling: Option<Sampling>,
    /// In what state the program was measured; none if the plan was read from a file.
    pub warm_up: Option<WarmUp>,
    /// How much of the units' machine code knows its source position; none if the plan was read from a file.
    #[serde(default)]
    pub debug_info: Option<DebugInfo>,
    /// What static cost models say of the judged blocks, beside what was measured. Empty if the plan was read from a file, and
    /// in documents of earlier versions.
    #[serde(default)]
    pub static_cost: Vec<StaticCost>,
    /// What the plan does in fresh JVMs; none if that was not asked for.
    #[serde(default)]
    pub verification: Option<Verification>,
    /// What the plan does in processes of their own without loaded profiles; none if that was not asked for.
    #[serde(default)]
    pub fresh: Option<FreshResult>,
}

impl DivineReport {
    /// What a plan file says.
    #[must_use]
    pub fn of_plan(plan: &PlanFile) -> Self {
        let units: Vec<UnitRow> = plan.units.iter().map(unit_row).collect();
        Self {
            schema: DIVINE_SCHEMA.into(),
            workload: plan.workload.clone(),
            target_pct: plan.target_pct,
            environment: plan.environment.clone(),
            plan_path: None,
            plans_tried: plan.plans_tried,
            wall_s: plan.wall_s,
            search: SearchKind::default(),
            search_s: None,
            rounds: None,
            stop: None,
            overhead_pct: plan.overhead_pct,
            rejected_overhead_pct: None,
            window_pairs: None,
            disturbed_pairs: None,
            disturbed_overhead_pct: None,
            sampler_pct: None,
            judged_sets: plan.judged_sets,
            block_error_pt: plan.block_error_pt,
            block_error_raw_pt: plan.block_error_raw_pt,
            block_error_noise_pt: plan.block_error_noise_pt,
            block_error_denoised_pt: plan.block_error_denoised_pt,
            block_error_worst_pt: plan.block_error_worst_pt,
            short_block_error_pt: plan.short_block_error_pt,
            short_block_error_noise_pt: plan.short_block_error_noise_pt,
            judged_loops: plan.judged_loops,
            cluster_error_pt: plan.cluster_error_pt,
            cluster_error_noise_pt: plan.cluster_error_noise_pt,
            judged_overhead_pct: None,
            cluster_apart_pt: None,
            within_10_pt_pct: plan.within_10_pt_pct,
            coverage_pct: plan.coverage_pct,
            outside_pct: None,
            outside_share_pct: None,
            aim_pct: None,
            judged_blocks: units.iter().map(|u| u.judged).sum(),
            pooled_blocks: units.iter().map(|u| u.pooled).sum(),
            units,
            blocks: plan.units.iter().flat_map(block_rows).collect(),
            resolution: None,
            sets: Vec::new(),
            excluded: Vec::new(),
            sampling: None,
            warm_up: None,
            debug_info: None,
            static_cost: Vec::new(),
            verification: None,
            fresh: None,
        }
    }

    /// Adds what the search knows; `tunables` are those that it searched over.
    #[must_use]
    pub fn with_search(mut self, tunables: &[Tunable], outcome: &Outcome) -> Self {
        self.rounds = Some(outcome.rounds);
        self.stop = Some(outcome.stop);
        self.outside_pct = Some(outcome.outside_pct);
        self.outside_share_pct = outcome.outside_share_pct;
        self.aim_pct = Some(outcome.aim_pct);
        for (tunable, found) in tunables.iter().zip(&outcome.tunables) {
            let row = self.row(tunable);
            row.share_pct = Some(found.share_pct);
            row.count = found.count;
            row.cycles = (tunable.kind == TunableKind::Block).then_some(found.cycles);
            row.reason = found.reason;
        }
        self.sort_blocks();
        self
    }

    /// Adds what fresh windows say; `tunables` are those that were evaluated.
    #[must_use]
    pub fn with_evaluation(mut self, tunables: &[Tunable], evaluation: &Evaluation) -> Self {
        self.overhead_pct = Some(evaluation.overhead_pct);
        self.window_pairs = Some(evaluation.window_pairs);
        self.disturbed_pairs = Some(evaluation.disturbed_pairs);
        self.disturbed_overhead_pct = evaluation.disturbed_overhead_pct;
        self.sampler_pct = evaluation.sampler_pct;
        self.judged_sets = Some(evaluation.judged_sets);
        self.block_error_pt = Some(evaluation.block_error_pt);
        self.block_error_raw_pt = Some(evaluation.block_error_pt);
        self.block_error_noise_pt = Some(evaluation.block_error_noise_pt);
        self.block_error_denoised_pt = evaluation.block_error_denoised_pt;
        self.block_error_worst_pt = Some(evaluation.block_error_worst_pt);
        self.short_block_error_pt = Some(evaluation.short_block_error_pt);
        self.short_block_error_noise_pt = Some(evaluation.short_block_error_noise_pt);
        self.judged_loops = Some(evaluation.judged_loops);
        self.cluster_error_pt = Some(evaluation.cluster_error_pt);
        self.cluster_error_noise_pt = Some(evaluation.cluster_error_noise_pt);
        self.judged_overhead_pct = evaluation.judged_overhead_pct;
        self.cluster_apart_pt = evaluation.cluster_apart_pt;
        self.within_10_pt_pct = Some(evaluation.within_10_pt_pct);
        self.coverage_pct = evaluation.coverage_pct;
        let target_pct = self.target_pct;
        for (tunable, found) in tunables.iter().zip(&evaluation.tunables) {
            let row = self.row(tunable);
            row.share_pct = Some(found.share_pct);
            row.achieved_overhead_pct = found.achieved_overhead_pct;
            row.reason = seen(row.reason, found.achieved_overhead_pct, target_pct);
        }
        self.sort_blocks();
        self
    }

    /// Row of a tunable, made if the plan does not list it.
    fn row(&mut self, tunable: &Tunable) -> &mut BlockRow {
        let pooled = tunable.kind == TunableKind::Pool;
        let known = self.blocks.iter().position(|row| {
            row.unit == tunable.unit
                && row.block == tunable.block
                && (row.reason == Reason::Pooled) == pooled
        });
        let at = known.unwrap_or_else(|| {
            self.blocks.push(BlockRow {
                unit: tunable.unit.clone(),
                block: tunable.block,
                cluster: None,
                group: None,
                blocks: None,
                cycles: None,
                share_pct: None,
                count: 0,
                achieved_overhead_pct: None,
                reason: if pooled {
                    Reason::Pooled
                } else {
                    Reason::OffTarget
                },
            });
            self.blocks.len() - 1
        });
        self.blocks[at].cluster = Some(tunable.cluster);
        self.blocks[at].group = tunable.group;
        &mut self.blocks[at]
    }

    fn sort_blocks(&mut self) {
        let share = |row: &BlockRow| row.share_pct.unwrap_or(0.0);
        self.blocks.sort_by(|a, b| share(b).total_cmp(&share(a)));
    }
}

/// What the interval in fresh windows says of the target, give or take [`NEAR_PT`], where the search gave no other
/// reason.
pub fn seen(reason: Reason, achieved: Option<Estimate>, target_pct: f64) -> Reason {
    let (Reason::OnTarget | Reason::OffTarget, Some(achieved)) = (reason, achieved) else {
        return reason;
    };
    let near = achieved.low <= target_pct + NEAR_PT && achieved.high >= target_pct - NEAR_PT;
    match near {
        true if achieved.high - achieved.low > 4.0 * TOO_WIDE_PT => Reason::TooSmall,
        true => Reason::OnTarget,
        false => Reason::OffTarget,
    }
}

fn unit_row(unit: &proofmark_divine::PlanUnit) -> UnitRow {
    UnitRow {
        name: unit.name.clone(),
        signature: unit.signature.clone(),
        judged: unit.blocks.len() as u64,
        pooled: unit.pooled.len() as u64,
    }
}

fn block_rows(unit: &proofmark_divine::PlanUnit) -> impl Iterator<Item = BlockRow> {
    unit.blocks.iter().map(|(id, block)| BlockRow {
        unit: unit.name.clone(),
        block: *id,
        cluster: None,
        group: None,
        blocks: None,
        cycles: None,
        share_pct: None,
        count: block.count,
        achieved_overhead_pct: block.achieved_overhead_pct,
        reason: block.reason,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_that_is_shown_decides_what_is_said() {
        let seen = |reason, low: f64, high: f64| {
            let value = (low + high) / 2.0;
            let achieved = Estimate {
                value,
                low,
                high,
                n: 9,
            };
            super::seen(reason, Some(achieved), 100.0)
        };
        assert_eq!(seen(Reason::OffTarget, 85.0, 120.0), Reason::OnTarget);
        assert_eq!(seen(Reason::OnTarget, 108.0, 152.0), Reason::OnTarget);
        assert_eq!(seen(Reason::OnTarget, 111.0, 152.0), Reason::OffTarget);
        assert_eq!(seen(Reason::OnTarget, 60.0, 89.0), Reason::OffTarget);
        assert_eq!(seen(Reason::OnTarget, -900.0, 900.0), Reason::TooSmall);
        assert_eq!(seen(Reason::Coarse, 111.0, 152.0), Reason::Coarse);
        assert_eq!(super::seen(Reason::OnTarget, None, 100.0), Reason::OnTarget);
    }
}
