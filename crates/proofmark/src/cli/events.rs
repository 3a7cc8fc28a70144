//! The command line of `events`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use proofmark_events::Strategy;
use proofmark_jvm::split_class_path;

use super::number::{ANY, between, whole};
use super::workload::{WorkloadArguments, named_or_bundled};
use crate::request::programs::Program;
use crate::request::{
    EventsCostRequest, EventsDiffRequest, EventsRequest, Request, Selection, modes,
};

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
    /// What is asked for.
    ///
    /// # Errors
    /// When the program cannot be understood, or what is to be counted does not exist.
    pub fn request(self) -> anyhow::Result<Request> {
        Ok(match self.command {
            None if self.count.list => Request::EventsList(self.count.request()?),
            None => Request::Events(self.count.request()?),
            Some(EventsCommand::Diff(diff)) => Request::EventsDiff(diff.request()?),
            Some(EventsCommand::Cost(cost)) => Request::EventsCost(cost.request()?),
        })
    }
}

/// Commands of `events`.
#[derive(Debug, Clone, Subcommand)]
pub enum EventsCommand {
    /// Say which events differ between two configurations of the compiler (exit code 1 if any does).
    ///
    /// Several JVMs of either configuration run in turn. What differs is a change beyond what JVMs of one configuration differ by.
    ///
    /// Examples:
    ///   proofmark events diff suite:Json --b=-Djdk.graal.PartialEscapeAnalysis=false
    ///   proofmark events diff --jvms 5 --b=-Djdk.graal.FullUnroll=false -- java -cp app.jar com.acme.Main
    #[command(verbatim_doc_comment)]
    Diff(Box<DiffArguments>),
    /// Measure what counting costs: run time, compile time and code size, as factors of code that does not count.
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
    /// Only units whose name (package.Class.method) contains this text; * stands for any text. A unit is a compiled method with what was inlined into it.
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
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = whole::<u32>(1, ANY, 10))]
    pub iterations: u32,
    /// List the types of events with their predicates, and stop.
    #[arg(long)]
    pub list: bool,
}

impl CountArguments {
    /// What is asked for; the program may be named in two places. Lists need any.
    fn request(self) -> anyhow::Result<EventsRequest> {
        let mut workload = self.workload;
        workload.program.workload = workload.program.workload.or(self.program);
        let named = &mut workload.program;
        if self.list && named.workload.is_none() && named.java.is_empty() {
            named.workload = Some("suite:Towers".into());
        }
        Ok(EventsRequest {
            selection: self.selection.request()?,
            program: workload.request()?,
            iterations: self.iterations,
        })
    }
}

impl SelectionArguments {
    fn request(self) -> anyhow::Result<Selection> {
        let path = self.event_class_path.as_deref();
        let selection = Selection {
            categories: self.category,
            events: self.event,
            strategy: self.strategy.into(),
            threads: self.threads,
            units: self.units,
            no_jdk: self.no_jdk,
            class_path: path.map(split_class_path).unwrap_or_default(),
        };
        selection.check()?;
        Ok(selection)
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
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true, value_parser = jvm_option)]
    pub jvm_option: Vec<String>,
    /// Option of the JVM in configuration A only; may be repeated.
    #[arg(long = "a", value_name = "OPTION", allow_hyphen_values = true, value_parser = jvm_option)]
    pub a: Vec<String>,
    /// Option of the JVM in configuration B only; may be repeated.
    #[arg(long = "b", value_name = "OPTION", allow_hyphen_values = true, value_parser = jvm_option)]
    pub b: Vec<String>,
    /// Least change that is listed, as a part of the larger count (0.1: 10 %).
    #[arg(long, default_value_t = 0.1, value_name = "T", value_parser = between(0.0, 1.0), allow_negative_numbers = true)]
    pub threshold: f64,
    /// JVMs of each configuration, in turn; more of them find smaller changes.
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = whole::<u32>(2, ANY, 3))]
    pub jvms: u32,
    /// Iterations that are counted in each JVM.
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = whole::<u32>(1, ANY, 5))]
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
    /// How often each way of counting is installed and timed.
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = whole::<u32>(2, ANY, 8))]
    pub rounds: u32,
    /// Least time under each installation, s.
    #[arg(long, default_value_t = 0.25, value_name = "S", value_parser = between(0.01, 3600.0), allow_negative_numbers = true)]
    pub seconds: f64,
    /// Heap of the programs in MB, fixed and touched beforehand.
    #[arg(long, default_value_t = 1024, value_name = "MB", value_parser = whole::<u32>(2, 1_048_576, 1024))]
    pub heap: u32,
    /// Longest that one iteration may take, in s.
    #[arg(long, default_value_t = 60.0, value_name = "S", value_parser = between(0.1, 86_400.0), allow_negative_numbers = true)]
    pub iteration_timeout: f64,
    /// Directory for everything that the run leaves.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Seed of the order of installations.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// An option of a JVM; anything else would be taken for the main class.
fn jvm_option(text: &str) -> Result<String, String> {
    match text.starts_with('-') {
        true => Ok(text.to_owned()),
        false => Err("an option of a JVM begins with '-', such as -XX:-UseTLAB".into()),
    }
}

impl DiffArguments {
    fn request(self) -> anyhow::Result<EventsDiffRequest> {
        let options = [self.a, self.b].map(|own| [self.jvm_option.as_slice(), &own].concat());
        Ok(EventsDiffRequest {
            selection: self.selection.request()?,
            program: self.workload.request()?,
            options,
            threshold: self.threshold,
            jvms: self.jvms,
            iterations: self.iterations,
        })
    }
}

impl CostArguments {
    fn request(self) -> anyhow::Result<EventsCostRequest> {
        Ok(EventsCostRequest {
            modes: modes(&self.mode)?,
            programs: self.programs()?,
            rounds: self.rounds,
            seconds: self.seconds,
            heap_mb: self.heap,
            iteration_timeout_s: self.iteration_timeout,
            out: self.out,
            seed: self.seed,
        })
    }

    /// Programs of the command line; the suite's without any.
    fn programs(&self) -> anyhow::Result<Vec<Program>> {
        named_or_bundled(&self.program, None, self.programs.as_deref())
    }
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
