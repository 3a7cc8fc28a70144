//! Requests of `events`.

use std::path::PathBuf;

use super::ProgramRequest;
use super::programs::Program;
use super::selection::Selection;
use super::way::Mode;

/// `events`, and its list of types.
#[derive(Debug, Clone, PartialEq)]
pub struct EventsRequest {
    /// The program; lists need any.
    pub program: ProgramRequest,
    /// What is counted.
    pub selection: Selection,
    /// Iterations that are counted.
    pub iterations: u32,
}

/// `events diff`.
#[derive(Debug, Clone, PartialEq)]
pub struct EventsDiffRequest {
    /// The program.
    pub program: ProgramRequest,
    /// What is counted.
    pub selection: Selection,
    /// Options of the JVM in configurations A and B.
    pub options: [Vec<String>; 2],
    /// Changes of less than this part of the larger count are not listed.
    pub threshold: f64,
    /// JVMs of each configuration.
    pub jvms: u32,
    /// Iterations that are counted in each.
    pub iterations: u32,
}

/// `events cost`.
#[derive(Debug, Clone, PartialEq)]
pub struct EventsCostRequest {
    /// Programs, at least one.
    pub programs: Vec<Program>,
    /// Ways of counting.
    pub modes: Vec<Mode>,
    /// Rounds: installations of each way of counting.
    pub rounds: u32,
    /// Least time under each installation, s.
    pub seconds: f64,
    /// Heap of the programs, MB.
    pub heap_mb: u32,
    /// Longest that one iteration may take, s.
    pub iteration_timeout_s: f64,
    /// Directory for everything that the run leaves; none: a new one.
    pub out: Option<PathBuf>,
    /// Seed of the order of installations.
    pub seed: u64,
}

impl EventsCostRequest {
    /// One of its programs, as it is run.
    #[must_use]
    pub fn program(&self, program: &Program) -> ProgramRequest {
        ProgramRequest {
            workload: program.workload.clone(),
            java: None,
            heap_mb: self.heap_mb,
            iteration_timeout_s: self.iteration_timeout_s,
            out: self.out.clone(),
            seed: self.seed,
        }
    }

    /// The first of its programs, for which its run is named.
    #[must_use]
    pub fn first(&self) -> ProgramRequest {
        self.program(&self.programs[0])
    }
}
