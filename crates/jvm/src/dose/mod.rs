//! JVMs with sites: the user's own, with the compiler and the flags of the user's command.
//!
//! [`SitedJvm`] is one JVM, with at most one profiler: what the test by dose asks of it is
//! [`SiteLab`](proofmark_experiment::dose::sites::SiteLab). The agent says in a file what became of the sites and which methods
//! with sites are compiled.

mod lab;
mod launch;
mod report;
mod room;

pub use lab::{JVM_LOG, SiteOrder, SitedJvm};
pub use launch::ATTACHED;
