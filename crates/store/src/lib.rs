//! Results on disk: one directory per run, which a killed Proofmark leaves in a state that can be
//! resumed.
//!
//! ```text
//! manifest.json   what the run is; replaced as a whole or not at all
//! steps.jsonl     finished steps, one per line, each on disk before the next one begins
//! lock            held while a Proofmark works on the run, also on one without steps; holds its process id
//! ...             plans and reports, each replaced as a whole or not at all
//! ```
//! No step that was reported as stored is lost: not by `kill -9`, not by a full disk, and (as far
//! as the disk keeps its word on fsync) not by a power failure.
#![forbid(unsafe_code)]

mod atomic;
mod error;
mod experiment;
mod lines;
mod lock;
mod place;
mod run;
mod steps;

pub use atomic::write_atomically;
pub use error::StoreError;
pub use lines::Step;
pub use lock::Lock;
pub use place::{new_run_directory, state_directory, timestamp};
pub use run::{Run, manifest_in, steps_in};
