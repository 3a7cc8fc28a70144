//! The parts of the `proofmark` command; `main.rs` puts them one behind the other.

pub mod builds;
pub mod check;
pub mod cli;
pub mod commands;
pub mod console;
pub mod context;
pub mod exit;
pub mod leftover;
pub mod load;
pub mod machine;
pub mod manifest;
pub mod output;
pub mod progress;
pub mod read;
pub mod request;
pub mod run;
pub mod session;
pub mod stamp;
pub mod surroundings;
