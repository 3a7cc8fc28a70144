//! Somebody's own profiler: a command per window that leaves a profile of any known format.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::beside::Beside;
use super::collect::{ProfiledWindow, Scope, collapsed_window};
use crate::error::LabError;
use crate::laboratory::Laboratory;
use crate::process::tail;

/// A command at work. It is started when a window begins, gets SIGINT when the window ends, and must
/// then write its profile to `{out}`.
pub(super) struct CommandRun {
    line: String,
    pid: u32,
    tid: u32,
    directory: PathBuf,
    running: Option<Beside>,
}

impl CommandRun {
    pub fn new(line: String, lab: &Laboratory, directory: &Path) -> Self {
        let (pid, tid) = (lab.hello().pid, lab.hello().tid);
        CommandRun {
            line,
            pid,
            tid,
            directory: directory.to_owned(),
            running: None,
        }
    }

    /// A window that is repeated overwrites its file.
    pub fn begin(&mut self, window: usize) -> Result<(), LabError> {
        let file = self.file(window);
        let line = self
            .line
            .replace("{pid}", &self.pid.to_string())
            .replace("{tid}", &self.tid.to_string());
        let line = line.replace("{out}", &file.display().to_string());
        let log = std::fs::File::create(file.with_extension("log"))
            .map_err(LabError::io("cannot create the command's log"))?;
        let errors = log
            .try_clone()
            .map_err(LabError::io("cannot share the command's log"))?;
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", &format!("exec {line}")])
            .stdin(Stdio::null())
            .stdout(log)
            .stderr(errors);
        self.running = Some(Beside::start(&self.line, &mut command)?);
        Ok(())
    }

    fn file(&self, window: usize) -> PathBuf {
        self.directory.join(format!("{window}.profile"))
    }

    /// The profile of the window that ends must be there now: else all further windows would be in vain.
    pub fn end(&mut self, window: usize) -> Result<(), LabError> {
        self.running.take().map_or(Ok(()), Beside::end)?;
        let file = self.file(window);
        if file.exists() {
            return Ok(());
        }
        let log = file.with_extension("log");
        Err(LabError::Unmeasurable(format!(
            "'{}' left no profile at {{out}} ({}) when its window ended; it must go on until SIGINT and then write one; its last lines:\n{}\nall of its output is in {}",
            self.line,
            file.display(),
            tail(&log),
            log.display()
        )))
    }

    /// Reads what the command left, per window.
    pub fn windows(&self, scope: &Scope, windows: usize) -> Result<Vec<ProfiledWindow>, LabError> {
        (1..=windows)
            .map(|window| collapsed_window(&self.file(window), scope))
            .collect()
    }
}
