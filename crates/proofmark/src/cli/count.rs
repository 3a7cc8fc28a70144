//! The command line of `count`.

use std::path::{Path, PathBuf};

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand};
use proofmark_jvm::{SUITE, nearest_program};

use super::number::{between, whole};
use super::workload::{is_there, usage};
use crate::request::{
    CompareRequest, CountRequest, Counted, Counting, Form, InstrumentRequest, OverheadRequest,
    Request, ShowRequest,
};

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
    /// Compare profile B with profile A, which counts bytecodes: how much of both is the same, method by method.
    ///
    /// B counts bytecodes too (then calling contexts are compared), or is a time profile in any format that is read.
    ///
    /// Examples:
    ///   proofmark count compare exact.count sampled.count
    ///   proofmark count compare exact.count async.jfr
    #[command(verbatim_doc_comment)]
    Compare(CompareArguments),
    /// Say what a profile of counted bytecodes holds; put it into another form.
    Show(ShowArguments),
    /// Measure what counting costs, in % of the plain time: counted and plain JVMs in turn.
    ///
    /// Of bundled programs the CPU time of the warmed-up thread counts; of yours that of the whole process, or the times
    /// that it prints itself. Each figure has its 95 % interval over the rounds (n).
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
    #[arg(long, default_value_t = 10_000, value_name = "N", value_parser = whole::<u64>(1, 1_000_000_000_000, 10_000))]
    pub granularity: u64,
    /// Add 0 to N-1 bytecodes at random to each distance, so that no pattern of the program agrees with a fixed one (--random alone: 100).
    #[arg(long, default_value_t = 0, value_name = "N", num_args = 0..=1, require_equals = true, conflicts_with = "exact", default_missing_value = "100", value_parser = whole::<u64>(0, 1_000_000_000_000, 100))]
    pub random: u64,
    /// Seed of the threads' generators (with --random).
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Charge every block of bytecodes to its calling context: exact, no samples, slower.
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
    #[arg(long, value_name = "PREFIX", value_parser = NonEmptyStringValueParser::new())]
    pub include: Vec<String>,
    /// Leave classes alone whose name, or whose class loader's, begins so, and do not ask their loaders for anything; repeatable.
    #[arg(long, value_name = "PREFIX", value_parser = NonEmptyStringValueParser::new())]
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
    /// How often a bundled program is run, in one JVM.
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
    /// counted. It may be above 100 %: a block of bytecodes that an exception ends counts in full.
    #[arg(long)]
    pub coverage: bool,
    /// Where the profile goes; without it only the summary is shown.
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Form of the profile (default: by the ending of the file's name).
    #[arg(long = "as", value_name = "FORM", requires = "output")]
    pub form: Option<Form>,
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
    /// The reference: a profile of counted bytecodes, best an exact one (--exact).
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
    /// The form (default: by the ending of the file's name).
    #[arg(long = "as", value_name = "FORM", requires = "output")]
    pub form: Option<Form>,
}

/// `count overhead`.
#[derive(Debug, Clone, Args)]
pub struct OverheadArguments {
    /// Programs of the suite (default: all).
    pub programs: Vec<String>,
    /// Pairs of JVMs, plain and counted, per program.
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = whole::<u32>(1, 1000, 5))]
    pub rounds: u32,
    /// Iterations that are timed in each JVM; their median counts.
    #[arg(long, default_value_t = 21, value_name = "N", value_parser = whole::<u32>(1, 100_000, 21))]
    pub iterations: u32,
    /// Warm-up of each JVM before anything is timed, s of CPU time.
    #[arg(long, default_value_t = 2.0, value_name = "S", value_parser = between(0.0, 3600.0), allow_negative_numbers = true)]
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

impl CountArguments {
    /// What is asked for.
    ///
    /// # Errors
    /// When no program is named, or it cannot be understood.
    pub fn request(self) -> anyhow::Result<Request> {
        Ok(match self.command {
            None => Request::Count(self.run.request()?),
            Some(CountCommand::Instrument(instrument)) => {
                Request::CountInstrument(instrument.request()?)
            }
            Some(CountCommand::Compare(compare)) => Request::CountCompare(CompareRequest {
                a: compare.a,
                b: compare.b,
                thread: compare.thread,
            }),
            Some(CountCommand::Show(show)) => Request::CountShow(ShowRequest {
                profile: show.profile,
                output: show.output,
                form: show.form,
            }),
            Some(CountCommand::Overhead(overhead)) => Request::CountOverhead(overhead.request()?),
        })
    }
}

