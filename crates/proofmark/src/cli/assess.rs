//! The command line of `assess`.

use std::path::PathBuf;

use clap::Args;
use proofmark_profile::profiler_name;

use super::number::between;
use super::workload::WorkloadArguments;
use crate::request::AssessRequest;

/// `assess`.
#[derive(Debug, Clone, Args)]
pub struct AssessArguments {
    /// The program.
    #[command(flatten)]
    pub workload: WorkloadArguments,
    /// Profilers, separated by commas: async, async-cpu, async-ctimer, async-itimer, jfr, jfr-cpu (each jfr also with +nonsafepoints), perf, cmd:COMMAND; the controls oracle and safepoint always run.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "async,jfr",
        value_name = "NAMES"
    )]
    pub profiler: Vec<String>,
    /// Time between a profiler's samples, in ms (default: 1 for async-profiler and perf, 2 for JFR).
    #[arg(long, value_name = "MS", value_parser = between(0.01, 1000.0), allow_negative_numbers = true)]
    pub interval: Option<f64>,
    /// Another build of async-profiler's library.
    #[arg(long, value_name = "FILE")]
    pub async_library: Option<PathBuf>,
    /// A plan that `divine` made for this program; else one is divined first.
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,
    /// Uniform slowdowns to try, in %, separated by commas.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "100",
        value_name = "PERCENT",
        value_parser = between(1.0, 1000.0),
        allow_negative_numbers = true
    )]
    pub target: Vec<f64>,
    /// Single blocks that are dosed (slowed by +60 % and by some +260 % of the program's time, in turns) besides the hottest methods; 0 leaves doses out.
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u32).range(..=50))]
    pub singles: u32,
    /// Error that separates right from wrong, in points of share.
    #[arg(long, default_value_t = 5.0, value_name = "POINTS", value_parser = between(0.1, 100.0), allow_negative_numbers = true)]
    pub margin: f64,
    /// Time for the windows of each profiler besides doses, in s (default: as long as its rate needs).
    #[arg(long, value_name = "S", value_parser = between(1.0, 86_400.0), allow_negative_numbers = true)]
    pub time_budget: Option<f64>,
    /// Do not rerun a wrong profiler with DebugNonSafepoints to test the cause.
    #[arg(long)]
    pub no_cause: bool,
    /// Ask wrong profilers once more under C2, without a verdict: is the same blamed there? (20 to 30 s each)
    #[arg(long)]
    pub c2: bool,
    /// Say what would be done and how long it would take, and stop.
    #[arg(long)]
    pub dry_run: bool,
}

impl AssessArguments {
    /// What is asked for.
    ///
    /// # Errors
    /// When the program cannot be understood.
    pub fn request(self) -> anyhow::Result<AssessRequest> {
        Ok(AssessRequest {
            program: self.workload.request()?,
            profilers: self.profiler.iter().map(|n| profiler_name(n)).collect(),
            interval_ms: self.interval,
            async_library: self.async_library,
            plan: self.plan,
            targets_pct: self.target,
            singles: self.singles,
            margin_pt: self.margin,
            time_budget_s: self.time_budget,
            cause: !self.no_cause,
            c2: self.c2,
            dry_run: self.dry_run,
        })
    }
}
