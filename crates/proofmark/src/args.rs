//! The command line.

mod format;
mod names;
mod number;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::run::import::args::ImportArguments;
use crate::run::study::args::StudyCommand;

pub use format::Format;
pub use names::{FillerName, PlacementName};
pub use number::{between, positive};

/// How wrong is a profiler on your own program, on your own machine?
///
/// Proofmark slows pieces of the program's machine code down by a known amount and looks whether the
/// profiler reports exactly that.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true, after_help = AFTER)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// What is printed on standard output.
    #[arg(long, global = true, value_enum, default_value_t = Format::Text, help_heading = EVERYWHERE)]
    pub format: Format,
    /// JDK 25 to use (else JAVA_HOME, PATH and the usual places are searched).
    #[arg(long, global = true, value_name = "DIR", help_heading = EVERYWHERE)]
    pub jdk: Option<PathBuf>,
    /// Say nothing about progress.
    #[arg(long, short, global = true, help_heading = EVERYWHERE)]
    pub quiet: bool,
}

const EVERYWHERE: &str = "Options of every command";
const AFTER: &str = "\
Exit codes: 0 right, 1 wrong, 2 usage, 3 this machine (or workload) cannot be measured, 4 undecided,
130 interrupted.
Start with: proofmark doctor, then proofmark demo.";

/// Commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Judge JFR and async-profiler on a bundled program: the main job in one command, under 5 minutes.
    Demo(DemoArguments),
    /// What this machine can measure, what is missing, how to get it.
    Doctor,
    /// Find how many instructions slow every block of a program by the same factor: a plan file.
    ///
    /// Examples:
    ///   proofmark divine suite:Towers --target 100
    ///   proofmark divine -o plan.json -- java -cp app.jar com.acme.Main input.txt
    #[command(verbatim_doc_comment)]
    Divine(DivineArguments),
    /// Judge profilers on a program: does each report exactly what was done to it?
    ///
    /// Examples:
    ///   proofmark assess suite:Queens --profiler async,jfr,jfr-cpu,safepoint,oracle
    ///   proofmark assess --profiler async -- java -cp app.jar com.acme.Main input.txt
    ///   proofmark assess suite:Json --profiler 'cmd:my-profiler --pid {pid} --out {out}'
    #[command(verbatim_doc_comment)]
    Assess(AssessArguments),
    /// Show a profile's top methods, or convert it: JFR, async-profiler, perf, pprof, callgrind and more.
    ///
    /// Reads JFR (of the JDK and of async-profiler), collapsed stacks, async-profiler's text, perf.data, perf script,
    /// pprof, callgrind, Honest Profiler, Firefox Profiler and samply JSON, and exported tables of YourKit, JProfiler
    /// and VTune; the content tells which. A damaged file gives what comes before the damage, marked TRUNCATED.
    ///
    /// Examples:
    ///   proofmark import recording.jfr --thread main --top 10
    ///   proofmark import recording.jfr --format collapsed -o stacks.txt      # for flame graphs
    ///   proofmark import perf.data --perf-map perf-4711.map --format pprof -o profile.pb
    ///   proofmark import profile.pb --format json | jq '.methods'
    #[command(verbatim_doc_comment)]
    Import(ImportArguments),
    /// Do profilers agree with themselves and with each other?
    #[command(subcommand)]
    Study(StudyCommand),
    /// Say which methods changed from A to B by more than the noise between runs explains (exit code 1 if any did).
    ///
    /// Examples:
    ///   proofmark diff before/ after/ --group-by '{program}-{run}.jfr'
    ///   proofmark diff study-1/ study-2/ --least-change 1
    #[command(verbatim_doc_comment)]
    Diff(crate::run::study::analyze_args::DiffArguments),
    /// Count what optimised code does: allocations, guards, calls, loads and some 40 other types of events.
    ///
    /// Counters are compiled into the program's code, behind all optimisations that could remove an event.
    ///
    /// Examples:
    ///   proofmark events suite:Json
    ///   proofmark events suite:Towers --category allocations,branches --strategy dec
    ///   proofmark events --no-jdk --units Parser -- java -cp app.jar com.acme.Main input.txt
    ///   proofmark events --list
    #[command(verbatim_doc_comment)]
    Events(Box<crate::run::events::args::EventsArguments>),
    /// Count bytecodes instead of time: the same program gives the same profile, on every machine.
    ///
    /// Classes are rewritten while they are loaded; every thread counts the bytecodes that it executes and takes a
    /// sample of its calls each time the counter runs out. The program's output stays what it is; a summary goes to
    /// standard error. The exit status is the program's.
    ///
    /// Examples:
    ///   proofmark count -o profile.collapsed -- java -cp app.jar com.acme.Main input.txt
    ///   proofmark count --exact -o exact.count suite:Json
    ///   proofmark count compare exact.count async.jfr
    #[command(verbatim_doc_comment)]
    Count(Box<crate::run::count::args::CountArguments>),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

