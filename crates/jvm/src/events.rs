//! Commands that count events: what optimised code does, seen from inside the compiler.

use std::path::{Path, PathBuf};

use proofmark_experiment::lab::Iteration;
use serde::{Deserialize, Serialize};

use crate::error::LabError;
use crate::harness::requests::{self, path_word};
use crate::harness::{HarnessClient, limits};

/// What a JVM needs to be started with for counting events.
#[derive(Debug, Clone, Default)]
pub struct EventLaunch {
    /// Counters of eight bytes that every Java thread gets of its own; 0 for none. Plans with
    /// [`EventPlan::per_thread`] need them.
    pub counters_per_thread: u32,
    /// Class path with event types of the user's own.
    pub class_path: Vec<PathBuf>,
    /// Graal counts allocations, ways through locks and calls besides, with counters of its own, as a check of ours.
    /// It takes half of the counters per thread for them, and code is no longer what it is without.
    pub compiler_counts: bool,
}

/// Where the JVM writes what a run of events counted.
#[derive(Clone, Debug)]
pub struct EventFiles {
    /// The counters before the first iteration and after each.
    pub counters: PathBuf,
    /// The tables of what the JVM compiled by itself meanwhile.
    pub late: PathBuf,
}

impl EventLaunch {
    /// Options of the JVM, `opened` being the packages of Graal that user-defined event types may use.
    pub(crate) fn options(&self, opened: Vec<String>) -> Vec<String> {
        // Graal's own counters tell the ways through a lock apart; the plug-in takes them out again.
        let mut words = vec!["-Djdk.graal.ProfileMonitors=true".to_owned()];
        if self.counters_per_thread > 0 {
            words.push(format!("-XX:JVMCICounterSize={}", self.counters_per_thread));
        }
        if self.compiler_counts {
            let switches = [
                "GenericDynamicCounters=true",
                "ProfileAllocations=true",
                "ProfileAllocationsContext=AllocatingMethod",
                "ProfileCompiledMethods=true",
            ];
            words.extend(switches.map(|switch| format!("-Djdk.graal.{switch}")));
        }
        if !self.class_path.is_empty() {
            words.extend(opened);
        }
        words
    }
}

/// What code is to count, and how.
#[derive(Debug, Clone, Serialize)]
pub struct EventPlan {
    /// `edge`, `live`, `pc`, `pd`, `dec`, or `none`.
    pub strategy: String,
    /// Names of types or categories; none for all.
    pub types: Vec<String>,
    /// Every thread counts for itself. Otherwise counts of code that several threads run at the same
    /// time may be lost.
    pub per_thread: bool,
    /// Strategy `edge` counts one edge more per unit, so that activations which ended in the middle
    /// are noticed.
    pub check: bool,
    /// With strategy `none`: put markers in and take them out again.
    pub markers: bool,
}

/// Row of the table of event types.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventTypeInfo {
    /// Unique name.
    pub name: String,
    /// Group of types.
    pub category: String,
    /// Condition on a node of the compiler's graph, in words.
    pub predicate: String,
    /// Part of the compilation in which it is recognised.
    pub tier: String,
    /// Moment in that part.
    pub phase: String,
    /// Why then.
    pub why: String,
    /// Why it never occurs in the community compiler, if so.
    pub cannot: Option<String>,
}

/// Code that counts.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventCode {
    /// Index of the unit.
    pub unit: u32,
    /// Its id, for installing it.
    pub code: u32,
    /// Bytes of machine code.
    pub size: u64,
    /// CPU time of the compilation in ns.
    pub compile_ns: u64,
    /// Whether its operations are those of the baseline code.
    pub same: bool,
    /// What two codes of a unit must have in common to have the same blocks and operations.
    pub signature: String,
}

/// Answer to `events-compile`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventCodes {
    /// In the order of the units asked for.
    pub compiled: Vec<EventCode>,
    /// Units that could not be compiled, each with its reason.
    pub failures: Vec<String>,
}

/// Answer to `events-run`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventRun {
    /// The counted iterations.
    pub iterations: Vec<Iteration>,
    /// Units whose code is no longer the one we installed; what runs instead counts too.
    pub invalid: Vec<String>,
    /// Units that were given up, each with its reason.
    pub failures: Vec<String>,
}

/// Answer to `events-types`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EventTypes {
    pub types: Vec<EventTypeInfo>,
}

impl HarnessClient {
    /// Every event type of this JVM, the user's own at the end.
    ///
    /// # Errors
    /// When the JVM fails.
    pub fn event_types(&mut self) -> Result<Vec<EventTypeInfo>, LabError> {
        let answer = self.ask(&requests::EventsTypes {}, limits::ANSWER)?;
        Ok(answer.types)
    }

    /// Compiles units so that they count; how to read the counters goes to `table` (docs/events.md
    /// has the format). Nothing is installed. What the JVM compiles by itself from now on follows the
    /// same plan.
    ///
    /// # Errors
    /// When a type is unknown, no counters are left, or the JVM fails.
    pub fn compile_events(
        &mut self,
        plan: &EventPlan,
        units: &[u32],
        table: &Path,
    ) -> Result<EventCodes, LabError> {
        let table = path_word(table);
        let limit = limits::ANSWER + limits::UNIT * units.len() as u32;
        self.ask(&requests::EventsCompile { plan, units, table }, limit)
    }

    /// Installs codes, runs and discards some iterations, then runs those that count.
    ///
    /// # Errors
    /// When the workload or the JVM fails.
    pub fn run_events(
        &mut self,
        iterations: u32,
        discard: u32,
        codes: &[u32],
        files: &EventFiles,
    ) -> Result<EventRun, LabError> {
        let request = requests::EventsRun {
            iterations,
            discard,
            codes,
            counters: path_word(&files.counters),
            table: path_word(&files.late),
        };
        let limit = limits::ANSWER + self.iteration_limit() * (iterations + discard);
        self.ask(&request, limit)
    }
}
