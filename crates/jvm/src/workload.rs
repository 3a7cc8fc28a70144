//! What is to be run: a program of the suite or the user's own.

mod jmh;

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::manifest::JarManifest;
use crate::nearest::nearest;

/// The program under test and how one iteration of it is run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Workload {
    /// What one iteration calls.
    pub kind: Kind,
    /// Class, or `Class.method` for [`Kind::Method`] and [`Kind::Jmh`].
    pub target: String,
    /// Arguments of a `main`; parameters of a benchmark, `NAME=VALUE`.
    pub arguments: Vec<String>,
    /// Class path of the user's program; empty for the suite.
    pub class_path: Vec<PathBuf>,
    /// Options of the user's JVM, heap and collector options excepted (the laboratory sets those).
    pub jvm_options: Vec<String>,
    /// Options of the user's command that the laboratory sets itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

/// What one iteration of a workload calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// `iterate()` of a program of the bundled suite, which checks its own result.
    Suite,
    /// `main`; the result is what it prints.
    Main,
    /// A static method without parameters.
    Method,
    /// `run()` of a class with a public constructor without parameters.
    Runnable,
    /// A benchmark of JMH, with its states.
    Jmh,
}

/// A workload that cannot be understood.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkloadError {
    /// Neither a bundled program nor a command.
    #[error(
        "'{0}' is not a workload{meant}: use {suite}, class:CLASS, method:CLASS.METHOD or runnable:CLASS with --class-path, jmh:JAR#REGEX, or end the command with -- java ...",
        meant = meant(.0),
        suite = suite_for(.0)
    )]
    Unknown(String),
    /// The command is not one of `java`.
    #[error(
        "'{0}' is not a java command: write -- java [OPTION...] -cp PATH CLASS [ARG...] or -- java -jar FILE [ARG...]"
    )]
    NotJava(String),
    /// No class to run.
    #[error("the java command names no class and no -jar file")]
    NoClass,
    /// Launch modes that are not supported.
    #[error(
        "{0} is not supported{instead}",
        instead = instead(.0)
    )]
    Unsupported(String),
    /// Not exactly one benchmark is meant.
    #[error("{0}")]
    Benchmark(String),
    /// A jar that cannot be opened, or is not there.
    #[error("cannot read {jar}: {reason}; look at the path")]
    NoJar {
        /// The jar.
        jar: String,
        /// What keeps it from being read.
        reason: String,
    },
    /// A jar without a main class.
    #[error("{jar}: {reason}; name the class instead: -cp {jar} CLASS")]
    Jar {
        /// The jar.
        jar: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// What to write for a program of the suite: the one that was meant, if only `suite:` is missing.
fn suite_for(text: &str) -> String {
    match SUITE.iter().find(|name| name.eq_ignore_ascii_case(text)) {
        Some(name) => format!("suite:{name}"),
        None => format!("suite:NAME (one of {})", SUITE.join(", ")),
    }
}

/// The workload that is probably meant by a misspelt one, as a question.
fn meant(text: &str) -> String {
    let program = || nearest_program(text).map(|name| format!("suite:{name}"));
    let near = match text.split_once(':') {
        None => program(),
        Some(("suite", name)) => nearest_program(name).map(|name| format!("suite:{name}")),
        Some((kind, rest)) => nearest(kind, KINDS).map(|kind| format!("{kind}:{rest}")),
    };
    near.map_or(String::new(), |near| format!(" (did you mean {near}?)"))
}

/// What workloads begin with, in front of a colon.
const KINDS: [&str; 5] = ["suite", "class", "method", "runnable", "jmh"];

/// The program of the suite that is meant by a misspelt name, without `suite:`; none if none is near.
#[must_use]
pub fn nearest_program(name: &str) -> Option<&'static str> {
    nearest(name, SUITE)
}

/// Programs of the bundled suite.
pub const SUITE: [&str; 15] = [
    "Bounce",
    "CD",
    "DeltaBlue",
    "Havlak",
    "Json",
    "List",
    "Mandelbrot",
    "NBody",
    "Permute",
    "Queens",
    "Richards",
    "Sieve",
    "Storage",
    "Towers",
    "Victim",
];

