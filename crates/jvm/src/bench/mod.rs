//! A laboratory made ready for measuring: warm, its hot units under control, its blocks counted.

mod measure;
mod order;
mod prepare;
mod shifts;
mod threads;
mod watch;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use proofmark_blocks::{BlockKey, EdgeCounts, Skid};
use proofmark_sampler::Probe;
use serde::{Deserialize, Serialize};

pub use measure::{GroupData, Instruments, Measured, Side, WindowSpec};
pub use order::abba;
pub use prepare::of_the_program;
pub use watch::Watch;

use crate::error::LabError;
use crate::laboratory::Laboratory;
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

/// How a bench is set up.
#[derive(Clone)]
pub struct BenchSettings {
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
    /// What the processor can sample.
    pub probe: Probe,
    /// What a sampled address means on this machine.
    pub skid: Skid,
    /// Told what is going on.
    pub progress: Arc<dyn Fn(&str) + Send + Sync>,
    /// Set when the user wants to stop.
    pub interrupted: Arc<AtomicBool>,
}

/// A warm laboratory whose hot units are under control.
pub struct Bench {
    lab: Laboratory,
    settings: BenchSettings,
    watch: Watch,
    /// Units under control by index, with their baseline code.
    baseline: BTreeMap<u32, u32>,
    /// Paddings, in bytes, with the baseline code of the hot units; each leaves another offset in the cache line.
    shifted: Vec<(u32, BTreeMap<u32, u32>)>,
    /// Windows so far.
    windows: usize,
    /// Units that are installed anew for every placement.
    hot: Vec<u32>,
    edges: HashMap<u32, EdgeCounts>,
    executions: HashMap<BlockKey, f64>,
    warm: WarmState,
}

/// What the preparation found.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WarmState {
    /// Iterations of the warm-up.
    pub iterations: usize,
    /// Whether it reached a steady state, and how that was seen.
    pub steady: bool,
    /// In what state it ended.
    pub reason: String,
    /// Median CPU time of an iteration at the end of the warm-up, ns.
    pub iteration_ns: f64,
    /// Part of the thread's time in units under control, 0 to 1.
    pub controlled_share: f64,
    /// Part in code that the VM compiled and that is not under control.
    pub foreign_share: f64,
    /// Part outside of Graal's code: interpreter, C1 code, VM, stubs.
    pub outside_share: f64,
    /// Methods that could not be taken under control, with reasons.
    pub refused: Vec<String>,
}

impl Bench {
    /// Starts a JVM and gets it ready.
    ///
    /// # Errors
    /// When the JVM or the workload fails, or the workload cannot be measured.
    pub fn prepare(
        kit: &Kit,
        workload: &Workload,
        settings: BenchSettings,
    ) -> Result<Self, LabError> {
        prepare::prepare(kit, workload, settings)
    }

    /// The JVM.
    pub fn lab(&self) -> &Laboratory {
        &self.lab
    }

    /// The JVM, to command it.
    pub fn lab_mut(&mut self) -> &mut Laboratory {
        &mut self.lab
    }

    /// What the preparation found.
    pub fn warm(&self) -> &WarmState {
        &self.warm
    }

    /// Exact executions per iteration of every block of the controlled units.
    pub fn executions(&self) -> &HashMap<BlockKey, f64> {
        &self.executions
    }

    /// Unit names under control, by index.
    pub fn units(&self) -> impl Iterator<Item = (u32, &str)> {
        self.baseline
            .keys()
            .map(|unit| (*unit, self.unit_name(*unit)))
    }

    /// Name of a unit.
    pub fn unit_name(&self, unit: u32) -> &str {
        &self.lab.map().units()[unit as usize].name
    }

    /// Number of shifts in the cache line under which every side is compiled.
    pub fn shifts(&self) -> usize {
        self.shifted.len()
    }

    /// Settings in force.
    pub fn settings(&self) -> &BenchSettings {
        &self.settings
    }

    /// Ends the JVM.
    pub fn stop(self) {
        self.lab.stop();
    }
}
