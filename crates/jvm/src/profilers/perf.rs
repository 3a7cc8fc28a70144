//! Linux perf: one recording per window, named by the JVM's own map of its code.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use proofmark_profile::Options;

use super::beside::Beside;
use super::collect::{ProfiledWindow, Scope, read, windows_of};
use crate::error::LabError;
use crate::laboratory::Laboratory;

/// perf at work.
pub(super) struct PerfRun {
    program: PathBuf,
    tid: u32,
    rate_hz: u64,
    directory: PathBuf,
    recording: Option<Beside>,
}

impl PerfRun {
    pub fn new(program: PathBuf, lab: &Laboratory, interval_ns: u64, directory: &Path) -> Self {
        let rate_hz = 1_000_000_000 / interval_ns.max(1);
        PerfRun {
            program,
            tid: lab.hello().tid,
            rate_hz,
            directory: directory.to_owned(),
            recording: None,
        }
    }

    /// A window that is repeated overwrites its file.
    pub fn begin(&mut self, window: usize) -> Result<(), LabError> {
        let file = self.file(window);
        let errors = std::fs::File::create(file.with_extension("log"))
            .map_err(LabError::io("cannot create perf's log"))?;
        let mut command = Command::new(&self.program);
        command
            .args([
                "record",
                "-q",
                "-e",
                "cpu-clock:u",
                "-k",
                "CLOCK_MONOTONIC",
                "-F",
                &self.rate_hz.to_string(),
            ])
            .args(["-t", &self.tid.to_string(), "-o"])
            .arg(&file)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(errors);
        self.recording = Some(Beside::start(
            &self.program.display().to_string(),
            &mut command,
        )?);
        Ok(())
    }

    fn file(&self, window: usize) -> PathBuf {
        self.directory.join(format!("{window}.perf.data"))
    }

    pub fn end(&mut self) -> Result<(), LabError> {
        self.recording.take().map_or(Ok(()), Beside::end)
    }

    /// Reads all recordings; the map is written now, old code included.
    pub fn windows(
        &self,
        lab: &mut Laboratory,
        scope: &Scope,
        windows: usize,
    ) -> Result<Vec<ProfiledWindow>, LabError> {
        let map = lab.perf_map()?;
        let options = Options {
            perf_map: Some(map),
            ..Options::default()
        };
        let whole = i64::MIN..i64::MAX;
        let window = |file: &PathBuf| {
            let profile = read(file, &options)?;
            Ok(windows_of(&profile, scope, std::slice::from_ref(&whole)).remove(0))
        };
        (1..=windows).map(|at| window(&self.file(at))).collect()
    }
}
