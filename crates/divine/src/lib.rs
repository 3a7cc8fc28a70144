//! Divining: the search for the plan that brings every block to baseline x (1 + target).
//!
//! A state machine without I/O: the laboratory is asked for observations and answers.
//!
//! [`Search`] asks for rounds and says when to stop; [`Pool`] gathers blocks that are too small to be judged.
//!
//! *Accuracy.* See the modules; the simulated laboratory in the tests says what the search reaches
//! where the truth is known.
#![forbid(unsafe_code)]

mod cell;
mod choose;
mod error;
mod linalg;
mod model;
mod normal;
mod outcome;
mod pool;
mod reduce;
mod response;
mod search;
mod settings;

pub use cell::{Cell, CellKind, Observation, Round};
pub use error::SearchError;
pub use outcome::{CellOutcome, Outcome, Reason, Step, Stop};
pub use pool::{Member, Pool};
pub use search::Search;
pub use settings::{Noise, Prior, Settings};
