//! Requests that concern native programs.

use std::path::PathBuf;

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
}
