//! One JVM with sites.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use proofmark_experiment::dose::sites::{
    DosedWindow, KeptWindow, SiteError, SiteLab, SiteReport, WantedSite, WarmUp, Watching,
};
use proofmark_experiment::dose::{Dose, JvmFacts};
use proofmark_experiment::lab::ProfiledWindow;
use proofmark_profile::{GrowingJfr, Options};

use super::launch::{arguments, configuration};
use super::report;
use super::room;
use crate::crashed::{report_beside, report_into};
use crate::error::LabError;
use crate::harness::requests::{
    DoseClock, DoseCount, DoseExercise, DoseGates, DoseHello, DoseTurns, DoseWarmUp, DoseWindow,
};
use crate::harness::{Client, ClientStart, limits};
use crate::profilers::collect::{Scope, jfr_windows, reported};
use crate::profilers::{Engine, ProfilerSpec, inside};
use crate::threads;
use crate::toolchain::DoseKit;
use crate::workload::Workload;

/// Name of the file with a JVM's output, in its directory.
pub const JVM_LOG: &str = "jvm.log";

/// Which JVM is started.
#[derive(Debug, Clone)]
pub struct SiteOrder<'a> {
    /// What it is made of.
    pub kit: &'a DoseKit,
    /// The program.
    pub workload: &'a Workload,
    /// Its sites.
    pub sites: &'a [WantedSite],
    /// The profiler in it, if any.
    pub profiler: Option<&'a ProfilerSpec>,
    /// Where its files go.
    pub directory: &'a Path,
    /// Longest that one iteration may take.
    pub iteration_limit: Duration,
    /// Set when the user wants to stop.
    pub interrupted: Arc<AtomicBool>,
}

/// A JVM with sites, and what its profiler was told.
pub struct SitedJvm {
    client: Client,
    begin: Instant,
    /// Options of the user's command.
    options: Vec<String>,
    directory: PathBuf,
    profiler: Option<ProfilerSpec>,
    labels: Vec<String>,
    /// What was read of the first windows, for profilers that leave a file of each.
    known: Vec<ProfiledWindow>,
    /// What was read of the recording, for those that leave one of all windows.
    recorded: GrowingJfr,
    /// Held as long as it runs.
    _running: Option<Arc<()>>,
}

impl SitedJvm {
    /// Starts it; its profiler runs, the program has not begun.
    ///
    /// # Errors
    /// When the JVM or the profiler does not start.
    pub fn start(order: &SiteOrder<'_>) -> Result<Self, LabError> {
        let (directory, workload) = (order.directory, order.workload);
        let failed = |what: &str| LabError::io(format!("{what} {}", directory.display()));
        std::fs::create_dir_all(directory).map_err(failed("cannot create"))?;
        let file = directory.join("configuration");
        report::remove(directory);
        std::fs::write(&file, configuration(order.kit, order.sites, directory))
            .map_err(failed("cannot write into"))?;
        let log = directory.join(JVM_LOG);
        let command = |socket: &Path| {
            let mut command = Command::new(order.kit.count.jdk.java());
            let profiler = order.profiler;
            command.arg(report_into(&report_beside(&log)));
            command.args(arguments(order.kit, workload, profiler, &file, socket));
            command
        };
        let first = DoseHello {
            iteration_limit_s: order.iteration_limit.as_secs_f64(),
        };
        let started = ClientStart {
            log: &log,
            iteration_limit: order.iteration_limit,
            interrupted: Arc::clone(&order.interrupted),
        };
        let mut client = Client::start(command, &first, started)?;
        if let Some(spec) = order.profiler {
            let started = inside::profiler(spec, directory).ok_or_else(|| {
                LabError::Profiler(format!(
                    "{} runs beside the JVM, and only profilers inside of it are told of windows here",
                    spec.name
                ))
            })?;
            client.start_profiler(started)?;
        }
        let options = workload.left_out.iter().chain(&workload.jvm_options);
        Ok(Self {
            client,
            begin: Instant::now(),
            options: options.cloned().collect(),
            directory: directory.to_owned(),
            profiler: order.profiler.cloned(),
            labels: Vec::new(),
            known: Vec::new(),
            recorded: GrowingJfr::default(),
            _running: None,
        })
    }

    /// The same, which holds this until it ends: how many JVMs run is the number of its other owners.
    #[must_use]
    pub fn holding(mut self, running: Arc<()>) -> Self {
        self._running = Some(running);
        self
    }

    /// The same, which fails as if the user wished to stop where this is set.
    #[must_use]
    pub fn ended_by(mut self, flag: Arc<AtomicBool>) -> Self {
        self.client.end_by(flag);
        self
    }

    /// Runs so long (and at least eight iterations) with random numbers of turns up to `most` in all sites, most of the
    /// time at rest.
    fn exercise(&mut self, seconds: f64, most: u16) -> Result<(), LabError> {
        let limit = Duration::from_secs_f64(seconds) + self.client.iteration_limit() * 8;
        let request = DoseExercise { seconds, most };
        self.client.ask(&request, limit).map(drop)
    }

    fn recording(&self) -> PathBuf {
        self.directory.join("recording.jfr")
    }

    fn read(&mut self) -> Result<Vec<ProfiledWindow>, LabError> {
        let Some(spec) = &self.profiler else {
            return Ok(Vec::new());
        };
        let scope = Scope::Program(report::program_threads(&self.directory));
        if spec.engine.has_one_recording() {
            let file = self.recording();
            return jfr_windows(&mut self.recorded, &file, &scope, &self.labels);
        }
        let labels = &self.labels[self.known.len()..];
        let file = |at: usize| match spec.engine {
            Engine::Async { .. } => self.directory.join(format!("{}.jfr", labels[at])),
            _ => self.directory.join(format!("{}.collapsed", labels[at])),
        };
        let read = reported(&spec.engine, labels, &scope, &Options::default(), file)?;
        self.known.extend(read);
        Ok(self.known.clone())
    }
}

