//! What comparisons say, as it is written to JSON.

use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Name and version of the form of [`Comparison`].
pub const COMPARISON_SCHEMA: &str = "proofmark-count-comparison/1";
/// Name and version of the form of [`TimeComparison`]; the first version had the name of the other one.
pub const TIME_COMPARISON_SCHEMA: &str = "proofmark-count-time-comparison/2";

/// A figure of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Pair {
    /// In A.
    pub a: u64,
    /// In B.
    pub b: u64,
}

/// A total of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    /// In A.
    pub a: u64,
    /// In B.
    pub b: u64,
    /// `(b - a) / a`, %; null where A has none.
    pub relative_error_pct: Option<f64>,
}

/// Two profiles of counted bytecodes; A is the reference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// [`COMPARISON_SCHEMA`].
    pub schema: String,
    /// Sum over calling contexts of the smaller of the two shares, %. 100 for equal profiles.
    pub overlap_pct: f64,
    /// The same over methods, without their callers, %.
    pub method_overlap_pct: f64,
    /// Bytecodes of all threads.
    pub bytecodes: Totals,
    /// Samples (0 in exact mode).
    pub samples: Pair,
    /// Calling contexts.
    pub contexts: Contexts,
    /// Share of A's bytecodes in contexts that B has too, % (0 to 100).
    pub coverage: f64,
    /// Where they begin to differ; null if no count differs, or if they were counted in different ways.
    #[serde(default)]
    pub first_difference: Option<FirstDifference>,
    /// Every method of either side, largest difference of shares first.
    pub methods: Vec<MethodRow>,
    /// What cannot be known or is odd, in sentences.
    pub remarks: Vec<String>,
}

/// Sizes of two profiles.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Contexts {
    /// In A.
    pub a: u64,
    /// In B.
    pub b: u64,
    /// In both.
    pub common: u64,
    /// B's contexts by A's, %: the relative profile size; null where A has none.
    pub relative_size_pct: Option<f64>,
}

/// Where two profiles of the same settings begin to differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FirstDifference {
    /// The method whose own bytecodes differ, nearest to the root of the calls.
    pub method: String,
    /// Its callers, from the root.
    pub callers: Vec<String>,
    /// Its own bytecodes below these callers.
    pub bytecodes: Pair,
    /// Contexts whose own bytecodes differ, this one included.
    pub contexts: u64,
}

/// A method in two profiles of counted bytecodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MethodRow {
    /// `com.acme.Main.run(I)V`.
    pub method: String,
    /// Own bytecodes.
    pub bytecodes: Pair,
    /// Share of own bytecodes in A, %.
    pub a_pct: f64,
    /// The same in B, %.
    pub b_pct: f64,
}

/// Counted bytecodes against a time profile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TimeComparison {
    /// [`TIME_COMPARISON_SCHEMA`].
    pub schema: String,
    /// The profiler of B.
    pub tool: String,
    /// Sum over methods of the smaller of bytecode share and time share, %.
    pub overlap_pct: f64,
    /// Bytecodes of A.
    pub bytecodes: u64,
    /// Samples of A and, with a counted method in the stack, of B.
    pub samples: Pair,
    /// Calling contexts of A.
    pub contexts: u64,
    /// Share of B's weight with a counted method in the stack, % (0 to 100).
    pub coverage: f64,
    /// Descriptors are missing in B: overloads were put together on both sides.
    pub overloads_merged: bool,
    /// Every method of either side, largest difference first.
    pub methods: Vec<TimeRow>,
    /// What cannot be known or is odd, in sentences.
    pub remarks: Vec<String>,
}

/// A method's bytecodes and time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TimeRow {
    /// `com.acme.Main.run(I)V`, without descriptor where overloads are put together.
    pub method: String,
    /// Own bytecodes.
    pub bytecodes: u64,
    /// Their share, %.
    pub bytecodes_pct: f64,
    /// Share of B's counted time: own and below, %. The interval is Wilson's for the number of samples; it is as
    /// wide as chance alone makes it, so a bias of the profiler lies outside.
    pub time_pct: Estimate,
    /// The part of `time_pct` in code that was not counted (JDK, native) below this method.
    pub below_pct: f64,
    /// Time share by bytecode share: how dear its bytecodes are; null for a method without bytecodes.
    pub cost: Option<f64>,
    /// True if the bytecode share lies outside the interval of the time share.
    pub differs: bool,
}
