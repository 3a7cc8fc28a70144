//! An array of jobs as files, which the one that submits it and its tasks share:
//!
//! ```text
//! slurm/{number}/array.json   its name in the queue, its id, and the program of every task
//! slurm/{number}/job.sh       what every task runs
//! slurm/{number}/0.log        what task 0 said
//! slurm/{number}/0.json       the result of task 0, until the evaluation has taken it
//! ```

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Context as _;
use proofmark_experiment::evaluate::ProgramResult;
use proofmark_store::write_atomically;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::builds::Builds;
use crate::run::evaluate::executor::Order;

/// Directory of all arrays in that of the evaluation.
const DIRECTORY: &str = "slurm";
/// File that describes an array.
const FILE: &str = "array.json";
/// Last lines of a log that are told, and their length in bytes.
const TAIL: (usize, usize) = (15, 2000);

/// An array of jobs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Array {
    /// Its name in the queue, which no other array has: by it one is found again whose id did not get here.
    pub name: String,
    /// The id that Slurm gave it; none as long as it is not known.
    pub job: Option<String>,
    /// What its tasks measure, in the order of their numbers from 0.
    pub tasks: Vec<Task>,
    /// Where its files are.
    #[serde(skip)]
    directory: PathBuf,
}

/// A task of an array.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Task {
    /// Name of the program in results.
    pub program: String,
    /// Directory of the program's own run, inside of the evaluation's.
    pub place: String,
    /// The workload with its class path and options.
    workload: Value,
    /// Builds of what is measured; none is known of arrays of earlier versions.
    #[serde(default)]
    builds: Builds,
}

impl Array {
    /// A new array for these programs, kept in the directory of the evaluation.
    ///
    /// # Errors
    /// When its files cannot be written.
    pub fn begin(place: &Path, orders: &[&Order]) -> anyhow::Result<Self> {
        let number = numbers(place).last().map_or(1, |last| last + 1);
        let directory = place.join(DIRECTORY).join(number.to_string());
        std::fs::create_dir_all(&directory)
            .with_context(|| format!("cannot create {}", directory.display()))?;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let (process, ns) = (std::process::id(), now.unwrap_or_default().as_nanos());
        let task = |order: &&Order| Task {
            program: order.name.clone(),
            place: order.place.clone(),
            workload: order.workload.clone(),
            builds: order.builds.clone(),
        };
        let array = Array {
            name: format!("proofmark-{process}-{ns:x}-{number}"),
            job: None,
            tasks: orders.iter().map(task).collect(),
            directory,
        };
        array.keep()?;
        Ok(array)
    }

    /// All arrays of the evaluation in a directory, in the order in which they were submitted.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn all(place: &Path) -> anyhow::Result<Vec<Self>> {
        let files = numbers(place).into_iter().map(|number| {
            let directory = place.join(DIRECTORY).join(number.to_string());
            directory.join(FILE)
        });
        files
            .filter(|file| file.exists())
            .map(|file| Self::read(&file))
            .collect()
    }

    /// The array that a file describes.
    ///
    /// # Errors
    /// When there is none.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        let bytes =
            std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let mut array: Self =
            serde_json::from_slice(&bytes).with_context(|| file.display().to_string())?;
        array.directory = file.parent().unwrap_or(Path::new("")).to_owned();
        Ok(array)
    }

    /// Keeps what is known of it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&self) -> anyhow::Result<()> {
        Ok(write_atomically(
            &self.file(),
            &serde_json::to_vec_pretty(self)?,
        )?)
    }

    /// Removes it with all of its files: a task of it that runs in spite of that finds nothing to do.
    pub fn remove(&self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }

    /// The file that describes it.
    pub fn file(&self) -> PathBuf {
        self.directory.join(FILE)
    }

    /// Directory of the evaluation.
    pub fn evaluation(&self) -> PathBuf {
        let above = self.directory.ancestors().nth(2);
        above.unwrap_or(Path::new("")).to_owned()
    }

    /// What every task runs.
    pub fn script(&self) -> PathBuf {
        self.directory.join("job.sh")
    }

    /// Logs of all tasks, as `sbatch` wants to be told.
    pub fn logs(&self) -> String {
        let directory = self.directory.display().to_string().replace('%', "%%");
        format!("{directory}/%a.log")
    }

    /// Id of a task in Slurm; none as long as that of the array is not known.
    pub fn id_of(&self, task: usize) -> Option<String> {
        let job = self.job.as_ref()?;
        Some(format!("{job}_{task}"))
    }

    /// The task for this program in this directory, and in this build.
    pub fn task_of(&self, order: &Order) -> Option<usize> {
        self.tasks.iter().position(|task| {
            (&task.program, &task.place, &task.workload)
                == (&order.name, &order.place, &order.workload)
                && order.builds.difference(&task.builds).is_none()
        })
    }

    /// The result that a task left, if nobody has taken it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn result(&self, task: usize) -> anyhow::Result<Option<ProgramResult>> {
        let file = self.result_file(task);
        match std::fs::read(&file) {
            Ok(bytes) => {
                let result: Result<ProgramResult, _> = serde_json::from_slice(&bytes);
                Ok(Some(result.with_context(|| file.display().to_string())?))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| file.display().to_string()),
        }
    }

    /// Whether a task left a result that nobody has taken.
    pub fn has_result(&self, task: usize) -> bool {
        self.result_file(task).exists()
    }

    /// Leaves the result of a task.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn leave(&self, task: usize, result: &ProgramResult) -> anyhow::Result<()> {
        let bytes = serde_json::to_vec(result)?;
        Ok(write_atomically(&self.result_file(task), &bytes)?)
    }

    /// The evaluation has kept the result of a task.
    pub fn taken(&self, task: usize) {
        // One that stays is taken once more if its program failed, which does no harm.
        let _ = std::fs::remove_file(self.result_file(task));
    }

    /// Last lines of a task's log and where it is.
    pub fn tail(&self, task: usize) -> String {
        let log = self.directory.join(format!("{task}.log"));
        let place = log.display();
        let Ok(bytes) = std::fs::read(&log) else {
            return format!(
                "there is no log at {place}: is that directory on a file system that the node shares?"
            );
        };
        let (lines, length) = TAIL;
        let text = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(length)..]);
        let all: Vec<&str> = text.lines().collect();
        let last = all[all.len().saturating_sub(lines)..].join("\n");
        format!("last lines of its log:\n{last}\nall of it is in {place}")
    }

    fn result_file(&self, task: usize) -> PathBuf {
        self.directory.join(format!("{task}.json"))
    }
}

