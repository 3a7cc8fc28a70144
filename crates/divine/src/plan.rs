//! The plan file: what was found, for which code, and how well it does (JSON, committed schema
//! `docs/formats/plan.schema.json`).

use std::collections::BTreeMap;

use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Reason;
use crate::published::is_published;

/// Name and version of the form of plans.
pub const PLAN_SCHEMA: &str = "proofmark-plan/2";
/// The name alone.
const NAME: &str = "proofmark-plan";
/// The version alone.
const VERSION: u64 = 2;

/// Most slowdown instructions of a block; the search never comes near it, and a compiler that gets many more does not end.
pub const MOST_INSTRUCTIONS: u32 = 100_000;

/// A plan with its origin and quality.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanFile {
    /// [`PLAN_SCHEMA`].
    pub schema: String,
    /// Workload it was made for.
    pub workload: String,
    /// Slowdown wanted, % of the baseline time.
    pub target_pct: f64,
    /// Where it was made; a plan holds for that only.
    pub environment: Environment,
    /// The slowdown instruction whose counts these are; plans of earlier versions are all of `mov`.
    #[serde(default = "mov", skip_serializing_if = "is_mov")]
    pub instruction: String,
    /// Units with their blocks.
    pub units: Vec<PlanUnit>,
    /// Share of the program's baseline time in judged blocks, %.
    pub coverage_pct: f64,
    /// Distinct plans that were measured to find this one.
    pub plans_tried: u32,
    /// Wall time from start to plan, evaluation included, s.
    pub wall_s: f64,
    /// Overhead of the program, %; n: pairs of interleaved windows.
    pub overhead_pct: Option<Estimate>,
    /// Sets of blocks that are judged. None in plans of earlier versions, whose errors other than `block_error_raw_pt`
    /// have the noise removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged_sets: Option<u64>,
    /// Mean absolute miss of the judged sets as measured, weighted by time, points.
    pub block_error_pt: Option<Estimate>,
    /// The same.
    pub block_error_raw_pt: Option<Estimate>,
    /// What it would be if every set were on target, points.
    pub block_error_noise_pt: Option<Estimate>,
    /// The mean with the measuring noise removed, points; none below 20 sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_error_denoised_pt: Option<Estimate>,
    /// Largest absolute miss of a judged set as measured, points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_error_worst_pt: Option<Estimate>,
    /// As `block_error_pt`, with every block on its own, also those that are judged together.
    #[serde(default)]
    pub short_block_error_pt: Option<Estimate>,
    /// As `block_error_noise_pt`, with every block on its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short_block_error_noise_pt: Option<Estimate>,
    /// Loop clusters with judged blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged_loops: Option<u64>,
    /// As `block_error_pt`, per loop cluster.
    pub cluster_error_pt: Option<Estimate>,
    /// As `block_error_noise_pt`, per loop cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster_error_noise_pt: Option<Estimate>,
    /// Part of the judged time in sets within 10 points of the target, as measured, %.
    pub within_10_pt_pct: Option<Estimate>,
}

fn mov() -> String {
    "mov".into()
}

fn is_mov(name: &str) -> bool {
    name == mov()
}

/// Machine and versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Environment {
    /// Processor with its family and model (left out in documents of earlier versions), number of processors, kernel.
    pub machine: String,
    /// JDK vendor and version.
    pub jdk: String,
    /// Graal version.
    pub graal: String,
    /// Event that was sampled, for example `cpu-clock`.
    pub event: String,
}

/// Counts of a compilation unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanUnit {
    /// Root method.
    pub name: String,
    /// Structural signature before any insertion; the counts mean nothing for another one.
    pub signature: String,
    /// Judged blocks by id.
    pub blocks: BTreeMap<u32, PlanBlock>,
    /// Counts of the blocks that are too small to be judged, by id.
    pub pooled: BTreeMap<u32, u32>,
}

/// Count of a judged block and what it did.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanBlock {
    /// Slowdown instructions.
    pub count: u32,
    /// Slowdown achieved in fresh windows, % of the block's baseline time; n: slowed samples.
    pub achieved_overhead_pct: Option<Estimate>,
    /// What became of it.
    pub reason: Reason,
}

