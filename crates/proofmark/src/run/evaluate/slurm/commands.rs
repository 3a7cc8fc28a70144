//! Slurm's own commands, as far as they are needed.

use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

use proofmark_native::found_command;

use crate::context::Refusal;

/// Commands without which no array can be submitted, watched and cancelled.
const NEEDED: [&str; 3] = ["sbatch", "squeue", "scancel"];
/// What `squeue` is asked for: array, its id, task, state, reason to wait.
const FORMAT: &str = "--format=%j|%F|%K|%T|%r";
/// Last states of tasks that did not end by themselves, or not well.
const FAILED: [&str; 9] = [
    "BOOT_FAIL",
    "CANCELLED",
    "DEADLINE",
    "FAILED",
    "NODE_FAIL",
    "OUT_OF_MEMORY",
    "PREEMPTED",
    "REVOKED",
    "TIMEOUT",
];

/// A task that waits or runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Queued {
    /// Name of its array.
    pub array: String,
    /// Id of its array.
    pub job: String,
    /// Its number in the array.
    pub task: usize,
    /// Whether it runs.
    pub runs: bool,
    /// Why it waits, in Slurm's words.
    pub reason: String,
}

/// How a task ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fate {
    /// State, in Slurm's words.
    pub state: String,
    /// Exit code and signal: `3:0`.
    pub exit: String,
}

impl Fate {
    /// Whether it ended without having done its work.
    pub fn is_failure(&self) -> bool {
        let state = self.state.split([' ', '+']).next();
        FAILED.iter().any(|failed| state == Some(*failed))
    }
}

/// Refuses to begin where no job can be submitted.
///
/// # Errors
/// With what is missing.
pub fn present() -> Result<(), Refusal> {
    match NEEDED.iter().find(|name| found_command(name).is_none()) {
        None => Ok(()),
        Some(missing) => Err(Refusal::Usage(format!(
            "--on slurm: there is no {missing} on PATH; start this on a machine that submits jobs to Slurm, or leave --on out to \
             measure here"
        ))),
    }
}

/// Submits an array and returns its id.
///
/// # Errors
/// In the words of `sbatch`.
pub(super) fn submit(words: &[String]) -> Result<String, String> {
    let said = answer("sbatch", words)?;
    // The name of a cluster may stand behind it.
    let id = said.split(';').next().unwrap_or_default().trim();
    match !id.is_empty() && id.bytes().all(|sign| sign.is_ascii_digit()) {
        true => Ok(id.to_owned()),
        false => Err(format!("sbatch answers '{said}', which is no id of a job")),
    }
}

/// Tasks of these arrays that wait or run.
///
/// # Errors
/// When `squeue` does not answer, in its words.
pub(super) fn queue(arrays: &[&str]) -> Result<Vec<Queued>, String> {
    let names = format!("--name={}", arrays.join(","));
    let words = ["--me", "--array", "--noheader", FORMAT, &names];
    let said = answer("squeue", &words.map(str::to_owned))?;
    let lines = said.lines().filter(|line| !line.trim().is_empty());
    lines.map(queued).collect()
}

fn queued(line: &str) -> Result<Queued, String> {
    let strange = || format!("squeue answers '{line}', which is not what it was asked for");
    let fields: Vec<&str> = line.splitn(5, '|').map(str::trim).collect();
    let [array, job, task, state, reason] = fields[..] else {
        return Err(strange());
    };
    Ok(Queued {
        array: array.to_owned(),
        job: job.to_owned(),
        task: task.parse().map_err(|_| strange())?,
        runs: matches!(state, "RUNNING" | "COMPLETING"),
        reason: reason.to_owned(),
    })
}

