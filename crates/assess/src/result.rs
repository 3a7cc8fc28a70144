//! What the judge answers; the JSON of `assess --format json` (schema: `docs/formats/assessment.schema.json`).
//!
//! Units: `_pt` points of share (percent of time in compiled Java methods), `_pct` percent, `_s` seconds.

use crate::{
    BlockMap, Cause, Condition, Controls, ExcludedBlock, ReplayTest, Role, Settings, TotalWindow,
    Verdict,
};
use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Name and version of the format. In version 1 `analyses` was called `looks`.
pub const SCHEMA: &str = "proofmark-assessment/2";
/// Stands for a profiler's Java samples without a name, as if it were a method whose true share is zero.
pub const UNATTRIBUTED: &str = "[unattributed]";
/// Stands for methods of which none alone is significantly off.
pub const SEVERAL: &str = "[several methods]";

/// Verdicts on all profilers of one program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Assessment {
    /// [`SCHEMA`].
    pub schema: String,
    /// Program.
    pub program: String,
    /// Machine, JDK and compiler.
    pub machine: String,
    /// How it was measured.
    pub method: String,
    /// How it was judged.
    pub settings: Settings,
    /// One entry per profiler and control, in the order of the evidence.
    pub profilers: Vec<Judgement>,
    /// Share (0 to 1) of comparisons of unslowed windows that raised an alarm, all profilers under test together; `n`
    /// counts comparisons. `None` if there were too few windows.
    pub false_alarm_rate: Option<Estimate>,
    /// Share (0 to 1) of misattributions of 5 points, planted into this run's own oracle windows, that were found;
    /// `n` counts tries. `None` without an oracle control, or if no two methods can be mistaken for each other.
    #[serde(default)]
    pub planted_found: Option<Estimate>,
    /// True: every applicable control did what it must; false: one did not, so no verdict is given; none: not known.
    pub controls_ok: Option<bool>,
    /// The controls one by one.
    pub controls: Controls,
    /// Blocks that were looked at for single-block experiments and do not serve, as given.
    #[serde(default)]
    pub excluded_blocks: Vec<ExcludedBlock>,
    /// Whether the block map may be called truth, as given; if it is not, only time added to single methods decides. None:
    /// it was not tested.
    #[serde(default)]
    pub block_map: Option<BlockMap>,
}

/// Verdict on one profiler.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judgement {
    /// Name of the profiler.
    pub name: String,
    /// Subject or control.
    pub role: Role,
    /// The answer.
    pub verdict: Verdict,
    /// How often it was judged: 2 if it was undecided and was given its windows once more.
    #[serde(default, alias = "looks")]
    pub analyses: u32,
    /// Largest error per test.
    pub error_pt: ErrorPoints,
    /// What it blames wrongly, largest first.
    pub blames: Vec<Blame>,
    /// Likely cause, in words: the first of `causes`.
    pub cause: Option<String>,
    /// Everything that explains the error, what was tested by a second run first.
    #[serde(default)]
    pub causes: Vec<Cause>,
    /// Misattribution that would have been found (listed in `blames`) in 90 % of cases; `n` counts profiler samples.
    pub detectable_pt: Option<Estimate>,
    /// Set if the verdict is undecided.
    pub undecided: Option<Undecided>,
    /// Share of the program's time, unslowed, in the methods whose shares were compared, by our own samples, percent; the
    /// interval is that of counting samples (Wilson), `n` counts them. `None` without unslowed windows.
    #[serde(default)]
    pub judged_time_pct: Option<Estimate>,
    /// Whether a known error in this profiler's own windows would have been called wrong. `None` for controls, and if no
    /// two methods can be mistaken for each other.
    #[serde(default)]
    pub planted: Option<Planted>,
    /// Everything behind the verdict.
    pub tests: Tests,
    /// Shares of every method with at least the blame limit in truth or profile, largest first.
    pub shares: Vec<MethodShares>,
    /// Iteration times, as given.
    pub windows: Vec<TotalWindow>,
    /// Amount of data per condition.
    pub sizes: Vec<ConditionSize>,
    /// What is in no share.
    pub losses: Losses,
    /// What a reader must know.
    pub notes: Vec<String>,
}

impl Judgement {
    /// Largest error over the tests, for the one-line table; `None` if no test was possible.
    #[must_use]
    pub fn error(&self) -> Option<Estimate> {
        let ErrorPoints {
            absolute,
            uniform,
            single,
        } = self.error_pt;
        [absolute, uniform, single]
            .into_iter()
            .flatten()
            .max_by(|a, b| a.value.total_cmp(&b.value))
    }
}

