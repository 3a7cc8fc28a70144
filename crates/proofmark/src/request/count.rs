//! Requests of `count`.

use std::path::PathBuf;

/// What is counted, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counting {
    /// Bytecodes between two samples.
    pub granularity: u64,
    /// Bytecodes below which each distance is lengthened at random; 0: not at all.
    pub random: u64,
    /// Seed of the threads' generators.
    pub seed: u64,
    /// Whether every basic block is charged to its calling context.
    pub exact: bool,
    /// Longest path without a check, bytecodes, if loop heads check too.
    pub max_path: Option<u32>,
    /// Whether methods without calls are treated like all others.
    pub no_leaf: bool,
    /// Whether the JDK's own classes are counted.
    pub include_jdk: bool,
    /// Classes of the JDK, by prefix, that are counted like the application's.
    pub include: Vec<String>,
    /// Classes, by prefix, that are left alone.
    pub exclude: Vec<String>,
}

/// A program whose bytecodes are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Counted {
    /// A program of the suite, by its name.
    Suite(String),
    /// The words of a `java` command.
    Command(Vec<String>),
}

/// `count SUITE` and `count -- java ...`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountRequest {
    /// The program.
    pub program: Counted,
    /// Iterations of a program of the suite.
    pub iterations: u32,
    /// What is counted.
    pub counting: Counting,
    /// Class that takes the samples in place of the calling-context tree.
    pub agent: Option<String>,
    /// Its jar.
    pub agent_path: Option<PathBuf>,
    /// Whether the program is run once more to say what share was counted.
    pub coverage: bool,
    /// Where the profile goes.
    pub output: Option<PathBuf>,
    /// Form of the profile; none: by the file's name.
    pub form: Option<Form>,
}

/// Forms of a profile of counted bytecodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// All that is known.
    Count,
    /// Collapsed stacks.
    Collapsed,
    /// pprof.
    Pprof,
    /// The uniform profile by method.
    Json,
}

/// `count instrument`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstrumentRequest {
    /// Jars of the program, in the order of its class path.
    pub jars: Vec<PathBuf>,
    /// The rewritten jar; a directory if there are several.
    pub output: PathBuf,
    /// What is counted.
    pub counting: Counting,
}

/// `count compare`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompareRequest {
    /// The reference: a profile of counted bytecodes.
    pub a: PathBuf,
    /// Another one, or a time profile.
    pub b: PathBuf,
    /// Thread of the time profile that counts.
    pub thread: Option<String>,
}

/// `count show`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShowRequest {
    /// The profile.
    pub profile: PathBuf,
    /// Where it goes in another form.
    pub output: Option<PathBuf>,
    /// The form; none: by the file's name.
    pub form: Option<Form>,
}

/// `count overhead`.
#[derive(Debug, Clone, PartialEq)]
pub struct OverheadRequest {
    /// Programs. A command is timed as a whole.
    pub programs: Vec<Counted>,
    /// Pairs of JVMs, plain and counted, per program.
    pub rounds: u32,
    /// Iterations that are timed in each JVM.
    pub iterations: u32,
    /// Warm-up of each JVM, s.
    pub warm_up_s: f64,
    /// Whether the program prints its own times, ns.
    pub printed: bool,
    /// What is counted.
    pub counting: Counting,
}
