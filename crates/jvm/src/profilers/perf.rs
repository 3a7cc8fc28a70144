//! Linux perf, recording when the window begins.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::fs::{CWD, Mode, OFlags, mkfifoat};

use super::beside::Beside;
use crate::error::LabError;
use crate::harness::limits;

/// What perf shall record.
pub(super) struct Subject {
    /// The process.
    pub pid: u32,
    /// One thread of it; none: all of them.
    pub tid: Option<u32>,
    /// Samples per second.
    pub rate_hz: u64,
}

/// Starts perf and waits until it says that it records to `file`.
pub(super) fn record(program: &Path, subject: &Subject, file: &Path) -> Result<Beside, LabError> {
    let control = Pipe::create(&file.with_extension("control"))?;
    let answers = Pipe::create(&file.with_extension("answers"))?;
    let log = file.with_extension("log");
    let errors = File::create(&log).map_err(LabError::io("cannot create perf's log"))?;
    let pipes = format!("fifo:{},{}", control.path.display(), answers.path.display());
    let mut command = Command::new(program);
    command
        .args(["record", "-q", "-e", "cpu-clock:u", "-k", "CLOCK_MONOTONIC"])
        .args(["-F", &subject.rate_hz.to_string()])
        // Events are there but off until told.
        .args(["-D", "-1", "--control", &pipes]);
    match subject.tid {
        Some(tid) => command.args(["-t", &tid.to_string()]),
        None => command.args(["-p", &subject.pid.to_string()]),
    };
    command
        .arg("-o")
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(errors);
    let mut perf = Beside::start(&program.display().to_string(), &mut command)?;
    (&control.pipe)
        .write_all(b"enable\n")
        .map_err(LabError::io("cannot tell perf to begin"))?;
    if answered(&mut perf, &answers)? {
        return Ok(perf);
    }
    let said = std::fs::read_to_string(&log).unwrap_or_default();
    Err(LabError::Profiler(format!(
        "perf does not record: {}",
        match said.trim() {
            "" => "it gave no answer",
            said => said,
        }
    )))
}

/// Waits for perf's answer; false when there is none.
fn answered(perf: &mut Beside, answers: &Pipe) -> Result<bool, LabError> {
    let deadline = Instant::now() + limits::BEGIN;
    let mut answer = [0; 64];
    loop {
        match (&answers.pipe).read(&mut answer) {
            Ok(bytes) if bytes > 0 => return Ok(true),
            Err(error) if error.kind() != ErrorKind::WouldBlock => {
                return Err(LabError::io("cannot hear from perf")(error));
            }
            _ => {}
        }
        if perf.has_ended() || Instant::now() > deadline {
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A named pipe, open for both directions so that opening waits for nobody. Its name goes with it.
struct Pipe {
    path: PathBuf,
    pipe: File,
}

impl Pipe {
    fn create(path: &Path) -> Result<Self, LabError> {
        let failed = || LabError::io(format!("cannot make the pipe {}", path.display()));
        mkfifoat(CWD, path, Mode::RUSR | Mode::WUSR)
            .map_err(Into::into)
            .map_err(failed())?;
        let pipe = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(OFlags::NONBLOCK.bits().cast_signed())
            .open(path)
            .map_err(failed())?;
        Ok(Pipe {
            path: path.to_owned(),
            pipe,
        })
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Why perf cannot record here; none if it can.
pub fn problem(program: &Path) -> Option<String> {
    let tried = Command::new(program)
        .args(["record", "-q", "-e", "cpu-clock:u", "-o", "/dev/null"])
        .args(["--", "true"])
        .stdin(Stdio::null())
        .output();
    match tried {
        Ok(done) if done.status.success() => None,
        Ok(done) => Some(format!(
            "{} does not record: {}",
            program.display(),
            String::from_utf8_lossy(&done.stderr).trim()
        )),
        Err(error) => Some(format!("{} does not start: {error}", program.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perf_that_refuses_says_why() {
        let place = tempfile::tempdir().unwrap();
        let fake = place.path().join("perf");
        std::fs::write(&fake, "#!/bin/sh\necho 'no permission' >&2\nexit 1\n").unwrap();
        std::process::Command::new("chmod")
            .arg("+x")
            .arg(&fake)
            .status()
            .unwrap();
        let subject = Subject {
            pid: 1,
            tid: None,
            rate_hz: 100,
        };
        let refused = record(&fake, &subject, &place.path().join("perf.data"));
        let text = refused.err().unwrap().to_string();
        assert!(text.contains("no permission"), "{text}");
        assert!(problem(&fake).unwrap().contains("no permission"));
    }
}
