//! The request of `evaluate`.

use std::path::PathBuf;

use super::AssessRequest;

/// `evaluate`.
#[derive(Debug, Clone, PartialEq)]
pub struct EvaluateRequest {
    /// Every program under its name in results, with its assessment; of one without profilers only plans are made. All
    /// have the same options.
    pub programs: Vec<(String, AssessRequest)>,
    /// Directory of the evaluation; none: a new one.
    pub out: Option<PathBuf>,
    /// Where programs are measured.
    pub on: On,
    /// Only say how long it would take.
    pub dry_run: bool,
}

/// `evaluate --show`: what was measured before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShowEvaluationRequest {
    /// Files with evaluations, one at least; of a program that is in several the last one counts.
    pub files: Vec<PathBuf>,
    /// Directory for the page and all of them as one file; none: neither is written.
    pub out: Option<PathBuf>,
}

/// Where programs are measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum On {
    /// Here, one after the other.
    Local,
    /// On a cluster under Slurm, every program on a node of its own.
    Slurm(SlurmRequest),
    /// Here, as one task of an array of jobs that was submitted: the file that describes the array.
    Task(PathBuf),
}

/// How an array of jobs is submitted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SlurmRequest {
    /// Further words for `sbatch`.
    pub options: Vec<String>,
    /// Whether jobs go on when the user stops the evaluation.
    pub leave_jobs: bool,
}

impl EvaluateRequest {
    /// Slowdowns wanted, %.
    #[must_use]
    pub fn targets_pct(&self) -> &[f64] {
        let first = self.programs.first();
        first.map_or(&[], |(_, assessment)| &assessment.targets_pct)
    }
}
