//! The processes of all profilers: one that fails takes no verdict along, as long as two remain.
//!
//! Where the machine has room for several processes, several are measured at the same time, of different profilers first: what
//! is compared then meets the same machine. Each keeps its own clock, the CPU time of its program's threads.

use std::collections::VecDeque;
use std::thread::ScopedJoinHandle;

use super::lab::{SiteLabs, WantedSite};
use super::measure::{Asked, Run, changed_by, one_run};
use super::together::{alone, sets};
use super::tune::Tuned;
use super::{Test, of_profiler};
use crate::dose::{Doses, FailedRun};

/// Processes of a profiler that must remain where some fail: one says nothing of what differs from process to process.
const LEAST_RUNS: usize = 2;

/// The processes of a profiler.
#[derive(Default)]
pub(super) struct Runs {
    /// How many were asked for.
    pub(super) asked: usize,
    /// Those that did what they were asked for.
    pub(super) good: Vec<Run>,
    pub(super) failed: Vec<FailedRun>,
}

impl Runs {
    /// Whether so many remain that the profiler is judged, if none fails any more.
    pub(super) fn enough(&self) -> bool {
        self.asked - self.failed.len() >= LEAST_RUNS.min(self.asked)
    }
}

/// What ended the processes of all profilers: a failure that is everybody's.
pub(super) struct Stopped<E> {
    pub(super) error: E,
    /// Where the output of the process is in which it was seen.
    pub(super) log: Option<String>,
}

/// The processes of all profilers.
pub(super) struct Processes<'p> {
    pub(super) profilers: Vec<&'p String>,
    /// Of each of them.
    pub(super) runs: Vec<Runs>,
    /// How many are run at the same time.
    pub(super) at_once: usize,
    /// The sites, in the sets of later processes: where those of a set together change a profile too much, each has a set of its own.
    tuned: Vec<Tuned>,
}

impl<'p> Processes<'p> {
    /// None so far.
    pub(super) fn of(profilers: Vec<&'p String>, tuned: &[Tuned], at_once: usize) -> Self {
        Self {
            runs: profilers.iter().map(|_| Runs::default()).collect(),
            profilers,
            at_once,
            tuned: tuned.to_vec(),
        }
    }

    /// Runs so many more of each of these profilers, by their places in the list, those of different profilers first; no more of a
    /// profiler of which too few can remain. Failures of the program are errors.
    pub(super) fn more<L: SiteLabs>(
        &mut self,
        test: &Test<'_, L>,
        profilers: &[usize],
        more: usize,
    ) -> Result<(), Stopped<L::Error>> {
        let mut waiting: VecDeque<(usize, usize)> = VecDeque::new();
        for nth in 0..more {
            let numbers = profilers.iter().map(|at| (*at, self.runs[*at].asked + nth));
            waiting.extend(numbers);
        }
        for at in profilers {
            self.runs[*at].asked += more;
        }
        loop {
            waiting.retain(|(at, _)| self.runs[*at].enough());
            let some = self.at_once.clamp(1, waiting.len().max(1));
            let batch: Vec<(usize, usize)> = waiting.drain(..some.min(waiting.len())).collect();
            if batch.is_empty() {
                return Ok(());
            }
            self.batch(test, batch)?;
        }
    }

    /// Runs these processes, each a profiler's place and a number, at the same time.
    fn batch<L: SiteLabs>(
        &mut self,
        test: &Test<'_, L>,
        batch: Vec<(usize, usize)>,
    ) -> Result<(), Stopped<L::Error>> {
        let first = self.runs.iter().flat_map(|one| &one.good).next();
        let known = first.map(|run| run.doses.clone());
        let process = |(at, number): &(usize, usize)| Process {
            profiler: self.profilers[*at],
            number: *number,
        };
        let processes: Vec<Process<'_>> = batch.iter().map(process).collect();
        let done = side_by_side(test, &processes, &self.tuned, known.as_deref());
        for (((at, number), process), run) in batch.into_iter().zip(processes).zip(done) {
            let error = match run {
                Ok(run) => {
                    self.runs[at].good.push(run);
                    continue;
                }
                Err(error) => error,
            };
            let (run, log) = (number + 1, test.labs.log(&process.name()));
            match of_profiler(error) {
                Ok(reason) => self.runs[at].failed.push(FailedRun { run, reason, log }),
                Err(error) => return Err(Stopped { error, log }),
            }
        }
        for of_profiler in &self.runs {
            put_apart(&mut self.tuned, &of_profiler.good, test.order.margin_pt);
        }
        Ok(())
    }
}

/// Puts the sites of sets apart that change a profiler's profile so much that no row of theirs would decide.
fn put_apart(tuned: &mut [Tuned], runs: &[Run], margin_pt: f64) {
    for (_, sites) in sets(tuned) {
        let change = changed_by(sites[0], runs, margin_pt);
        if sites.len() > 1 && change.is_some_and(|change| change.voids_rows) {
            alone(tuned, &sites[1..]);
        }
    }
}

/// A process with a profiler, of this number.
#[derive(Clone, Copy)]
pub(super) struct Process<'p> {
    pub(super) profiler: &'p str,
    pub(super) number: usize,
}

impl Process<'_> {
    /// What it and the place of its files are called.
    pub(super) fn name(self) -> String {
        match self.number {
            0 => self.profiler.to_owned(),
            number => format!("{}-run-{}", self.profiler, number + 1),
        }
    }
}

/// Runs some processes, all at the same time. `known`: doses that were found in another one.
fn side_by_side<L: SiteLabs>(
    test: &Test<'_, L>,
    processes: &[Process<'_>],
    tuned: &[Tuned],
    known: Option<&[Option<Doses>]>,
) -> Vec<Result<Run, L::Error>> {
    let sites: Vec<WantedSite> = tuned.iter().map(Tuned::gated).collect();
    // Started here: a process ends with the thread that started it.
    let mut started = Vec::new();
    for process in processes {
        let name = process.name();
        test.say(&format!("{name}: warm-up"));
        started.push((*process, test.lab(&name, &sites, Some(process.profiler))));
    }
    let asked = Asked {
        order: test.order,
        progress: test.progress,
        tuned,
        known: known.unwrap_or_default(),
    };
    std::thread::scope(|scope| {
        let mut running = Vec::new();
        for (process, lab) in started {
            running.push(scope.spawn(move || one_run(lab?, process, asked)));
        }
        running.into_iter().map(joined).collect()
    })
}

/// What a thread found; its panic goes on here.
pub(super) fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