impl Command {
    /// Whether an interrupt is answered in order, because there are processes to end and files to close.
    #[must_use]
    pub fn has_processes(&self) -> bool {
        !matches!(
            self,
            Self::Diff(_)
                | Self::Import(_)
                | Self::Study(StudyCommand::Analyze(_))
                | Self::Completions { .. }
        )
    }

    /// What the result can be written as.
    #[must_use]
    pub fn formats(&self) -> &'static [Format] {
        match self {
            Self::Diff(_) | Self::Study(StudyCommand::Analyze(_)) => {
                &[Format::Text, Format::Json, Format::Csv]
            }
            Self::Import(_) => &[Format::Text, Format::Json, Format::Collapsed, Format::Pprof],
            _ => &[Format::Text, Format::Json],
        }
    }
}

/// The program under test.
#[derive(Debug, Clone, Args)]
pub struct WorkloadArguments {
    /// suite:NAME, class:CLASS (its main), method:CLASS.METHOD (static, no parameters) or runnable:CLASS.
    #[arg(long_help = format!(
        "suite:NAME (one of {}), class:CLASS (its main), method:CLASS.METHOD (static, no parameters) or runnable:CLASS",
        proofmark_jvm::SUITE.join(", ")
    ))]
    pub workload: Option<String>,
    /// Class path of your program, for class:, method: and runnable:.
    #[arg(long, value_name = "PATH")]
    pub class_path: Option<std::ffi::OsString>,
    /// Your program as you start it: -- java [OPTION...] -cp PATH CLASS [ARGUMENT...]
    #[arg(last = true, value_name = "COMMAND")]
    pub java: Vec<String>,
    /// Heap of the program in MB, fixed and touched beforehand (-Xmx and the like in your command do not count).
    #[arg(long, default_value_t = 1024, value_name = "MB", value_parser = clap::value_parser!(u32).range(2..=1_048_576))]
    pub heap: u32,
    /// Longest that one iteration may take, in s.
    #[arg(long, default_value_t = 60.0, value_name = "S", value_parser = between(0.1, 86_400.0), allow_negative_numbers = true)]
    pub iteration_timeout: f64,
    /// Directory for everything that the run leaves; one that an interrupted run left is continued.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Seed of everything that is drawn at random.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

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
    /// Slowdown instruction.
    #[arg(long, value_enum, default_value_t = FillerName::Mov)]
    pub filler: FillerName,
    /// Where in a block the instructions go.
    #[arg(long, value_enum, default_value_t = PlacementName::Spread)]
    pub placement: PlacementName,
    /// After divining, try the plan in so many fresh JVMs.
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u32).range(..=100))]
    pub verify: u32,
    /// Measure every window in a JVM of its own, as the published protocol does: slow by nature, some
    /// 20 to 30 minutes, two JVMs at a time, and it does not resume.
    #[arg(long)]
    pub fresh: bool,
}

/// `assess`.
#[derive(Debug, Clone, Args)]
pub struct AssessArguments {
    /// The program.
    #[command(flatten)]
    pub workload: WorkloadArguments,
    /// Profilers, separated by commas: async, async-cpu, async-ctimer, async-itimer, jfr, jfr-cpu (each jfr also with +dns), perf, cmd:COMMAND; the controls oracle and safepoint always run.
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
    /// Blocks to slow one at a time; 0 leaves that test out.
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u32).range(..=50))]
    pub singles: u32,
    /// Error that separates right from wrong, in points of share.
    #[arg(long, default_value_t = 5.0, value_name = "POINTS", value_parser = between(0.1, 100.0), allow_negative_numbers = true)]
    pub margin: f64,
    /// Time for the windows of each profiler, in s (default: as long as its rate needs).
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

/// `demo`.
#[derive(Debug, Clone, Args)]
pub struct DemoArguments {
    /// Program of the suite, as in suite:NAME.
    #[arg(default_value = "Queens")]
    pub program: String,
    /// Directory for everything that the run leaves.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
