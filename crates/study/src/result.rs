//! What an analysis answers; the JSON of `study analyze --format json` (schema: `docs/formats/study.schema.json`).
//!
//! Units: `_pct` percent, `_pt` points of share, `_ms` milliseconds. Every interval is a 95 % interval.

mod program;

use std::collections::BTreeMap;

use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use program::{
    Agreement, Group, MethodFigures, ModeTest, Overhead, Pair, Part, Quantity, Scatter,
    ScatterPoint,
};

/// Name and version of the format.
pub const SCHEMA: &str = "proofmark-study/1";

/// How reproducible each profiler is and how far they agree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Analysis {
    /// [`SCHEMA`].
    pub schema: String,
    /// Seed of every resampling.
    pub seed: u64,
    /// Resamples behind every interval.
    pub resamples: u64,
    /// Programs and how often each was recorded.
    pub programs: Vec<ProgramSize>,
    /// Figures per profiler, by its name.
    pub profilers: BTreeMap<String, ProfilerFigures>,
    /// Agreement per program.
    pub agreement: Vec<Agreement>,
    /// Every two profilers, and every profiler with itself.
    pub pairs: Vec<Pair>,
    /// Methods with a mean share of 1 % at least, or hottest at least once.
    pub methods: Vec<MethodFigures>,
    /// Per program, its hottest method over all profilers against run time.
    pub scatter: Vec<Scatter>,
    /// Tests for several modes.
    pub modes: Vec<ModeTest>,
    /// Overhead per program and profiler.
    pub overhead: Vec<Overhead>,
    /// Shares that depend on the flag DebugNonSafepoints, where a profiler was recorded with (`+nonsafepoints`) and without it.
    pub debug_info: Vec<FlagEffect>,
    /// What was left out or merged, in sentences.
    pub remarks: Vec<String>,
}

/// A method whose share depends on the flag DebugNonSafepoints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FlagEffect {
    /// Program.
    pub program: String,
    /// Profiler, as named without the flag.
    pub profiler: String,
    /// Method.
    pub method: String,
    /// Mean share without the flag, %.
    pub without_pct: f64,
    /// Mean share with the flag, %.
    pub with_pct: f64,
    /// With less without, points; `n` counts recordings.
    pub change_pt: Estimate,
}

/// Recordings of one program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProgramSize {
    /// Program.
    pub program: String,
    /// Number of recordings by profiler.
    pub runs: BTreeMap<String, u64>,
    /// Number of runs without profiler.
    pub unprofiled_runs: u64,
}

/// How reproducible one profiler is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProfilerFigures {
    /// Recordings.
    pub runs: u64,
    /// Methods that are in some but not all top-10 lists of a program, mean share 1 % at least; sum over programs.
    pub unstable_methods: u64,
    /// Largest difference (largest minus smallest share over the runs) of a method with a mean share of 5 % at least;
    /// null if there is none.
    pub max_difference_pt: Option<f64>,
    /// Median of these differences.
    pub median_difference_pt: Option<f64>,
    /// First quartile of these differences.
    pub lower_quartile_pt: Option<f64>,
    /// Third quartile of these differences.
    pub upper_quartile_pt: Option<f64>,
    /// These differences, ascending.
    pub differences_pt: Vec<f64>,
    /// Number of different hottest methods of a program over its runs.
    pub distinct_hottest: DistinctHottest,
    /// Intervals of the figures above; null if a program was recorded fewer than five times.
    pub intervals: Option<Intervals>,
    /// Mean over programs of the overhead; null without run times.
    pub overhead_pct: Option<Estimate>,
}

/// Number of different hottest methods.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DistinctHottest {
    /// Median over programs.
    pub median: f64,
    /// Largest over programs.
    pub max: u64,
}

/// Intervals of [`ProfilerFigures`]: what another study of as many runs would show.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Intervals {
    /// Of `unstable_methods`.
    pub unstable_methods: Interval,
    /// Of `max_difference_pt`.
    pub max_difference_pt: Interval,
    /// Of `median_difference_pt`.
    pub median_difference_pt: Interval,
    /// Of `lower_quartile_pt`.
    pub lower_quartile_pt: Interval,
    /// Of `upper_quartile_pt`.
    pub upper_quartile_pt: Interval,
    /// Of `distinct_hottest.median`.
    pub distinct_hottest_median: Interval,
    /// Of `distinct_hottest.max`.
    pub distinct_hottest_max: Interval,
}

/// A 95 % interval, in the unit of its figure.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}
