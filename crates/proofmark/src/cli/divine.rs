//! The command line of `divine`.

use std::path::PathBuf;

use clap::Args;
use proofmark_experiment::lab::{Filler, InsertionPoint};

use super::names;
use super::number::between;
use super::workload::WorkloadArguments;

use crate::request::DivineRequest;

/// `divine`.
#[derive(Debug, Clone, Args)]
pub struct DivineArguments {
    /// The program.
    #[command(flatten)]
    pub workload: WorkloadArguments,
    /// Slowdown wanted, in % of every block's time.
    #[arg(long, default_value_t = 100.0, value_name = "PERCENT", value_parser = between(1.0, 1000.0), allow_negative_numbers = true)]
    pub target: f64,
    /// Where the plan goes (default: plan.json in the run's directory).
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Slowdown instruction (default: the one that suits this processor, see doctor).
    #[arg(long, value_parser = names::filler())]
    pub filler: Option<Filler>,
    /// Where in a block the instructions go.
    #[arg(long, value_parser = names::placement(), default_value = "spread")]
    pub placement: InsertionPoint,
    /// After divining, try the plan in so many fresh JVMs.
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u32).range(..=100))]
    pub verify: u32,
    /// Measure every window in a JVM of its own, as the published protocol does: slow by nature, some
    /// 20 to 30 minutes, two JVMs at a time, and it does not resume.
    #[arg(long)]
    pub fresh: bool,
}

impl DivineArguments {
    /// What is asked for.
    ///
    /// # Errors
    /// When the program cannot be understood.
    pub fn request(self) -> anyhow::Result<DivineRequest> {
        Ok(DivineRequest {
            program: self.workload.request()?,
            target_pct: self.target,
            output: self.output,
            filler: self.filler,
            insertion_point: self.placement,
            verify: self.verify,
            fresh: self.fresh,
        })
    }
}
