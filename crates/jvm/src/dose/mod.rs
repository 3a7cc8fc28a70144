//! JVMs with sites: the user's own, with the compiler and the flags of the user's command.
//!
//! [`SiteLab`] is one warmed-up JVM, with at most one profiler; its windows run with one site at work or none. The agent
//! says what became of the sites and which methods with sites are compiled ([`AgentReport`]).

mod lab;
mod launch;
mod report;
mod turns;

pub use crate::harness::DosedWindow;
pub use lab::{SiteLab, SiteOrder, WarmUp};
pub use launch::{ATTACHED, SitePlace, SiteWork, WantedSite};
pub use report::{AgentReport, Compilation, PlacedSite};
pub use turns::StepClock;
