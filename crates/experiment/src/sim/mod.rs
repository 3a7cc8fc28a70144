//! Laboratories whose true answer is known: blocks with hinges, plateaus and overlap, code placement, machine speed that
//! wanders, neighbours that take time, Poisson samples, profilers with planted faults, processes that lose units or die.
//!
//! - [`Machine`] runs a [`Program`] and is asked for rounds of a search: the search and its evaluation alone.
//! - [`SimulatedLabs`] prepares laboratories over such machines: whole experiments.
//! - [`Simulation`] draws the windows of one profiler from shares per method, without blocks: thousands of repetitions
//!   of the judge in seconds, with the uneven slowing and ambiguous time that no program of blocks gives at will.
//!
//! Sizes are those of docs/method.md. *Accuracy.* The true response here is not the search's model:
//! it has plateaus, jitter that every change of a plan re-rolls, and neighbours that give way.

mod code;
mod evidence;
mod lab;
mod labs;
mod machine;
mod program;
mod random;
mod sampled;

pub use code::method_names;
pub use evidence::{Fault, Simulation};
pub use lab::SimulatedLab;
pub use labs::{Happening, SimulatedLabs, SimulatedProfiler, Trouble};
pub use machine::{Machine, Protocol, Truth};
pub use program::{Block, Program};
pub use random::Random;
