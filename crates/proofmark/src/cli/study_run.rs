//! The command line of `study run`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use proofmark_jvm::{Compiler, JarManifest, Workload};

use proofmark_profile::profiler_name;

use super::number::{ANY, positive, whole};
use super::workload::{is_there, named, refused};
use crate::request::programs::{Program, checked};
use crate::request::{AgentRequest, StudyRequest};

/// `study run`.
#[derive(Debug, Clone, Args)]
pub struct LiveArguments {
    /// Profilers, separated by commas: async, async-cpu, async-ctimer, async-itimer, jfr, jfr-cpu (each jfr also with +nonsafepoints), perf, yourkit, jprofiler, cmd:COMMAND and the control safepoint; runs without profiler always take part.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "async,async-ctimer,jfr,jfr+nonsafepoints,safepoint",
        value_name = "NAMES"
    )]
    pub profiler: Vec<String>,
    /// Programs, separated by commas: suite:NAME, class:CLASS (its main), method:CLASS.METHOD, runnable:CLASS or jmh:JAR#REGEX (with several parameters in --programs).
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub program: Vec<String>,
    /// More programs, from a TOML file (docs/study-run.md shows one).
    #[arg(long, value_name = "FILE")]
    pub programs: Option<PathBuf>,
    /// Class path of your programs, for class:, method: and runnable:; more of it for jmh:.
    #[arg(long, value_name = "PATH")]
    pub class_path: Option<OsString>,
    /// One more program, as you start it: -- java [OPTION...] -cp PATH CLASS [ARGUMENT...]
    #[arg(last = true, value_name = "COMMAND")]
    pub java: Vec<String>,
    /// Runs of every program under every profiler, each in a JVM of its own (fewer than 5 give no intervals).
    #[arg(long, default_value_t = 30, value_name = "N", value_parser = whole::<u32>(1, 10_000, 30))]
    pub runs: u32,
    /// Iterations of every run, the cold ones included.
    #[arg(long, default_value_t = 300, value_name = "N", value_parser = whole::<u32>(1, 10_000_000, 300))]
    pub iterations: u32,
    /// Time for the whole study, in s: runs and iterations are made fewer until it fits, down to 3 runs of 10 iterations.
    #[arg(long, value_name = "S", value_parser = positive, allow_negative_numbers = true)]
    pub time_budget: Option<f64>,
    /// Time between samples, in ms (default: 1 for async-profiler and perf, 2 for JFR and safepoint).
    #[arg(long, value_name = "MS", value_parser = positive, allow_negative_numbers = true)]
    pub interval: Option<f64>,
    /// Compiler of hot code.
    #[arg(long, value_enum, default_value_t = CompilerName::C2)]
    pub compiler: CompilerName,
    /// Heap of the programs in MB, fixed and touched beforehand (-Xmx and the like in your command do not count).
    #[arg(long, default_value_t = 1024, value_name = "MB", value_parser = whole::<u32>(1, ANY, 1024))]
    pub heap: u32,
    /// Longest that one iteration may take, in s.
    #[arg(long, default_value_t = 60.0, value_name = "S", value_parser = positive, allow_negative_numbers = true)]
    pub iteration_timeout: f64,
    /// Directory of the study; one that an interrupted study left is continued.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Seed of the order of runs and of the environments' sizes.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Keep the profilers' own files; else only stacks with their weights are kept, which is what `study analyze` needs.
    #[arg(long)]
    pub keep_recordings: bool,
    /// Profile all threads of the program; else the one that runs the iterations.
    #[arg(long)]
    pub all_threads: bool,
    /// Try every program once, say how long the study would take, and stop.
    #[arg(long)]
    pub dry_run: bool,
    /// Another build of async-profiler's library.
    #[arg(long, value_name = "FILE")]
    pub async_library: Option<PathBuf>,
    /// YourKit's agent (libyjpagent.so).
    #[arg(long, value_name = "FILE")]
    pub yourkit: Option<PathBuf>,
    /// Its options; {dir} is the directory for its snapshot.
    #[arg(
        long,
        default_value = "sampling,onexit=snapshot,dir={dir}",
        value_name = "OPTIONS"
    )]
    pub yourkit_options: String,
    /// Shell command that turns its snapshot {recording} into a table {out}.
    #[arg(long, value_name = "COMMAND")]
    pub yourkit_export: Option<String>,
    /// JProfiler's agent (libjprofilerti.so).
    #[arg(long, value_name = "FILE")]
    pub jprofiler: Option<PathBuf>,
    /// Its options, as in offline,id=1,config=FILE; {dir} is the directory for its snapshot.
    #[arg(long, value_name = "OPTIONS")]
    pub jprofiler_options: Option<String>,
    /// Shell command that turns its snapshot {recording} into a table {out}.
    #[arg(long, value_name = "COMMAND")]
    pub jprofiler_export: Option<String>,
}

impl LiveArguments {
    /// What is asked for.
    ///
    /// # Errors
    /// When there is no program, one cannot be understood, or two have one name.
    pub fn request(self) -> anyhow::Result<StudyRequest> {
        Ok(StudyRequest {
            programs: self.programs()?,
            profilers: self.profiler.iter().map(|n| profiler_name(n)).collect(),
            runs: self.runs,
            iterations: self.iterations,
            time_budget_s: self.time_budget,
            interval_ms: self.interval,
            compiler: self.compiler.into(),
            heap_mb: self.heap,
            iteration_timeout_s: self.iteration_timeout,
            out: self.out,
            seed: self.seed,
            keep_recordings: self.keep_recordings,
            all_threads: self.all_threads,
            dry_run: self.dry_run,
            async_library: self.async_library,
            yourkit: AgentRequest {
                library: self.yourkit,
                options: Some(self.yourkit_options),
                export: self.yourkit_export,
            },
            jprofiler: AgentRequest {
                library: self.jprofiler,
                options: self.jprofiler_options,
                export: self.jprofiler_export,
            },
        })
    }

    /// All programs, in the order of the command line.
    fn programs(&self) -> anyhow::Result<Vec<Program>> {
        let path = self.class_path.as_deref();
        let mut programs = named(&self.program, path, self.programs.as_deref())?;
        if !self.java.is_empty() {
            is_there(&self.java)?;
            let workload =
                Workload::from_command(&self.java, JarManifest::read).map_err(refused)?;
            programs.push(Program::named(workload.to_string(), workload));
        }
        checked(programs)
    }
}

/// Names of [`Compiler`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CompilerName {
    /// HotSpot's C2 behind C1, as in production.
    C2,
    /// Graal.
    Graal,
}

impl From<CompilerName> for Compiler {
    fn from(name: CompilerName) -> Self {
        match name {
            CompilerName::C2 => Self::C2,
            CompilerName::Graal => Self::Graal,
        }
    }
}
