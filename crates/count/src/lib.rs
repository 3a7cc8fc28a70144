//! Profiles of counted bytecodes compared: with each other by their calling contexts, with time profiles by method.
//!
//! Counted bytecodes are free of noise: what differs between a sampled and an exact profile is the sampling, and what
//! differs between bytecodes and time is the cost of a bytecode. Pure: profiles in, figures out.
//!
//! ```
//! use proofmark_count::compare_counts;
//! use proofmark_profile::CountFile;
//!
//! let file = |bytecodes: u64| {
//!     let text = format!(
//!         "proofmark-count\t1\nmode\texact\ngranularity\t1\nrandom\t0\nseed\t1\nscope\tapplication\n\
//!          method\t0\tA\tmain\t()V\nmethod\t1\tA\tf\t()V\n\
//!          thread\tplatform\tended\t100\t0\t0\t0\tmain\n0\t0\t{}\t0\n1\t1\t{bytecodes}\t0\n",
//!         100 - bytecodes
//!     );
//!     CountFile::parse(text.as_bytes()).expect("a sound file")
//! };
//! let comparison = compare_counts(&file(25), &file(50));
//! assert_eq!(comparison.overlap_pct, 75.0);
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod compare;
mod contexts;
mod counted;
mod methods;
mod result;

pub use compare::{compare_counts, compare_time};
pub use counted::{
    COUNTED_SCHEMA, Counted, Coverage, Executed, LeftAlone, OwnRow, ThreadRow, Uncounted,
};
pub use result::{
    COMPARISON_SCHEMA, Comparison, Contexts, FirstDifference, MethodRow, Pair,
    TIME_COMPARISON_SCHEMA, TimeComparison, TimeRow, Totals,
};