impl SiteLab for SitedJvm {
    type Error = LabError;

    fn facts(&self) -> JvmFacts {
        let hello = self.client.hello();
        JvmFacts {
            version: hello.java_version.clone(),
            vendor: hello.vendor.clone(),
            options: self.options.clone(),
        }
    }

    fn elapsed_s(&self) -> f64 {
        self.begin.elapsed().as_secs_f64()
    }

    fn at_once(&self, busy: f64) -> usize {
        room::places(busy, self.client.hello().heap_bytes)
    }

    fn warm_up(&mut self, warm: &WarmUp) -> Result<Option<String>, LabError> {
        if warm.exercise_s > 0.0 {
            // Once before and once behind the first compilations of the last tier.
            self.exercise(warm.exercise_s, warm.most_turns)?;
        }
        let (least_s, most_s) = (warm.least_s, warm.most_s);
        let (pid, tid) = (self.client.hello().pid, self.client.hello().tid);
        let waited = threads::waited_ns(pid, tid);
        let limit = Duration::from_secs_f64(most_s);
        let ran = self.client.ask(&DoseWarmUp { least_s, most_s }, limit)?;
        threads::check_all(&ran, threads::waited_ns(pid, tid) - waited)
    }

    fn gates(&mut self, open: &[u16], warm: &WarmUp) -> Result<(), LabError> {
        let request = DoseGates {
            open,
            exercise_s: warm.exercise_s,
            most_turns: warm.most_turns,
            least_s: warm.least_s,
            most_s: warm.most_s,
        };
        let seconds = Duration::from_secs_f64(warm.exercise_s + warm.most_s);
        let limit = seconds + limits::ANSWER + self.client.iteration_limit() * 8;
        self.client.ask(&request, limit).map(drop)
    }

    fn window(
        &mut self,
        dose: Option<Dose>,
        seconds: f64,
        least: u32,
        watching: Watching,
    ) -> Result<DosedWindow, LabError> {
        let clock = watching.clock();
        let label = match watching != Watching::Nobody && self.profiler.is_some() {
            true => format!("w{}", self.labels.len()),
            false => String::new(),
        };
        let request = DoseWindow {
            label: &label,
            seconds,
            least,
            discard: 1,
            site: dose.map(|dose| dose.site),
            turns: dose.map_or(0, |dose| dose.turns),
            clock: clock.map(|clock| DoseClock {
                site: clock.site,
                loops: clock.loops,
            }),
        };
        let limit = Duration::from_secs_f64(seconds)
            + limits::ANSWER
            + self.client.iteration_limit() * (least + 1);
        let window = self.client.ask(&request, limit)?;
        if !label.is_empty() {
            self.labels.push(label);
        }
        Ok(DosedWindow {
            begin_ns: window.begin_ns,
            end_ns: window.end_ns,
            together: window.together,
            iterations: window.iterations,
            busy_threads: window.busy_threads,
            busiest_ns: window.busiest_ns,
            step_ns: clock.and_then(|clock| clock.mean_step_ns(&window.passes_ns)),
        })
    }

    fn count(&mut self, iterations: u32) -> Result<Vec<Vec<u32>>, LabError> {
        let limit = limits::ANSWER + self.client.iteration_limit() * iterations;
        let answer = self.client.ask(&DoseCount { iterations }, limit)?;
        Ok(answer.counts)
    }

    fn passes(&mut self, clock: Dose, passes: u32) -> Result<u64, LabError> {
        let request = DoseTurns {
            site: clock.site,
            turns: clock.turns,
            passes,
        };
        let answer = self.client.ask(&request, limits::ANSWER)?;
        Ok(answer.cpu_ns)
    }

    fn report(&self) -> SiteReport {
        report::read(&self.directory)
    }

    fn reported(&mut self) -> Result<Vec<ProfiledWindow>, LabError> {
        let file = self.recording();
        if self.profiler.is_some() {
            self.client.dump_profiler(&file)?;
        }
        self.read()
    }

    fn keep(&self, windows: &[KeptWindow]) -> Result<(), LabError> {
        let file = self.directory.join("windows.json");
        let text = serde_json::to_vec(windows).map_err(std::io::Error::from);
        let written = text.and_then(|text| std::fs::write(&file, text));
        written.map_err(LabError::io(format!("cannot write {}", file.display())))
    }

    fn finish(mut self) -> Result<Vec<ProfiledWindow>, LabError> {
        if self.profiler.is_some() {
            let file = self.recording();
            self.client.stop_profiler(&file)?;
        }
        let reported = self.read();
        self.end();
        reported
    }

    fn end(self) {
        self.client.stop(limits::END);
    }
}

impl SiteError for LabError {
    fn is_everybodys(&self) -> bool {
        matches!(
            self,
            LabError::Interrupted
                | LabError::Workload { .. }
                | LabError::NoWorkload(_)
                | LabError::Unmeasurable(_)
        )
    }

    fn is_interrupt(&self) -> bool {
        matches!(self, LabError::Interrupted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_wish_to_stop_is_told_from_a_program_that_fails() {
        let failed = LabError::Workload {
            message: "no memory".into(),
            trace: String::new(),
        };
        for (error, everybodys, wish) in [
            (LabError::Interrupted, true, true),
            (failed, true, false),
            (LabError::Profiler("no library".into()), false, false),
        ] {
            let said = (error.is_everybodys(), error.is_interrupt());
            assert_eq!(said, (everybodys, wish), "{error}");
        }
    }
}
