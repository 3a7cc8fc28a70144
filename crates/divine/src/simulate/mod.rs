//! A laboratory whose true answer is known: blocks with hinges, plateaus and overlap, code
//! placement, machine speed that wanders, Poisson samples. For tests of the search, of the
//! evaluation and of whatever drives them.
//!
//! Sizes are those of measuring.md. *Accuracy.* The true response here is not the search's model:
//! it has plateaus, jitter that every change of a plan re-rolls, and neighbours that give way.

mod laboratory;
mod program;
mod random;

pub use laboratory::{Laboratory, Protocol, Truth};
pub use program::{Block, Program};
pub use random::Random;
