//! How the command ends: exit codes, and errors as one line.

use proofmark_assess::Verdict;
use proofmark_experiment::{ExperimentError, Failure};
use proofmark_jvm::{LabError, toolchain::ToolchainError};
use proofmark_native::{CompileError, LaunchError};
use proofmark_sampler::SamplerError;

use crate::context::Refusal;

const USAGE: u8 = 2;
/// This machine or workload cannot be measured.
pub const CANNOT: u8 = 3;
/// A comparison found a change.
pub const CHANGED: u8 = 1;
/// A verdict is open, or what was found may be noise.
pub const UNDECIDED: u8 = 4;
/// The user stopped it.
pub const INTERRUPTED: u8 = 130;

/// The exit code that a verdict on all profilers means.
#[must_use]
pub fn code_of_verdict(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Right => 0,
        Verdict::Wrong => 1,
        Verdict::Undecided => UNDECIDED,
    }
}

/// The error and its causes; a cause that the text in front of it already names is left out.
#[must_use]
pub fn chain(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// The exit code for what kind of problem it was.
#[must_use]
pub fn code_of(error: &anyhow::Error) -> u8 {
    match error.downcast_ref::<Refusal>() {
        Some(Refusal::Usage(_)) => return USAGE,
        Some(Refusal::Cannot(_)) => return CANNOT,
        None => {}
    }
    if let Some(error) = error.downcast_ref() {
        return code_of_experiment(error);
    }
    let lab = error.downcast_ref::<LabError>();
    if matches!(lab, Some(LabError::Interrupted)) {
        return INTERRUPTED;
    }
    if matches!(lab, Some(LabError::NoWorkload(_))) {
        return USAGE;
    }
    if let Some(LaunchError::Interrupted) = error.downcast_ref() {
        return INTERRUPTED;
    }
    let cannot = lab.is_some()
        || error.is::<LaunchError>()
        || error.is::<CompileError>()
        || error.is::<ToolchainError>()
        || error.is::<SamplerError>()
        || error.is::<proofmark_store::StoreError>();
    if cannot { CANNOT } else { USAGE }
}

/// What an experiment without a result ends with.
fn code_of_experiment(error: &ExperimentError) -> u8 {
    match error {
        ExperimentError::Usage(_) => USAGE,
        ExperimentError::Lab(lab) => match lab.failure {
            Failure::Interrupted => INTERRUPTED,
            Failure::NoWorkload => USAGE,
            _ => CANNOT,
        },
        _ => CANNOT,
    }
}
