//! Requests that concern native programs.

use std::path::PathBuf;

use proofmark_native::Language;

/// `cc` and `c++`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompileRequest {
    /// What is compiled.
    pub language: Language,
    /// The compiler's words.
    pub words: Vec<String>,
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
