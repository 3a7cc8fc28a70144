//! What an evaluation keeps of one program.

use std::collections::BTreeMap;

use proofmark_assess::{Condition, Judgement, MethodShares, Role, SingleTest, Verdict};
use proofmark_divine::Environment;
use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::assess::AssessReport;
use crate::candidates::Slowdown;
use crate::divine::{DebugInfo, DivineReport, FreshResult, StaticCost};
use crate::dose::Attribution;

use super::protocols::{SamplerCost, SearchDone};

/// Hottest methods of a profiler that are compared, as in the published study.
const TOP: usize = 5;

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
    /// Pairs of windows of the evaluation, and those of them that were measured while the machine was disturbed; none in
    /// documents of earlier versions.
    #[serde(default)]
    pub window_pairs: Option<u64>,
    /// See `window_pairs`.
    #[serde(default)]
    pub disturbed_pairs: Option<u64>,
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

/// What one profiler showed in the laboratory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProfilerResult {
    /// Its name.
    pub name: String,
    /// Whether it is under test or a control.
    pub role: Role,
    /// Verdict of the laboratory.
    pub verdict: Verdict,
    /// Per uniform slowdown the hottest methods, normal and slowed.
    pub top: Vec<Finding>,
    /// Blocks of one method that were slowed alone.
    pub singles: Vec<SingleResult>,
}

/// Shares of the hottest methods under a uniform slowdown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The slowdown, %.
    pub target_pct: u32,
    /// The hottest methods, hottest first.
    pub methods: Vec<MethodPair>,
    /// Those whose share moved by more than 5 points.
    pub off_by_5_pt: u64,
    /// Those of them that are still off once it is taken into account how far their blocks were really slowed.
    pub off_by_5_pt_corrected: u64,
}

/// A method's share in a profile, with nothing slowed and with everything slowed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MethodPair {
    /// The method.
    pub method: String,
    /// Share with nothing slowed, %.
    pub normal_pct: Estimate,
    /// Share with everything slowed, %.
    pub slowed_pct: Estimate,
}

/// Blocks of one method that were slowed alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SingleResult {
    /// What was slowed.
    pub label: String,
    /// The method that owns it.
    pub method: String,
    /// Time that was added, % of the program's.
    pub added_pct: Estimate,
    /// Share of the method before, %.
    pub before_pct: Estimate,
    /// Share of the method after, %.
    pub after_pct: Estimate,
    /// What its share ought to have gained, points.
    pub predicted_pt: Estimate,
    /// What it gained beyond that, points.
    pub error_pt: Estimate,
    /// Whether the profiler showed the method at all when it was slowed.
    pub detected: bool,
    /// Whether our own samples agree with the clock about it; else it says nothing about a profiler.
    pub counts: bool,
}

impl ProgramResult {
    /// Of a program that was measured.
    #[must_use]
    pub fn of(program: &str, plans: &[DivineReport], judged: Option<&AssessReport>) -> Self {
        let profilers = judged.map(|report| &report.laboratory.profilers[..]);
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
                .map(ProfilerResult::of)
                .collect(),
            attribution: judged.map_or_else(BTreeMap::new, |report| report.attribution.clone()),
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
            judged_sets: report.judged_sets.unwrap_or(0),
            set_error_pt: report.block_error_raw_pt,
            noise_pt: report.block_error_noise_pt,
            worst_pt: report.block_error_worst_pt,
            within_10_pt_pct: report.within_10_pt_pct,
            loop_error_pt: report.cluster_error_pt,
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

impl ProfilerResult {
    fn of(judgement: &Judgement) -> Self {
        let tests = &judgement.tests;
        let top = tests.uniform.iter().map(|test| Finding {
            target_pct: test.target_pct,
            methods: hottest(&judgement.shares, test.target_pct),
            off_by_5_pt: test.off_by_5_pt as u64,
            off_by_5_pt_corrected: test.off_by_5_pt_corrected as u64,
        });
        Self {
            name: judgement.name.clone(),
            role: judgement.role,
            verdict: judgement.verdict,
            top: top.collect(),
            singles: tests.single.iter().map(SingleResult::of).collect(),
        }
    }
}

impl SingleResult {
    fn of(test: &SingleTest) -> Self {
        Self {
            label: test.label.clone(),
            method: test.owner.clone(),
            added_pct: test.added_pct,
            before_pct: test.before_pct,
            after_pct: test.after_pct,
            predicted_pt: test.predicted_pt,
            error_pt: test.target_error_pt,
            detected: test.detected_after,
            counts: test.counts,
        }
    }
}

/// The methods that the profiler shows hottest with nothing slowed.
fn hottest(shares: &[MethodShares], target_pct: u32) -> Vec<MethodPair> {
    let share = |method: &MethodShares, condition: Condition| {
        let of = method.by_condition.iter();
        let mut of = of.filter(|one| one.condition == condition);
        of.find_map(|one| one.profiler_pct)
    };
    let pair = |method: &MethodShares| {
        Some(MethodPair {
            method: method.method.clone(),
            normal_pct: share(method, Condition::Baseline)?,
            slowed_pct: share(method, Condition::Uniform(target_pct))?,
        })
    };
    let mut pairs: Vec<MethodPair> = shares.iter().filter_map(pair).collect();
    pairs.sort_by(|a, b| b.normal_pct.value.total_cmp(&a.normal_pct.value));
    pairs.truncate(TOP);
    pairs
}
