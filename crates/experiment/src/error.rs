//! Why an experiment has no result.

use crate::lab::LabError;
use crate::steps::StepError;

/// What can go wrong in an experiment.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The laboratory did not answer.
    #[error(transparent)]
    Lab(#[from] LabError),
    /// A finished step could not be stored, or a stored one not be read.
    #[error(transparent)]
    Steps(#[from] StepError),
    /// The search was given what it cannot work with.
    #[error(transparent)]
    Search(#[from] proofmark_divine::SearchError),
    /// The windows do not fit together.
    #[error(transparent)]
    Evidence(#[from] proofmark_assess::EvidenceError),
    /// What was asked for does not exist or does not fit what was asked for before.
    #[error("{0}")]
    Usage(String),
    /// This workload cannot be measured.
    #[error("{0}")]
    Cannot(String),
}
