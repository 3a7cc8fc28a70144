//! The command line of `race`.

use std::path::PathBuf;

use clap::Args;
use proofmark_native::Program;

use super::number::{between, whole};
use super::speedup::program;
use super::workload::usage;
use crate::request::{RaceRequest, Request};

/// `race`.
#[derive(Debug, Clone, Args)]
pub struct RaceArguments {
    /// A function that threads pass between reading and writing what they share, as the linker knows it (nm), of Rust its path; repeatable: each gets its own runs.
    #[arg(long, value_name = "NAME", required = true)]
    pub function: Vec<String>,
    /// Turns of the loop at the function's entry each time it is called, some 8 cycles each (default: as many as make the program take twice as long, 0.05 s of CPU time more at least; fewer where it fails each time).
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, 268_435_456, 10_000))]
    pub turns: Option<u32>,
    /// Runs without added time, and as many with it in each function.
    #[arg(long, default_value_t = 50, value_name = "N", value_parser = whole::<u32>(1, 100_000, 50))]
    pub runs: u32,
    /// Longest that a run may take, in s; one that takes longer, such as in a deadlock, is ended and has failed.
    #[arg(long, default_value_t = 10.0, value_name = "S", value_parser = between(0.01, 86_400.0), allow_negative_numbers = true)]
    pub timeout: f64,
    /// A run has failed as well if this text stands in what it puts out, on standard output or standard error.
    #[arg(long, value_name = "TEXT")]
    pub failed_if: Option<String>,
    /// Directory for everything that the runs leave.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Seed of the order of runs.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Your program as you start it: -- ./program [ARGUMENT...]
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}

impl RaceArguments {
    /// What is asked for.
    ///
    /// # Errors
    /// When there is no such program, or it has no such sites.
    pub fn request(self) -> anyhow::Result<Request> {
        let program = program(&self.command)?;
        let known = Program::read(&program).map_err(|error| usage(&error.to_string()))?;
        let mut functions = Vec::new();
        for name in &self.function {
            let name = known.name_of(name);
            if known.site(&name).is_none() {
                return Err(usage(&format!(
                    "--function {name}: the program has no site in a function of that name; write it as the linker knows it \
                     (nm {})",
                    program.display()
                )));
            }
            if !functions.contains(&name) {
                functions.push(name);
            }
        }
        if self.failed_if.as_deref() == Some("") {
            return Err(usage(
                "--failed-if: give a text that stands in the output of runs that failed",
            ));
        }
        Ok(Request::Race(RaceRequest {
            program,
            arguments: self.command[1..].to_vec(),
            functions,
            turns: self.turns,
            runs: self.runs,
            timeout_s: self.timeout,
            failed_if: self.failed_if,
            out: self.out,
            seed: self.seed,
        }))
    }
}
