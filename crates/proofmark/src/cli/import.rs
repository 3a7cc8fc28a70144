//! The command line of `import`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use proofmark_profile::Format;

use crate::request::ImportRequest;

/// `import`.
#[derive(Debug, Clone, Args)]
pub struct ImportArguments {
    /// The profile, compressed with gzip or not; - is standard input.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Where the result goes (default: standard output).
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How many methods the table has, the hottest first.
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub top: usize,
    /// Only this thread: its name, tid:ID (of the operating system) or java:ID.
    #[arg(long, value_name = "THREAD")]
    pub thread: Option<String>,
    /// Only the event of this name, or all (default: the file's main event; of a JFR file jdk.CPUTimeSample, else
    /// jdk.ExecutionSample with jdk.NativeMethodSample).
    #[arg(long, value_name = "EVENT")]
    pub event: Option<String>,
    /// Show overloads of a method as one row.
    #[arg(long)]
    pub merge_overloads: bool,
    /// The file's format, where its content does not tell.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub from: Option<Source>,
    /// The perf-PID.map that names the code in a perf.data file.
    #[arg(long, value_name = "FILE")]
    pub perf_map: Option<PathBuf>,
    /// The jitdump file that names the code in a perf.data file (recorded with perf record -k CLOCK_MONOTONIC).
    #[arg(long, value_name = "FILE")]
    pub jitdump: Option<PathBuf>,
}

impl ImportArguments {
    /// What is asked for.
    pub fn request(self) -> ImportRequest {
        ImportRequest {
            file: self.file,
            output: self.output,
            top: self.top,
            thread: self.thread,
            event: self.event,
            merge_overloads: self.merge_overloads,
            from: self.from.map(Into::into),
            perf_map: self.perf_map,
            jitdump: self.jitdump,
        }
    }
}

/// Names of [`Format`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Source {
    /// frame;frame;frame weight, root first.
    Collapsed,
    /// What async-profiler prints: flat, traces.
    AsyncText,
    /// Java Flight Recorder, also as async-profiler writes it.
    Jfr,
    /// perf's own file.
    PerfData,
    /// The text of perf script.
    PerfScript,
    /// Honest Profiler's .hpl.
    Honest,
    /// pprof's protocol buffer.
    Pprof,
    /// Callgrind.
    Callgrind,
    /// gperftools' CPU profile.
    Gperftools,
    /// Firefox Profiler JSON, of Firefox, saved, or as samply writes it.
    Firefox,
    /// speedscope JSON.
    Speedscope,
    /// Exported table: YourKit and JProfiler CSV, VTune.
    Table,
    /// JProfiler's hot spots as XML.
    JprofilerXml,
    /// YourKit's method list or call tree as XML.
    YourkitXml,
}

impl From<Source> for Format {
    fn from(source: Source) -> Self {
        match source {
            Source::Collapsed => Self::Collapsed,
            Source::AsyncText => Self::AsyncText,
            Source::Jfr => Self::Jfr,
            Source::PerfData => Self::PerfData,
            Source::PerfScript => Self::PerfScript,
            Source::Honest => Self::Honest,
            Source::Pprof => Self::Pprof,
            Source::Callgrind => Self::Callgrind,
            Source::Gperftools => Self::Gperftools,
            Source::Firefox => Self::Firefox,
            Source::Speedscope => Self::Speedscope,
            Source::Table => Self::Table,
            Source::JprofilerXml => Self::JProfiler,
            Source::YourkitXml => Self::YourKit,
        }
    }
}
