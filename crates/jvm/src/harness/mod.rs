//! A JVM with the harness in command of the workload, and our end of the socket to it.

mod answers;
mod client;
mod exited;
pub(crate) mod limits;
mod line;
#[cfg(test)]
mod messages_test;
mod process;
mod refusal;
pub(crate) mod requests;

pub use answers::{Control, Counted, Group, Hello, OtherThread, UnitCounts, WarmUp, Window};
pub use client::{HarnessClient, Start, WindowOrder};
pub(crate) use line::{Client, ClientStart};
pub(crate) use process::tail;
