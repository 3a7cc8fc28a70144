//! The processes of all profilers: one that fails takes no verdict along, as long as two remain.
//!
//! Where the machine has room for several processes, several are measured at the same time, of different profilers first: what
//! is compared then meets the same machine. Where one ends, the next one begins. Each keeps its own clock, the CPU time of its
//! program's threads.
//!
//! | what fails in one of them | what becomes of the test |
//! | --- | --- |
//! | the process dies, hangs or refuses what it is asked for; the profiler; a file of ours | it is lost and named: it may have been the profiler's doing, and others may do well |
//! | the program throws, computes something else or cannot be repeated; there is no such program; it mostly waits | it ends: no other process would do better |
//! | the user wishes to stop | it ends |
//!
//! Where the test ends, the others that run are ended at once: nothing that they would still find is told. [`SiteError`] says which
//! failure is which. A process without a profiler, such as that in which doses are found, has no others of its kind: however it fails,
//! the test ends.

use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::ScopedJoinHandle;

use super::clock::StepClock;
use super::lab::{SiteError, SiteLabs};
use super::measure::{Asked, Run, changed_by, one_run};
use super::together::{alone, sets};
use super::tune::Tuned;
use super::{DoseError, DoseOrder, Test, of_profiler, under};
use crate::dose::{Doses, FailedRun};
use crate::progress::Progress;

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

impl<E: SiteError> Stopped<E> {
    /// Why there is no result. That the user wished so needs no output; an error that names it says so once.
    pub(super) fn without_result(self) -> DoseError<E> {
        let Self { error, log } = self;
        let said = error.to_string();
        match log.filter(|log| !error.is_interrupt() && !said.contains(log)) {
            Some(log) => DoseError::Program { error, log },
            None => DoseError::Lab(error),
        }
    }
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
    /// profiler of which too few can remain. Where one ends, the next one begins. A failure of the program is an error and ends all
    /// that run.
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
        let (tell, ends) = channel();
        std::thread::scope(|scope| {
            let mut running = BTreeMap::new();
            let mut stopped = None;
            loop {
                waiting.retain(|(at, _)| stopped.is_none() && self.runs[*at].enough());
                while running.len() < self.at_once.max(1)
                    && let Some(next) = waiting.pop_front()
                {
                    let begun = self.begun(test, next, waiting.len());
                    let end = End(next, tell.clone());
                    running.insert(next, scope.spawn(move || begun.run(&end)));
                }
                if running.is_empty() {
                    return stopped.map_or(Ok(()), Err);
                }
                let Some((next, run)) = ended(&ends, &mut running) else {
                    continue;
                };
                // What those answer that are ended then is no failure of theirs.
                if let Err(end) = self.take(test, next, run)
                    && stopped.is_none()
                {
                    test.labs.end_all();
                    stopped = Some(end);
                }
            }
        })
    }

    /// The process of a profiler, by its place, with this number.
    fn process(&self, (at, number): (usize, usize)) -> Process<'p> {
        Process {
            profiler: self.profilers[at],
            number,
        }
    }

    /// Starts one: this thread does, with which it would end. So many others wait behind it, and share the time that is left with it: each
    /// place for a process has about as many of them.
    fn begun<'t, L: SiteLabs>(
        &self,
        test: &Test<'t, L>,
        next: (usize, usize),
        waiting: usize,
    ) -> Begun<'t, 'p, L> {
        let process = self.process(next);
        let name = process.name();
        test.say(&format!("{name}: warm-up"));
        let turns = (waiting + 1).div_ceil(self.at_once.max(1));
        // What is right for a profiler the wanted ones of the others say, and the one without.
        let jvms = 1 + test.order.size.runs * (self.profilers.len() - 1);
        let (sites, clock) = under::sites(&self.tuned, jvms);
        // As long as no process with a profiler has ended, those of the one in which sites were counted.
        let first = self.runs.iter().flat_map(|one| &one.good).next();
        let counted = || -> Vec<Option<Doses>> { self.tuned.iter().map(|one| one.doses).collect() };
        let most_s = test.left_s().map(|left_s| left_s / turns as f64);
        Begun {
            lab: test.lab(&name, &sites, Some(process.profiler)),
            process,
            order: test.order,
            progress: test.progress,
            tuned: self.tuned.clone(),
            clock,
            known: first.map_or_else(counted, |run| run.doses.clone()),
            most_s,
        }
    }

    /// Takes in what a process showed, or why it did not.
    fn take<L: SiteLabs>(
        &mut self,
        test: &Test<'_, L>,
        (at, number): (usize, usize),
        run: Result<Run, L::Error>,
    ) -> Result<(), Stopped<L::Error>> {
        match run {
            Ok(run) => {
                let good = &mut self.runs[at].good;
                let place = good.partition_point(|one| one.number < run.number);
                good.insert(place, run);
                put_apart(&mut self.tuned, good, test.order.margin_pt);
            }
            Err(error) => {
                let log = test.labs.log(&self.process((at, number)).name());
                let run = number + 1;
                match of_profiler(error) {
                    Ok(reason) => {
                        let failed = &mut self.runs[at].failed;
                        failed.push(FailedRun { run, reason, log });
                        failed.sort_by_key(|one| one.run);
                    }
                    Err(error) => return Err(Stopped { error, log }),
                }
            }
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

/// A process that was started, with all that it needs: which sets its sites are in may change for later ones.
struct Begun<'t, 'p, L: SiteLabs> {
    lab: Result<L::Lab, L::Error>,
    process: Process<'p>,
    order: &'t DoseOrder,
    progress: &'t dyn Progress,
    tuned: Vec<Tuned>,
    clock: Option<StepClock>,
    /// Doses that were found in another one.
    known: Vec<Option<Doses>>,
    /// How long it may take, s; none: as long as it takes.
    most_s: Option<f64>,
}

impl<L: SiteLabs> Begun<'_, '_, L> {
    fn run(self, _end: &End) -> Result<Run, L::Error> {
        let asked = Asked {
            order: self.order,
            progress: self.progress,
            tuned: &self.tuned,
            clock: self.clock,
            known: &self.known,
            most_s: self.most_s,
        };
        one_run(self.lab?, self.process, asked)
    }
}

/// Says that a process has ended when it is dropped, also where its thread panics.
struct End((usize, usize), Sender<(usize, usize)>);

impl Drop for End {
    fn drop(&mut self) {
        // Who does not listen any more panics too.
        let _ = self.1.send(self.0);
    }
}

/// Processes that run, by a profiler's place and a number.
type Running<'s, E> = BTreeMap<(usize, usize), ScopedJoinHandle<'s, Result<Run, E>>>;

/// The next one that ends, and what it found.
fn ended<E>(
    ends: &Receiver<(usize, usize)>,
    running: &mut Running<'_, E>,
) -> Option<((usize, usize), Result<Run, E>)> {
    let next = ends.recv().ok()?;
    Some((next, joined(running.remove(&next)?)))
}

/// What a thread found; its panic goes on here.
pub(super) fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
