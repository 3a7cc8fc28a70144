//! Requests of the commands that slow programs down.

use std::path::PathBuf;

use proofmark_experiment::lab::{Filler, Insertion, InsertionPoint};
use proofmark_jvm::Workload;

use super::DoseRequest;

/// The program under test, and the run in which it is measured.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgramRequest {
    /// What an iteration runs.
    pub workload: Workload,
    /// The `java` of the user's command, as it is written; none where the program is named otherwise.
    pub java: Option<PathBuf>,
    /// Heap of the program, MB: fixed and touched beforehand.
    pub heap_mb: u32,
    /// Longest that one iteration may take, s.
    pub iteration_timeout_s: f64,
    /// Directory for everything that the run leaves; none: a new one.
    pub out: Option<PathBuf>,
    /// Seed of everything that is drawn at random.
    pub seed: u64,
}

/// `divine`.
#[derive(Debug, Clone, PartialEq)]
pub struct DivineRequest {
    /// The program.
    pub program: ProgramRequest,
    /// Slowdown wanted, in % of every block's time.
    pub target_pct: f64,
    /// Where the plan goes; none: plan.json in the run's directory.
    pub output: Option<PathBuf>,
    /// Slowdown instruction; none: the one that suits this processor.
    pub filler: Option<Filler>,
    /// Where in a block it goes.
    pub insertion_point: InsertionPoint,
    /// Fresh JVMs in which the plan is tried afterwards.
    pub verify: u32,
    /// Every window in a JVM of its own.
    pub fresh: bool,
}

/// `candidates`.
#[derive(Debug, Clone, PartialEq)]
pub struct CandidatesRequest {
    /// The program.
    pub program: ProgramRequest,
    /// Slowdown wanted, in % of every block's time.
    pub target_pct: f64,
    /// Instructions and where they go.
    pub candidates: Vec<Insertion>,
    /// Name of the profiler that looks; none: nobody does.
    pub profiler: Option<String>,
}

/// Whether profilers are judged in the laboratory as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InLaboratory {
    /// Where it can be had; else the result says what is missing.
    WhereItCan,
    /// In any case: what is missing is an error.
    Always,
    /// Not at all.
    Never,
}

/// `assess`.
#[derive(Debug, Clone, PartialEq)]
pub struct AssessRequest {
    /// The program.
    pub program: ProgramRequest,
    /// Names of profilers, in their order; the controls may be among them and always run in the laboratory.
    pub profilers: Vec<String>,
    /// The part with sites on the user's own JVM, or why there is none.
    pub sites: Result<Box<DoseRequest>, String>,
    /// The part in the laboratory.
    pub laboratory: InLaboratory,
    /// Time between a profiler's samples, ms; none: each one's own.
    pub interval_ms: Option<f64>,
    /// Another build of async-profiler's library.
    pub async_library: Option<PathBuf>,
    /// A plan for the program; none: one is divined.
    pub plan: Option<PathBuf>,
    /// Uniform slowdowns to try, %.
    pub targets_pct: Vec<f64>,
    /// Single blocks to dose besides the hottest methods; 0 leaves doses out.
    pub singles: u32,
    /// Error that separates right from wrong, points of share.
    pub margin_pt: f64,
    /// Time for the windows of each profiler besides doses, s; none: as long as its rate needs.
    pub time_budget_s: Option<f64>,
    /// Whether a wrong profiler is run again with DebugNonSafepoints, to test the cause.
    pub cause: bool,
    /// Whether wrong profilers are asked once more under C2, without a verdict.
    pub c2: bool,
    /// Only say what would be done and how long it would take.
    pub dry_run: bool,
}
