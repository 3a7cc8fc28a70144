//! Programs of an evaluation as an array of jobs on a cluster under Slurm: every task runs this very command for one program,
//! on a node that nobody else uses, and leaves the result in the directory of the evaluation, which all nodes share.
//!
//! | module | what |
//! | --- | --- |
//! | `array` | an array as files |
//! | `commands` | `sbatch`, `squeue`, `sacct`, `scancel` |
//! | `watch` | waiting for tasks, and what becomes of them when the user stops it |
//! | `left` | how long it still takes |

mod array;
mod commands;
mod left;
mod watch;

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use proofmark_experiment::evaluate::ProgramResult;
use proofmark_jvm::toolchain::shell_line;
use proofmark_store::write_atomically;

use super::begun::with_place;
use super::executor::{Done, Executor, Order};
use super::keeper::Keeper;
use super::program;
use crate::context::Refusal;
use crate::request::{EvaluateRequest, SlurmRequest};
use crate::surroundings::Surroundings;
use array::Array;
use commands::Queued;
use watch::Awaited;

pub use commands::present;

/// Has programs measured on a cluster.
pub(super) struct Slurm<'a> {
    /// How jobs are submitted.
    pub asked: &'a SlurmRequest,
    /// Directory of the evaluation, from the root.
    pub place: PathBuf,
    /// What is the same for every command.
    pub around: &'a Surroundings,
    /// Programs of the evaluation.
    pub programs: usize,
}

impl Executor for Slurm<'_> {
    fn run(&self, orders: &[Order], done: Done<'_>) -> anyhow::Result<()> {
        if orders.is_empty() {
            return Ok(());
        }
        let mut arrays = Array::all(&self.place)?;
        let mut awaited = self.still_there(&mut arrays, orders)?;
        let is_there = |order: &&Order| awaited.iter().any(|one| one.order.at == order.at);
        let missing: Vec<&Order> = orders.iter().filter(|order| !is_there(order)).collect();
        if !missing.is_empty() {
            arrays.push(self.submitted(&missing)?);
            let array = arrays.len() - 1;
            let tasks = missing.into_iter().enumerate();
            awaited.extend(tasks.map(|(task, order)| Awaited::new(order, array, task)));
        }
        self.watch(&arrays, awaited, done)
    }
}

impl Slurm<'_> {
    /// Programs whose tasks wait or run since an earlier start; ids that did not get here then are taken from the queue.
    fn still_there<'o>(
        &self,
        arrays: &mut [Array],
        orders: &'o [Order],
    ) -> anyhow::Result<Vec<Awaited<'o>>> {
        if arrays.is_empty() {
            return Ok(Vec::new());
        }
        let names: Vec<&str> = arrays.iter().map(|array| &*array.name).collect();
        let queue = commands::queue(&names).map_err(|why| {
            Refusal::Cannot(format!(
                "whether jobs of an earlier start still run cannot be told: {why}"
            ))
        })?;
        let mut found = Vec::new();
        for (at, array) in arrays.iter_mut().enumerate() {
            let of_array = |one: &&Queued| one.array == array.name;
            let here: Vec<&Queued> = queue.iter().filter(of_array).collect();
            if array.job.is_none()
                && let Some(first) = here.first()
            {
                array.job = Some(first.job.clone());
                array.keep()?;
            }
            for order in orders {
                // One that ended between the look for results and that at the queue has left its result.
                let is_here = |task: &usize| {
                    here.iter().any(|one| one.task == *task) || array.has_result(*task)
                };
                let task = array.task_of(order).filter(is_here);
                found.extend(task.map(|task| Awaited::new(order, at, task)));
            }
        }
        if !found.is_empty() {
            self.around.progress.note(&format!(
                "of an earlier start {} of {} programs still wait or run, or have just ended: they are not submitted again",
                found.len(),
                orders.len()
            ));
        }
        Ok(found)
    }

    /// Submits an array for these programs.
    fn submitted(&self, orders: &[&Order]) -> anyhow::Result<Array> {
        let mut array = Array::begin(&self.place, orders)?;
        let file = array.file().display().to_string();
        let script = job(own_words(std::env::args().skip(1).collect(), file))?;
        write_atomically(&array.script(), script.as_bytes())?;
        match commands::submit(&self.words(&array)?) {
            Ok(id) => {
                self.around.progress.note(&format!(
                    "job {id}: {} of {} programs, each on a node of its own; logs in {}",
                    orders.len(),
                    self.programs,
                    array.script().parent().unwrap_or(Path::new("")).display()
                ));
                array.job = Some(id);
                array.keep()?;
                Ok(array)
            }
            Err(why) => {
                array.remove();
                Err(Refusal::Cannot(format!("Slurm does not take the jobs: {why}")).into())
            }
        }
    }

    /// What `sbatch` is told: the user's words come last, but for the script.
    fn words(&self, array: &Array) -> anyhow::Result<Vec<String>> {
        let here = std::env::current_dir().context("the working directory")?;
        let last = array.tasks.len() - 1;
        let mut words = vec![
            "--parsable".to_owned(),
            format!("--job-name={}", array.name),
            format!("--array=0-{last}"),
            "--exclusive".to_owned(),
            "--nodes=1".to_owned(),
            "--ntasks=1".to_owned(),
            format!("--chdir={}", here.display()),
            format!("--output={}", array.logs()),
            // A task that Slurm starts again goes on in its log.
            "--open-mode=append".to_owned(),
        ];
        words.extend(self.asked.options.iter().cloned());
        words.push(array.script().display().to_string());
        Ok(words)
    }
}

