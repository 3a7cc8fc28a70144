//! The request of `dose`.

use std::path::PathBuf;

use proofmark_experiment::dose::{Again, DoseKind};
use proofmark_jvm::Workload;

/// JVMs per profiler where the user says nothing else.
pub use proofmark_rules::DOSE_RUNS as RUNS;

/// Most JVMs that are measured at the same time where the user says nothing else: more would share too much of a usual machine's
/// caches and memory.
pub const AT_ONCE: u16 = 4;

/// How long a test may take where the user does not say how much is measured, s: an answer is there within ten minutes.
pub const MOST_S: f64 = 10.0 * 60.0;

/// `dose`.
#[derive(Debug, Clone, PartialEq)]
pub struct DoseRequest {
    /// What an iteration runs.
    pub workload: Workload,
    /// The words of the user's `java` command; none for other kinds of programs.
    pub command: Vec<String>,
    /// Names of the profilers.
    pub profilers: Vec<String>,
    /// Most methods that are tested.
    pub methods: usize,
    /// Methods that are tested in any case.
    pub named: Vec<String>,
    /// How long the test may take, s: fewer methods are tested where it would take longer by its estimate, and JVMs that are late all the same
    /// have fewer windows. None: as long as it takes.
    pub most_s: Option<f64>,
    /// What added time does.
    pub kind: DoseKind,
    /// Error that separates right from wrong, points of share.
    pub margin_pt: f64,
    /// Rounds of windows that every row gets, shared by the JVMs of a profiler.
    pub rounds: usize,
    /// Time for more windows of rows that are still wide, s, which they share too.
    pub budget_s: f64,
    /// JVMs per profiler.
    pub runs: usize,
    /// JVMs per profiler at most, where more would decide one that is open; not more than `runs`: exactly these.
    pub most_runs: usize,
    /// Most JVMs that are measured at the same time.
    pub at_once: usize,
    /// Length of a window, s.
    pub window_s: f64,
    /// Time between samples, ms; none: as the profiler can.
    pub interval_ms: Option<f64>,
    /// Another build of async-profiler's library.
    pub async_library: Option<PathBuf>,
    /// Longest that one iteration may take, s.
    pub iteration_timeout_s: f64,
    /// Directory for everything that the run leaves; none: a new one.
    pub out: Option<PathBuf>,
    /// How this is asked for again.
    pub again: Again,
    /// Seed of the order of windows.
    pub seed: u64,
}
