//! The command line of `events`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use proofmark_events::Strategy;

use crate::args::WorkloadArguments;

/// `events`.
#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct EventsArguments {
    /// Comparisons.
    #[command(subcommand)]
    pub command: Option<EventsCommand>,
    /// Counting.
    #[command(flatten)]
    pub count: CountArguments,
}

impl EventsArguments {
    /// The program of whatever is asked for.
    #[must_use]
    pub fn workload(&self) -> WorkloadArguments {
        match &self.command {
            None => self.count.program(),
            Some(EventsCommand::Diff(diff)) => diff.workload.clone(),
            Some(EventsCommand::Cost(cost)) => super::cost::workload(cost),
        }
    }
}

/// Commands of `events`.
#[derive(Debug, Clone, Subcommand)]
pub enum EventsCommand {
    /// Say which events differ between two configurations of the compiler (exit code 1 if any does).
    ///
    /// Examples:
    ///   proofmark events diff suite:Json --b=-Djdk.graal.PartialEscapeAnalysis=false
    ///   proofmark events diff --jvms 5 --b=-Djdk.graal.FullUnroll=false -- java -cp app.jar com.acme.Main
    #[command(verbatim_doc_comment)]
    Diff(Box<DiffArguments>),
    /// Measure what counting costs: run time, compile time and code size against code that does not count.
    ///
    /// Examples:
    ///   proofmark events cost
    ///   proofmark events cost --program suite:Json,suite:Towers --mode edge,live,pc,pd,dec --rounds 10
    ///   proofmark events cost --programs programs.toml --mode edge,edge+threads,edge:allocations
    #[command(verbatim_doc_comment)]
    Cost(Box<CostArguments>),
}

/// What is counted, and how.
#[derive(Debug, Clone, Args)]
pub struct SelectionArguments {
    /// Categories of events, separated by commas (default: all; --list shows them).
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub category: Vec<String>,
    /// Types of events, separated by commas, besides those of --category.
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub event: Vec<String>,
    /// How events are counted; all give the same numbers.
    #[arg(long, value_enum, default_value_t = StrategyName::Edge)]
    pub strategy: StrategyName,
    /// Counters of their own for every thread: exact where several threads run the program's code.
    #[arg(long)]
    pub threads: bool,
    /// Only units whose name (package.Class.method) contains this text; * stands for any text.
    #[arg(long, value_name = "PATTERN")]
    pub units: Option<String>,
    /// Leave out units whose root method belongs to the JDK.
    #[arg(long)]
    pub no_jdk: bool,
    /// Class path of event types of your own (docs/events.md says how they are written).
    #[arg(long, value_name = "PATH")]
    pub event_class_path: Option<OsString>,
}

/// `events` itself.
#[derive(Debug, Clone, Args)]
pub struct CountArguments {
    /// The program.
    #[command(flatten)]
    pub workload: WorkloadArguments,
    /// The same as the workload's name: suite:NAME and so on.
    #[arg(long, value_name = "NAME", conflicts_with = "workload")]
    pub program: Option<String>,
    /// What is counted.
    #[command(flatten)]
    pub selection: SelectionArguments,
    /// Iterations that are counted.
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub iterations: u32,
    /// List the types of events with their predicates, and stop.
    #[arg(long)]
    pub list: bool,
}

impl CountArguments {
    /// The program, wherever on the command line it stood. Lists need any.
    #[must_use]
    pub fn program(&self) -> WorkloadArguments {
        let mut workload = self.workload.clone();
        if workload.workload.is_none() {
            workload.workload.clone_from(&self.program);
        }
        if self.list && workload.workload.is_none() && workload.java.is_empty() {
            workload.workload = Some("suite:Towers".into());
        }
        workload
    }
}

/// `events diff`.
#[derive(Debug, Clone, Args)]
pub struct DiffArguments {
    /// The program.
    #[command(flatten)]
    pub workload: WorkloadArguments,
    /// What is counted.
    #[command(flatten)]
    pub selection: SelectionArguments,
    /// Option of the JVM in both configurations; may be repeated.
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    pub jvm_option: Vec<String>,
    /// Option of the JVM in configuration A only; may be repeated.
    #[arg(long = "a", value_name = "OPTION", allow_hyphen_values = true)]
    pub a: Vec<String>,
    /// Option of the JVM in configuration B only; may be repeated.
    #[arg(long = "b", value_name = "OPTION", allow_hyphen_values = true)]
    pub b: Vec<String>,
    /// Share t: changes of less than t times the larger count are not listed.
    #[arg(long, default_value_t = 0.1, value_name = "T")]
    pub threshold: f64,
    /// JVMs of each configuration, in turn.
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub jvms: u32,
    /// Iterations that are counted in each.
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub iterations: u32,
}

/// `events cost`.
#[derive(Debug, Clone, Args)]
pub struct CostArguments {
    /// Programs, separated by commas (default: all of the suite).
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub program: Vec<String>,
    /// More programs, from a TOML file (docs/study-run.md shows one).
    #[arg(long, value_name = "FILE")]
    pub programs: Option<PathBuf>,
    /// Ways of counting: STRATEGY[+threads][+check][:CATEGORY[+CATEGORY...]], separated by commas.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "edge,edge+threads,live,pc,pd,dec,edge:allocations,edge:arithmetics,edge:branches",
        value_name = "MODES"
    )]
    pub mode: Vec<String>,
    /// Rounds: installations of each way of counting.
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub rounds: u32,
    /// Least time under each installation, s.
    #[arg(long, default_value_t = 0.25, value_name = "S")]
    pub seconds: f64,
    /// Heap of the programs in MB, fixed and touched beforehand.
    #[arg(long, default_value_t = 1024, value_name = "MB")]
    pub heap: u32,
    /// Longest that one iteration may take, in s.
    #[arg(long, default_value_t = 60.0, value_name = "S")]
    pub iteration_timeout: f64,
    /// Directory for everything that the run leaves.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Seed of the order of installations.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Names of [`Strategy`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StrategyName {
    /// Edges outside of a spanning tree; the rest is computed.
    Edge,
    /// The same edges, added to the types' counters at once.
    Live,
    /// Paths (Ball-Larus).
    Pc,
    /// Paths, added to the types' counters at their ends.
    Pd,
    /// Every event where it happens.
    Dec,
}

impl From<StrategyName> for Strategy {
    fn from(name: StrategyName) -> Self {
        match name {
            StrategyName::Edge => Self::Edge,
            StrategyName::Live => Self::Live,
            StrategyName::Pc => Self::Pc,
            StrategyName::Pd => Self::Pd,
            StrategyName::Dec => Self::Dec,
        }
    }
}