/// Options of `java` that take the next word as their value.
const WITH_VALUE: [&str; 8] = [
    "--add-exports",
    "--add-opens",
    "--add-reads",
    "--add-modules",
    "--enable-native-access",
    "--limit-modules",
    "--patch-module",
    "--upgrade-module-path",
];

/// Options of `java` with which a program is started as a module.
const MODULAR: [&str; 4] = ["-m", "--module", "-p", "--module-path"];

/// Other options of `java` that make it start something else than a class of the class path.
const UNSUPPORTED: [&str; 3] = ["--source", "-d", "--describe-module"];

/// The entries of a class path; an empty entry is the current directory, as `java` has it.
#[must_use]
pub fn split_class_path(path: &OsStr) -> Vec<PathBuf> {
    std::env::split_paths(path)
        .map(|entry| match entry.as_os_str().is_empty() {
            true => PathBuf::from("."),
            false => entry,
        })
        .collect()
}

impl Workload {
    /// Understands `suite:NAME`, `class:CLASS`, `method:CLASS.METHOD`, `runnable:CLASS` and `jmh:JAR#REGEX`, for which
    /// the JAR is read.
    ///
    /// # Errors
    /// [`WorkloadError::Benchmark`] where not exactly one benchmark is meant, [`WorkloadError::Unknown`] for anything else.
    pub fn parse(text: &str, class_path: Vec<PathBuf>) -> Result<Self, WorkloadError> {
        Self::parse_in(Path::new(""), text, class_path)
    }

    /// The same where relative paths are looked up in a directory. They are kept as they are.
    ///
    /// # Errors
    /// As [`Workload::parse`].
    pub fn parse_in(
        directory: &Path,
        text: &str,
        class_path: Vec<PathBuf>,
    ) -> Result<Self, WorkloadError> {
        let unknown = || WorkloadError::Unknown(text.to_owned());
        let (scheme, name) = text.split_once(':').ok_or_else(unknown)?;
        let (kind, target) = match scheme {
            "suite" if SUITE.contains(&name) || name.starts_with("trouble.") => {
                (Kind::Suite, format!("proofmark.suite.{name}"))
            }
            "class" => (Kind::Main, name.to_owned()),
            "method" => (Kind::Method, name.to_owned()),
            "runnable" => (Kind::Runnable, name.to_owned()),
            "jmh" => return jmh::workload(name, class_path, directory),
            _ => return Err(unknown()),
        };
        Ok(Workload {
            kind,
            target,
            arguments: Vec::new(),
            class_path,
            jvm_options: Vec::new(),
            left_out: Vec::new(),
        })
    }

