//! Laboratories whose true answer is known: blocks with hinges, plateaus and overlap, code placement, machine speed that
//! wanders, neighbours that take time, Poisson samples, profilers with planted faults, processes that lose units or die.
//!
//! - [`Machine`] runs a [`Program`] and is asked for rounds of a search: the search and its evaluation alone.
//! - [`SimulatedLabs`] prepares laboratories over such machines: whole experiments.
//! - [`Simulation`] draws the windows of one profiler from shares per method, without blocks: thousands of repetitions
//!   of the judge in seconds, with the uneven slowing and ambiguous time that no program of blocks gives at will.
//! - [`SimulatedSites`] starts processes of a program of methods with sites: whole tests by dose.
//!
//! Sizes are those of docs/method-time.md and docs/search.md. *Accuracy.* The true response here is not the search's model:
//! it has plateaus, jitter that every change of a plan re-rolls, and neighbours that give way.

mod code;
mod evidence;
mod fault;
mod lab;
mod labs;
mod machine;
mod program;
mod random;
mod sampled;
mod sites;

pub use code::{Believed, method_names};
pub use evidence::Simulation;
pub use fault::Fault;
pub use lab::SimulatedLab;
pub use labs::{Happening, RunSpread, SimulatedLabs, SimulatedProfiler, Trouble};
pub use machine::{Machine, Protocol, Truth};
pub use program::{Block, Program};
pub use random::Random;
pub use sites::{SimulatedSiteLab, SimulatedSites, SiteFault, SiteProfiler, SitedMethod};
