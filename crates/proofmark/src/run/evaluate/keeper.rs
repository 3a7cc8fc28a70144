//! What becomes of results as they are found: an evaluation does not know how they are shown.

use proofmark_experiment::divine::DivineReport;
use proofmark_experiment::evaluate::Evaluation;
use proofmark_store::Run;

use crate::context::Context;
use crate::run::assess::Finished;

/// Keeps what is found.
pub trait Keeper {
    /// What is known of all programs, in the directory of the evaluation; called as often as more of it is known.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn evaluation(&self, run: &mut Run, found: &Evaluation) -> anyhow::Result<()>;

    /// A program whose profilers were judged, in its own directory.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn judged(&self, finished: &mut Finished) -> anyhow::Result<()>;

    /// A program that was only slowed, in its own directory: the first of its plans.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn slowed(&self, context: &mut Context, plan: &DivineReport) -> anyhow::Result<()>;
}
