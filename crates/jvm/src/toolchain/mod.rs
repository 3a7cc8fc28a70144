//! The tools that a laboratory is made of: a JDK 25, the unmodified Graal jars, async-profiler, and our own
//! Java parts compiled by that JDK at first use.
//!
//! Way of the data: `Settings` (the environment, read once) -> [`find_jdk`] -> locked files (`lock`, `artifact`)
//! -> jars (`sources`, `compile`) -> [`Kit`]. Everything made is kept in the `cache` under a name made of what it
//! was made from, so a second start only checks hashes. docs/decisions/toolchain.md gives the reasons.
//!
//! Every missing or broken piece is an error whose text ends with its remedy.

mod artifact;
mod cache;
mod compile;
mod counting;
mod doctor;
mod dosing;
mod error;
mod exports;
mod find;
mod hash;
mod jdk;
mod kit;
mod lock;
mod machine;
mod maven;
mod process;
mod repository;
mod settings;
mod sources;

pub use counting::{CountKit, jdk_of, release_of};
pub use doctor::doctor;
pub use dosing::DoseKit;
pub use error::ToolchainError;
pub use find::{JdkSeen, find_any_jdks, find_jdk};
pub use hash::{of_bytes as hash_of_bytes, of_file as hash_of_file, of_parts as hash_of_parts};
pub use jdk::{Jdk, JdkVersion};
pub use kit::{AsyncProfiler, Kit, Versions};
pub use machine::{Machine, processors};
pub use process::shell_line;
pub use settings::Settings;
pub use sources::{has_suite_program, suite_hash};
