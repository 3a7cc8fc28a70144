//! Windows: iterations under a dose, in processes of their own or marked inside of one.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::doses::DoseFile;
use crate::launch::{Launch, LaunchError, system};
use crate::live::{Answer, Live};

/// A window that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Wanted {
    /// The site and the turns of its loop; none: all sites are at rest.
    pub dose: Option<(u64, u32)>,
    /// Least CPU time of its iterations, s.
    pub least_s: f64,
    /// Fewest iterations.
    pub least: u32,
}

/// A window that ran.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Ran {
    /// Its parts, one for each process that did some of it.
    pub stretches: Vec<Stretch>,
    /// Sites that took the dose, over all of them.
    pub obeyed: u32,
}

/// Iterations of one process that follow each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stretch {
    /// Its id.
    pub pid: u32,
    /// User and system time, ns; of a whole process that of its children too.
    pub cpu_ns: f64,
    /// How many.
    pub iterations: u32,
    /// Begin and end by CLOCK_MONOTONIC, ns.
    pub span_ns: [u64; 2],
    /// It is a whole process, with its children; else it is marked iterations of one.
    pub whole: bool,
}

impl Ran {
    /// CPU time of all iterations, ns.
    #[must_use]
    pub fn cpu_ns(&self) -> f64 {
        self.stretches.iter().map(|one| one.cpu_ns).sum()
    }

    /// How many iterations there were.
    #[must_use]
    pub fn iterations(&self) -> u32 {
        self.stretches.iter().map(|one| one.iterations).sum()
    }

    /// Whether that is what was wanted.
    pub(crate) fn fills(&self, wanted: &Wanted) -> bool {
        self.iterations() >= wanted.least && self.cpu_ns() >= 1e9 * wanted.least_s
    }

    fn left_of(&self, wanted: &Wanted) -> Wanted {
        Wanted {
            least: wanted.least.saturating_sub(self.iterations()).max(1),
            least_s: (wanted.least_s - self.cpu_ns() / 1e9).max(0.0),
            ..*wanted
        }
    }
}

/// Runs windows of a program. One that marks its iterations is kept running in between, waiting.
#[derive(Debug)]
pub struct Runner {
    /// How it is started. The output that all processes have is kept here.
    pub launch: Launch,
    live: Option<Live>,
}

impl Runner {
    /// Of a program of which is known whether it marks its iterations.
    #[must_use]
    pub fn new(launch: Launch) -> Self {
        Self { launch, live: None }
    }

    /// Starts the program to see whether it marks its iterations. One that is through with the first at its end is run in
    /// whole processes.
    ///
    /// # Errors
    /// When the program cannot be run.
    pub fn begin(launch: Launch, interrupted: &AtomicBool) -> Result<Self, LaunchError> {
        let mut runner = Self::new(launch);
        let one = Wanted {
            dose: None,
            least_s: 0.0,
            least: 1,
        };
        let mut live = Live::start(&runner.launch)?;
        match live.window(&one, &mut runner.launch, interrupted)? {
            Answer::Whole(..) => runner.live = Some(live),
            Answer::Ended(part) if part.is_none() => return Ok(runner),
            Answer::Ended(_) => {}
        }
        runner.launch.marked = true;
        Ok(runner)
    }

    /// Runs windows one after another.
    ///
    /// # Errors
    /// When the program cannot be run, or does not do the same in every run.
    pub fn windows(
        &mut self,
        wanted: &[Wanted],
        interrupted: &AtomicBool,
    ) -> Result<Vec<Ran>, LaunchError> {
        if self.launch.marked {
            let one = |wanted: &Wanted| self.marked(wanted, interrupted);
            return wanted.iter().map(one).collect();
        }
        let path = self.launch.directory.join("dose");
        let doses = DoseFile::create(&path).map_err(system(&path))?;
        let one = |wanted: &Wanted| self.whole(&doses, wanted, interrupted);
        wanted.iter().map(one).collect()
    }

    /// A window of whole processes.
    fn whole(
        &mut self,
        doses: &DoseFile,
        wanted: &Wanted,
        interrupted: &AtomicBool,
    ) -> Result<Ran, LaunchError> {
        let (key, turns) = wanted.dose.unwrap_or_default();
        doses.set(key, turns).map_err(system(doses.path()))?;
        let mut ran = Ran::default();
        while !ran.fills(wanted) {
            if interrupted.load(Ordering::Relaxed) {
                return Err(LaunchError::Interrupted);
            }
            let mut one = self.launch.process(doses, interrupted)?;
            // A clock that does not move must not keep us here.
            one.cpu_ns = one.cpu_ns.max(LEAST_CPU_NS);
            ran.stretches.push(one);
        }
        ran.obeyed = doses.obeyed().map_err(system(doses.path()))?;
        Ok(ran)
    }

    /// A window of marked iterations; the program is started again where it ends meanwhile.
    fn marked(&mut self, wanted: &Wanted, interrupted: &AtomicBool) -> Result<Ran, LaunchError> {
        let mut ran = Ran::default();
        // The process before may be at its end when the window begins.
        let mut empty = 0;
        while !ran.fills(wanted) {
            if interrupted.load(Ordering::Relaxed) {
                return Err(LaunchError::Interrupted);
            }
            let mut live = match self.live.take() {
                Some(live) => live,
                None => Live::start(&self.launch)?,
            };
            let answer = live.window(&ran.left_of(wanted), &mut self.launch, interrupted)?;
            let part = match answer {
                Answer::Whole(part) => {
                    self.live = Some(live);
                    Some(part)
                }
                Answer::Ended(part) => part,
            };
            match part {
                Some((stretch, obeyed)) => {
                    ran.stretches.push(stretch);
                    ran.obeyed += obeyed;
                }
                None if empty == 1 => return Err(LaunchError::NoIteration),
                None => empty += 1,
            }
        }
        Ok(ran)
    }

    /// Lets a waiting process end.
    ///
    /// # Errors
    /// When it does not, or the user wants to stop.
    pub fn end(&mut self, interrupted: &AtomicBool) -> Result<(), LaunchError> {
        self.live
            .take()
            .map_or(Ok(()), |live| live.end(self.launch.most_s, interrupted))
    }
}

/// What the clock of a process is taken to be at least, ns: it has steps.
const LEAST_CPU_NS: f64 = 1e5;
