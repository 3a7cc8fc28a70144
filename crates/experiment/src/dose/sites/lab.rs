//! What runs a program with sites and measures windows of it: a JVM of the user's own, or a simulation.

use std::collections::BTreeMap;
use std::error::Error;

use proofmark_stats::median;

use super::clock::StepReading;
use super::report::SiteReport;
use super::windows::KeptWindow;
use crate::dose::{Dose, DoseKind, JvmFacts, Times};
use crate::lab::{Iteration, ProfiledWindow};

/// Starts processes of one program, each with sites of its own and at most one profiler.
pub trait SiteLabs {
    /// A process.
    type Lab: SiteLab<Error = Self::Error> + Send;
    /// Why there is none.
    type Error: SiteError;

    /// Starts a process; its profiler runs, the program has not begun. Its files go to a place of that name, and it ends
    /// with the thread that started it.
    ///
    /// # Errors
    /// When the process or the profiler does not start.
    fn start(
        &self,
        name: &str,
        sites: &[WantedSite],
        profiler: Option<&str>,
    ) -> Result<Self::Lab, Self::Error>;

    /// Ends all processes that run: what each is asked, or is being asked, it answers as if the user wished to stop. The test
    /// starts no other one afterwards.
    fn end_all(&self);

    /// Where the output of the process of this name goes; none where it has none.
    fn log(&self, name: &str) -> Option<String>;

    /// Share of the bytecodes that the program executes, by method, %; empty where they cannot be counted.
    fn bytecodes(&self) -> BTreeMap<String, f64>;

    /// Hears how long the parts of the test take: its methods are chosen, and how long an iteration takes is known.
    fn chosen(&self, _times: &Times) {}

    /// Hears how long the processes of profilers take, once the sites are found and what they cost is known; the rest of the times is of no
    /// use.
    fn sites_found(&self, _times: &Times) {}

    /// Hears that processes are added to those that were wanted and have ended, in which profilers look at the program as it is once more
    /// or are measured, and about how long these take, s.
    fn adds(&self, _seconds: f64) {}

    /// Part of the processors' time that others took during the test, where that is much; none if it is not, or nobody knows. Asked when
    /// all processes have ended.
    fn others(&self) -> Option<f64> {
        None
    }
}

/// A process with sites, and what its profiler was told.
pub trait SiteLab {
    /// Why it did not do what it was asked for.
    type Error: SiteError;

    /// The JVM.
    fn facts(&self) -> JvmFacts;

    /// Time since it was started, s: that of all its windows at least.
    fn elapsed_s(&self) -> f64;

    /// How many processes like this one the machine has processors and memory for at the same time, if the program keeps so
    /// many processors busy; 1 at least.
    fn at_once(&self, busy: f64) -> usize;

    /// Has all sites compiled in, then runs until compilers and times rest. What is to be said of the program's threads,
    /// if it starts them all the time.
    ///
    /// # Errors
    /// When the program fails, or mostly waits.
    fn warm_up(&mut self, warm: &WarmUp) -> Result<Option<String>, Self::Error>;

    /// Opens the gates of these sites and closes all others, has the open ones compiled in, and runs until compilers rest.
    ///
    /// # Errors
    /// When the program fails, or the JVM refuses.
    fn gates(&mut self, open: &[u16], warm: &WarmUp) -> Result<(), Self::Error>;

    /// Runs a window of at least that many seconds and iterations under a dose, or with all sites at rest.
    ///
    /// # Errors
    /// When the program, the process or the profiler fails.
    fn window(
        &mut self,
        dose: Option<Dose>,
        seconds: f64,
        least: u32,
        watching: Watching,
    ) -> Result<DosedWindow, Self::Error>;

    /// How often every site that counts is reached, in each of so many iterations of the program, modulo 2^32.
    ///
    /// # Errors
    /// When the program fails.
    fn count(&mut self, iterations: u32) -> Result<Vec<Vec<u32>>, Self::Error>;

    /// CPU time of so many passes of a loop with nothing in it but the site of a [`StepClock`](super::StepClock), ns.
    ///
    /// # Errors
    /// When the process fails.
    fn passes(&mut self, clock: Dose, passes: u32) -> Result<u64, Self::Error>;

    /// What is known of its sites so far.
    fn report(&self) -> SiteReport;

    /// What the profiler reported of each watched window so far, in order; it goes on.
    ///
    /// # Errors
    /// When the profiler left nothing that can be read.
    fn reported(&mut self) -> Result<Vec<ProfiledWindow>, Self::Error>;

    /// Keeps windows beside the profiler's own files.
    ///
    /// # Errors
    /// When they cannot be written.
    fn keep(&self, windows: &[KeptWindow]) -> Result<(), Self::Error>;

    /// Ends the process; what the profiler reported of each watched window, in order.
    ///
    /// # Errors
    /// When the profiler left nothing that can be read.
    fn finish(self) -> Result<Vec<ProfiledWindow>, Self::Error>;

