//! A profiler that runs beside the JVM, as a process of its own.

use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::error::LabError;
use crate::harness::limits;

/// A running profiler with all that it started. It ends with this value, and when this process dies.
pub(crate) struct Beside {
    name: String,
    child: Child,
}

impl Beside {
    /// Starts it, in a process group of its own: Ctrl-C in a terminal is for Proofmark.
    pub fn start(name: &str, command: &mut Command) -> Result<Self, LabError> {
        // SAFETY: prctl is async-signal-safe and touches nothing of this process's memory.
        unsafe {
            command.process_group(0).pre_exec(|| {
                rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
                    .map_err(Into::into)
            });
        }
        let child = command.spawn().map_err(|source| LabError::Start {
            java: name.into(),
            source,
        })?;
        Ok(Beside {
            name: name.to_owned(),
            child,
        })
    }

    /// Interrupts it and waits until it has written what it knows.
    pub fn end(mut self) -> Result<(), LabError> {
        if self.interrupt(limits::PROFILE) {
            return Ok(());
        }
        let seconds = limits::PROFILE.as_secs();
        Err(LabError::Profiler(format!(
            "{} did not end within {seconds} s of SIGINT",
            self.name
        )))
    }

    /// True if it is not running any more.
    pub fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)) | Err(_))
    }

    /// Waits for its end; one that takes longer is ended.
    pub fn finished_within(mut self, limit: Duration) -> Result<(), LabError> {
        if self.ends_within(limit) {
            return Ok(());
        }
        let seconds = limit.as_secs();
        Err(LabError::Profiler(format!(
            "{} did not end within {seconds} s",
            self.name
        )))
    }

    /// SIGINT, and SIGTERM for one that was started with SIGINT ignored, as shells start jobs in the
    /// background.
    fn interrupt(&mut self, limit: Duration) -> bool {
        let asked = |this: &mut Self, signal, limit| {
            this.signal(signal);
            this.ends_within(limit)
        };
        asked(self, Signal::INT, limit / 3) || asked(self, Signal::TERM, limit - limit / 3)
    }

    fn ends_within(&mut self, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        while Instant::now() < deadline {
            if self.has_ended() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        false
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = Pid::from_raw(self.child.id().cast_signed()) {
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.interrupt(Duration::from_secs(1));
        }
        // What it started may still be there; its group's number is not given away before they are gone.
        self.signal(Signal::KILL);
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn one_that_ignores_sigint_is_killed_with_its_children() {
        let directory = tempfile::tempdir().unwrap();
        let ready = directory.path().join("ready");
        let line = format!(
            "trap '' INT; sleep 1000 & echo $! > {0}.new; mv {0}.new {0}; wait; wait",
            ready.display()
        );
        let beside = Beside::start("sh", Command::new("/bin/sh").args(["-c", &line])).unwrap();
        wait_for(&ready);
        let child = std::fs::read_to_string(&ready).unwrap();
        drop(beside);
        let state = std::fs::read_to_string(format!("/proc/{}/stat", child.trim()));
        let state = state.unwrap_or_default();
        assert!(gone_or_killed(&state), "{state}");
    }

    /// Whether a line of `/proc/PID/stat` is of nobody, of a zombie, or of one for which a SIGKILL waits: on a busy machine it may not
    /// have run since it was sent one.
    fn gone_or_killed(line: &str) -> bool {
        let Some((_, fields)) = line.rsplit_once(") ") else {
            return true;
        };
        let fields: Vec<&str> = fields.split(' ').collect();
        // Field 31 of the manual page, which counts from 1; the state is field 3.
        let waiting = fields.get(28).and_then(|mask| mask.parse::<u64>().ok());
        let kill: u64 = 1 << (Signal::KILL.as_raw() - 1);
        matches!(fields[0], "Z" | "X") || waiting.is_some_and(|mask| mask & kill != 0)
    }

    /// Tests that a shell runs in the background ignore SIGINT, and so does what they start, unless it is told otherwise.
    #[test]
    fn one_that_ends_on_sigint_has_ended() {
        let directory = tempfile::tempdir().unwrap();
        let ready = directory.path().join("ready");
        let line = format!("echo > '{}'; exec sleep 1000", ready.display());
        let mut command = Command::new("env");
        command.args(["--default-signal=INT", "/bin/sh", "-c", &line]);
        let beside = Beside::start("sleep", &mut command).unwrap();
        wait_for(&ready);
        beside.end().unwrap();
    }

    fn wait_for(file: &Path) {
        while !file.exists() {
            std::thread::yield_now();
        }
    }
}
