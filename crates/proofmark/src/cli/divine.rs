//! The command line of `divine`.

use std::path::PathBuf;

use clap::Args;
use proofmark_experiment::divine::FreshProfiles;
use proofmark_experiment::lab::{Filler, InsertionPoint};

use super::names;
use super::number::{between, whole};
use super::search::SearchArguments;
use super::workload::{WorkloadArguments, usage};
use crate::request::{DivineRequest, NativeDivineRequest, Request};

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
    /// Slowdown instruction (default: the one that candidates recommended on this machine, else the one that suits this processor, see doctor).
    #[arg(long, value_parser = names::filler())]
    pub filler: Option<Filler>,
    /// Where in a block the instructions go.
    #[arg(long, alias = "placement", value_parser = names::insertion_point(), default_value = "spread")]
    pub insertion_point: InsertionPoint,
    /// After divining, try the plan in so many fresh JVMs.
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = whole::<u32>(0, 100, 10))]
    pub verify: u32,
    /// How the plan is searched for.
    #[command(flatten)]
    pub search: SearchArguments,
    /// Measure every window in its own JVM, as published, and the final plan in ten JVMs with it and ten without. Slow (20 to 30
    /// minutes, two JVMs at a time); cannot be resumed. PROFILES says by what they compile (own if left out).
    #[arg(long, value_name = "PROFILES", num_args = 0..=1, require_equals = true, default_missing_value = "own", value_parser = names::profiles())]
    pub fresh: Option<FreshProfiles>,
}

impl DivineArguments {
    /// What is asked for.
    ///
    /// # Errors
    /// When the program cannot be understood.
    pub fn request(self) -> anyhow::Result<Request> {
        if let Some(program) = super::native::slotted(&self.workload.program)? {
            return self.native(program).map(Request::NativeDivine);
        }
        Ok(Request::Divine(DivineRequest {
            program: self.workload.request()?,
            target_pct: self.target,
            output: self.output,
            filler: self.filler,
            insertion_point: self.insertion_point,
            verify: self.verify,
            search: self.search.request(0),
            fresh: self.fresh,
        }))
    }

    /// The same of a native program.
    fn native(self, program: PathBuf) -> anyhow::Result<NativeDivineRequest> {
        if self.verify > 0 || self.fresh.is_some() {
            return Err(usage(
                "--verify and --fresh are for programs of a JVM: of a native program every iteration is a fresh process",
            ));
        }
        let own = self.workload.program;
        Ok(NativeDivineRequest {
            program,
            arguments: own.java[1..].to_vec(),
            target_pct: self.target,
            output: self.output,
            filler: self.filler,
            insertion_point: self.insertion_point,
            search: self.search.request(0),
            process_timeout_s: own.iteration_timeout,
            out: own.out,
            seed: own.seed,
        })
    }
}
