//! What can go wrong while the tools are put together. Every text ends with what to do next.

use std::path::PathBuf;

/// A missing or broken piece of the toolchain, with its remedy in the text.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolchainError {
    /// No JDK on this machine will do.
    #[error("no usable JDK 25 found.{}\n  remedy: {JDK_REMEDY}", seen_lines(.seen))]
    NoJdk {
        /// One line per JDK that was looked at: where, which version, why not.
        seen: Vec<String>,
    },

    /// The JDK that the user named will not do.
    #[error("the JDK at {} cannot be used: {problem}\n  remedy: {JDK_REMEDY}", .home.display())]
    UnusableJdk {
        /// Where the user pointed to.
        home: PathBuf,
        /// Why it will not do.
        problem: String,
    },

    /// The `java` of a program whose bytecodes are to be counted will not do.
    #[error("bytecodes cannot be counted with {}: {problem}\n  remedy: name the bin/java of a JDK 17 to 25 with javac", .java.display())]
    NoCountingJdk {
        /// The `java` that the user named.
        java: PathBuf,
        /// Why it will not do.
        problem: String,
    },

    /// The lock file has no Graal for this JDK.
    #[error("no Graal for JDK {jdk} in toolchain.lock (it has {locked})\n  remedy: {JDK_REMEDY}")]
    NoMatchingGraal {
        /// Version of the JDK.
        jdk: String,
        /// The Graal versions that the lock file has.
        locked: String,
    },

    /// The lock file cannot be read.
    #[error("toolchain.lock cannot be read: {problem}\n  remedy: restore it from version control")]
    BadLock {
        /// What the parser says.
        problem: String,
    },

    /// A locked file is nowhere to be had.
    #[error("{what} is missing.{}\n  remedy: {remedy}", seen_lines(.tried))]
    ArtifactMissing {
        /// `group:artifact:version`.
        what: String,
        /// One line per source that was asked, with its answer.
        tried: Vec<String>,
        /// What to do.
        remedy: String,
    },

    /// A file is not the one that was locked.
    #[error(
        "{what} from {from} is not the locked file:\n  expected SHA-256 {expected}\n  found    SHA-256 {found}\n  \
         remedy: delete that file and try again; if the hash stays wrong, the repository serves something else \
         than what was locked: use another repository (PROOFMARK_REPOSITORY), do not change the lock"
    )]
    HashMismatch {
        /// `group:artifact:version`.
        what: String,
        /// File or address it came from.
        from: String,
        /// SHA-256 in the lock file.
        expected: String,
        /// SHA-256 of the file.
        found: String,
    },

    /// Neither XDG_CACHE_HOME nor HOME says where to put the cache.
    #[error(
        "no place for the cache\n  remedy: set XDG_CACHE_HOME (or HOME) to a directory that can be written"
    )]
    NoCachePlace,

    /// The cache cannot be written.
    #[error("the cache at {} cannot be written: {cause}\n  remedy: set XDG_CACHE_HOME to a directory that can be written", .path.display())]
    CacheNotWritable {
        /// File or directory that could not be written.
        path: PathBuf,
        /// What the system said.
        cause: String,
    },

    /// The disk below the cache is full.
    #[error("no space left for the cache at {}\n  remedy: free about 60 MB there or set XDG_CACHE_HOME to a directory on a larger disk", .path.display())]
    CacheFull {
        /// File or directory that could not be written.
        path: PathBuf,
    },

    /// javac refused the sources.
    #[error(
        "{part} does not compile with {javac}:\n{output}\n  command: {command}\n  remedy: {COMPILE_REMEDY}"
    )]
    Compile {
        /// Which of our Java parts.
        part: String,
        /// Version of the JDK whose javac ran.
        javac: String,
        /// The whole command as it can be pasted into a shell.
        command: String,
        /// What javac printed.
        output: String,
    },

    /// A tool of the JDK failed or could not be started.
    #[error(
        "{command}\n  failed: {output}\n  remedy: check that this JDK is complete and runs, or choose another one (PROOFMARK_JDK)"
    )]
    Tool {
        /// The whole command.
        command: String,
        /// What it printed, or why it did not start.
        output: String,
    },

    /// Our own Java parts are not where they should be.
    #[error("Java sources of {part} are missing{}\n  remedy: {SOURCES_REMEDY}", .place.as_ref().map(|p| format!(" in {}", p.display())).unwrap_or_default())]
    SourcesMissing {
        /// Which of our Java parts.
        part: String,
        /// Directory, when they are not the embedded ones.
        place: Option<PathBuf>,
    },

    /// A source file of ours is malformed.
    #[error("{file}, line {line}: {problem}\n  remedy: {SOURCES_REMEDY}")]
    BadSource {
        /// File name below the sources.
        file: String,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },

    /// The profiler has no library for this processor.
    #[error(
        "async-profiler has no library for {architecture}\n  remedy: assess another profiler, or name your own build of the library"
    )]
    NoProfilerLibrary {
        /// `std::env::consts::ARCH`.
        architecture: String,
    },
}

pub(crate) const JDK_REMEDY: &str = "install a JDK 25 of the OpenJDK kind with javac (for example Eclipse Temurin 25: \
    `sdk install java 25.0.3-tem`, your distribution's package, or an archive unpacked below ~/.jdks), \
    or point PROOFMARK_JDK or JAVA_HOME to it";
const SOURCES_REMEDY: &str =
    "unset PROOFMARK_JAVA_SOURCES, or build proofmark again from a complete checkout";
const COMPILE_REMEDY: &str = "if PROOFMARK_JAVA_SOURCES is set, correct those sources; else use a released JDK 25.0.x and report the output above";

fn seen_lines(seen: &[String]) -> String {
    seen.iter().map(|line| format!("\n  {line}")).collect()
}
