//! The client of a JVM whose machine code may be described and commanded.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use proofmark_blocks::CodeMap;

use super::answers::{Control, Counted, Hello, WarmUp, Window};
use super::limits;
use super::line::{Client, ClientStart};
use super::process::tail;
use super::requests::{self, InsideProfiler, Request, path_word};
use crate::crashed::{report_beside, report_into, report_of_tool};
use crate::error::LabError;
use crate::launch::Launch;
use crate::profilers::beside::Beside;
use crate::toolchain::Kit;
use crate::workload::Workload;
use proofmark_experiment::lab::UnitTable;

/// A started JVM with the harness in command, and what is known about its code.
pub struct HarnessClient {
    client: Client,
    jcmd: PathBuf,
    /// End of the last window, ns of CLOCK_MONOTONIC: older samples are not asked for.
    window_end_ns: u64,
}

/// Which JVM is started.
#[derive(Debug, Clone)]
pub struct Start<'a> {
    /// The program.
    pub workload: &'a Workload,
    /// How the JVM runs it.
    pub launch: &'a Launch,
    /// Whether its machine code is described and commanded; only Graal's can be.
    pub laboratory: bool,
    /// Where the JVM's output goes.
    pub log: &'a Path,
    /// Longest that one iteration may take.
    pub iteration_limit: Duration,
    /// Set when the user wants to stop.
    pub interrupted: Arc<AtomicBool>,
}

/// What a window is made of.
#[derive(Debug, Clone)]
pub struct WindowOrder<'a> {
    /// Name under which profilers file it.
    pub label: &'a str,
    /// Least time under each installation, in s.
    pub seconds: f64,
    /// Least number of iterations under each installation.
    pub iterations: u32,
    /// Iterations after an installation that are not reported.
    pub discard: u32,
    /// Codes to install, group by group; an empty group leaves things as they are.
    pub groups: &'a [Vec<u32>],
}

impl HarnessClient {
    /// Starts a JVM; the program's class is loaded, nothing has run yet.
    ///
    /// # Errors
    /// When the JVM does not come up, with the last lines that it printed.
    pub fn start(kit: &Kit, start: Start<'_>) -> Result<Self, LabError> {
        let launch = start.launch;
        let command = |directory: &Path| {
            let mut command = Command::new(kit.jdk.java());
            command
                .arg(report_into(&report_beside(start.log)))
                .args(launch.arguments(kit, start.workload, directory))
                .envs(launch.padding());
            command
        };
        let first = requests::Hello {
            laboratory: start.laboratory,
            iteration_limit_s: start.iteration_limit.as_secs_f64(),
        };
        let started = ClientStart {
            log: start.log,
            iteration_limit: start.iteration_limit,
            interrupted: start.interrupted,
        };
        Ok(HarnessClient {
            client: Client::start(command, &first, started)?,
            jcmd: kit.jdk.tool("jcmd"),
            window_end_ns: 0,
        })
    }

    /// What the JVM said about itself.
    pub fn hello(&self) -> &Hello {
        self.client.hello()
    }

    /// Everything known about its code.
    pub fn map(&self) -> &CodeMap {
        &self.client.map
    }

    /// A directory for files of this JVM's lifetime.
    pub fn directory(&self) -> &Path {
        self.client.jvm.directory()
    }

    /// How long one iteration may take.
    pub(crate) fn iteration_limit(&self) -> Duration {
        self.client.iteration_limit()
    }

    /// Asks for something that takes so long at most, and an iteration.
    pub(crate) fn ask<R: Request>(
        &mut self,
        request: &R,
        limit: Duration,
    ) -> Result<R::Answer, LabError> {
        self.client.ask(request, limit)
    }

    /// Runs the workload until compilers and iteration times rest, at least and at most so many seconds. So many of its
    /// runs are measured as one iteration; none: as many as their length asks for.
    ///
    /// # Errors
    /// When the workload fails or an iteration does not end.
    pub fn warm_up(
        &mut self,
        (least_s, most_s): (f64, f64),
        together: Option<u32>,
    ) -> Result<WarmUp, LabError> {
        let limit = Duration::from_secs_f64(most_s);
        let request = requests::WarmUp {
            least_s,
            most_s,
            together,
        };
        self.ask(&request, limit)
    }

    /// Methods of the workload that run outside of Graal's normal code.
    ///
    /// # Errors
    /// When the JVM fails.
    pub fn slow_tier_methods(&mut self) -> Result<Vec<String>, LabError> {
        let answer = self.ask(&requests::SlowTiers {}, limits::ANSWER)?;
        Ok(answer.methods)
    }

