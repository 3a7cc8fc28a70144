//! What runs variants of a workload and measures windows of them: a JVM under the plug-in, or a simulation.

mod error;
mod order;
mod table;
mod window;

use std::collections::{BTreeMap, HashMap};

use proofmark_blocks::{BlockKey, CodeMap, Resolution};

pub use error::{Failure, LabError};
pub use order::{abba, alignments, placements};
pub use table::{Filler, Insertion, InsertionPoint, UnitTable};
pub use window::{GroupData, Iteration, Loss, Measured, ProfiledWindow, Variant, WindowSpec};

/// A warm process of the workload whose hot code is under control and whose blocks are counted.
pub trait Lab {
    /// Description of its code.
    fn map(&self) -> &CodeMap;

    /// What the preparation found.
    fn warm(&self) -> &WarmState;

    /// Exact executions per iteration of every block under control.
    fn executions(&self) -> &HashMap<BlockKey, f64>;

    /// Units under control, by index in [`Lab::map`].
    fn units(&self) -> Vec<u32>;

    /// Number of alignments in the cache line under which every variant is compiled.
    fn alignments(&self) -> usize;

    /// What samples mean on its machine, and how well block times are known.
    fn resolution(&self) -> Resolution;

    /// The slowdown instruction that it inserts.
    fn filler(&self) -> Filler;

    /// What runs outside of all units, in words.
    fn outside(&self) -> &'static str {
        "interpreter, C1 code, JVM and stubs"
    }

    /// Passages per iteration across every border between the code of two methods, by method name.
    fn method_passages(&self) -> BTreeMap<String, Vec<f64>>;

    /// The workload without any insertion.
    fn baseline(&self) -> Variant;

    /// Compiles the tables; units without a table keep their baseline code.
    ///
    /// # Errors
    /// When a unit's structure changed, or the process fails.
    fn variant(&mut self, tables: &[UnitTable]) -> Result<Variant, LabError>;

    /// Lets a variant's own code go.
    ///
    /// # Errors
    /// When the process fails.
    fn forget(&mut self, variant: &Variant) -> Result<(), LabError>;

    /// Runs the variants in the given order of indices, each time at new addresses.
    ///
    /// # Errors
    /// When the workload or the process fails, or units are lost again and again.
    fn window(
        &mut self,
        spec: &WindowSpec<'_>,
        variants: &[Variant],
        order: &[usize],
    ) -> Result<Measured, LabError>;

    /// A profiler starts: windows from now on are under its eyes. `files` names the place for its files in the run.
    ///
    /// # Errors
    /// When it is unknown here or cannot be started.
    fn start_profiler(&mut self, name: &str, files: &str) -> Result<(), LabError>;

    /// Stops the profiler: what it reported, window by window in their order.
    ///
    /// # Errors
    /// When no profiler runs, or it left nothing that can be read.
    fn stop_profiler(&mut self) -> Result<Vec<ProfiledWindow>, LabError>;

    /// Ends the process.
    fn stop(self: Box<Self>);
}

/// Prepares laboratories of one workload: each is a process of its own.
pub trait Labs {
    /// Starts a process and gets it ready.
    ///
    /// # Errors
    /// When the process or the workload fails, or the workload cannot be measured.
    fn prepare(&self, wish: &Preparation) -> Result<Box<dyn Lab>, LabError>;

    /// The same without profiles of other processes: it compiles by what it has seen itself, and leaves none.
    ///
    /// # Errors
    /// As [`Labs::prepare`].
    fn prepare_alone(&self, wish: &Preparation) -> Result<Box<dyn Lab>, LabError>;
}

/// Laboratories that load no profiles of other processes.
pub struct Alone<'a>(pub &'a dyn Labs);

impl Labs for Alone<'_> {
    fn prepare(&self, wish: &Preparation) -> Result<Box<dyn Lab>, LabError> {
        self.0.prepare_alone(wish)
    }

    fn prepare_alone(&self, wish: &Preparation) -> Result<Box<dyn Lab>, LabError> {
        self.0.prepare_alone(wish)
    }
}

/// What a laboratory is prepared for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preparation {
    /// Name of the process, for its log.
    pub name: String,
    /// Number of the run, from 0. All processes of a run compile with the same profiles, which its first process collects;
    /// every run collects its own.
    pub run: u32,
    /// Units that must be under control besides those found hot.
    pub wanted: Vec<String>,
    /// Profiler that will watch, for what it needs at the start.
    pub profiler: Option<String>,
    /// Slowdown instruction; none: the one that suits the machine.
    pub filler: Option<Filler>,
}

/// Name of a unit.
#[must_use]
pub fn unit_name(lab: &dyn Lab, unit: u32) -> &str {
    &lab.map().units()[unit as usize].name
}

/// What the preparation found.
#[derive(Debug, Clone)]
pub struct WarmState {
    /// Iterations of the warm-up.
    pub iterations: usize,
    /// Whether it reached a steady state, and how that was seen.
    pub steady: bool,
    /// In what state it ended.
    pub reason: String,
    /// Runs of the program in an iteration: short ones are measured together.
    pub together: u32,
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
