//! The command line of `dose`.

use clap::Args;
use proofmark_profile::profiler_name;

use super::sites::{JudgeArguments, SiteArguments};
use super::workload::ProgramArguments;
use crate::request::DoseRequest;

/// `dose`.
#[derive(Debug, Clone, Args)]
pub struct DoseArguments {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArguments,
    /// Profilers, separated by commas: async, async-cpu, async-ctimer, async-itimer (each also with +attached: loaded when the JVM has started), jfr, jfr-cpu (each also with +nonsafepoints), safepoint.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "async,jfr,jfr+nonsafepoints",
        value_name = "NAMES"
    )]
    pub profiler: Vec<String>,
    /// What is judged, and how.
    #[command(flatten)]
    pub judge: JudgeArguments,
    /// Where time is put.
    #[command(flatten)]
    pub sites: SiteArguments,
}

impl DoseArguments {
    /// What is asked for.
    ///
    /// # Errors
    /// When the program cannot be understood.
    pub fn request(self) -> anyhow::Result<DoseRequest> {
        let profilers = self
            .profiler
            .iter()
            .map(|name| profiler_name(name))
            .collect();
        self.sites.request(&self.program, &self.judge, profilers)
    }
}
