//! One profiler running on one JVM: told of every window, stopped, read.

use std::path::PathBuf;

use proofmark_profile::Options;

use super::beside::Beside;
use super::collect::{ProfiledWindow, Scope, reported};
use super::perf::{self, Subject};
use super::recording::Recording;
use super::spec::{Engine, ProfilerSpec};
use super::{command, inside};
use crate::error::LabError;
use crate::harness::{HarnessClient, Hello};
use crate::warm::Instruments;

/// A profiler at work.
pub struct ProfilerSession {
    spec: ProfilerSpec,
    directory: PathBuf,
    hello: Hello,
    all_threads: bool,
    /// Of the windows so far.
    labels: Vec<String>,
    /// Its process in this window, where it runs beside the JVM.
    beside: Option<Beside>,
}

impl ProfilerSession {
    /// Starts the profiler; windows from now on are profiled. Its files go to `directory`.
    ///
    /// # Errors
    /// When the profiler cannot be started.
    pub fn start(
        spec: &ProfilerSpec,
        client: &mut HarnessClient,
        directory: PathBuf,
    ) -> Result<Self, LabError> {
        std::fs::create_dir_all(&directory).map_err(LabError::io(format!(
            "cannot create {}",
            directory.display()
        )))?;
        if let Some(profiler) = inside::profiler(spec, &directory) {
            client.start_profiler(profiler)?;
        }
        Ok(ProfilerSession {
            spec: spec.clone(),
            directory,
            hello: client.hello().clone(),
            all_threads: false,
            labels: Vec::new(),
            beside: None,
        })
    }

    /// Whether all threads of the JVM are profiled, where the profiler leaves a choice; else the workload's only.
    pub(crate) fn of_all_threads(self, all_threads: bool) -> Self {
        ProfilerSession {
            all_threads,
            ..self
        }
    }

    /// Tells the profiler about the next window, which will have this label; no two windows have the same.
    pub fn next_window(&mut self, label: &str) {
        self.labels.push(label.to_owned());
    }

    /// The file of a window, counted from 1; the Flight Recorder has one for all.
    fn file(&self, window: usize) -> PathBuf {
        self.directory.join(match &self.spec.engine {
            Engine::Async { .. } | Engine::Safepoint => {
                format!("{}.collapsed", self.labels[window - 1])
            }
            Engine::Jfr | Engine::JfrCpu => "recording.jfr".into(),
            Engine::Perf { .. } => format!("{window}.perf.data"),
            Engine::Command { .. } => format!("{window}.profile"),
        })
    }

    /// Stops the profiler and reads what it reported, per window in order.
    ///
    /// # Errors
    /// When the profiler left nothing that can be read.
    pub fn finish(self, client: &mut HarnessClient) -> Result<Vec<ProfiledWindow>, LabError> {
        let options = Options {
            perf_map: self.stop(client)?,
            ..Options::default()
        };
        let scope = Scope::of(&self.hello);
        let file = |at: usize| self.file(at + 1);
        reported(&self.spec.engine, &self.labels, &scope, &options, file)
    }

    /// Stops the profiler; its own file of the last window.
    ///
    /// # Errors
    /// When the profiler left none.
    pub(crate) fn recording(self, client: &mut HarnessClient) -> Result<Recording, LabError> {
        let perf_map = self.stop(client)?;
        let file = self.file(self.labels.len());
        if !file.is_file() {
            let message = "the profiler left no such file".to_owned();
            return Err(LabError::Profile { file, message });
        }
        Ok(Recording { file, perf_map })
    }

    /// Stops what runs inside the JVM; the JVM's map of its code, old code included, for perf.
    fn stop(&self, client: &mut HarnessClient) -> Result<Option<Vec<u8>>, LabError> {
        match self.spec.engine {
            Engine::Perf { .. } => client.perf_map().map(Some),
            Engine::Command { .. } => Ok(None),
            _ => {
                let file = self.directory.join("recording.jfr");
                client.stop_profiler(&file).map(|()| None)
            }
        }
    }
}

impl Instruments for ProfilerSession {
    /// A window that is repeated overwrites its file.
    fn begin(&mut self) -> Result<(), LabError> {
        let window = self.labels.len();
        self.beside = match &self.spec.engine {
            Engine::Perf { program } => {
                let subject = Subject {
                    pid: self.hello.pid,
                    tid: (!self.all_threads).then_some(self.hello.tid),
                    rate_hz: 1_000_000_000 / self.spec.interval_ns.max(1),
                };
                Some(perf::record(program, &subject, &self.file(window))?)
            }
            Engine::Command { line } => {
                Some(command::start(line, &self.hello, &self.file(window))?)
            }
            _ => None,
        };
        Ok(())
    }

    /// The profile of a command must be there now: else all further windows would be in vain.
    fn end(&mut self) -> Result<(), LabError> {
        self.beside.take().map_or(Ok(()), Beside::end)?;
        match &self.spec.engine {
            Engine::Command { line } => command::left(line, &self.file(self.labels.len())),
            _ => Ok(()),
        }
    }
}
