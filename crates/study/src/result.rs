//! What an analysis answers; the JSON of `study analyze --format json` (schema: `docs/formats/study.schema.json`).
//!
//! Units: `_pct` percent, `_pt` points of share, `_ms` milliseconds. Every interval is a 95 % interval.

use std::collections::BTreeMap;

use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    /// Shares that depend on the flag DebugNonSafepoints, where a profiler was recorded with (`+dns`) and without it.
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
    /// Intervals of the figures above; null if no program was recorded twice.
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

/// How far the profilers agree on one program. Overloads count as one method here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Agreement {
    /// Program.
    pub program: String,
    /// Number of different hottest methods (by mean share) over the profilers: 1 is agreement.
    pub union_hottest: u64,
    /// Interval of `union_hottest`.
    pub union_hottest_interval: Option<Interval>,
    /// Number of different methods in the five hottest (by mean share) of all profilers.
    pub union_top5: u64,
    /// Interval of `union_top5`.
    pub union_top5_interval: Option<Interval>,
    /// Profilers that name the same hottest method, largest group first.
    pub groups: Vec<Group>,
    /// Share of resamples (0 to 1) with exactly these groups.
    pub groups_support: Option<f64>,
}

/// Profilers that agree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Group {
    /// What they name as hottest.
    pub method: String,
    /// Who.
    pub profilers: Vec<String>,
}

/// Two profilers over the programs that both recorded; or one profiler with itself, one half of its runs against the
/// other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Pair {
    /// One profiler.
    pub a: String,
    /// The other.
    pub b: String,
    /// Number of programs on which they name the same hottest method; `n` counts the programs of both.
    pub same_hottest: Estimate,
    /// Sum over methods of the smaller mean share, %, mean over programs: 100 equal, 0 disjoint.
    pub overlap_pct: Estimate,
    /// Jensen-Shannon distance of the mean profiles, base 2, mean over programs: 0 equal, 1 disjoint.
    pub jensen_shannon: Estimate,
}

/// One method under one profiler.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MethodFigures {
    /// Program.
    pub program: String,
    /// Profiler.
    pub profiler: String,
    /// Method, as recordings of this profiler name it.
    pub method: String,
    /// Recordings of the program by this profiler.
    pub runs: u64,
    /// Recordings that have it among their ten hottest.
    pub listed_in: u64,
    /// Recordings in which it is the hottest.
    pub hottest_in: u64,
    /// Mean share over the recordings that tell it, %; `n` counts them.
    pub mean_pct: Estimate,
    /// Smallest share, %.
    pub min_pct: f64,
    /// Largest share, %.
    pub max_pct: f64,
    /// Largest minus smallest share; `n` counts recordings.
    pub difference_pt: Estimate,
    /// In some but not all top-10 lists, with a mean share of 1 % at least.
    pub unstable: bool,
}

/// The hottest method of a program, under all profilers, against run time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scatter {
    /// Program.
    pub program: String,
    /// The method with the largest share, mean over profilers; overloads together.
    pub method: String,
    /// One entry per recording with a known run time.
    pub points: Vec<ScatterPoint>,
}

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScatterPoint {
    /// Profiler.
    pub profiler: String,
    /// Number of the run, from 0.
    pub run: u64,
    /// Median time of an iteration, ms.
    pub iteration_ms: f64,
    /// Share of the method, %; 0 if the recording does not list it.
    pub share_pct: f64,
}

/// What is tested for several modes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// Median times of an iteration, ms.
    IterationMs,
    /// Shares of the program's hottest method, %.
    SharePct,
}

/// Dip test of one quantity over the runs of a program under one profiler: two modes mean that the program ran, or was
/// seen, in two different ways.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModeTest {
    /// Program.
    pub program: String,
    /// Profiler, or `none`.
    pub profiler: String,
    /// What is tested.
    pub quantity: Quantity,
    /// Runs.
    pub runs: u64,
    /// Hartigan's dip, 1/(2n) to 1/4.
    pub dip: f64,
    /// Probability of such a dip from one flat mode.
    pub p_value: f64,
    /// False-discovery rate at which it would count, over all tests of the study (Benjamini and Hochberg).
    pub adjusted: f64,
    /// Several modes: `adjusted` is 0.05 at most.
    pub several: bool,
    /// If there are several: mean of the lower and of the upper part where two parts fit best, and the runs in each.
    pub parts: Option<[Part; 2]>,
}

/// Runs of one mode.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// Mean, in the unit of the quantity.
    pub mean: f64,
    /// Runs.
    pub runs: u64,
}

/// What profiling costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Overhead {
    /// Program.
    pub program: String,
    /// Profiler.
    pub profiler: String,
    /// Median run (median time of an iteration) with it over the median run without, less one, %; `n` counts runs.
    pub overhead_pct: Estimate,
}

/// JSON schema of [`Analysis`] as committed in `docs/formats/study.schema.json`.
#[must_use]
pub fn study_schema() -> String {
    let schema = schemars::schema_for!(Analysis);
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}
