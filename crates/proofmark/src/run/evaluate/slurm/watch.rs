//! Waiting for the tasks of arrays.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use proofmark_experiment::Progress as _;
use proofmark_experiment::evaluate::ProgramResult;
use proofmark_jvm::LabError;

use super::Slurm;
use super::array::Array;
use super::commands::{self, Fate, Queued};
use super::left::left_s;
use crate::run::evaluate::executor::{Done, Order};

/// Between two looks at the queue: the first pause, which doubles until it is the longest, s. The queue is asked of the one
/// controller that all users of a cluster share.
const PAUSE_S: (f64, f64) = (1.0, 16.0);
/// Between two looks at the interrupt.
const LOOK: Duration = Duration::from_millis(100);
/// How long a task may be gone before its result is seen, s: a shared file system may show what is new in a directory only
/// after half a minute. A task that Slurm calls failed is not waited for.
const LATE_S: f64 = 60.0;

/// A program whose task waits or runs.
pub(super) struct Awaited<'o> {
    /// The program.
    pub order: &'o Order,
    /// Its array, by position.
    array: usize,
    /// Number of its task.
    task: usize,
    /// Since when it runs, as far as we saw; none while it waits.
    runs_since_s: Option<f64>,
    /// Since when the queue does not know it.
    gone_since_s: Option<f64>,
}

impl<'o> Awaited<'o> {
    /// One of which nothing was seen yet.
    pub fn new(order: &'o Order, array: usize, task: usize) -> Self {
        Awaited {
            order,
            array,
            task,
            runs_since_s: None,
            gone_since_s: None,
        }
    }
}

