//! An evaluation: the questions of the published study, asked of many programs, with its figures beside ours.
//!
//! - Is a program slowed as asked ([`Slowing`]): its total, and its sets of blocks?
//! - Do a profiler's shares stay what they are when everything is slowed by the same factor ([`ShareChanges`])?
//! - Does a profiler charge what is added to blocks of one method to that method ([`AddedTime`])?
//! - How much of the machine code knows its source position ([`DebugInfo`](crate::divine::DebugInfo))?
//! - Does the plan do the same in processes of their own ([`Protocols`]), and what does the sampler cost ([`Sampler`])?
//! - Would the compiler's own estimates do instead of measuring ([`StaticCosts`])?
//!
//! Figures over programs have intervals over programs; `n` counts them.

mod cost;
mod merged;
mod profilers;
mod program;
mod protocols;
mod published;
mod questions;
mod result;

pub use cost::StaticCosts;
pub use merged::{Merged, Replaced};
pub use profilers::{Dosed, Finding, MethodPair, ProfilerResult, SingleResult};
pub use program::{PlanResult, ProgramResult};
pub use protocols::{PUBLISHED_SAMPLER_PCT, Protocols, Sampler, SamplerCost, SearchDone};
pub use published::{PublishedAdded, PublishedProgram, PublishedShares, published_program};
pub use questions::{AddedTime, ShareChanges, Slowing};
pub use result::{EVALUATION_SCHEMA, Evaluation};