/// Misattributions that were planted into a profiler's own unslowed windows.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Planted {
    /// Size of each, points of the profile: 1.5 margins.
    pub moved_pt: f64,
    /// Share (0 to 1) of them with which the profiler was called wrong; `n` counts tries.
    pub found: Estimate,
    /// The same of the same windows with nothing planted.
    pub false_wrong: Estimate,
}

/// Largest error of each test, points; `None` if the test was not possible. `n` counts profiler samples.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorPoints {
    /// Share reported minus true share in unslowed code. None where the block map is not called truth.
    pub absolute: Option<Estimate>,
    /// Change of share reported minus change that was achieved, everything slowed, as it is: what explains it is a cause.
    /// None where the block map is not called truth.
    pub uniform: Option<Estimate>,
    /// Change of share reported minus change predicted, one block slowed.
    pub single: Option<Estimate>,
}

/// Time of `from` that the profiler charges to `to`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Blame {
    /// Method that really ran; or [`SEVERAL`].
    pub from: String,
    /// Method that the profiler names; or [`SEVERAL`], or [`UNATTRIBUTED`].
    pub to: String,
    /// How much; interval simultaneous over all methods, `n` counts the profiler's samples in unslowed windows.
    pub points: Estimate,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Undecided {
    /// In words.
    pub reason: String,
    /// Additional time of windows that would probably decide it, seconds; `None` if more time does not help.
    pub more_s: Option<f64>,
    /// Runs, those that there are included, that would probably decide it; `None` if no number within reason would.
    #[serde(default)]
    pub runs_needed: Option<u32>,
    /// The option that would probably decide it and what that costs, or that nothing within reason would. `None` where time
    /// is not what is missing.
    #[serde(default)]
    pub remedy: Option<String>,
}

/// What every test answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TestResult {
    /// Answer of this test alone.
    pub verdict: Verdict,
    /// Largest error over methods, with interval; `n` counts profiler samples.
    pub error_pt: Estimate,
    /// Runs over which the interval is taken: the fewest of any compared method; 1: windows of one run, or of all together.
    #[serde(default = "once")]
    pub runs: u32,
    /// Method with that error.
    pub worst: String,
    /// Methods compared.
    pub compared: usize,
    /// Median of the largest error if there were only noise, points.
    pub noise_pt: f64,
    /// Largest part of the truth of a compared method that source positions leave open, points.
    pub ambiguous_pt: f64,
    /// Error that would have been significant in 90 % of cases; `n` counts profiler samples.
    pub detectable_pt: Estimate,
    /// Additional time that would decide an undecided test, seconds.
    pub more_s: Option<f64>,
    /// Runs, those that there are included, that would decide an undecided test.
    #[serde(default)]
    pub runs_needed: Option<u32>,
}

fn once() -> u32 {
    1
}

/// Tests of one profiler.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tests {
    /// Not part of the verdict: the absolute test against what the JVM's debug information says instead of the truth.
    /// Right here and wrong there means that the profiler reports faithfully what the JVM has wrong.
    #[serde(default)]
    pub debug_info: Option<TestResult>,
    /// Not part of the verdict: how much of the error in unslowed code debug information, skid and the rest make. None
    /// where the JVM's tables are not known.
    #[serde(default)]
    pub replay: Option<ReplayTest>,
    /// Unslowed code.
    pub absolute: Option<AbsoluteTest>,
    /// One entry per target percentage.
    pub uniform: Vec<UniformTest>,
    /// One entry per single-block experiment.
    pub single: Vec<SingleTest>,
    /// Unslowed windows against each other.
    pub aa: Option<AaTest>,
}

/// Shares in unslowed code.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AbsoluteTest {
    /// Largest error.
    pub result: TestResult,
    /// Largest difference between our two sampling streams, points (`n`: truth samples): aliasing or skid would show
    /// here. `None` with one stream.
    pub streams_differ_pt: Option<Estimate>,
    /// Whether the verdict rests on it: not where the block map is not called truth.
    #[serde(default = "yes")]
    pub counts: bool,
}

/// A method's change of share from unslowed to slowed windows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MethodChange {
    /// Method.
    pub method: String,
    /// Change that the profiler shows, points.
    pub seen_pt: Estimate,
    /// Change that was really made: by the block map (uniform) or by the totals (single), points.
    pub expected_pt: Estimate,
}

