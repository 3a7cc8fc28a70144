//! What the judge is given: weights and times per window, nothing else.

use crate::{BlockMap, PcRule};
use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What was done to the program in a window.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// Nothing slowed.
    Baseline,
    /// Every judged block slowed by this many percent of its time.
    Uniform(u32),
    /// Blocks of one method under a low dose: entry of [`ProfilerEvidence::targets`].
    SingleLow(u32),
    /// One block, or blocks of one method, slowed: entry of [`ProfilerEvidence::targets`]. If there are windows of
    /// [`Condition::SingleLow`] with the same index, this is their high dose.
    Single(u32),
}

/// Which window a figure belongs to. In one [`ProfilerEvidence`], the same `window` is the same stretch of time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WindowAt {
    /// Number of the window, in order of time.
    pub window: u32,
    /// Number of the run, from 0. A run collects the compiler's profiles anew; numbers of windows and blocks go on
    /// from run to run.
    #[serde(default)]
    pub run: u32,
    /// Block of the schedule; total times are compared inside a block, so that drift cancels.
    pub block: u32,
    /// What was done to the program.
    pub condition: Condition,
    /// Length of the window, seconds of wall time.
    pub seconds: f64,
}

/// What the profiler under test reported for one window. Weights are counts of samples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProfilerWindow {
    /// Which window.
    pub at: WindowAt,
    /// Samples per method of [`Evidence::methods`] (innermost Java frame, inlined frames resolved).
    pub methods: Vec<f64>,
    /// Samples whose innermost frame is not Java (native code, stub, kernel) and was reported as such.
    pub native: f64,
    /// Samples in Java that the profiler could not name (failed stack walk, unknown method).
    pub unattributed: f64,
    /// Samples that were lost, as far as the profiler says so.
    pub lost: f64,
    /// Samples of threads that are not the workload's (compiler, collector, harness).
    pub other_threads: f64,
}

/// What one of our own sampling streams saw in one window. Weights are counts of samples.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TruthStream {
    /// Samples per method of [`Evidence::methods`], by the block map.
    pub methods: Vec<f64>,
    /// Part of `methods` whose instruction has an inherited source position, so that it might be another method's.
    /// Empty: none.
    pub ambiguous: Vec<f64>,
    /// Samples counted for other methods that might be this one's. Empty: every other method's `ambiguous`.
    pub claimable: Vec<f64>,
    /// Samples outside of the machine code of compiled Java methods.
    pub outside: f64,
    /// Samples per method as the JVM's own debug information names the sampled addresses: the best that a profiler
    /// can know which asks the JVM. Empty: not known.
    #[serde(default)]
    pub reported: Vec<f64>,
    /// The same by every rule that profilers follow. Empty: not known.
    #[serde(default)]
    pub replays: Vec<Replay>,
    /// Samples per method as a profiler names them that knows nothing of inlining: the root method of the compiled unit.
    /// Empty: not known.
    #[serde(default)]
    pub roots: Vec<f64>,
}

/// Samples as the JVM's debug information names them in one way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Replay {
    /// Which record is taken for an address.
    pub rule: PcRule,
    /// Looked up was the instruction that was waited for; else the address that was sampled.
    pub corrected: bool,
    /// Samples per method of [`Evidence::methods`].
    pub methods: Vec<f64>,
}

/// Our own observation of one window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TruthWindow {
    /// Which window.
    pub at: WindowAt,
    /// One entry per sampling stream; the streams have incommensurate periods.
    pub streams: Vec<TruthStream>,
}

/// CPU time of the workload's thread in one window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TotalWindow {
    /// Which window.
    pub at: WindowAt,
    /// CPU time per iteration, milliseconds.
    pub iteration_ms: Vec<f64>,
}

/// What a single-block experiment slows: a block, or blocks of one method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SingleTarget {
    /// Method of [`Evidence::methods`] that owns every instruction that is added.
    pub owner: usize,
    /// Words for the report, e.g. unit and block id.
    pub label: String,
}

