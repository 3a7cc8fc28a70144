//! Figures of one program or one method.

use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Interval;

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
