//! Simulated laboratories of one program, and what happens in them.

use std::cell::Cell;

use super::code::{Believed, Compiled};
use super::fault::Fault;
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

/// How runs differ, each of which collects its profiles and compiles anew.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RunSpread {
    /// Relative standard deviation over runs of a block's time.
    pub blocks: f64,
    /// Standard deviation over runs of what a profiler moves from one method to another besides its fault, points of share:
    /// between the methods of a fault that moves, else between the first two.
    pub error_pt: f64,
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
    /// From this window on slowed code takes a thirtieth longer.
    SlowsMore(u32),
    /// Its first window, with nothing added, takes eight times as long.
    BeginsSlowly,
    /// Everything takes eight times as long from when gates are opened first until they are opened again: its code is not compiled
    /// before.
    SettlesLate,
}

impl Happening {
    /// How much longer slowed code takes in this window.
    pub(super) fn slows(&self, window: u32) -> f64 {
        match self {
            Happening::SlowsMore(from) if window >= *from => 1.0 + 1.0 / 30.0,
            _ => 1.0,
        }
    }

    /// How much longer all takes in this window, after gates were opened so often.
    pub(super) fn takes(&self, window: u32, opened: u32) -> f64 {
        match self {
            Happening::BeginsSlowly if window == 0 => 8.0,
            Happening::SettlesLate if opened == 1 => 8.0,
            _ => 1.0,
        }
    }
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
    /// Alignments in the cache line.
    pub alignments: usize,
    /// Part of the placements in which a neighbour takes the machine, 0 to 1.
    pub disturbed: f64,
    /// Part of the time in which a neighbour takes it for some dozen placements, 0 to 1.
    pub storms: f64,
    /// Relative standard deviation over placements of an unmodified and of a slowed block.
    pub placement_sd: (f64, f64),
    /// Cycles by which our own samples land late; the laboratories say so.
    pub border_cycles: f64,
    /// How runs differ.
    pub runs_differ: RunSpread,
    /// Profilers that can be started.
    pub profilers: Vec<SimulatedProfiler>,
    /// What happens.
    pub troubles: Vec<Trouble>,
    /// The program as processes without loaded profiles run it, block by block; none: as all others.
    pub alone: Option<Program>,
    /// What the compiler believes of its code.
    pub believed: Believed,
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
            alignments: 2,
            disturbed: 0.0,
            storms: 0.0,
            placement_sd: (0.03, 0.02),
            border_cycles: 0.0,
            runs_differ: RunSpread::default(),
            profilers: Vec::new(),
            troubles: Vec::new(),
            alone: None,
            believed: Believed::Truth,
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
        self.process(&self.program, wish)
    }

    fn prepare_alone(&self, wish: &Preparation) -> Result<Box<dyn Lab>, LabError> {
        self.process(self.alone.as_ref().unwrap_or(&self.program), wish)
    }
}

impl SimulatedLabs {
    /// A process that runs the program.
    fn process(&self, program: &Program, wish: &Preparation) -> Result<Box<dyn Lab>, LabError> {
        let RunSpread { blocks, error_pt } = self.runs_differ;
        let program = &program.in_run(blocks, self.seed, wish.run);
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
                .map(|unit| super::code::unit_name(program, unit))
                .collect()
        } else {
            Vec::new()
        };
        let compiled = Compiled::of(program, process % 2 == 1, &other, self.believed)
            .map_err(|error| LabError::new(Failure::Instrument, error))?;
        let mut machine = Machine::process(program.clone(), self.seed, process);
        machine.disturbed = self.disturbed;
        machine.storms = self.storms;
        machine.placement_sd = self.placement_sd;
        let profilers = self.profilers.clone();
        let lab = SimulatedLab::new(machine, compiled, profilers, happens, self.alignments);
        let lab = lab.with_border(self.border_cycles);
        Ok(Box::new(lab.of_run(wish.run, error_pt)))
    }
}
