//! Requests that concern native programs.

use std::path::PathBuf;

use proofmark_experiment::dose::Again;
use proofmark_experiment::lab::{Filler, InsertionPoint};
use proofmark_native::Language;

use super::SearchRequest;

/// `cc` and `c++`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompileRequest {
    /// What is compiled.
    pub language: Language,
    /// The compiler's words.
    pub words: Vec<String>,
}

/// `rustc`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RustRequest {
    /// The command that is rustc.
    pub rustc: String,
    /// Its words.
    pub words: Vec<String>,
}

/// A link that rustc wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RustLinkRequest {
    /// Directory of the compilation that it belongs to.
    pub place: PathBuf,
    /// The linker's words.
    pub words: Vec<String>,
}

/// `divine` of a native program.
#[derive(Debug, Clone, PartialEq)]
pub struct NativeDivineRequest {
    /// Its file, built with slots.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Slowdown wanted, in % of every block's time.
    pub target_pct: f64,
    /// Where the plan goes; none: plan.json in the run's directory.
    pub output: Option<PathBuf>,
    /// Slowdown instruction; none: the one that suits this machine.
    pub filler: Option<Filler>,
    /// Where in a block it goes.
    pub insertion_point: InsertionPoint,
    /// How the plan is searched for.
    pub search: SearchRequest,
    /// Longest that one process may take, s.
    pub process_timeout_s: f64,
    /// Directory for everything that the run leaves; none: a new one.
    pub out: Option<PathBuf>,
    /// Seed of everything that is drawn at random.
    pub seed: u64,
}

/// `speedup`.
#[derive(Debug, Clone, PartialEq)]
pub struct SpeedupRequest {
    /// The program's file, built with slots.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The plan's file.
    pub plan: PathBuf,
    /// Functions; none: the hottest ones.
    pub named: Vec<String>,
    /// How many, if none is named.
    pub functions: usize,
    /// Rounds.
    pub rounds: u32,
    /// Least time of a variant under an alignment in a round, s.
    pub window_s: f64,
    /// Where in a block the plan's instructions go.
    pub insertion_point: InsertionPoint,
    /// Longest that one process may take, s.
    pub process_timeout_s: f64,
    /// Directory for everything that the run leaves; none: a new one.
    pub out: Option<PathBuf>,
    /// Seed of the order of variants.
    pub seed: u64,
}

/// `slots`.
#[derive(Debug, Clone, PartialEq)]
pub struct SlotsRequest {
    /// The program's file, built with slots.
    pub program: PathBuf,
    /// What goes into the slots.
    pub filler: Filler,
    /// Where the program with full slots goes, if it is kept.
    pub output: Option<PathBuf>,
}

/// `race`.
#[derive(Debug, Clone, PartialEq)]
pub struct RaceRequest {
    /// The program's file, built with sites.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Functions that get a dose, each once, by the names of their sites.
    pub functions: Vec<String>,
    /// Turns of the dose; none: by the clock.
    pub turns: Option<u32>,
    /// Runs without a dose, and with one in each function.
    pub runs: u32,
    /// Longest that a run may take, s.
    pub timeout_s: f64,
    /// Text by which a run has failed that puts it out.
    pub failed_if: Option<String>,
    /// Directory for everything that the runs leave; none: a new one.
    pub out: Option<PathBuf>,
    /// Seed of the order of runs.
    pub seed: u64,
}

/// `dose` of a native program.
#[derive(Debug, Clone, PartialEq)]
pub struct NativeRequest {
    /// Its file.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Names of the profilers.
    pub profilers: Vec<String>,
    /// Most functions that are tested.
    pub functions: usize,
    /// Functions that are tested in any case.
    pub named: Vec<String>,
    /// Error that separates right from wrong, points of share.
    pub margin_pt: f64,
    /// Rounds of windows that every row gets.
    pub rounds: usize,
    /// Time for more windows of rows that are still wide, s.
    pub budget_s: f64,
    /// Least CPU time of a window, s.
    pub window_s: f64,
    /// Time between samples, ms; none: as the profiler can.
    pub interval_ms: Option<f64>,
    /// Longest that one process may take, s.
    pub process_timeout_s: f64,
    /// Directory for everything that the run leaves; none: a new one.
    pub out: Option<PathBuf>,
    /// Seed of the order of windows.
    pub seed: u64,
    /// What the result has to say besides, in sentences.
    pub remarks: Vec<String>,
    /// How this is asked for again.
    pub again: Again,
}