/// How a task ended: by Slurm's accounts, or where it keeps none by what the controller still knows. None if neither can tell.
pub(super) fn fate(task: &str) -> Option<Fate> {
    let (jobs, format) = (format!("--jobs={task}"), "--format=State,ExitCode");
    let words = ["--noheader", "--parsable2", "--allocations", &jobs, format];
    let kept = answer("sacct", &words.map(str::to_owned));
    let kept = kept.ok().and_then(|said| of_accounts(&said));
    kept.or_else(|| {
        let words = ["--oneliner", "show", "job", task];
        of_controller(&answer("scontrol", &words.map(str::to_owned)).ok()?)
    })
}

/// `FAILED|3:0`
fn of_accounts(said: &str) -> Option<Fate> {
    let (state, exit) = said.lines().next()?.split_once('|')?;
    Some(Fate {
        state: state.to_owned(),
        exit: exit.to_owned(),
    })
}

/// `JobId=12 ... JobState=FAILED Reason=NonZeroExitCode ... ExitCode=3:0 ...`
fn of_controller(said: &str) -> Option<Fate> {
    let field = |name: &str| {
        let mut words = said.lines().next()?.split_whitespace();
        words
            .find_map(|word| word.strip_prefix(name))
            .map(str::to_owned)
    };
    Some(Fate {
        state: field("JobState=")?,
        exit: field("ExitCode=")?,
    })
}

/// Cancels tasks.
///
/// # Errors
/// In the words of `scancel`.
pub(super) fn cancel(tasks: &[String]) -> Result<(), String> {
    answer("scancel", tasks).map(|_| ())
}

/// What a command of Slurm says. It is no part of our process group: an interrupt of the user's is for us, who decide what
/// becomes of the jobs. Variables that change what is asked for are taken away; those of `sbatch` are the user's defaults.
fn answer(program: &str, words: &[String]) -> Result<String, String> {
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::null()).process_group(0);
    let changing = |name: &str| name.starts_with("SQUEUE_") || name.starts_with("SACCT_");
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(changing) {
            command.env_remove(name);
        }
    }
    let done = command
        .output()
        .map_err(|error| format!("{program}: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if done.status.success() {
        return Ok(text(&done.stdout));
    }
    let why = text(&done.stderr);
    // Some name themselves.
    let named = why.starts_with(&format!("{program}:"));
    Err(if named {
        why
    } else {
        format!("{program}: {why}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_queue_are_understood() {
        let found = queued("proofmark-1-1|4711|3|PENDING|ReqNodeNotAvail, UnavailableNodes:n1");
        let expected = Queued {
            array: "proofmark-1-1".into(),
            job: "4711".into(),
            task: 3,
            runs: false,
            reason: "ReqNodeNotAvail, UnavailableNodes:n1".into(),
        };
        assert_eq!(found, Ok(expected));
        let runs = |state: &str| queued(&format!("a|1|0|{state}|None")).unwrap().runs;
        assert!(runs("RUNNING") && runs("COMPLETING") && !runs("CONFIGURING"));
        // A task that is overlooked would be submitted twice.
        for strange in [
            "slurm_load_jobs error",
            "a|1|0-3|PENDING|None",
            "a|1|N/A|RUNNING|None",
        ] {
            assert!(queued(strange).is_err(), "{strange}");
        }
    }

    #[test]
    fn the_end_of_a_task_is_told_by_accounts_or_controller() {
        let failed = Fate {
            state: "FAILED".into(),
            exit: "3:0".into(),
        };
        assert_eq!(of_accounts("FAILED|3:0\n"), Some(failed.clone()));
        let line = "JobId=9 ArrayJobId=7 ArrayTaskId=2 JobState=FAILED Reason=NonZeroExitCode Requeue=1 ExitCode=3:0 RunTime=00:01";
        assert_eq!(of_controller(line), Some(failed));
        assert_eq!((of_accounts(""), of_controller("")), (None, None));
        let fails = |state: &str| {
            let (state, exit) = (state.to_owned(), String::new());
            Fate { state, exit }.is_failure()
        };
        assert!(fails("CANCELLED by 1000") && fails("OUT_OF_MEMORY"));
        assert!(!fails("COMPLETED") && !fails("RUNNING"));
    }
}
