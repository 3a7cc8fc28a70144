//! Somebody's own profiler: a command per window that leaves a profile of any known format.

use std::path::Path;
use std::process::{Command, Stdio};

use super::beside::Beside;
use crate::error::LabError;
use crate::harness::{Hello, tail};

/// Starts the command. It gets SIGINT when the window ends, and must then write its profile to `file`.
pub(super) fn start(line: &str, hello: &Hello, file: &Path) -> Result<Beside, LabError> {
    let filled = line
        .replace("{pid}", &hello.pid.to_string())
        .replace("{tid}", &hello.tid.to_string())
        .replace("{out}", &file.display().to_string());
    let log = std::fs::File::create(file.with_extension("log"))
        .map_err(LabError::io("cannot create the command's log"))?;
    let errors = log
        .try_clone()
        .map_err(LabError::io("cannot share the command's log"))?;
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", &format!("exec {filled}")])
        .stdin(Stdio::null())
        .stdout(log)
        .stderr(errors);
    Beside::start(line, &mut command)
}

/// Whether the command left its profile.
pub(super) fn left(line: &str, file: &Path) -> Result<(), LabError> {
    if file.exists() {
        return Ok(());
    }
    let log = file.with_extension("log");
    Err(LabError::Profiler(format!(
        "'{line}' left no profile at {{out}} ({}) when its window ended; it must go on until SIGINT and then write one; its last lines:\n{}\nall of its output is in {}",
        file.display(),
        tail(&log),
        log.display()
    )))
}