/// All blocks slowed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UniformTest {
    /// Target, percent.
    pub target_pct: u32,
    /// Achieved overhead of the whole program, percent; `n` counts blocks of the schedule. `None` without totals.
    pub overhead_pct: Option<Estimate>,
    /// Largest error.
    pub result: TestResult,
    /// The same with the JVM's debug information in the place of the truth, before and after; none where it is not known.
    #[serde(default)]
    pub debug_info: Option<TestResult>,
    /// Whether the verdict rests on it: not where the block map is not called truth.
    #[serde(default = "yes")]
    pub counts: bool,
    /// Correlation of the top methods' shares, unslowed and slowed, as published; `n` counts methods.
    pub correlation: Option<Estimate>,
    /// Top methods whose share as the profiler shows it moved by more than 5 points, as published.
    pub off_by_5_pt: usize,
    /// Top methods whose moved share differs by more than 5 points from what was achieved.
    pub off_by_5_pt_corrected: usize,
    /// Number of top methods.
    pub top: usize,
    /// Change per compared method.
    pub changes: Vec<MethodChange>,
}

fn yes() -> bool {
    true
}

/// One block slowed, or blocks of one method, against a low dose of the same where there was one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SingleTest {
    /// Index of the experiment.
    pub index: u32,
    /// Label of the block.
    pub label: String,
    /// Method that owns it.
    pub owner: String,
    /// Added time of the whole program, percent of its time under the low dose (of the unslowed time where there is no
    /// low dose); `n` counts blocks of the schedule.
    pub added_pct: Estimate,
    /// Share of the owner as the profiler shows it, percent, under the low dose (unslowed where there is none).
    pub before_pct: Estimate,
    /// The same under the high dose.
    pub after_pct: Estimate,
    /// Gain that the profiler shows, points.
    pub seen_pt: Estimate,
    /// Gain that it must show: `(1 - p) * x / (T + x)`, points.
    pub predicted_pt: Estimate,
    /// Seen minus predicted, points.
    pub target_error_pt: Estimate,
    /// Gain that our own samples show, points; `None` without truth windows of this condition.
    pub truth_gain_pt: Option<Estimate>,
    /// False if our own samples contradict the prediction (their error's interval lies wholly above the limit): the
    /// slowdown did more than intended, or the block map is wrong here, so the verdict does not rest on the experiment.
    pub counts: bool,
    /// True if the profiler reported the owner at all in unslowed windows.
    pub detected_before: bool,
    /// The same in slowed windows.
    pub detected_after: bool,
    /// Largest error over the owner and all other methods.
    pub result: TestResult,
    /// Error above which this experiment is wrong, points: half of the predicted gain, at most the margin, at least 1.
    pub wrong_above_pt: f64,
    /// Change per compared method.
    pub changes: Vec<MethodChange>,
}

/// Unslowed windows, split at random into two groups and compared as if one had been slowed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AaTest {
    /// Nominal rate of one comparison, 0 to 1.
    pub nominal: f64,
    /// Comparisons with an alarm.
    pub alarms: u64,
    /// Share of them, Clopper-Pearson; `n` counts comparisons (different splits of the same windows, so not independent).
    pub rate: Estimate,
    /// First against second half in time, largest difference, points: drift. `n` counts profiler samples.
    pub drift_pt: Estimate,
    /// True if that difference is significant at the nominal rate.
    pub drift: bool,
}

/// A method's shares in every condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MethodShares {
    /// Method, or [`UNATTRIBUTED`].
    pub method: String,
    /// Shares per condition.
    pub by_condition: Vec<ConditionShare>,
}

/// Share of one method in one condition; `n` counts samples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConditionShare {
    /// Condition.
    pub condition: Condition,
    /// By our block map, percent.
    pub truth_pct: Option<Estimate>,
    /// By the profiler, percent.
    pub profiler_pct: Option<Estimate>,
}

/// Amount of data of one condition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ConditionSize {
    /// Condition.
    pub condition: Condition,
    /// Windows of the profiler.
    pub profiler_windows: usize,
    /// Samples of the profiler in the shares.
    pub profiler_samples: f64,
    /// Windows of the truth.
    pub truth_windows: usize,
    /// Samples of the truth in the shares, both streams.
    pub truth_samples: f64,
    /// Time of the profiler's windows, seconds.
    pub seconds: f64,
}

/// Parts of the weight that are in no share; all conditions together, `n` counts samples. `None` without samples.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Losses {
    /// Native leaves in the profiler's samples of the workload, percent.
    pub native_pct: Option<Estimate>,
    /// Java samples without a name in the profiler's Java samples, percent (in the shares' denominator).
    pub unattributed_pct: Option<Estimate>,
    /// Lost in all samples that the profiler took or lost, percent.
    pub lost_pct: Option<Estimate>,
    /// Other threads in all samples of the profiler, percent.
    pub other_threads_pct: Option<Estimate>,
    /// Outside of compiled Java methods in our own samples, percent.
    pub truth_outside_pct: Option<Estimate>,
}
