//! The JSON of `events diff` and `events cost`.

use proofmark_divine::Environment;
use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Differences, Factors, Uncounted};

/// Name and version of the format.
pub const EVENTS_DIFF_SCHEMA: &str = "proofmark-events-diff/1";
/// Name and version of the format.
pub const EVENTS_COST_SCHEMA: &str = "proofmark-events-cost/2";

/// Two compiler configurations compared by what their code does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventsDiff {
    /// [`EVENTS_DIFF_SCHEMA`].
    pub schema: String,
    /// Workload.
    pub workload: String,
    /// Machine and versions.
    pub environment: Environment,
    /// Runs of the program (calls of its `main`) in a measured iteration, the same in all JVMs: short ones are measured
    /// together.
    pub runs_per_iteration: u64,
    /// The first configuration.
    pub a: Configuration,
    /// The second one.
    pub b: Configuration,
    /// CPU time of a run of the program without counting, second over first configuration; n: pairs of JVMs.
    pub run_time_ratio: Option<Estimate>,
    /// Metrics that differ.
    pub differences: Differences,
    /// Metrics that a JVM did not deliver and other remarks.
    pub remarks: Vec<String>,
}

/// One compiler configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Configuration {
    /// Options of the JVM besides those of every laboratory.
    pub jvm_options: Vec<String>,
    /// CPU time of a run of the program without counting, ms; n: JVMs.
    pub iteration_ms: Option<Estimate>,
    /// Part of the time outside of Graal's code, %, mean of the JVMs; none if not measured.
    pub outside_time_pct: Option<f64>,
    /// Executions of blocks in counted units among those in all units of Graal's code, %, lowest of the JVMs; none if
    /// not known.
    pub graal_blocks_pct: Option<f64>,
    /// Code of Graal's that one of the JVMs executed and did not count, each unit with its largest parts in any of them, the
    /// largest first; empty where nothing can be sampled, and in documents of earlier versions.
    #[serde(default)]
    pub uncounted: Vec<Uncounted>,
}

/// What counting costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventsCost {
    /// [`EVENTS_COST_SCHEMA`].
    pub schema: String,
    /// Machine and versions.
    pub environment: Environment,
    /// Rounds: installations of every way of counting in each program.
    pub rounds: u32,
    /// One per way of counting.
    pub rows: Vec<Factors>,
    /// Lowest share of executed blocks in counted units over the programs, %, with its program.
    pub least_coverage_pct: Option<(String, f64)>,
    /// Programs that could not be measured, each with its reason.
    pub failed: Vec<String>,
}
