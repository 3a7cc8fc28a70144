//! Requests of the commands that slow programs down.

use std::path::PathBuf;

use proofmark_divine::SearchKind;
use proofmark_experiment::divine::{Effort, FreshProfiles};
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
    /// Slowdown instruction; none: the one that suits this machine.
    pub filler: Option<Filler>,
    /// Where in a block it goes.
    pub insertion_point: InsertionPoint,
    /// Fresh JVMs in which the plan is tried afterwards.
    pub verify: u32,
    /// How the plan is searched for.
    pub search: SearchRequest,
    /// Every window in a JVM of its own, with these profiles; none: all in one JVM.
    pub fresh: Option<FreshProfiles>,
}

/// How plans are searched for, and where they are measured once more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchRequest {
    /// Which search.
    pub kind: SearchKind,
    /// Longest that the search of one plan may take, s.
    pub most_s: f64,
    /// JVMs without loaded profiles in which every plan is measured once more, and as many without the plan; 0: none.
    pub fresh_jvms: u32,
}

impl Default for SearchRequest {
    /// The usual search, as long as it takes.
    fn default() -> Self {
        SearchRequest {
            kind: SearchKind::default(),
            most_s: f64::INFINITY,
            fresh_jvms: 0,
        }
    }
}

impl SearchRequest {
    /// How much is measured for plans that are wanted for themselves.
    #[must_use]
    pub fn effort(&self) -> Effort {
        Effort {
            fresh_jvms: self.fresh_jvms,
            ..Effort::by(self.kind, self.most_s)
        }
    }
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
    /// Slowdown instruction of plans that are divined; none: the one that suits this machine.
    pub filler: Option<Filler>,
    /// How plans are searched for by `evaluate`; elsewhere it is done in the usual way.
    pub search: SearchRequest,
    /// Uniform slowdowns to try, %.
    pub targets_pct: Vec<f64>,
    /// Single blocks to dose besides the hottest methods; 0 leaves doses out.
    pub singles: u32,
    /// Error that separates right from wrong, points of share.
    pub margin_pt: f64,
    /// Time for the windows of each profiler in a run besides doses, s; none: as long as its rate needs.
    pub time_budget_s: Option<f64>,
    /// Runs of each profiler in the laboratory: each with profiles that are collected and code that is compiled anew. The
    /// part with sites has as many.
    pub runs: u32,
    /// Whether a wrong profiler is run again with DebugNonSafepoints, to test the cause.
    pub cause: bool,
    /// Whether wrong profilers are asked once more under C2, without a verdict.
    pub c2: bool,
    /// What names the program to `proofmark assess`, where the command at hand takes none of the options that remedies name;
    /// none where it does.
    pub to_assess: Option<String>,
    /// Only say what would be done and how long it would take.
    pub dry_run: bool,
}
