//! A JVM made ready for measuring: warm, its hot units under control, its blocks counted.

mod alignments;
mod measure;
mod prepare;
mod watch;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use proofmark_blocks::{BlockKey, EdgeCounts, Resolution, method_passages};
use proofmark_experiment::lab::{Filler, WarmState};
use proofmark_sampler::Probe;

pub use measure::Instruments;
use watch::Watch;

use crate::error::LabError;
use crate::harness::HarnessClient;
use crate::launch::Launch;
use crate::toolchain::Kit;
use crate::workload::Workload;

/// Which units are taken under control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// Those in which time is spent.
    #[default]
    Hot,
    /// All of the program's that is compiled, those in which no time was seen too, and those of the JDK in which
    /// the program's thread was seen.
    All,
}

/// How a JVM becomes a laboratory.
#[derive(Clone)]
pub struct LabSettings {
    /// How the JVM is started.
    pub launch: Launch,
    /// Directory of profile files: what is there is used, what is missing is added.
    pub profiles: Option<PathBuf>,
    /// Units that must be under control besides those found hot.
    pub wanted: Vec<String>,
    /// Which units are taken under control.
    pub scope: Scope,
    /// The workload may do its work in several threads: for counting only, times are those of the thread that calls it.
    pub several_threads: bool,
    /// The JVM's output.
    pub log: PathBuf,
    /// Longest that one iteration may take.
    pub iteration_limit: Duration,
    /// Least and most time of the warm-up, s.
    pub warm_up_s: (f64, f64),
    /// Runs of a short workload that are measured as one iteration, the same in JVMs that are compared; none: as many as
    /// the JVM finds for itself.
    pub together: Option<u32>,
    /// What the processor can sample; none: windows are not sampled, whatever rate they ask for.
    pub probe: Option<Probe>,
    /// What a sampled address means on this machine, and how well block times are known.
    pub resolution: Resolution,
    /// The slowdown instruction.
    pub filler: Filler,
    /// Told what is going on.
    pub progress: Arc<dyn Fn(&str) + Send + Sync>,
    /// Set when the user wants to stop.
    pub interrupted: Arc<AtomicBool>,
}

/// A warm JVM whose hot units are under control.
pub struct WarmJvm {
    client: HarnessClient,
    settings: LabSettings,
    watch: Watch,
    /// Units under control by index, with their baseline code.
    baseline: BTreeMap<u32, u32>,
    /// Paddings, in bytes, with the baseline code of the hot units; each leaves another offset in the cache line.
    aligned: Vec<(u32, BTreeMap<u32, u32>)>,
    /// Windows so far.
    windows: usize,
    /// Units that are installed anew for every placement.
    hot: Vec<u32>,
    edges: HashMap<u32, EdgeCounts>,
    executions: HashMap<BlockKey, f64>,
    warm: WarmState,
}

impl WarmJvm {
    /// Starts a JVM and gets it ready.
    ///
    /// # Errors
    /// When the JVM or the workload fails, or the workload cannot be measured.
    pub fn prepare(
        kit: &Kit,
        workload: &Workload,
        settings: LabSettings,
    ) -> Result<Self, LabError> {
        prepare::prepare(kit, workload, settings)
    }

    /// The JVM.
    pub fn client(&self) -> &HarnessClient {
        &self.client
    }

    /// The JVM, to command it.
    pub fn client_mut(&mut self) -> &mut HarnessClient {
        &mut self.client
    }

    /// What the preparation found.
    pub fn warm(&self) -> &WarmState {
        &self.warm
    }

    /// Exact executions per iteration of every block of the controlled units.
    pub fn executions(&self) -> &HashMap<BlockKey, f64> {
        &self.executions
    }

    /// Passages per iteration across every border between the code of two methods, by method name; see [`method_passages`].
    pub fn method_passages(&self) -> BTreeMap<String, Vec<f64>> {
        method_passages(self.client.map(), &self.edges, &self.executions)
    }

    /// Unit names under control, by index.
    pub fn units(&self) -> impl Iterator<Item = (u32, &str)> {
        self.baseline
            .keys()
            .map(|unit| (*unit, self.unit_name(*unit)))
    }

    /// Name of a unit.
    pub fn unit_name(&self, unit: u32) -> &str {
        &self.client.map().units()[unit as usize].name
    }

    /// Number of alignments in the cache line under which every variant is compiled.
    pub fn alignments(&self) -> usize {
        self.aligned.len()
    }

    /// Settings in force.
    pub fn settings(&self) -> &LabSettings {
        &self.settings
    }

    /// Ends the JVM.
    pub fn stop(self) {
        self.client.stop();
    }
}