impl CountingArguments {
    fn request(self) -> Counting {
        Counting {
            granularity: self.granularity,
            random: self.random,
            seed: self.seed,
            exact: self.exact,
            max_path: self.max_path,
            no_leaf: self.no_leaf,
            include_jdk: self.include_jdk,
            include: self.include,
            exclude: self.exclude,
        }
    }
}

impl RunArguments {
    fn request(self) -> anyhow::Result<CountRequest> {
        Ok(CountRequest {
            program: self.program()?,
            iterations: self.iterations,
            counting: self.counting.request(),
            agent: self.agent,
            agent_path: self.agent_path,
            coverage: self.coverage,
            output: self.output,
            form: self.form,
        })
    }

    fn program(&self) -> anyhow::Result<Counted> {
        match (&self.workload, self.java.as_slice()) {
            (Some(number), _) if self.counting.random > 0 && number.parse::<u64>().is_ok() => Err(
                usage(&format!("give the number with '=': --random={number}")),
            ),
            (Some(_), [_, ..]) => Err(usage("give suite:NAME or -- java ..., not both")),
            (None, []) => Err(usage(
                "give a program: suite:NAME, or end the command with -- java ...",
            )),
            (None, words) => of_user(words),
            (Some(name), []) => match name.strip_prefix("suite:") {
                Some(program) => of_suite(program),
                None => Err(usage(&format!(
                    "'{name}' is not a program{}: use suite:NAME, or end the command with -- java ...",
                    meant(name, "suite:")
                ))),
            },
        }
    }
}

impl InstrumentArguments {
    fn request(self) -> anyhow::Result<InstrumentRequest> {
        if self.counting.include_jdk {
            return Err(usage(
                "the JDK's classes are only counted with the agent: proofmark count --include-jdk -- java ...",
            ));
        }
        Ok(InstrumentRequest {
            jars: self.jars,
            output: self.output,
            counting: self.counting.request(),
        })
    }
}

impl OverheadArguments {
    fn request(self) -> anyhow::Result<OverheadRequest> {
        let named = |name: &str| of_suite(name.strip_prefix("suite:").unwrap_or(name));
        let programs = match (self.java.as_slice(), self.programs.as_slice()) {
            ([], []) => SUITE.iter().map(|name| named(name)).collect(),
            ([], names) => names.iter().map(|name| named(name)).collect(),
            (words, []) => of_user(words).map(|command| vec![command]),
            _ => Err(usage("give programs of the suite or -- java ..., not both")),
        };
        Ok(OverheadRequest {
            programs: programs?,
            rounds: self.rounds,
            iterations: self.iterations,
            warm_up_s: self.warm_up,
            printed: self.printed,
            counting: self.counting.request(),
        })
    }
}

/// The user's command. What it runs is not looked at: class path, `-jar`, modules, all are the JVM's own affair.
fn of_user(words: &[String]) -> anyhow::Result<Counted> {
    is_there(words)?;
    let java = words.first().map(Path::new);
    if java
        .and_then(Path::file_name)
        .is_none_or(|name| name != "java")
    {
        return Err(usage(&format!(
            "'{}' is not a java command: write -- java [OPTION...] -cp PATH CLASS [ARGUMENT...]",
            words.first().map_or("", String::as_str)
        )));
    }
    Ok(Counted::Command(words.to_vec()))
}

/// The program of the suite that a misspelt name is nearest to, as a question; nothing if none is near.
fn meant(name: &str, prefix: &str) -> String {
    nearest_program(name).map_or(String::new(), |near| {
        format!(" (did you mean {prefix}{near}?)")
    })
}

fn of_suite(program: &str) -> anyhow::Result<Counted> {
    if !SUITE.contains(&program) {
        return Err(usage(&format!(
            "'{program}' is not in the suite{}: use one of {}",
            meant(program, ""),
            SUITE.join(", ")
        )));
    }
    Ok(Counted::Suite(program.to_owned()))
}