impl Slurm<'_> {
    /// Waits until all tasks have ended; `done` is called with each result. A task that ends without one is a failed
    /// program.
    ///
    /// # Errors
    /// When the user stops it, or a result cannot be read or taken.
    pub(super) fn watch(
        &self,
        arrays: &[Array],
        mut awaited: Vec<Awaited<'_>>,
        done: Done<'_>,
    ) -> anyhow::Result<()> {
        let (mut pause_s, mut silent) = (PAUSE_S.0, false);
        let all = awaited.len();
        while !awaited.is_empty() {
            // First the queue, then the files: what is gone from the queue has left its result.
            let queue = commands::queue(&names(arrays, &awaited));
            if let (Err(why), false) = (&queue, silent) {
                self.around
                    .progress
                    .note(&format!("{why}; the jobs go on, and it is asked again"));
            }
            silent = queue.is_err();
            let queue = queue.ok();
            let mut still = Vec::new();
            for mut one in awaited {
                let array = &arrays[one.array];
                let Some(result) = self.ended(&mut one, array, queue.as_deref())? else {
                    still.push(one);
                    continue;
                };
                self.say_result(one.order, &result);
                done(one.order, result)?;
                array.taken(one.task);
            }
            awaited = still;
            if awaited.is_empty() {
                break;
            }
            self.say(all, &awaited, queue.as_deref());
            if self.is_stopped_within(Duration::from_secs_f64(pause_s)) {
                return Err(self.stopped(arrays, &awaited));
            }
            pause_s = (2.0 * pause_s).min(PAUSE_S.1);
        }
        Ok(())
    }

    /// The result of a task that has ended; none if it has not, or its result may still be seen. `queue`: none if that is
    /// not known.
    fn ended(
        &self,
        one: &mut Awaited<'_>,
        array: &Array,
        queue: Option<&[Queued]>,
    ) -> anyhow::Result<Option<ProgramResult>> {
        if let Some(result) = array.result(one.task)? {
            return Ok(Some(result));
        }
        let Some(queue) = queue else {
            return Ok(None);
        };
        let now_s = self.around.progress.elapsed_s();
        let mut here = queue.iter().filter(|there| there.array == array.name);
        if let Some(there) = here.find(|there| there.task == one.task) {
            let since_s = one.runs_since_s.unwrap_or(now_s);
            one.runs_since_s = there.runs.then_some(since_s);
            one.gone_since_s = None;
            return Ok(None);
        }
        let gone_s = now_s - *one.gone_since_s.get_or_insert(now_s);
        let id = array.id_of(one.task);
        let fate = id.as_deref().and_then(commands::fate);
        let failed = fate.as_ref().is_some_and(Fate::is_failure);
        if !failed && gone_s < LATE_S {
            return Ok(None);
        }
        let how = fate.map_or("Slurm does not say how".to_owned(), |fate| {
            format!("{}, exit code {}", fate.state, fate.exit)
        });
        let id = id.unwrap_or_default();
        let why = format!(
            "Slurm's job {id} ended without a result ({how}); {}",
            array.tail(one.task)
        );
        Ok(Some(ProgramResult::failed(&one.order.name, why)))
    }

    fn say_result(&self, order: &Order, result: &ProgramResult) {
        let how = match &result.failed {
            None => "done".to_owned(),
            Some(why) => format!("failed: {why}"),
        };
        let said = format!("{}: {how}", order.which);
        self.around.progress.note(&said);
    }

    /// Says how many tasks run, how many wait and why, and how long all of them still take.
    fn say(&self, all: usize, awaited: &[Awaited<'_>], queue: Option<&[Queued]>) {
        let progress = &self.around.progress;
        let now_s = progress.elapsed_s();
        let (mut running, mut waiting) = (Vec::new(), Vec::new());
        for one in awaited {
            let whole_s = one.order.seconds;
            match one.runs_since_s {
                Some(since_s) => running.push((whole_s - (now_s - since_s)).max(0.0)),
                None => waiting.push(whole_s),
            }
        }
        if let Some(left_s) = left_s(&running, &waiting) {
            progress.expect(left_s);
        }
        let reasons: BTreeSet<&str> = (queue.unwrap_or_default().iter())
            .filter(|there| !there.runs && there.reason != "None")
            .map(|there| there.reason.as_str())
            .collect();
        let why = match reasons.is_empty() {
            true => String::new(),
            false => {
                let reasons: Vec<&str> = reasons.into_iter().collect();
                format!(" ({})", reasons.join(", "))
            }
        };
        progress.step(&format!(
            "{} of {all} programs done, {} run, {} wait{why}",
            all - awaited.len(),
            running.len(),
            waiting.len()
        ));
    }

    /// Waits; whether the user wants to stop.
    fn is_stopped_within(&self, pause: Duration) -> bool {
        let end = Instant::now() + pause;
        let stopped = || self.around.interrupted.load(Ordering::Relaxed);
        while !stopped() && Instant::now() < end {
            std::thread::sleep(LOOK);
        }
        stopped()
    }

    /// Cancels the tasks, unless they are to go on, and says what became of them.
    fn stopped(&self, arrays: &[Array], awaited: &[Awaited<'_>]) -> anyhow::Error {
        let ids = awaited.iter().map(|one| arrays[one.array].id_of(one.task));
        let ids: Vec<String> = ids.flatten().collect();
        let what = match self.asked.leave_jobs {
            true => format!("jobs go on: {}", ids.join(" ")),
            false => match commands::cancel(&ids) {
                Ok(()) => format!("jobs were cancelled: {}", ids.join(" ")),
                Err(why) => format!(
                    "jobs could not be cancelled ({why}), do it with: scancel {}",
                    ids.join(" ")
                ),
            },
        };
        anyhow::Error::from(LabError::Interrupted).context(format!(
            "interrupted; {what}; the same command with --out {} goes on from here",
            self.place.display()
        ))
    }
}

/// Names of the arrays whose tasks are awaited.
fn names<'a>(arrays: &'a [Array], awaited: &[Awaited<'_>]) -> Vec<&'a str> {
    let wanted: BTreeSet<usize> = awaited.iter().map(|one| one.array).collect();
    wanted.into_iter().map(|at| &*arrays[at].name).collect()
}