    /// Takes methods under control: compiled with profiles from (and to) `profiles`.
    ///
    /// # Errors
    /// When the JVM fails; single methods that cannot be taken are in the answer.
    pub fn control(
        &mut self,
        methods: &[String],
        profiles: Option<&Path>,
    ) -> Result<Control, LabError> {
        let profiles = profiles.map(path_word);
        self.ask(
            &requests::Control { methods, profiles },
            limits::ANSWER + limits::UNIT * methods.len() as u32,
        )
    }

    /// Compiles units with insertions; the codes' ids come in the same order.
    ///
    /// # Errors
    /// When a unit's structure changed, or the JVM fails.
    pub fn compile(&mut self, tables: &[UnitTable]) -> Result<Vec<u32>, LabError> {
        let limit = limits::ANSWER + limits::UNIT * tables.len() as u32;
        let answer = self.ask(&requests::Compile::of(tables), limit)?;
        Ok(answer.compiled)
    }

    /// Lets codes go that will not be installed again.
    ///
    /// # Errors
    /// When the JVM fails.
    pub fn forget(&mut self, codes: &[u32]) -> Result<(), LabError> {
        if codes.is_empty() {
            return Ok(());
        }
        self.ask(&requests::Forget { codes }, limits::ANSWER)
            .map(drop)
    }

    /// Installs each group of codes in turn and runs the workload under it. Samples of earlier windows cannot be located any more. `tick` is called about ten times a second.
    ///
    /// # Errors
    /// When the workload or the JVM fails, or `tick` does.
    pub fn window(
        &mut self,
        order: &WindowOrder<'_>,
        tick: &mut dyn FnMut() -> Result<(), LabError>,
    ) -> Result<Window, LabError> {
        let runs = order.groups.len() as f64;
        let iterations = f64::from(order.iterations + order.discard).min(3.0);
        let limit = Duration::from_secs_f64(runs * (order.seconds + 1.0))
            + self.iteration_limit().mul_f64(runs * iterations + 1.0);
        self.window_within(order, limit, tick)
    }

    /// The same when all of it may take so long.
    pub(crate) fn window_within(
        &mut self,
        order: &WindowOrder<'_>,
        limit: Duration,
        tick: &mut dyn FnMut() -> Result<(), LabError>,
    ) -> Result<Window, LabError> {
        let request = requests::Window {
            label: order.label,
            seconds: order.seconds,
            least: order.iterations,
            discard: order.discard,
            groups: order.groups,
        };
        self.client.map.forget_before(self.window_end_ns);
        let window = self.client.ask_within(&request, limit, tick)?;
        self.window_end_ns = window.end_ns;
        Ok(window)
    }

    /// Exact executions of every block of the controlled units over so many iterations; counting code stays installed.
    ///
    /// # Errors
    /// When the workload or the JVM fails.
    pub fn count(&mut self, iterations: u32) -> Result<Counted, LabError> {
        let limit = limits::ANSWER + self.iteration_limit() * (iterations + 2);
        self.ask(&requests::Count { iterations }, limit)
    }

    /// Starts a profiler inside the JVM; windows from now on are profiled.
    ///
    /// # Errors
    /// When the profiler refuses.
    pub(crate) fn start_profiler(&mut self, profiler: InsideProfiler) -> Result<(), LabError> {
        self.client.start_profiler(profiler)
    }

    /// Stops it; what it still holds goes to `file`.
    ///
    /// # Errors
    /// When the profiler fails.
    pub(crate) fn stop_profiler(&mut self, file: &Path) -> Result<(), LabError> {
        self.client.stop_profiler(file)
    }

    /// The JVM's map of its machine code, old versions included, as perf reads it.
    ///
    /// # Errors
    /// When the JVM does not answer to `jcmd`.
    pub(crate) fn perf_map(&mut self) -> Result<Vec<u8>, LabError> {
        let file = self.directory().join("perf.map");
        let said = self.directory().join("jcmd.log");
        let log = std::fs::File::create(&said).map_err(LabError::io("cannot create jcmd's log"))?;
        let mut command = Command::new(&self.jcmd);
        command
            .arg(format!("-J{}", report_of_tool("jcmd")))
            .arg(self.hello().pid.to_string())
            .arg("Compiler.perfmap")
            .arg(&file)
            .stdin(Stdio::null())
            .stdout(log)
            .stderr(Stdio::null());
        Beside::start(&path_word(&self.jcmd), &mut command)?.finished_within(limits::ANSWER)?;
        std::fs::read(&file).map_err(|source| LabError::Io {
            what: format!("no map of the code ({})", tail(&said)),
            source,
        })
    }

    /// Ends the JVM.
    pub fn stop(self) {
        self.client.stop(limits::END);
    }

    /// Ends a JVM that writes a profiler's recording while it ends. Whether it ended by itself.
    pub(crate) fn stop_writing(self) -> bool {
        self.client.stop(limits::WRITING)
    }
}
