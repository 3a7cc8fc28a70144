//! The same matrix in the laboratory: time is added to the code that the program has, as instructions in the blocks of
//! one method.
//!
//! The instructions have no debug information of their own and no loop, so that they show what a profiler does with the
//! method's own instructions around them. The program is compared under two doses that both lie beyond the hinge (the
//! first instructions of a block hide in idle issue slots and move the time of their neighbours), in windows that take
//! turns. The clock says what was added; the matrix and the verdicts are those of doses by sites ([`crate::dose`]), told
//! apart by [`Vehicle::Blocks`](super::Vehicle::Blocks).
//!
//! Our own sampler is a subject like the others. Its matrix decides whether the block map may be called truth
//! ([`MapTruth`]), which no agreement of the map with itself can.
//!
//! - [`find_amounts`]: how many instructions, by the clock alone;
//! - [`block_doses`]: rows, verdicts and what they say about the map.

mod amounts;
mod judged;
mod map_truth;
mod result;
mod watched;

pub use amounts::{AmountSettings, Amounts, find_amounts};
pub use judged::{Watched, WatchedTarget, block_doses};
pub use map_truth::MapTruth;
pub use result::{BlockDoses, BlockTarget, ORACLE};
