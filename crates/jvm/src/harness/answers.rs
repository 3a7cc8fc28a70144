//! What the harness answers, one line of JSON per request. `Answer.java` has the same messages.

use proofmark_blocks::{Code, Install, Unit};
use proofmark_experiment::lab::Iteration;
use serde::Deserialize;

/// What became known about machine code since the last reply.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct News {
    /// New units; their index is their place in the order of reporting.
    pub units: Vec<Unit>,
    /// New machine code.
    pub codes: Vec<Code>,
    /// New installations.
    pub installs: Vec<Install>,
}

/// A reply: an answer, or why there is none.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, bound = "T: serde::de::DeserializeOwned")]
pub(crate) struct Reply<T> {
    pub answer: Option<T>,
    #[serde(default)]
    pub map: News,
    pub failure: Option<Failure>,
}

/// Why there is no answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Failure {
    pub kind: FailureKind,
    pub message: String,
    /// Java stack trace.
    pub trace: String,
}

/// Whose fault a failure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FailureKind {
    Workload,
    Load,
    Harness,
}

/// Answer to `hello`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// Process id.
    pub pid: u32,
    /// Kernel's id of the workload's thread.
    pub tid: u32,
    /// Java name of the workload's thread.
    pub thread: String,
    /// `java.runtime.version`.
    pub java_version: String,
    /// `java.vendor`.
    pub vendor: String,
    /// Largest heap in bytes.
    pub heap_bytes: u64,
}

/// Answer to `warmup` and `dose-warmup`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WarmUp {
    /// Whether compilers and iteration times came to rest.
    pub steady: bool,
    /// In what state it ended.
    pub reason: String,
    /// Runs of the workload in each iteration that is measured from now on.
    pub together: u32,
    /// Every iteration of the warm-up.
    pub iterations: Vec<Iteration>,
    /// Java threads started meanwhile.
    pub threads_started: u64,
    /// CPU time of Java threads other than the workload's own meanwhile, as far as they still live.
    pub other_threads: Vec<OtherThread>,
}

/// Answer to `dose-window`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DoseWindow {
    pub begin_ns: u64,
    pub end_ns: u64,
    /// Iterations of the workload in each of those below.
    pub together: u32,
    pub iterations: Vec<Iteration>,
    /// Threads of the program that had CPU time.
    pub busy_threads: u32,
    /// CPU time of the one that had most.
    pub busiest_ns: u64,
    /// CPU times of the clock's passes, few and many turns, before the iterations and behind; empty where it was not to be read.
    pub passes_ns: Vec<u64>,
}

/// Answer to `dose-count`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DoseCount {
    /// By iteration, then by site, modulo 2^32.
    pub counts: Vec<Vec<u32>>,
}

/// Answer to `dose-turns`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DoseTurns {
    /// CPU time.
    pub cpu_ns: u64,
}

/// CPU time that another thread used.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherThread {
    /// Java name.
    pub name: String,
    /// CPU time in ns.
    pub cpu_ns: u64,
}

/// Answer to `control`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Control {
    /// Units newly under control, each with its baseline code.
    pub controlled: Vec<(u32, u32)>,
    /// Methods that could not be taken, each with its reason.
    pub failures: Vec<String>,
}

/// Answer to `slow-tiers`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SlowTiers {
    pub methods: Vec<String>,
}

/// Answer to `compile`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Compiled {
    pub compiled: Vec<u32>,
}

/// Answer to `window`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Window {
    /// One per group of codes, in order.
    pub groups: Vec<Group>,
    /// Before the first installation, ns of CLOCK_MONOTONIC.
    pub begin_ns: u64,
    /// After the last iteration.
    pub end_ns: u64,
    /// Units whose code is no longer the one we installed: the window is worth nothing.
    pub invalid: Vec<String>,
    /// Units that were given up, each with its reason.
    pub failures: Vec<String>,
}

/// Iterations under one installation.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// When the codes were in place, ns of CLOCK_MONOTONIC.
    pub installed_ns: u64,
    /// Iterations after those discarded.
    pub iterations: Vec<Iteration>,
}

/// Answer to `count`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counted {
    /// Per unit: index and (block, executions) over all iterations.
    pub counts: Vec<UnitCounts>,
    /// The counted iterations.
    pub iterations: Vec<Iteration>,
    /// Units whose code is no longer the counting one.
    pub invalid: Vec<String>,
    /// Units under control with their baseline code, as they are now.
    pub controlled: Vec<(u32, u32)>,
    /// Methods that were given up, each with its reason.
    pub failures: Vec<String>,
}

/// Executions of one unit's blocks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitCounts {
    /// Index of the unit.
    pub unit: u32,
    /// Block id and executions.
    pub blocks: Vec<(u32, u64)>,
}

/// Answer to commands that say nothing else.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Done {}