/// Words of this command with the file of the array: options end at `--`.
fn own_words(mut words: Vec<String>, file: String) -> Vec<String> {
    let end = words.iter().position(|word| word == "--");
    let end = end.unwrap_or(words.len());
    words.splice(end..end, ["--array-task".to_owned(), file]);
    words
}

/// The script of every task: this very command with these words.
fn job(words: Vec<String>) -> anyhow::Result<String> {
    let command = std::env::current_exe().context("the file of this command")?;
    let all = std::iter::once(command.display().to_string()).chain(words);
    Ok(format!(
        "#!/bin/sh\n# One program of an evaluation: SLURM_ARRAY_TASK_ID says which.\nexec {}\n",
        shell_line(all)
    ))
}

/// Takes results that tasks left while nobody waited for them; what is missing then is returned.
///
/// # Errors
/// When one cannot be read or taken.
pub(super) fn collected(
    place: &Path,
    orders: Vec<Order>,
    around: &Surroundings,
    done: Done<'_>,
) -> anyhow::Result<Vec<Order>> {
    let arrays = Array::all(place)?;
    let mut missing = Vec::new();
    for order in orders {
        let Some((array, task, result)) = left_by(&arrays, &order)? else {
            missing.push(order);
            continue;
        };
        let id = array.id_of(task).unwrap_or_else(|| array.name.clone());
        let taken = format!("{}: taken from job {id}", order.which);
        around.progress.note(&taken);
        done(&order, result)?;
        array.taken(task);
    }
    Ok(missing)
}

/// The last result that a task left of this program, and that nobody has taken.
fn left_by<'a>(
    arrays: &'a [Array],
    order: &Order,
) -> anyhow::Result<Option<(&'a Array, usize, ProgramResult)>> {
    for array in arrays.iter().rev() {
        let Some(task) = array.task_of(order) else {
            continue;
        };
        if let Some(result) = array.result(task)? {
            return Ok(Some((array, task, result)));
        }
    }
    Ok(None)
}

/// Whether a task left a result of this program in the directory of the evaluation.
///
/// # Errors
/// When what is there cannot be read.
pub(super) fn is_left(place: &Path, order: &Order) -> anyhow::Result<bool> {
    Ok(left_by(&Array::all(place)?, order)?.is_some())
}

/// One task of an array, on its node: measures its program and leaves the result beside the file of the array.
///
/// # Errors
/// When there is no such task, no program can be measured on this node, or the job is cancelled.
pub fn task(
    request: &EvaluateRequest,
    file: &Path,
    around: &Surroundings,
    keeper: &dyn Keeper,
) -> anyhow::Result<()> {
    let array = Array::read(file).context(
        "the directory of the evaluation is not on a file system that this node shares, or it was removed",
    )?;
    let number = std::env::var("SLURM_ARRAY_TASK_ID").unwrap_or_default();
    let number: Option<usize> = number.parse().ok();
    let task = number.and_then(|number| Some((number, array.tasks.get(number)?)));
    let named = task.and_then(|(number, task)| {
        let mut all = request.programs.iter();
        let (name, assessment) = all.find(|(name, _)| *name == task.program)?;
        Some((number, task, name, assessment))
    });
    let Some((number, task, name, assessment)) = named else {
        let text = "--array-task is for the tasks of a job array that evaluate --on slurm submits";
        return Err(Refusal::Usage(text.into()).into());
    };
    let node = std::env::var("SLURMD_NODENAME").unwrap_or_default();
    let said = format!("task {number} on node {node}: {name}");
    around.progress.note(&said);
    let place = array.evaluation();
    let own = with_place(assessment, place.join(&task.place));
    let result = program::result((name, &own), &place, around, keeper)?;
    array.leave(number, &result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_the_array_stands_among_the_options() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let with = |line: &str| own_words(words(line), "F".into()).join(" ");
        assert_eq!(
            with("evaluate --on slurm"),
            "evaluate --on slurm --array-task F"
        );
        let behind = with("evaluate --on slurm -- suite:List");
        assert_eq!(behind, "evaluate --on slurm --array-task F -- suite:List");
    }

    #[test]
    fn a_job_runs_this_command_with_words_that_no_shell_changes() {
        let words = ["evaluate", "class:Main$Inner", "it's"].map(str::to_owned);
        let script = job(words.into()).unwrap();
        let own = std::env::current_exe().unwrap();
        let line = script.lines().last().unwrap();
        assert!(line.starts_with("exec "), "{line}");
        assert!(line.contains(&*own.to_string_lossy()), "{line}");
        assert!(
            line.ends_with(r"evaluate 'class:Main$Inner' 'it'\''s'"),
            "{line}"
        );
    }
}
