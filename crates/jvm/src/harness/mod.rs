//! A JVM with the harness in command of the workload, and our end of the socket to it.

mod answers;
mod client;
mod dose;
pub(crate) mod limits;
#[cfg(test)]
mod messages_test;
mod process;
mod refusal;
pub(crate) mod requests;

pub use answers::{Control, Counted, Group, Hello, OtherThread, UnitCounts, WarmUp, Window};
pub use client::{HarnessClient, Start, WindowOrder};
pub use dose::DosedWindow;
pub(crate) use dose::{DoseClient, DoseStart};
pub(crate) use process::tail;
pub(crate) use requests::DoseTurns;
