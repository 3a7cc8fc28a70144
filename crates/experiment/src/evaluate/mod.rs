//! An evaluation: the questions of the published study, asked of many programs, with its figures beside ours.
//!
//! - Is a program slowed as asked ([`Slowing`]): its total, and its sets of blocks?
//! - Do a profiler's shares stay what they are when everything is slowed by the same factor ([`ShareChanges`])?
//! - Does a profiler charge what is added to blocks of one method to that method ([`AddedTime`])?
//! - How much of the machine code knows its source position ([`DebugInfo`](crate::divine::DebugInfo))?
//!
//! Figures over programs have intervals over programs; `n` counts them.

mod program;
mod published;
mod questions;
mod result;

pub use program::{Finding, MethodPair, PlanResult, ProfilerResult, ProgramResult, SingleResult};
pub use published::{PublishedAdded, PublishedProgram, PublishedShares, published_program};
pub use questions::{AddedTime, ShareChanges, Slowing};
pub use result::{EVALUATION_SCHEMA, Evaluation};