/// Numbers of the arrays of an evaluation, ascending.
fn numbers(place: &Path) -> Vec<u32> {
    let entries = std::fs::read_dir(place.join(DIRECTORY));
    let names = entries.into_iter().flatten().flatten();
    let mut numbers: Vec<u32> = names
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    numbers.sort_unstable();
    numbers
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn order(name: &str, workload: &str) -> Order {
        Order {
            workload: json!(workload),
            ..Order::of((0, name), 0.0)
        }
    }

    #[test]
    fn arrays_are_found_again_in_their_order() {
        let place = tempfile::tempdir().unwrap();
        assert!(Array::all(place.path()).unwrap().is_empty());
        let (a, b) = (order("a", "A"), order("b", "B"));
        let mut all: Vec<Array> = (0..11)
            .map(|_| Array::begin(place.path(), &[&a, &b]).unwrap())
            .collect();
        all[10].job = Some("4711".into());
        all[10].keep().unwrap();
        assert_eq!(Array::all(place.path()).unwrap(), all);
        assert_ne!(all[0].name, all[1].name);
        assert_eq!(all[0].evaluation(), place.path());
        assert_eq!(all[10].task_of(&b), Some(1));
        let mended = order("b", "another class path");
        assert_eq!(all[10].task_of(&mended), None);
        assert_eq!(
            (all[0].id_of(1), all[10].id_of(1)),
            (None, Some("4711_1".into()))
        );
        all[10].remove();
        assert_eq!(Array::all(place.path()).unwrap().len(), 10);
    }

    #[test]
    fn a_result_is_there_until_it_is_taken() {
        let place = tempfile::tempdir().unwrap();
        let array = Array::begin(place.path(), &[&order("a", "A")]).unwrap();
        assert_eq!(array.result(0).unwrap(), None);
        let result = ProgramResult::failed("a", "it rains".into());
        array.leave(0, &result).unwrap();
        assert_eq!(array.result(0).unwrap(), Some(result));
        array.taken(0);
        assert_eq!(array.result(0).unwrap(), None);
    }

    #[test]
    fn of_a_log_the_last_lines_are_told() {
        let place = tempfile::tempdir().unwrap();
        let array = Array::begin(place.path(), &[&order("a", "A")]).unwrap();
        assert!(array.tail(0).contains("there is no log"));
        let lines: Vec<String> = (0..100).map(|line| format!("line {line}")).collect();
        std::fs::write(place.path().join("slurm/1/0.log"), lines.join("\n")).unwrap();
        let tail = array.tail(0);
        assert!(
            tail.contains("line 99") && tail.contains("line 85"),
            "{tail}"
        );
        assert!(!tail.contains("line 84"), "{tail}");
    }
}