/// Why a file is no plan.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// Not JSON at all, or cut off.
    #[error(
        "not a plan file: {0}. The file is damaged or cut off; make it again with `proofmark divine`"
    )]
    NotJson(serde_json::Error),
    /// JSON of something else.
    #[error(
        "not a plan file: it has no \"schema\": \"{PLAN_SCHEMA}\". Give the file that `proofmark divine` wrote"
    )]
    Foreign,
    /// A published slowdown file.
    #[error(
        "a published slowdown file (unit -> \"<block> (Vtune Block <n>)\" -> count), not a plan: its block numbers belong to another compiler build. Make a plan for this machine with `proofmark divine`"
    )]
    Published,
    /// Written by another version.
    #[error(
        "plan format version {0}, this program reads versions up to {VERSION}. Use the Proofmark that wrote it, or make it again with `proofmark divine`"
    )]
    Version(u64),
    /// The right format with a wrong field.
    #[error(
        "damaged plan file: {0}. Undo the change to the file or make it again with `proofmark divine`"
    )]
    Damaged(serde_json::Error),
    /// Fields that cannot be true.
    #[error(
        "damaged plan file: {0}. Undo the change to the file or make it again with `proofmark divine`"
    )]
    Impossible(String),
}

impl PlanFile {
    /// The file's text: JSON, two spaces, newline at the end.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// Reads a plan file, also one of the first version.
///
/// # Errors
/// Says what is wrong with the file and what to do.
pub fn read_plan(text: &str) -> Result<PlanFile, PlanError> {
    let value: Value = serde_json::from_str(text).map_err(PlanError::NotJson)?;
    let plan: Result<PlanFile, serde_json::Error> = match version(&value) {
        // From the text, not from the value: the message then has line and column.
        Some(VERSION) => serde_json::from_str(text),
        Some(1) => serde_json::from_value(of_first(value)),
        Some(other) => return Err(PlanError::Version(other)),
        None if is_published(&value) => return Err(PlanError::Published),
        None => return Err(PlanError::Foreign),
    };
    let plan = plan.map_err(PlanError::Damaged)?;
    check(&plan).map_err(PlanError::Impossible)?;
    Ok(plan)
}

/// Version of a plan's form; none if it is no plan. The first one has the name in `format` and the number in `version`.
fn version(plan: &Value) -> Option<u64> {
    if plan.get("format").and_then(Value::as_str) == Some(NAME) {
        return plan.get("version").map_or(Some(1), Value::as_u64);
    }
    let schema = plan.get("schema").and_then(Value::as_str)?;
    schema.strip_prefix(NAME)?.strip_prefix('/')?.parse().ok()
}

/// A plan of the first version as it is written now.
fn of_first(mut plan: Value) -> Value {
    if let Some(fields) = plan.as_object_mut() {
        fields.remove("format");
        fields.remove("version");
        fields.insert("schema".into(), PLAN_SCHEMA.into());
    }
    plan
}

fn check(plan: &PlanFile) -> Result<(), String> {
    if plan.target_pct.is_nan() || plan.target_pct <= 0.0 {
        return Err(format!("target of {} %", plan.target_pct));
    }
    for (i, unit) in plan.units.iter().enumerate() {
        if unit.signature.is_empty() {
            return Err(format!("unit {} has no signature", unit.name));
        }
        if plan.units[..i].iter().any(|other| other.name == unit.name) {
            return Err(format!("unit {} appears twice", unit.name));
        }
        let judged = unit.blocks.iter().map(|(id, block)| (id, block.count));
        let pooled = unit.pooled.iter().map(|(id, count)| (id, *count));
        let mut all = judged.chain(pooled);
        if let Some((id, count)) = all.find(|(_, count)| *count > MOST_INSTRUCTIONS) {
            return Err(format!(
                "block {id} of {} is to get {count} instructions, more than {MOST_INSTRUCTIONS}",
                unit.name
            ));
        }
        if let Some(id) = unit.pooled.keys().find(|id| unit.blocks.contains_key(id)) {
            return Err(format!(
                "block {id} of {} is both judged and pooled",
                unit.name
            ));
        }
    }
    Ok(())
}
