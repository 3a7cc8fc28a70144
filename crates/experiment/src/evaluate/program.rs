//! What an evaluation keeps of one program.

use std::collections::BTreeMap;

use proofmark_divine::Environment;
use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::assess::AssessReport;
use crate::candidates::Slowdown;
use crate::divine::{DebugInfo, DivineReport, FreshResult, StaticCost};
use crate::dose::Attribution;
use crate::dose::blocks::BlockDoses;

use super::profilers::ProfilerResult;
use super::protocols::{SamplerCost, SearchDone};

/// One program of an evaluation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramResult {
    /// Its name.
    pub program: String,
    /// Why it could not be measured; none if it was.
    pub failed: Option<String>,
    /// Where its plans were made; none without one.
    #[serde(default)]
    pub environment: Option<Environment>,
    /// The slowdown instruction and who chose it; none if it was not slowed, and in documents of earlier versions.
    #[serde(default)]
    pub filler: Option<Slowdown>,
    /// Wall time, s.
    pub wall_s: f64,
    /// One plan for each target.
    pub plans: Vec<PlanResult>,
    /// How much of its machine code knows its source position; none if nothing was compiled.
    pub debug_info: Option<DebugInfo>,
    /// What profilers showed in the laboratory, controls too.
    pub profilers: Vec<ProfilerResult>,
    /// Per profiler where it reports time that was put into known methods, on the user's own JVM. Empty without sites.
    pub attribution: BTreeMap<String, Attribution>,
    /// The same for time that was put into blocks of the program's own code, in the laboratory; none if nothing was dosed
    /// there, and in documents of earlier versions.
    #[serde(default)]
    pub block_doses: Option<BlockDoses>,
    /// Parts of the assessment that were not run, with the reason.
    pub not_run: BTreeMap<String, String>,
}

/// A plan, as far as an evaluation needs it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanResult {
    /// Slowdown wanted, %.
    pub target_pct: f64,
    /// Distinct plans that were measured.
    pub plans_tried: u32,
    /// Wall time of search and evaluation, s.
    pub wall_s: f64,
    /// Overhead of the program in fresh windows, %.
    pub overhead_pct: Option<Estimate>,
    /// Pairs of windows of the evaluation, and those of them that were measured at another speed of the machine than the rest;
    /// none in documents of earlier versions.
    #[serde(default)]
    pub window_pairs: Option<u64>,
    /// See `window_pairs`.
    #[serde(default)]
    pub disturbed_pairs: Option<u64>,
    /// Overhead of the program in those of them that `overhead_pct` leaves out, %; n: pairs. None where it leaves out none, or one, and in
    /// documents of earlier versions.
    #[serde(default)]
    pub disturbed_overhead_pct: Option<Estimate>,
    /// Sets of blocks that are judged as one; of a single set the error is that of the total.
    pub judged_sets: u64,
    /// Mean absolute miss of sets as measured, weighted by time, points.
    pub set_error_pt: Option<Estimate>,
    /// What it would be if every set were on target, points.
    pub noise_pt: Option<Estimate>,
    /// Largest absolute miss of a set, points.
    pub worst_pt: Option<Estimate>,
    /// Part of the judged time in sets within 10 points of the target, %.
    pub within_10_pt_pct: Option<Estimate>,
    /// Mean absolute miss of loops, points.
    pub loop_error_pt: Option<Estimate>,
    /// Overhead of all judged code together, %. More than the target where it makes up for time that cannot be slowed; none in
    /// documents of earlier versions.
    #[serde(default)]
    pub judged_overhead_pct: Option<Estimate>,
    /// Mean absolute distance of loops from `judged_overhead_pct`, points: how unevenly they are slowed; none in documents of
    /// earlier versions.
    #[serde(default)]
    pub loop_apart_pt: Option<Estimate>,
    /// Share of the program's time that cannot be slowed, %; none in documents of earlier versions.
    #[serde(default)]
    pub outside_pct: Option<f64>,
    /// The same with its interval, by the spread from window to window; n: samples of the search's unslowed windows. None in
    /// documents of earlier versions.
    #[serde(default)]
    pub outside_share_pct: Option<Estimate>,
    /// Mean absolute miss of every block on its own, points.
    pub block_error_pt: Option<Estimate>,
    /// Share of the program's time that is judged, %.
    pub judged_pct: f64,
    /// Judged blocks: share of the program's time, %, and overhead minus target, points.
    pub misses: Vec<(f64, f64)>,
    /// How it was searched for.
    #[serde(default)]
    pub search: SearchDone,
    /// What the sampler costs the program; none in documents of earlier versions.
    #[serde(default)]
    pub sampler: Option<SamplerCost>,
    /// What static cost models say of its judged blocks; empty in documents of earlier versions.
    #[serde(default)]
    pub static_cost: Vec<StaticCost>,
    /// What the plan does in processes of their own without loaded profiles; none if that was not asked for.
    #[serde(default)]
    pub fresh: Option<FreshResult>,
}

