//! The command line of `candidates`.

use clap::Args;
use proofmark_experiment::candidates::usual;
use proofmark_experiment::lab::{Filler, Insertion, InsertionPoint};

use super::names;
use super::number::between;
use super::workload::{WorkloadArguments, usage};
use crate::request::CandidatesRequest;

/// `candidates`.
#[derive(Debug, Clone, Args)]
pub struct CandidatesArguments {
    /// The program (default: suite:Towers).
    #[command(flatten)]
    pub workload: WorkloadArguments,
    /// Slowdown wanted, in % of every block's time.
    #[arg(long, default_value_t = 100.0, value_name = "PERCENT", value_parser = between(1.0, 1000.0), allow_negative_numbers = true)]
    pub target: f64,
    /// Instructions to compare (default: all between a block's own instructions, mov and nop also at its start and end).
    #[arg(long, value_parser = names::filler(), value_delimiter = ',', value_name = "NAME")]
    pub filler: Vec<Filler>,
    /// Where in a block they go, with --filler.
    #[arg(long, alias = "placement", value_parser = names::insertion_point(), value_delimiter = ',', default_value = "spread")]
    pub insertion_point: Vec<InsertionPoint>,
    /// Profiler that looks at the program as it is and slowed; none: nobody looks.
    #[arg(long, default_value = "async", value_name = "NAME")]
    pub profiler: String,
}

impl CandidatesArguments {
    /// What is asked for.
    ///
    /// # Errors
    /// When the program cannot be understood.
    pub fn request(mut self) -> anyhow::Result<CandidatesRequest> {
        let program = &mut self.workload.program;
        if program.workload.is_none() && program.java.is_empty() {
            program.workload = Some("suite:Towers".into());
        }
        let of_filler = |&filler: &Filler| {
            let all = self.insertion_point.iter();
            all.map(move |&at| Insertion { filler, at })
        };
        let candidates: Vec<Insertion> = match self.filler.as_slice() {
            [] => usual(),
            some => some.iter().flat_map(of_filler).collect(),
        };
        let twice = (1..candidates.len()).find(|at| candidates[..*at].contains(&candidates[*at]));
        if let Some(at) = twice {
            let Insertion { filler, at } = candidates[at];
            return Err(usage(&format!(
                "--filler and --insertion-point name '{} {}' twice",
                filler.name(),
                at.name()
            )));
        }
        Ok(CandidatesRequest {
            program: self.workload.request()?,
            target_pct: self.target,
            candidates,
            profiler: Some(self.profiler).filter(|name| name != "none"),
        })
    }
}
