//! The command line of `study analyze` and `diff`.

use std::path::PathBuf;

use clap::Args;

use super::number::{between, whole};
use super::workload::usage;
use crate::request::{AnalyzeRequest, DiffRequest, Recordings};

/// Recordings, and what of them counts.
#[derive(Debug, Clone, Args)]
pub struct RecordingArguments {
    /// Which parts of a recording's path name program, profiler and run, such as '{program}/{profiler}-{run}.jfr'; * stands
    /// for anything. Without it the tool that a recording names is the profiler, and all recordings are of one program.
    #[arg(long, value_name = "PATTERN")]
    pub group_by: Option<String>,
    /// Count only the thread of this name (of recordings that know it).
    #[arg(long, value_name = "NAME")]
    pub thread: Option<String>,
    /// Count samples in native, kernel and VM code as well, under their symbols.
    #[arg(long)]
    pub native: bool,
}

/// `study analyze`.
#[derive(Debug, Clone, Args)]
pub struct AnalyzeArguments {
    /// Directories and files.
    #[arg(required = true, value_name = "DIR|FILE")]
    pub inputs: Vec<PathBuf>,
    /// What they are.
    #[command(flatten)]
    pub recordings: RecordingArguments,
    /// Write a page with tables and charts to this file.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Seed of the draws behind intervals.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// How often runs are drawn anew for every interval.
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = whole::<u64>(50, 1_000_000, 1000))]
    pub resamples: u64,
}

/// `diff`.
#[derive(Debug, Clone, Args)]
pub struct DiffArguments {
    /// Recordings before the change: a file or a directory.
    pub a: PathBuf,
    /// Recordings after the change: a file or a directory.
    pub b: PathBuf,
    /// What they are.
    #[command(flatten)]
    pub recordings: RecordingArguments,
    /// How many of the methods that are called changed may be false, on average, in %.
    #[arg(
        long,
        default_value_t = 5.0,
        value_name = "PERCENT",
        allow_negative_numbers = true
    )]
    pub false_discovery_rate: f64,
    /// Smaller changes do not count, in points of share (30 % against 25 % differ by 5).
    #[arg(long, default_value_t = 0.0, value_name = "POINTS", value_parser = between(0.0, 100.0), allow_negative_numbers = true)]
    pub least_change: f64,
}

impl RecordingArguments {
    fn request(self) -> Recordings {
        Recordings {
            group_by: self.group_by,
            thread: self.thread,
            native: self.native,
        }
    }
}

impl AnalyzeArguments {
    /// What is asked for.
    pub fn request(self) -> AnalyzeRequest {
        AnalyzeRequest {
            inputs: self.inputs,
            recordings: self.recordings.request(),
            html: self.html,
            seed: self.seed,
            resamples: usize::try_from(self.resamples).unwrap_or(usize::MAX),
        }
    }
}

impl DiffArguments {
    /// What is asked for.
    ///
    /// # Errors
    /// When the rate of false finds is none.
    pub fn request(self) -> anyhow::Result<DiffRequest> {
        let rate = self.false_discovery_rate;
        if !(rate > 0.0 && rate < 100.0) {
            return Err(usage("--false-discovery-rate lies between 0 and 100 %"));
        }
        Ok(DiffRequest {
            a: self.a,
            b: self.b,
            recordings: self.recordings.request(),
            false_discovery_rate_pct: rate,
            least_change_pt: self.least_change,
        })
    }
}
