//! What an experiment works with.

use proofmark_divine::{Environment, Prior};

use crate::divine::Plan;
use crate::lab::{Filler, Labs};
use crate::progress::Progress;
use crate::steps::{StepError, Steps};

/// Laboratories, the place for finished steps and plans, who listens, and what is known beforehand.
pub struct Session<'a> {
    /// Prepares laboratories of the workload.
    pub labs: &'a dyn Labs,
    /// Where finished steps are kept.
    pub steps: &'a mut dyn Steps,
    /// Where the plan is kept.
    pub plans: &'a mut dyn Plans,
    /// Who is told what is going on.
    pub progress: &'a dyn Progress,
    /// What is known beforehand.
    pub about: &'a About,
}

/// Program and machine.
#[derive(Debug, Clone, PartialEq)]
pub struct About {
    /// Name of the program.
    pub program: String,
    /// The program with its arguments.
    pub workload: String,
    /// Machine and versions.
    pub environment: Environment,
    /// Core clock, GHz.
    pub clock_ghz: f64,
    /// The slowdown instruction.
    pub filler: Filler,
    /// What is known about it.
    pub prior: Prior,
    /// Name of the place where the steps are, for messages.
    pub place: String,
}

/// Where the plan of a run is kept, for this run and for others.
pub trait Plans {
    /// The plan that an interrupted run left; none if there is none.
    ///
    /// # Errors
    /// When there is one that cannot be read.
    fn stored(&self) -> Result<Option<Plan>, StepError>;

    /// Keeps a plan; its report is told where it is.
    ///
    /// # Errors
    /// When it cannot be stored.
    fn keep(&mut self, plan: &mut Plan) -> Result<(), StepError>;
}