/// A block that was looked at for a single-block experiment and does not serve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExcludedBlock {
    /// Words for the report, e.g. unit and block id.
    pub label: String,
    /// Its share of the program's time, percent; `n` counts samples.
    pub share_pct: Estimate,
    /// Why it does not serve.
    pub reason: String,
}

/// Who is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A profiler under test.
    Subject,
    /// The deliberately safepoint-biased control: must be found wrong.
    SafepointControl,
    /// Our own block map, stream 0 against stream 1 of other windows: must pass.
    OracleControl,
}

/// All windows under one profiler: of one JVM, or of one JVM in each run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProfilerEvidence {
    /// Name as on the command line, e.g. `jfr+nonsafepoints`.
    pub name: String,
    /// Subject or control.
    pub role: Role,
    /// How often it is judged, this time included: 2 if it was undecided and was given its windows once more.
    #[serde(default = "once", alias = "looks")]
    pub analyses: u32,
    /// Why nothing was seen of it, if it failed.
    #[serde(default)]
    pub failure: Option<String>,
    /// Windows of the profiler.
    pub windows: Vec<ProfilerWindow>,
    /// Windows of the truth, the same or others, of the same code in the same JVM.
    pub truth: Vec<TruthWindow>,
    /// CPU times, the same windows or others.
    pub totals: Vec<TotalWindow>,
    /// What [`Condition::Single`] refers to.
    pub targets: Vec<SingleTarget>,
    /// How much of the program's unslowed time (0 to 1) each method may have too much or too little because samples around
    /// borders between methods are charged to the wrong side: the truth is widened by it on both sides. Empty: by nothing.
    #[serde(default)]
    pub border_doubt: Vec<f64>,
}

fn once() -> u32 {
    1
}

impl ProfilerEvidence {
    /// The oracle control from truth windows with two streams: stream 0 of every second window of a condition is the
    /// "profiler", stream 1 of the windows between is the truth. No window and no stream is on both sides.
    #[must_use]
    pub fn oracle(
        truth: &[TruthWindow],
        totals: Vec<TotalWindow>,
        targets: Vec<SingleTarget>,
    ) -> Self {
        let mut seen = std::collections::BTreeMap::new();
        let (mut windows, mut other) = (Vec::new(), Vec::new());
        for window in truth.iter().filter(|w| w.streams.len() >= 2) {
            let turn: &mut u32 = seen.entry(window.at.condition).or_default();
            if turn.is_multiple_of(2) {
                windows.push(as_profiler(&window.at, &window.streams[0]));
            } else {
                other.push(TruthWindow {
                    at: window.at,
                    streams: vec![window.streams[1].clone()],
                });
            }
            *turn += 1;
        }
        Self {
            name: "oracle".into(),
            role: Role::OracleControl,
            analyses: 1,
            failure: None,
            windows,
            truth: other,
            totals,
            targets,
            // It is compared with its own map, borders and all.
            border_doubt: Vec::new(),
        }
    }
}

fn as_profiler(at: &WindowAt, stream: &TruthStream) -> ProfilerWindow {
    ProfilerWindow {
        at: *at,
        methods: stream.methods.clone(),
        native: stream.outside,
        unattributed: 0.0,
        lost: 0.0,
        other_threads: 0.0,
    }
}

/// Everything that [`crate::assess`] looks at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// Program, for the report.
    pub program: String,
    /// Machine, JDK and compiler, for the report.
    pub machine: String,
    /// How it was measured, for the report.
    pub method: String,
    /// Names of all methods that the truth or a profiler saw; weights refer to them by position.
    pub methods: Vec<String>,
    /// Blocks that were looked at for single-block experiments and do not serve.
    #[serde(default)]
    pub excluded_blocks: Vec<ExcludedBlock>,
    /// Whether the block map may be called truth. None: it was not tested, because no time was to be added to blocks.
    #[serde(default)]
    pub block_map: Option<BlockMap>,
    /// One entry per profiler and control.
    pub profilers: Vec<ProfilerEvidence>,
}
