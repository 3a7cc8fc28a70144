//! What a study says about itself: contents of manifest.json and of its steps.

use std::collections::BTreeMap;

use proofmark_jvm::Compiler;
use proofmark_jvm::toolchain::Machine;
use proofmark_study::RunRecord;
use serde::{Deserialize, Serialize};

use super::live_estimate::{Pace, Size};
use super::live_profilers::Skipped;
use crate::builds::Builds;
use crate::request::programs::Program;

/// What decides the results of a study; the same when it is continued.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// Version of Proofmark.
    pub proofmark: String,
    /// Programs, in the order of the command line.
    pub programs: Vec<Program>,
    /// Profilers that take part, the runs without one first.
    pub profilers: Vec<String>,
    /// Runs and iterations asked for.
    pub size: Size,
    /// Time budget, s.
    pub time_budget_s: Option<f64>,
    /// Seed of the order of runs and of the environments' sizes.
    pub seed: u64,
    /// Compiler of hot code.
    pub compiler: Compiler,
    /// Heap, MB.
    pub heap_mb: u32,
    /// Time between samples, ms; none: each profiler's default.
    pub interval_ms: Option<f64>,
    /// Whether all threads are profiled.
    pub all_threads: bool,
    /// Whether the profilers' own files are kept.
    pub keep_recordings: bool,
    /// JDK: version and vendor.
    pub jdk: String,
    /// SHA-256 of the suite's and the harness's classes, by file name.
    pub jars: Vec<(String, String)>,
    /// Builds of every program, JDK and profilers, by the program's name; none is known of studies of earlier versions.
    #[serde(default)]
    pub builds: BTreeMap<String, Builds>,
}

/// Contents of manifest.json.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct About {
    /// What was asked for.
    pub asked: Asked,
    /// Profilers that take no part.
    pub skipped: Vec<Skipped>,
    /// The machine.
    pub machine: Machine,
}

/// What the trials showed and what follows from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Per program, as its trial showed; none where the trial failed.
    pub paces: Vec<Option<Pace>>,
    /// Runs and iterations that are made.
    pub size: Size,
}

/// A run that has ended, however it did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finished {
    /// Its line of the manifest.
    pub record: RunRecord,
    /// Time from the start of its JVM until its recording was stored, s.
    pub duration_s: f64,
    /// Samples in the recording.
    pub samples: u64,
    /// Samples that the profiler says it lost.
    pub lost: u64,
}

/// The first that is of another build than before, in words; none if all is the same as far as both are known.
pub fn other_build(before: &Asked, now: &Asked) -> Option<String> {
    let mut programs = now.builds.iter();
    programs.find_map(|(name, now)| now.difference(before.builds.get(name)?))
}

/// The first thing in which two studies differ, in words. Builds are left to [`other_build`].
pub fn difference(before: &Asked, now: &Asked) -> Option<String> {
    let text = |asked: &Asked| {
        let asked = Asked {
            builds: BTreeMap::new(),
            ..asked.clone()
        };
        serde_json::to_value(asked).unwrap_or_default()
    };
    let (before, now) = (text(before), text(now));
    let fields = before.as_object()?.iter();
    let mut different = fields.filter(|(name, value)| now.get(name.as_str()) != Some(value));
    let (name, value) = different.next()?;
    let (mut value, name) = (value.to_string(), name.replace('_', " "));
    if value.len() > 100 {
        value = format!("{}...", value.chars().take(100).collect::<String>());
    }
    Some(format!("other {name} ({value})"))
}
