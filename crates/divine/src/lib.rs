//! Divining: the search for the plan that brings every block to baseline x (1 + target).
//!
//! A state machine without I/O: the laboratory is asked for observations and answers.
//!
//! [`Search`] asks for rounds and says when to stop, [`Stepwise`] does so in the published way; [`Pool`] gathers blocks
//! that are too small to be judged.
//!
//! *Accuracy.* See the modules; the simulated laboratory in the tests says what the search reaches
//! where the truth is known.
#![forbid(unsafe_code)]

mod admit;
mod choose;
mod chosen;
mod couplings;
mod denoise;
mod error;
mod evaluate;
mod figures;
mod ladder;
mod linalg;
mod mend;
mod model;
mod noise;
mod outcome;
mod plan;
mod pool;
mod published;
mod ratios;
mod reduce;
mod response;
mod search;
mod searching;
mod settings;
mod speed;
mod stepwise;
mod tunable;
mod watched;

pub use error::SearchError;
pub use evaluate::{Evaluation, SetResult, TunableResult, evaluate, evaluate_all};
pub use outcome::{Outcome, Reason, Step, Stop, TunableOutcome};
pub use plan::{Environment, PLAN_SCHEMA, PlanBlock, PlanError, PlanFile, PlanUnit, read_plan};
pub use pool::{Member, POOL_STEPS, Pool};
pub use search::Search;
pub use searching::{SearchKind, Searching};
pub use settings::{Noise, Prior, Settings};
pub use stepwise::Stepwise;
pub use tunable::{Observation, Round, Tunable, TunableKind};
