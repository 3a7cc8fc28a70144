//! Simulated laboratories of one program, and what happens in them.

use std::cell::Cell;

use super::code::Compiled;
use super::evidence::Fault;
use super::lab::SimulatedLab;
use super::machine::Machine;
use super::program::Program;
use crate::lab::{Failure, Lab, LabError, Labs, Preparation};

/// A profiler that reports what is true but for its fault.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedProfiler {
    /// Its name.
    pub name: String,
    /// Samples per second of CPU time.
    pub samples_per_s: f64,
    /// What is wrong with it; methods are counted in the order of [`super::method_names`].
    pub fault: Fault,
}

/// What happens in a process besides the experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happening {
    /// It ends in this window (counted from 0).
    Dies(u32),
    /// From this window on its units are replaced again and again.
    LosesUnits(u32),
    /// Every so many windows one has to be repeated because code was replaced.
    ReplacesCode(u32),
    /// It compiles its units differently from all others.
    CompilesDifferently,
    /// It cannot be measured at all.
    IsRefused,
    /// The user stops it in this window.
    IsInterrupted(u32),
}

/// Where something happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// Name of the process, as in [`Preparation::name`].
    pub process: String,
    /// What.
    pub what: Happening,
}

/// Prepares simulated laboratories of one program.
#[derive(Debug, Clone)]
pub struct SimulatedLabs {
    /// The program.
    pub program: Program,
    /// Seed of how it responds and of everything that is drawn.
    pub seed: u64,
    /// Shifts in the cache line.
    pub shifts: usize,
    /// Part of the placements in which a neighbour takes the machine, 0 to 1.
    pub disturbed: f64,
    /// Relative standard deviation over placements of an unmodified and of a slowed block.
    pub placement_sd: (f64, f64),
    /// Cycles by which our own samples land late; the laboratories say so.
    pub border_cycles: f64,
    /// Profilers that can be started.
    pub profilers: Vec<SimulatedProfiler>,
    /// What happens.
    pub troubles: Vec<Trouble>,
    /// Processes that were started.
    started: Cell<u64>,
}

impl SimulatedLabs {
    /// Undisturbed laboratories; the same seed gives the same answers to the same questions.
    #[must_use]
    pub fn new(program: Program, seed: u64) -> Self {
        SimulatedLabs {
            program,
            seed,
            shifts: 2,
            disturbed: 0.0,
            placement_sd: (0.03, 0.02),
            border_cycles: 0.0,
            profilers: Vec::new(),
            troubles: Vec::new(),
            started: Cell::new(0),
        }
    }

    /// Processes that were started so far.
    #[must_use]
    pub fn started(&self) -> u64 {
        self.started.get()
    }
}

impl Labs for SimulatedLabs {
    fn prepare(&self, wish: &Preparation) -> Result<Box<dyn Lab>, LabError> {
        let process = self.started.get();
        self.started.set(process + 1);
        let of_process = |trouble: &&Trouble| trouble.process == wish.name;
        let happens = self.troubles.iter().filter(of_process);
        let happens: Vec<Happening> = happens.map(|trouble| trouble.what.clone()).collect();
        if happens.contains(&Happening::IsRefused) {
            return Err(LabError::new(
                Failure::Refused,
                "the workload is never hot in compiled code",
            ));
        }
        if let Some(name) = &wish.profiler
            && self.profilers.iter().all(|known| known.name != *name)
        {
            return Err(LabError::new(
                Failure::Profiler,
                format!("no profiler '{name}' here"),
            ));
        }
        let other: Vec<String> = if happens.contains(&Happening::CompilesDifferently) {
            (0..2)
                .map(|unit| super::code::unit_name(&self.program, unit))
                .collect()
        } else {
            Vec::new()
        };
        let compiled = Compiled::of(&self.program, process % 2 == 1, &other)
            .map_err(|error| LabError::new(Failure::Instrument, error))?;
        let mut machine = Machine::process(self.program.clone(), self.seed, process);
        machine.disturbed = self.disturbed;
        machine.placement_sd = self.placement_sd;
        let profilers = self.profilers.clone();
        let lab = SimulatedLab::new(machine, compiled, profilers, happens, self.shifts);
        Ok(Box::new(lab.with_border(self.border_cycles)))
    }
}
