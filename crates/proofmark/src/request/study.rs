//! Requests of `study` and `diff`.

use std::path::PathBuf;

use proofmark_jvm::Compiler;

use super::programs::Program;

/// `study run`.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyRequest {
    /// Names of profilers; runs without one always take part.
    pub profilers: Vec<String>,
    /// Programs, no two of one name.
    pub programs: Vec<Program>,
    /// Runs of every program under every profiler.
    pub runs: u32,
    /// Iterations of every run, the cold ones included.
    pub iterations: u32,
    /// Time for the whole study, s; none: as long as it takes.
    pub time_budget_s: Option<f64>,
    /// Time between samples, ms; none: each profiler's own.
    pub interval_ms: Option<f64>,
    /// Compiler of hot code.
    pub compiler: Compiler,
    /// Heap of the programs, MB.
    pub heap_mb: u32,
    /// Longest that one iteration may take, s.
    pub iteration_timeout_s: f64,
    /// Directory of the study; none: a new one.
    pub out: Option<PathBuf>,
    /// Seed of the order of runs and of the environments' sizes.
    pub seed: u64,
    /// Whether the profilers' own files are kept.
    pub keep_recordings: bool,
    /// Whether all threads are profiled.
    pub all_threads: bool,
    /// Only try every program once, and say how long the study would take.
    pub dry_run: bool,
    /// Another build of async-profiler's library.
    pub async_library: Option<PathBuf>,
    /// YourKit.
    pub yourkit: AgentRequest,
    /// JProfiler.
    pub jprofiler: AgentRequest,
}

/// A commercial profiler, as far as the user has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentRequest {
    /// Its agent library.
    pub library: Option<PathBuf>,
    /// The agent's options.
    pub options: Option<String>,
    /// Shell command that turns its snapshot into a table.
    pub export: Option<String>,
}

/// Recordings, and what of them counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recordings {
    /// Which parts of a path name program, profiler and run.
    pub group_by: Option<String>,
    /// Only the thread of this name.
    pub thread: Option<String>,
    /// Whether samples outside of Java code count.
    pub native: bool,
}

/// `study analyze`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnalyzeRequest {
    /// Directories and files, at least one.
    pub inputs: Vec<PathBuf>,
    /// What they are.
    pub recordings: Recordings,
    /// Where a page goes.
    pub html: Option<PathBuf>,
    /// Seed of every resampling.
    pub seed: u64,
    /// Resamples behind every interval.
    pub resamples: usize,
}

/// `diff`.
#[derive(Debug, Clone, PartialEq)]
pub struct DiffRequest {
    /// Recordings before: a file or a directory.
    pub a: PathBuf,
    /// Recordings after.
    pub b: PathBuf,
    /// What they are.
    pub recordings: Recordings,
    /// False finds among all finds that are accepted on average, %: above 0, below 100.
    pub false_discovery_rate_pct: f64,
    /// Smaller changes do not count, points of share.
    pub least_change_pt: f64,
}
