//! The command line of `speedup`.

use std::path::PathBuf;

use clap::Args;
use proofmark_experiment::lab::InsertionPoint;
use proofmark_native::{Slotted, found_command};

use super::names;
use super::number::{between, whole};
use super::workload::usage;
use crate::request::{Request, SpeedupRequest};

/// `speedup`.
#[derive(Debug, Clone, Args)]
pub struct SpeedupArguments {
    /// The plan that slows everything, as `divine` wrote it for this build.
    #[arg(long, value_name = "FILE")]
    pub plan: PathBuf,
    /// A function, as the linker knows it (nm); repeatable. Without any: the hottest of the plan.
    #[arg(long, value_name = "NAME")]
    pub function: Vec<String>,
    /// How many of the hottest functions, where none is named.
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = whole::<u16>(1, 100, 5))]
    pub functions: u16,
    /// Rounds; in each the program runs under every variant and alignment. More make narrower intervals.
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = whole::<u16>(2, 1000, 10))]
    pub rounds: u16,
    /// Least time of each variant under an alignment in a round, s.
    #[arg(long, default_value_t = 0.1, value_name = "S", value_parser = between(0.01, 600.0), allow_negative_numbers = true)]
    pub window: f64,
    /// Where in a block the plan's instructions go: where they went when `divine` made it.
    #[arg(long, alias = "placement", value_parser = names::insertion_point(), default_value = "spread")]
    pub insertion_point: InsertionPoint,
    /// Longest that one process may take, in s.
    #[arg(long, default_value_t = 60.0, value_name = "S", value_parser = between(0.1, 86_400.0), allow_negative_numbers = true)]
    pub iteration_timeout: f64,
    /// Directory for everything that the run leaves.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Seed of the order of variants.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Your program as you start it: -- ./program [ARGUMENT...]
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

impl SpeedupArguments {
    /// What is asked for.
    ///
    /// # Errors
    /// When there is no such program, or it has no slots.
    pub fn request(self) -> anyhow::Result<Request> {
        let program = program(&self.command)?;
        Slotted::read(&program).map_err(|error| usage(&error.to_string()))?;
        Ok(Request::Speedup(SpeedupRequest {
            program,
            arguments: self.command[1..].to_vec(),
            plan: self.plan,
            named: self.function,
            functions: self.functions.into(),
            rounds: self.rounds.into(),
            window_s: self.window,
            insertion_point: self.insertion_point,
            process_timeout_s: self.iteration_timeout,
            out: self.out,
            seed: self.seed,
        }))
    }
}

/// The file of the program that a command starts.
///
/// # Errors
/// When there is none.
pub(super) fn program(command: &[String]) -> anyhow::Result<PathBuf> {
    let first = command.first().map_or("", String::as_str);
    let missing = || usage(&format!("there is no program {first}"));
    found_command(first).ok_or_else(missing)
}
