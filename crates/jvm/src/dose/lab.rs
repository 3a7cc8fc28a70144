//! One JVM with sites.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use proofmark_experiment::lab::ProfiledWindow;
use proofmark_profile::Options;

use super::launch::{WantedSite, arguments, configuration};
use super::report::AgentReport;
use crate::error::LabError;
use crate::harness::{DoseClient, DoseStart, DoseTurns, DosedWindow, Hello};
use crate::profilers::collect::{Scope, reported};
use crate::profilers::{Engine, ProfilerSpec, inside};
use crate::threads;
use crate::toolchain::DoseKit;
use crate::workload::Workload;

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

/// How a JVM warms up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WarmUp {
    /// Time with random turns in all sites, s.
    pub exercise_s: f64,
    /// Most turns then.
    pub most_turns: u16,
    /// Least time at rest, s.
    pub least_s: f64,
    /// Most time at rest, s.
    pub most_s: f64,
}

/// A JVM with sites, and what its profiler was told.
pub struct SiteLab {
    client: DoseClient,
    directory: PathBuf,
    profiler: Option<ProfilerSpec>,
    labels: Vec<String>,
    /// What was read of the first windows, for profilers that leave a file of each.
    known: Vec<ProfiledWindow>,
}

impl SiteLab {
    /// Starts it; its profiler runs, the program has not begun.
    ///
    /// # Errors
    /// When the JVM or the profiler does not start.
    pub fn start(order: &SiteOrder<'_>) -> Result<Self, LabError> {
        let directory = order.directory;
        let failed = |what: &str| LabError::io(format!("{what} {}", directory.display()));
        std::fs::create_dir_all(directory).map_err(failed("cannot create"))?;
        let file = directory.join("configuration");
        let _ = std::fs::remove_file(directory.join("sites"));
        std::fs::write(&file, configuration(order.kit, order.sites, directory))
            .map_err(failed("cannot write into"))?;
        let mut client = DoseClient::start(&DoseStart {
            java: order.kit.count.jdk.java(),
            arguments: &|socket| {
                arguments(order.kit, order.workload, order.profiler, &file, socket)
            },
            log: &directory.join("jvm.log"),
            iteration_limit: order.iteration_limit,
            interrupted: Arc::clone(&order.interrupted),
        })?;
        if let Some(spec) = order.profiler {
            let started = inside::profiler(spec, directory).ok_or_else(|| {
                LabError::Profiler(format!(
                    "{} runs beside the JVM, and only profilers inside of it are told of windows here",
                    spec.name
                ))
            })?;
            client.start_profiler(started)?;
        }
        Ok(Self {
            client,
            directory: directory.to_owned(),
            profiler: order.profiler.cloned(),
            labels: Vec::new(),
            known: Vec::new(),
        })
    }

    /// What the JVM said about itself.
    #[must_use]
    pub fn hello(&self) -> &Hello {
        self.client.hello()
    }

    /// Has all sites compiled in, then runs until compilers and times rest. What is to be said of other threads, if they
    /// do much.
    ///
    /// # Errors
    /// When the workload fails, or most of its work is not done by the thread that calls it.
    pub fn warm_up(&mut self, warm: &WarmUp) -> Result<Option<String>, LabError> {
        if warm.exercise_s > 0.0 {
            // Once before and once behind the first compilations of the last tier.
            self.client.exercise(warm.exercise_s, warm.most_turns)?;
        }
        let (pid, tid) = (self.hello().pid, self.hello().tid);
        let waited = threads::waited_ns(pid, tid);
        let ran = self.client.warm_up(warm.least_s, warm.most_s)?;
        threads::check_own(&ran, threads::waited_ns(pid, tid) - waited)
    }

    /// Runs a window of at least that many seconds and iterations with one site making so many turns; `watched` by the
    /// profiler or not.
    ///
    /// # Errors
    /// When the workload, the JVM or the profiler fails.
    pub fn window(
        &mut self,
        dose: Option<(u16, u16)>,
        seconds: f64,
        least: u32,
        watched: bool,
    ) -> Result<DosedWindow, LabError> {
        let label = match watched && self.profiler.is_some() {
            true => format!("w{}", self.labels.len()),
            false => String::new(),
        };
        let window = self.client.window(&label, dose, seconds, least)?;
        if !label.is_empty() {
            self.labels.push(label);
        }
        Ok(window)
    }

    /// How often every site that counts is reached, in each of so many iterations of the workload.
    ///
    /// # Errors
    /// When the workload fails.
    pub fn count(&mut self, iterations: u32) -> Result<Vec<Vec<u32>>, LabError> {
        self.client.count(iterations)
    }

    /// CPU time of passes of a loop of the harness, ns.
    pub(super) fn turns(&mut self, turns: DoseTurns) -> Result<u64, LabError> {
        self.client.turns(turns)
    }

    /// What the agent has said so far.
    #[must_use]
    pub fn report(&self) -> AgentReport {
        AgentReport::read(&self.directory)
    }

    /// What the profiler reported of each watched window so far, in order; it goes on.
    ///
    /// # Errors
    /// When the profiler left nothing that can be read.
    pub fn reported(&mut self) -> Result<Vec<ProfiledWindow>, LabError> {
        let file = self.recording();
        if self.profiler.is_some() {
            self.client.dump_profiler(&file)?;
        }
        self.read()
    }

    /// Ends the JVM; what the profiler reported of each watched window, in order.
    ///
    /// # Errors
    /// When the profiler left nothing that can be read.
    pub fn finish(mut self) -> Result<Vec<ProfiledWindow>, LabError> {
        if self.profiler.is_some() {
            let file = self.recording();
            self.client.stop_profiler(&file)?;
        }
        let reported = self.read();
        self.client.stop();
        reported
    }

    /// Ends the JVM; what the profiler has not yet written is lost.
    pub fn end(self) {
        self.client.stop();
    }

    fn recording(&self) -> PathBuf {
        self.directory.join("recording.jfr")
    }

    fn read(&mut self) -> Result<Vec<ProfiledWindow>, LabError> {
        let Some(spec) = &self.profiler else {
            return Ok(Vec::new());
        };
        let scope = Scope::of(self.client.hello());
        if matches!(spec.engine, Engine::Jfr | Engine::JfrCpu) {
            // The recording is read anew, with all windows.
            self.known.clear();
        }
        let labels = &self.labels[self.known.len()..];
        let file = |at: usize| match spec.engine {
            Engine::Jfr | Engine::JfrCpu => self.recording(),
            Engine::Async { .. } => self.directory.join(format!("{}.jfr", labels[at])),
            _ => self.directory.join(format!("{}.collapsed", labels[at])),
        };
        let read = reported(&spec.engine, labels, &scope, &Options::default(), file)?;
        self.known.extend(read);
        Ok(self.known.clone())
    }
}
