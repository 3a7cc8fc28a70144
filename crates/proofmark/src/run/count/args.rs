//! The command line of `count`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// `count`.
#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct CountArguments {
    /// What to do other than to run a program.
    #[command(subcommand)]
    pub command: Option<CountCommand>,
    /// A run.
    #[command(flatten)]
    pub run: RunArguments,
}

/// Subcommands of `count`.
#[derive(Debug, Clone, Subcommand)]
pub enum CountCommand {
    /// Rewrite jars ahead of time: they count on any JVM, without agent.
    ///
    /// The program then writes proofmark-count.profile where it runs (-Dproofmark.count.output=FILE for another
    /// place; likewise granularity, random, seed). `proofmark count show` reads it.
    ///
    /// Examples:
    ///   proofmark count instrument app.jar -o counted.jar && java -jar counted.jar
    ///   proofmark count instrument app.jar lib/*.jar -o counted/
    #[command(verbatim_doc_comment)]
    Instrument(InstrumentArguments),
    /// Compare B with A: overlap of calling contexts, bytecodes, size. B may be a time profile of any kind.
    ///
    /// Examples:
    ///   proofmark count compare exact.count sampled.count
    ///   proofmark count compare exact.count async.jfr
    #[command(verbatim_doc_comment)]
    Compare(CompareArguments),
    /// Say what a profile of counted bytecodes holds; put it into another form.
    Show(ShowArguments),
    /// Measure what counting costs: counted and plain JVMs in turn. For programs of the suite CPU time of the thread,
    /// warmed up; for yours CPU time of the whole process, or the times that it prints itself.
    ///
    /// Each figure comes with its 95 % interval over the rounds (n): what counting adds, in % of the plain time.
    ///
    /// Examples:
    ///   proofmark count overhead --rounds 5 Json Richards
    ///   proofmark --jdk /usr/lib/jvm/java-17 count overhead --exact --rounds 3
    ///   proofmark count overhead -- java -cp app.jar com.acme.Main input.txt
    ///   proofmark count overhead --printed -- java -cp bench.jar com.acme.Bench   # prints a time, ns, per iteration
    #[command(verbatim_doc_comment)]
    Overhead(OverheadArguments),
}

/// What is counted, and how.
#[derive(Debug, Clone, Args)]
pub struct CountingArguments {
    /// Bytecodes between two samples.
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000))]
    pub granularity: u64,
    /// Add 0 to N-1 bytecodes at random to each distance: no pattern of the program can agree with a fixed one.
    #[arg(long, default_value_t = 0, value_name = "N", num_args = 0..=1, require_equals = true, conflicts_with = "exact", default_missing_value = "100", value_parser = clap::value_parser!(u64).range(0..=1_000_000_000_000))]
    pub random: u64,
    /// Seed of the threads' generators (with --random).
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Charge every basic block to its calling context: no sampling, slower.
    #[arg(long)]
    pub exact: bool,
    /// Also check the counter at loop heads, and so that no path of more than N bytecodes is without a check. The
    /// contexts of samples are the same; a sample inside of a long loop is only noticed earlier.
    #[arg(long, value_name = "N", conflicts_with = "exact")]
    pub max_path: Option<u32>,
    /// Let methods without calls push their id and check the counter like all others.
    #[arg(long)]
    pub no_leaf: bool,
    /// Also count the JDK's own classes; those that the JVM itself depends on are left alone.
    #[arg(long)]
    pub include_jdk: bool,
    /// Count these classes of the JDK like the application's (javac: com.sun.tools.javac); repeatable.
    #[arg(long, value_name = "PREFIX")]
    pub include: Vec<String>,
    /// Leave classes alone whose name begins so; repeatable.
    #[arg(long, value_name = "PREFIX")]
    pub exclude: Vec<String>,
}

/// `count SUITE` and `count -- java ...`.
#[derive(Debug, Clone, Args)]
pub struct RunArguments {
    /// A program of the suite, suite:NAME, or nothing if a command follows.
    pub workload: Option<String>,
    /// Your program as you start it: -- java [OPTION...] -cp PATH CLASS [ARGUMENT...]; with that java, if --jdk names no
    /// other.
    #[arg(last = true, value_name = "COMMAND")]
    pub java: Vec<String>,
    /// Iterations of a program of the suite.
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub iterations: u32,
    /// What is counted.
    #[command(flatten)]
    pub counting: CountingArguments,
    /// Class that takes the samples in place of the calling-context tree (implements proofmark.count.Agent).
    #[arg(long, value_name = "CLASS", requires = "agent_path", conflicts_with_all = ["include_jdk", "exact"])]
    pub agent: Option<String>,
    /// Its jar.
    #[arg(long, value_name = "JAR")]
    pub agent_path: Option<PathBuf>,
    /// Run the program once more, every bytecode an event of the JVM (some 1000 times slower), and say what share was
    /// counted.
    #[arg(long)]
    pub coverage: bool,
    /// Where the profile goes.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Form of the profile (default: by the file's name).
    #[arg(long = "as", value_name = "FORM")]
    pub form: Option<Form>,
}

/// Forms of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// All that is known; `count compare`, `count show` and `study` read it.
    Count,
    /// Collapsed stacks, for flame graphs (.collapsed, .folded).
    Collapsed,
    /// pprof (.pprof, .pb).
    Pprof,
    /// The uniform profile by method (.json).
    Json,
}

/// `count instrument`.
#[derive(Debug, Clone, Args)]
pub struct InstrumentArguments {
    /// Jars of the program, in the order of its class path. Calls between them stay fast; they need each other then.
    #[arg(required = true, value_name = "JAR")]
    pub jars: Vec<PathBuf>,
    /// The rewritten jar; a directory if there are several.
    #[arg(long, short, value_name = "PATH")]
    pub output: PathBuf,
    /// What is counted.
    #[command(flatten)]
    pub counting: CountingArguments,
}

/// `count compare`.
#[derive(Debug, Clone, Args)]
pub struct CompareArguments {
    /// The reference: a profile of counted bytecodes, best an exact one.
    pub a: PathBuf,
    /// Another one, or a time profile in any format that proofmark reads.
    pub b: PathBuf,
    /// Thread of the time profile that counts (its name), for profilers that tell threads.
    #[arg(long, value_name = "NAME")]
    pub thread: Option<String>,
}

/// `count show`.
#[derive(Debug, Clone, Args)]
pub struct ShowArguments {
    /// The profile, as a rewritten program or `-o` wrote it.
    pub profile: PathBuf,
    /// Where it goes in another form.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The form (default: by the file's name).
    #[arg(long = "as", value_name = "FORM")]
    pub form: Option<Form>,
}

/// `count overhead`.
#[derive(Debug, Clone, Args)]
pub struct OverheadArguments {
    /// Programs of the suite (default: all).
    pub programs: Vec<String>,
    /// Pairs of JVMs, plain and counted, per program.
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub rounds: u32,
    /// Iterations that are timed in each JVM; their median counts.
    #[arg(long, default_value_t = 21, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub iterations: u32,
    /// Warm-up of each JVM, s.
    #[arg(long, default_value_t = 2.0, value_name = "S")]
    pub warm_up: f64,
    /// Your program times itself: each line of its output that is a number is the time of an iteration, ns; the median
    /// of a JVM counts. Let it warm up first.
    #[arg(long, requires = "java")]
    pub printed: bool,
    /// A whole program instead: CPU time of the process from start to end. -- java ...
    #[arg(last = true, value_name = "COMMAND")]
    pub java: Vec<String>,
    /// What is counted.
    #[command(flatten)]
    pub counting: CountingArguments,
}
