//! Profilers under test: how each is started, told of windows and read.

pub(crate) mod beside;
mod collect;
mod command;
mod perf;
mod spec;
mod startable;

use std::path::PathBuf;

pub use collect::ProfiledWindow;
pub use spec::{Engine, ProfilerOptions, ProfilerSpec, SpecError};
pub use startable::{check_agent, find_perf};

use crate::bench::Instruments;
use crate::error::LabError;
use crate::laboratory::Laboratory;
use collect::{Scope, collapsed_window, jfr_windows};
use command::CommandRun;
use perf::PerfRun;

/// A profiler at work on a laboratory.
pub struct Running {
    spec: ProfilerSpec,
    directory: PathBuf,
    scope: Scope,
    labels: Vec<String>,
    outside: Outside,
}

/// What runs beside the JVM.
enum Outside {
    Nothing,
    Perf(PerfRun),
    Command(CommandRun),
}

impl Running {
    /// Starts the profiler; windows from now on are profiled. Its files go to `directory`.
    ///
    /// # Errors
    /// When the profiler cannot be started.
    pub fn start(
        spec: &ProfilerSpec,
        lab: &mut Laboratory,
        directory: PathBuf,
    ) -> Result<Self, LabError> {
        std::fs::create_dir_all(&directory).map_err(LabError::io(format!(
            "cannot create {}",
            directory.display()
        )))?;
        let place = directory.display().to_string();
        let interval = spec.interval_ns.to_string();
        let mut outside = Outside::Nothing;
        match &spec.engine {
            Engine::Async {
                event,
                jar,
                library,
            } => {
                let event = event.as_deref().unwrap_or("cpu");
                // Threads are told apart only if that is asked for at the start.
                let start = format!("event={event},interval={interval},threads");
                let options = [
                    jar.display().to_string(),
                    library.display().to_string(),
                    start,
                    place,
                ];
                lab.start_profiler("async", &options)?;
            }
            Engine::Jfr => {
                let period = format!("period={} ms", spec.interval_ns.div_ceil(1_000_000).max(1));
                let words = [
                    "jdk.ExecutionSample",
                    &period,
                    "jdk.NativeMethodSample",
                    &period,
                ];
                lab.start_profiler("jfr", &words.map(str::to_owned))?;
            }
            Engine::JfrCpu => {
                let throttle =
                    format!("throttle={}ms", spec.interval_ns.div_ceil(1_000_000).max(1));
                let words = [
                    "jdk.CPUTimeSample",
                    "enabled=true",
                    "jdk.CPUTimeSample",
                    &throttle,
                ];
                lab.start_profiler("jfr", &words.map(str::to_owned))?;
            }
            Engine::Safepoint => lab.start_profiler("safepoint", &[interval, place])?,
            Engine::Perf { program } => {
                outside = Outside::Perf(PerfRun::new(
                    program.clone(),
                    lab,
                    spec.interval_ns,
                    &directory,
                ))
            }
            Engine::Command { line } => {
                outside = Outside::Command(CommandRun::new(line.clone(), lab, &directory))
            }
        }
        let scope = Scope::of(lab.hello());
        Ok(Running {
            spec: spec.clone(),
            directory,
            scope,
            labels: Vec::new(),
            outside,
        })
    }

    /// Tells the profiler about the next window, which will have this label; no two windows have the same.
    pub fn next_window(&mut self, label: &str) {
        self.labels.push(label.to_owned());
    }

    /// Stops the profiler and reads what it reported, per window in order.
    ///
    /// # Errors
    /// When the profiler left nothing that can be read.
    pub fn finish(mut self, lab: &mut Laboratory) -> Result<Vec<ProfiledWindow>, LabError> {
        match &mut self.outside {
            Outside::Perf(run) => return run.windows(lab, &self.scope, self.labels.len()),
            Outside::Command(run) => return run.windows(&self.scope, self.labels.len()),
            Outside::Nothing => {}
        }
        let file = self.directory.join("recording.jfr");
        lab.stop_profiler(&file)?;
        if matches!(self.spec.engine, Engine::Jfr | Engine::JfrCpu) {
            return jfr_windows(&file, &self.scope, &self.labels);
        }
        let file = |label: &String| self.directory.join(format!("{label}.collapsed"));
        self.labels
            .iter()
            .map(|label| collapsed_window(&file(label), &self.scope))
            .collect()
    }
}

impl Instruments for Running {
    fn begin(&mut self) -> Result<(), LabError> {
        match &mut self.outside {
            Outside::Nothing => Ok(()),
            Outside::Perf(run) => run.begin(self.labels.len()),
            Outside::Command(run) => run.begin(self.labels.len()),
        }
    }

    fn end(&mut self) -> Result<(), LabError> {
        match &mut self.outside {
            Outside::Nothing => Ok(()),
            Outside::Perf(run) => run.end(),
            Outside::Command(run) => run.end(self.labels.len()),
        }
    }
}