    /// Ends the process; what the profiler has not yet written is lost.
    fn end(self);
}

/// Why a process did not answer.
pub trait SiteError: Error + Send + Sync + 'static {
    /// Whether it is the program's, or the user's wish to stop: then no other process does better. Any other failure is
    /// that of one process, or of the profiler in it.
    fn is_everybodys(&self) -> bool;

    /// Whether it is the user's wish to stop.
    fn is_interrupt(&self) -> bool;
}

/// A site that is put into a class. Its number is its place in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedSite {
    /// Internal name of the class.
    pub class: String,
    /// Name of the method, all overloads.
    pub method: String,
    /// Where.
    pub place: SitePlace,
    /// What it does.
    pub work: SiteWork,
    /// Its code is there only while its gate is open ([`SiteLab::gates`]); when the process starts it is closed.
    pub gated: bool,
}

/// What a site does when the program comes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SiteWork {
    /// Turns of a loop, each of so many steps of that kind.
    Turns(DoseKind, u16),
    /// It counts how often it is reached.
    Count,
}

/// Where a site goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SitePlace {
    /// The method's entry.
    Entry,
    /// In front of the body of the loop with this number.
    Loop(u16),
    /// Where a part of the method begins that is not always run, with this number.
    Branch(u16),
    /// Nowhere: it is only said when the method is compiled.
    Watch,
}

/// How a process warms up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WarmUp {
    /// Time with random turns in all sites, s.
    pub exercise_s: f64,
    /// Most turns then.
    pub most_turns: u16,
    /// Least time at rest, s.
    pub least_s: f64,
    /// Most time at rest, s.
    pub most_s: f64,
}

/// How processes of a test warm up. Large programs compile for minutes; every gate that is opened is waited for anew.
pub(super) const WARM: WarmUp = WarmUp {
    exercise_s: 1.5,
    most_turns: 6,
    least_s: 0.8,
    most_s: 5.0,
};

/// How they do when a gate was opened or closed: the program is warm.
pub(super) const ANEW: WarmUp = WarmUp {
    exercise_s: 0.4,
    most_turns: 6,
    least_s: 0.2,
    most_s: 4.0,
};

/// Who watches a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Watching {
    /// Nobody.
    Nobody,
    /// The profiler, where the process has one.
    Profiler,
    /// The profiler, which also watches readings of a [`StepClock`](super::StepClock) before the window and behind: what it takes for
    /// itself is then in both. They are not in what it reports.
    ProfilerAndClock(StepReading),
}

impl Watching {
    /// What is read before the window and behind.
    #[must_use]
    pub fn clock(self) -> Option<StepReading> {
        match self {
            Self::ProfilerAndClock(clock) => Some(clock),
            Self::Nobody | Self::Profiler => None,
        }
    }
}

/// What ran in a window.
#[derive(Debug, Clone)]
pub struct DosedWindow {
    /// ns of CLOCK_MONOTONIC.
    pub begin_ns: u64,
    /// ns of CLOCK_MONOTONIC.
    pub end_ns: u64,
    /// Iterations of the program in each of those below: short ones are timed several at a time.
    pub together: u32,
    /// The iterations, each with the CPU time of all threads of the program.
    pub iterations: Vec<Iteration>,
    /// Threads of the program that had CPU time.
    pub busy_threads: u32,
    /// CPU time of the one that had most, ns.
    pub busiest_ns: u64,
    /// Time of a step of the clock in the mean of before and behind, ns; none where it was not read.
    pub step_ns: Option<f64>,
}

impl DosedWindow {
    /// Threads that had CPU time, and the part of all of it that the busiest had.
    pub(super) fn threads(&self) -> (u32, f64) {
        let part = self.busiest_ns as f64 / (1e9 * self.cpu_s());
        (self.busy_threads, part.min(1.0))
    }

    /// CPU time of each iteration, ns.
    fn times(&self) -> Vec<f64> {
        let all = self.iterations.iter();
        all.map(|(_, _, cpu)| *cpu as f64).collect()
    }

    /// Processors that the program kept busy, in the mean.
    pub(super) fn busy(&self) -> f64 {
        self.cpu_s() / self.wall_s().max(f64::MIN_POSITIVE)
    }

    /// How long it took, s.
    pub(super) fn wall_s(&self) -> f64 {
        (self.end_ns - self.begin_ns) as f64 / 1e9
    }

    /// CPU time of all its iterations, s.
    pub(super) fn cpu_s(&self) -> f64 {
        self.times().iter().sum::<f64>() / 1e9
    }

    /// Mean CPU time of its iterations, ns.
    pub(super) fn mean_ns(&self) -> f64 {
        self.times().iter().sum::<f64>() / self.iterations.len().max(1) as f64
    }

    /// Median CPU time of its iterations, ns: others on the machine only ever make some of them longer.
    pub(super) fn median_ns(&self) -> f64 {
        median(&self.times()).unwrap_or(f64::NAN)
    }
}
