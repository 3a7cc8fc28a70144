//! The program under test, on the command line.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::Args;
use proofmark_jvm::{JarManifest, SUITE, Workload, WorkloadError, split_class_path};

use super::number::{between, whole};
use crate::context::Refusal;
use crate::request::ProgramRequest;
use crate::request::programs::{Program, from_file};

/// Longest that an iteration may take where nothing else is said, s.
pub const ITERATION_TIMEOUT_S: f64 = 60.0;
/// The seed where nothing else is said.
pub const SEED: u64 = 1;

/// The program under test.
#[derive(Debug, Clone, Args)]
pub struct ProgramArguments {
    /// suite:NAME, class:CLASS (its main), method:CLASS.METHOD (static, no parameters), runnable:CLASS or jmh:JAR#REGEX (a benchmark).
    #[arg(long_help = format!(
        "suite:NAME (one of {}), class:CLASS (its main), method:CLASS.METHOD (static, no parameters), runnable:CLASS or \
        jmh:JAR#REGEX: the one JMH benchmark whose name the expression finds, with its states and fixtures; \
        jmh:JAR:OTHER.JAR#REGEX?size=1000,mode=fast names more JARs and sets @Param fields (else each has its first value)",
        SUITE.join(", ")
    ))]
    pub workload: Option<String>,
    /// Class path of your program, for class:, method: and runnable:; more of it for jmh:.
    #[arg(long, value_name = "PATH")]
    pub class_path: Option<OsString>,
    /// Your program as you start it: -- java [OPTION...] -cp PATH CLASS [ARGUMENT...], or -- java [OPTION...] -jar JAR [ARGUMENT...]
    #[arg(last = true, value_name = "COMMAND")]
    pub java: Vec<String>,
    /// Longest that one iteration may take, in s.
    #[arg(long, default_value_t = ITERATION_TIMEOUT_S, value_name = "S", value_parser = between(0.1, 86_400.0), allow_negative_numbers = true)]
    pub iteration_timeout: f64,
    /// Directory for the results; an interrupted run in it is continued.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Seed of everything that is drawn at random.
    #[arg(long, default_value_t = SEED)]
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
    #[arg(long, default_value_t = 1024, value_name = "MB", value_parser = whole::<u32>(2, 1_048_576, 1024))]
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
            java: self.program.java.first().map(PathBuf::from),
            heap_mb: self.heap,
            iteration_timeout_s: self.program.iteration_timeout,
            out: self.program.out,
            seed: self.program.seed,
        })
    }
}

/// Programs by their names, and those of a TOML file after them. The class path is that of all but the bundled ones.
///
/// # Errors
/// When one cannot be understood, or the file cannot be read.
pub fn named(
    names: &[String],
    class_path: Option<&OsStr>,
    file: Option<&Path>,
) -> anyhow::Result<Vec<Program>> {
    let class_path = class_path.map(split_class_path).unwrap_or_default();
    let mut programs = Vec::new();
    for name in names {
        let own = match name.starts_with("suite:") {
            true => Vec::new(),
            false => class_path.clone(),
        };
        let workload = Workload::parse(name, own).map_err(refused)?;
        programs.push(Program::named(name.clone(), workload));
    }
    if let Some(file) = file {
        programs.extend(from_file(file)?);
    }
    Ok(programs)
}

/// The same; all bundled programs where neither names nor a file are given.
///
/// # Errors
/// As [`named`].
pub fn named_or_bundled(
    names: &[String],
    class_path: Option<&OsStr>,
    file: Option<&Path>,
) -> anyhow::Result<Vec<Program>> {
    if !names.is_empty() || file.is_some() {
        return named(names, class_path, file);
    }
    // Victim is there to fool profilers, and is none of the study's programs.
    let bundled = SUITE.iter().filter(|name| **name != "Victim");
    let bundled: Vec<String> = bundled.map(|name| format!("suite:{name}")).collect();
    named(&bundled, None, None)
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
        (None, words) => {
            is_there(words)?;
            Ok(Workload::from_command(words, JarManifest::read).map_err(refused)?)
        }
    }
}

/// Refuses a command that begins with the path of a file which is not there. Of a `java` that is not there its own check says more.
///
/// # Errors
/// With the path, and how a Java program is named.
pub fn is_there(words: &[String]) -> anyhow::Result<()> {
    let named = words.first().filter(|first| first.contains('/'));
    let named = named.map(Path::new);
    let is_java = |path: &Path| path.file_name().is_some_and(|name| name == "java");
    match named.filter(|path| !is_java(path) && !path.exists()) {
        Some(missing) => Err(usage(&format!(
            "{}: no such file; for Java, start with java: -- java [OPTION...] -cp PATH CLASS [ARG...]",
            missing.display()
        ))),
        None => Ok(()),
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

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use crate::cli::Arguments;
    use crate::request::Request;

    #[test]
    fn the_java_of_a_command_is_kept() {
        let java = |words: &[&str]| {
            let mut all = vec!["proofmark", "divine"];
            all.extend(words);
            let arguments = Arguments::try_parse_from(all).unwrap();
            match arguments.command.request().unwrap() {
                Request::Divine(divine) => divine.program.java,
                other => panic!("{other:?}"),
            }
        };
        let command = ["--", "/jdk17/bin/java", "-cp", ".", "p.A"];
        assert_eq!(java(&command), Some("/jdk17/bin/java".into()));
        assert_eq!(java(&["suite:Towers"]), None);
    }
}
