//! The program under test, on the command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use proofmark_jvm::{Workload, WorkloadError, main_class, split_class_path};

use super::number::between;
use crate::context::Refusal;
use crate::request::ProgramRequest;

/// The program under test.
#[derive(Debug, Clone, Args)]
pub struct ProgramArguments {
    /// suite:NAME, class:CLASS (its main), method:CLASS.METHOD (static, no parameters) or runnable:CLASS.
    #[arg(long_help = format!(
        "suite:NAME (one of {}), class:CLASS (its main), method:CLASS.METHOD (static, no parameters) or runnable:CLASS",
        proofmark_jvm::SUITE.join(", ")
    ))]
    pub workload: Option<String>,
    /// Class path of your program, for class:, method: and runnable:.
    #[arg(long, value_name = "PATH")]
    pub class_path: Option<OsString>,
    /// Your program as you start it: -- java [OPTION...] -cp PATH CLASS [ARGUMENT...]
    #[arg(last = true, value_name = "COMMAND")]
    pub java: Vec<String>,
    /// Longest that one iteration may take, in s.
    #[arg(long, default_value_t = 60.0, value_name = "S", value_parser = between(0.1, 86_400.0), allow_negative_numbers = true)]
    pub iteration_timeout: f64,
    /// Directory for everything that the run leaves; one that an interrupted run left is continued, but for `dose`.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Seed of everything that is drawn at random.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl ProgramArguments {
    /// The program that is meant.
    ///
    /// # Errors
    /// When none is named, or it cannot be understood.
    pub fn workload(&self) -> anyhow::Result<Workload> {
        let path = self.class_path.as_deref();
        let class_path = path.map(split_class_path).unwrap_or_default();
        program(self.workload.as_deref(), class_path, &self.java)
    }
}

/// The program under test in a laboratory, which sets its heap.
#[derive(Debug, Clone, Args)]
pub struct WorkloadArguments {
    /// The program.
    #[command(flatten)]
    pub program: ProgramArguments,
    /// Heap of the program in the laboratory in MB, fixed and touched beforehand (-Xmx and the like in your command do not count there).
    #[arg(long, default_value_t = 1024, value_name = "MB", value_parser = clap::value_parser!(u32).range(2..=1_048_576))]
    pub heap: u32,
}

impl WorkloadArguments {
    /// The program that is meant.
    ///
    /// # Errors
    /// When none is named, or it cannot be understood.
    pub fn request(self) -> anyhow::Result<ProgramRequest> {
        Ok(ProgramRequest {
            workload: self.program.workload()?,
            heap_mb: self.heap,
            iteration_timeout_s: self.program.iteration_timeout,
            out: self.program.out,
            seed: self.program.seed,
        })
    }
}

/// The program that a name or a `java` command stands for.
///
/// # Errors
/// When there is none of them or both, or it cannot be understood.
pub fn program(
    name: Option<&str>,
    class_path: Vec<PathBuf>,
    java: &[String],
) -> anyhow::Result<Workload> {
    match (name, java) {
        (Some(_), [_, ..]) => Err(usage("give a workload or -- java ..., not both")),
        (Some(name), []) => Ok(Workload::parse(name, class_path).map_err(refused)?),
        (None, []) => Err(usage(
            "give a workload: suite:NAME, or end the command with -- java ...",
        )),
        (None, words) => Ok(Workload::from_command(words, main_class).map_err(refused)?),
    }
}

/// A command line that cannot be meant.
pub fn usage(text: &str) -> anyhow::Error {
    Refusal::Usage(text.to_owned()).into()
}

/// A workload that cannot be understood.
pub fn refused(error: WorkloadError) -> Refusal {
    Refusal::Usage(error.to_string())
}
