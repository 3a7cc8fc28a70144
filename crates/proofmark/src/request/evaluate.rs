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
    /// Only say how long it would take.
    pub dry_run: bool,
}

impl EvaluateRequest {
    /// Slowdowns wanted, %.
    #[must_use]
    pub fn targets_pct(&self) -> &[f64] {
        let first = self.programs.first();
        first.map_or(&[], |(_, assessment)| &assessment.targets_pct)
    }
}