    /// Understands a `java` command line. `manifest` reads that of a jar.
    ///
    /// # Errors
    /// Where the command is not of a supported form.
    pub fn from_command(
        words: &[String],
        manifest: impl Fn(&Path) -> Result<JarManifest, WorkloadError>,
    ) -> Result<Self, WorkloadError> {
        let (java, rest) = words.split_first().ok_or(WorkloadError::NoClass)?;
        if Path::new(java)
            .file_name()
            .is_none_or(|name| name != "java")
        {
            return Err(WorkloadError::NotJava(java.clone()));
        }
        let mut workload = Workload {
            kind: Kind::Main,
            target: String::new(),
            arguments: Vec::new(),
            class_path: Vec::new(),
            jvm_options: Vec::new(),
            left_out: Vec::new(),
        };
        let mut words = rest.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "-cp" | "-classpath" | "--class-path" => {
                    let path = words.next().ok_or(WorkloadError::NoClass)?;
                    workload.class_path = split_class_path(path.as_ref());
                }
                "-jar" => {
                    let jar = PathBuf::from(words.next().ok_or(WorkloadError::NoClass)?);
                    let manifest = manifest(&jar)?;
                    workload.target = manifest.main_class;
                    // The launcher does what it says for -jar alone, and here the jar is on the class path.
                    workload.jvm_options.extend(manifest.options);
                    workload.class_path = vec![jar];
                    break;
                }
                _ if unsupported(word) => {
                    return Err(WorkloadError::Unsupported(word.clone()));
                }
                _ if word.starts_with("--class-path=") => {
                    let path = word.trim_start_matches("--class-path=");
                    workload.class_path = split_class_path(path.as_ref());
                }
                _ if WITH_VALUE.contains(&word.as_str()) => {
                    workload.jvm_options.push(word.clone());
                    workload
                        .jvm_options
                        .push(words.next().ok_or(WorkloadError::NoClass)?.clone());
                }
                _ if word.starts_with('-') => {
                    if set_by_laboratory(word) {
                        workload.left_out.push(word.clone());
                    } else {
                        workload.jvm_options.push(word.clone());
                    }
                }
                class => {
                    class.clone_into(&mut workload.target);
                    if workload.class_path.is_empty() {
                        workload.class_path = default_class_path();
                    }
                    break;
                }
            }
        }
        if workload.target.is_empty() {
            return Err(WorkloadError::NoClass);
        }
        workload.arguments = words.cloned().collect();
        Ok(workload)
    }

    /// A short name for people and files: `Queens`, `com.acme.Main`.
    pub fn name(&self) -> &str {
        match self.kind {
            Kind::Suite => self.target.trim_start_matches("proofmark.suite."),
            _ => &self.target,
        }
    }

    /// What the harness calls this kind.
    pub(crate) fn kind_word(&self) -> &'static str {
        match self.kind {
            Kind::Suite => "suite",
            Kind::Main => "main",
            Kind::Method => "method",
            Kind::Runnable => "runnable",
            Kind::Jmh => "jmh",
        }
    }
}

impl fmt::Display for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name())?;
        self.arguments
            .iter()
            .try_for_each(|argument| write!(f, " {argument}"))
    }
}

/// An option without the value that may follow behind a sign of equality.
fn option_name(word: &str) -> &str {
    word.split_once('=').map_or(word, |(name, _)| name)
}

/// What to do instead of using an option that is not supported.
fn instead(word: &str) -> String {
    match is_agent(word) {
        true => format!("; run without the agent: leave {word} out"),
        false => format!(
            ": write -- java [OPTION...] -cp PATH CLASS [ARG...] or -- java -jar FILE [ARG...]{}",
            modular(word)
        ),
    }
}

/// Whether an option loads an agent, of Java (`-javaagent`) or a native one (`-agentlib`, `-agentpath`).
fn is_agent(word: &str) -> bool {
    word.starts_with("-javaagent") || word.starts_with("-agent")
}

/// What to do with a program that is started as a module; nothing for other options.
fn modular(word: &str) -> &'static str {
    match MODULAR.contains(&option_name(word)) {
        true => {
            "; most modular programs also run from the class path: put their JARs and directories on -cp and name the class"
        }
        false => "",
    }
}

/// Modules, agents, source files and argument files.
fn unsupported(word: &str) -> bool {
    let name = option_name(word);
    MODULAR.contains(&name)
        || UNSUPPORTED.contains(&name)
        || is_agent(word)
        || word.starts_with('@')
        || !word.starts_with('-') && word.ends_with(".java")
}

/// Where `java` looks for a class without `-cp`.
fn default_class_path() -> Vec<PathBuf> {
    std::env::var_os("CLASSPATH")
        .map_or_else(|| vec![PathBuf::from(".")], |path| split_class_path(&path))
}

/// Heap, collector and tiering are the laboratory's: measurements need them fixed.
fn set_by_laboratory(option: &str) -> bool {
    [
        "-Xm",
        "-XX:+Use",
        "-XX:-Use",
        "-XX:TieredStopAtLevel",
        "-XX:-Tiered",
        "-XX:+Tiered",
        "-XX:ReservedCodeCacheSize",
        "-XX:MaxRAM",
    ]
    .iter()
    .any(|prefix| option.starts_with(prefix))
        || option == "-server"
        || option == "-Xint"
        || option == "-Xcomp"
}

#[cfg(test)]
mod tests;