impl ProgramResult {
    /// Of a program that was measured.
    #[must_use]
    pub fn of(program: &str, plans: &[DivineReport], judged: Option<&AssessReport>) -> Self {
        let profilers = judged.map(|report| &report.laboratory.profilers[..]);
        let doses = judged.and_then(|report| report.block_doses.as_ref());
        Self {
            program: program.to_owned(),
            failed: None,
            environment: plans.first().map(|plan| plan.environment.clone()),
            filler: judged.and_then(|report| report.filler.clone()),
            wall_s: 0.0,
            plans: plans.iter().map(PlanResult::of).collect(),
            debug_info: plans.first().and_then(|plan| plan.debug_info),
            profilers: profilers
                .unwrap_or_default()
                .iter()
                .map(|judgement| ProfilerResult::of(judgement, doses))
                .collect(),
            attribution: judged.map_or_else(BTreeMap::new, |report| report.attribution.clone()),
            block_doses: doses.cloned(),
            not_run: judged.map_or_else(BTreeMap::new, |report| report.not_run.clone()),
        }
    }

    /// With the slowdown instruction that its plans count.
    #[must_use]
    pub fn with_filler(self, filler: Option<Slowdown>) -> Self {
        Self { filler, ..self }
    }

    /// Of a program that could not be measured.
    #[must_use]
    pub fn failed(program: &str, reason: String) -> Self {
        Self {
            failed: Some(reason),
            ..Self::of(program, &[], None)
        }
    }
}

impl PlanResult {
    fn of(report: &DivineReport) -> Self {
        let judged = report.blocks.iter().filter(|row| !row.is_pool());
        let miss = |achieved: Estimate| achieved.value - report.target_pct;
        let misses =
            judged.filter_map(|row| Some((row.share_pct?, miss(row.achieved_overhead_pct?))));
        Self {
            target_pct: report.target_pct,
            plans_tried: report.plans_tried,
            wall_s: report.wall_s,
            overhead_pct: report.overhead_pct,
            window_pairs: report.window_pairs,
            disturbed_pairs: report.disturbed_pairs,
            disturbed_overhead_pct: report.disturbed_overhead_pct,
            judged_sets: report.judged_sets.unwrap_or(0),
            set_error_pt: report.block_error_raw_pt,
            noise_pt: report.block_error_noise_pt,
            worst_pt: report.block_error_worst_pt,
            within_10_pt_pct: report.within_10_pt_pct,
            loop_error_pt: report.cluster_error_pt,
            judged_overhead_pct: report.judged_overhead_pct,
            loop_apart_pt: report.cluster_apart_pt,
            outside_pct: report.outside_pct,
            outside_share_pct: report.outside_share_pct,
            block_error_pt: report.short_block_error_pt,
            judged_pct: report.coverage_pct,
            misses: misses.collect(),
            search: SearchDone::of(report),
            sampler: SamplerCost::of(report),
            static_cost: report.static_cost.clone(),
            fresh: report.fresh.clone(),
        }
    }
}
