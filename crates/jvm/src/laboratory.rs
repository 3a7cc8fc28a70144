//! A laboratory JVM: commands with types.

use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use proofmark_blocks::CodeMap;
use serde::de::DeserializeOwned;

use crate::error::LabError;
use crate::launch::{Compiler, Launch};
use crate::process::Jvm;
use crate::refusal::refusal;
use crate::table::UnitTable;
use crate::temporary::Temporary;
use crate::toolchain::Kit;
use crate::wire::{Compiled, Control, Counted, Done, Envelope, Hello, SlowTiers, WarmUp, Window};
use crate::workload::Workload;

/// Longest that a command may take whose work is small, s. A busy machine is slow, and only a JVM that hangs gets so far:
/// one that dies is noticed at once.
pub(crate) const ANSWER_S: f64 = 300.0;
/// Longest that compiling one unit may take on average, s. Large ones take 2 s on an idle machine.
pub(crate) const UNIT_S: f64 = 20.0;

/// A started JVM with the harness in command, and what is known about its code.
pub struct Laboratory {
    jvm: Jvm,
    map: CodeMap,
    hello: Hello,
    directory: Temporary,
    jcmd: PathBuf,
    iteration_limit: Duration,
    /// End of the last window, ns of CLOCK_MONOTONIC: older samples are not asked for.
    window_end_ns: u64,
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

impl Laboratory {
    /// Starts a JVM for the workload. Its output goes to `log`; one iteration may take `iteration_limit`.
    ///
    /// # Errors
    /// When the JVM does not come up, with the last lines that it printed.
    pub fn start(
        kit: &Kit,
        workload: &Workload,
        launch: &Launch,
        log: &Path,
        iteration_limit: Duration,
        interrupted: Arc<AtomicBool>,
    ) -> Result<Self, LabError> {
        let directory = Temporary::create(&std::env::temp_dir())?;
        let socket = directory.path().join("s");
        let listener = UnixListener::bind(&socket).map_err(LabError::io(format!(
            "cannot listen on {}",
            socket.display()
        )))?;
        let arguments = launch.arguments(kit, workload, directory.path());
        let jvm = Jvm::start(&kit.jdk.java(), &arguments, &listener, log, interrupted)?;
        let hello = Hello {
            pid: jvm.pid(),
            tid: 0,
            thread: String::new(),
            java_version: String::new(),
            vendor: String::new(),
            heap_bytes: 0,
        };
        let mut lab = Laboratory {
            jvm,
            map: CodeMap::new(),
            hello,
            directory,
            jcmd: kit.jdk.tool("jcmd"),
            iteration_limit,
            window_end_ns: 0,
        };
        let compiler = if launch.compiler == Compiler::Graal {
            "graal"
        } else {
            "c2"
        };
        lab.hello = lab.ask(
            &[
                "hello",
                compiler,
                &iteration_limit.as_secs_f64().to_string(),
            ],
            ANSWER_S,
        )?;
        Ok(lab)
    }

    /// What the JVM said about itself.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Everything known about its code.
    pub fn map(&self) -> &CodeMap {
        &self.map
    }

    /// A directory for files of this JVM's lifetime.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// How long one iteration may take.
    pub(crate) fn iteration_limit(&self) -> Duration {
        self.iteration_limit
    }

    /// The JVM's output.
    pub fn log(&self) -> &Path {
        self.jvm.log()
    }

    pub(crate) fn ask<T: DeserializeOwned>(
        &mut self,
        words: &[&str],
        seconds: f64,
    ) -> Result<T, LabError> {
        self.ask_with(words, seconds, &mut || Ok(()))
    }

    fn ask_with<T: DeserializeOwned>(
        &mut self,
        words: &[&str],
        seconds: f64,
        tick: &mut dyn FnMut() -> Result<(), LabError>,
    ) -> Result<T, LabError> {
        let limit = Duration::from_secs_f64(seconds) + self.iteration_limit;
        let line = self.jvm.call(words, limit, tick)?;
        let protocol = |source| LabError::Protocol {
            command: words[0].to_owned(),
            source,
        };
        let envelope: Envelope = serde_json::from_slice(&line).map_err(protocol)?;
        if let Some(message) = envelope.error {
            return Err(refusal(
                words[0],
                envelope.kind.as_deref(),
                message,
                &envelope.trace.unwrap_or_default(),
                self.jvm.log(),
            ));
        }
        for unit in envelope.map.units {
            self.map.add_unit(unit)?;
        }
        for code in &envelope.map.codes {
            self.map.add_code(code)?;
        }
        for install in &envelope.map.installs {
            self.map.add_install(install)?;
        }
        serde_json::from_slice(&line).map_err(protocol)
    }

    /// Runs the workload until compilers and iteration times rest, at least and at most so many seconds.
    ///
    /// # Errors
    /// When the workload fails or an iteration does not end.
    pub fn warm_up(&mut self, least_s: f64, most_s: f64) -> Result<WarmUp, LabError> {
        self.ask(
            &["warmup", &least_s.to_string(), &most_s.to_string()],
            most_s,
        )
    }

    /// Methods of the workload that run outside of Graal's normal code.
    ///
    /// # Errors
    /// When the JVM fails.
    pub fn slow_tier_methods(&mut self) -> Result<Vec<String>, LabError> {
        Ok(self.ask::<SlowTiers>(&["slow-tiers"], ANSWER_S)?.methods)
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
        let file = self.directory.path().join("methods");
        std::fs::write(&file, methods.join("\n"))
            .map_err(LabError::io("cannot write the list of methods"))?;
        let profiles = profiles
            .map(|path| path.display().to_string())
            .unwrap_or_default();
        self.ask(
            &["control", &profiles, &path_word(&file)],
            ANSWER_S + UNIT_S * methods.len() as f64,
        )
    }

    /// Compiles units with insertions; the codes' ids come in the same order.
    ///
    /// # Errors
    /// When a unit's structure changed, or the JVM fails.
    pub fn compile(&mut self, tables: &[UnitTable]) -> Result<Vec<u32>, LabError> {
        let file = self.directory.path().join("table");
        let text: Vec<String> = tables.iter().map(UnitTable::line).collect();
        std::fs::write(&file, text.join("\n")).map_err(LabError::io("cannot write the table"))?;
        Ok(self
            .ask::<Compiled>(
                &["compile", &path_word(&file)],
                ANSWER_S + UNIT_S * tables.len() as f64,
            )?
            .compiled)
    }

    /// Lets codes go that will not be installed again.
    ///
    /// # Errors
    /// When the JVM fails.
    pub fn forget(&mut self, codes: &[u32]) -> Result<(), LabError> {
        if codes.is_empty() {
            return Ok(());
        }
        self.ask::<Done>(&["forget", &ids(codes)], ANSWER_S)
            .map(|_| ())
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
        let (seconds, least, discard) = (
            order.seconds.to_string(),
            order.iterations.to_string(),
            order.discard.to_string(),
        );
        let mut words = vec!["window", order.label, &seconds, &least, &discard];
        let groups: Vec<String> = order.groups.iter().map(|codes| ids(codes)).collect();
        words.extend(groups.iter().map(String::as_str));
        let iterations = f64::from(order.iterations + order.discard);
        let runs = groups.len() as f64;
        let limit = runs * (order.seconds + 1.0)
            + runs * iterations.min(3.0) * self.iteration_limit.as_secs_f64();
        self.map.forget_before(self.window_end_ns);
        let window: Window = self.ask_with(&words, limit, tick)?;
        self.window_end_ns = window.end_ns;
        Ok(window)
    }

    /// Exact executions of every block of the controlled units over so many iterations; counting code stays installed.
    ///
    /// # Errors
    /// When the workload or the JVM fails.
    pub fn count(&mut self, iterations: u32) -> Result<Counted, LabError> {
        let limit = f64::from(iterations + 2) * self.iteration_limit.as_secs_f64();
        self.ask(&["count", &iterations.to_string()], ANSWER_S + limit)
    }

    /// Starts a profiler inside the JVM; windows from now on are profiled.
    ///
    /// # Errors
    /// When the profiler refuses.
    pub fn start_profiler(&mut self, kind: &str, options: &[String]) -> Result<(), LabError> {
        let mut words = vec!["profiler-start", kind];
        words.extend(options.iter().map(String::as_str));
        self.ask::<Done>(&words, 30.0).map(|_| ())
    }

    /// Stops it; what it recorded goes to `file`.
    ///
    /// # Errors
    /// When the profiler fails.
    pub fn stop_profiler(&mut self, file: &Path) -> Result<(), LabError> {
        self.ask::<Done>(&["profiler-stop", &path_word(file)], 60.0)
            .map(|_| ())
    }

    /// The JVM's map of its machine code, old versions included, as perf reads it.
    ///
    /// # Errors
    /// When the JVM does not answer to `jcmd`.
    pub fn perf_map(&mut self) -> Result<Vec<u8>, LabError> {
        let file = self.directory.path().join("perf.map");
        let jcmd = self.jcmd.clone();
        let output = std::process::Command::new(&jcmd)
            .args([
                self.hello.pid.to_string(),
                "Compiler.perfmap".into(),
                path_word(&file),
            ])
            .output()
            .map_err(|source| LabError::Start { java: jcmd, source })?;
        std::fs::read(&file).map_err(|source| LabError::Io {
            what: format!(
                "no map of the code ({})",
                String::from_utf8_lossy(&output.stdout).trim()
            ),
            source,
        })
    }

    /// Ends the JVM.
    pub fn stop(self) -> PathBuf {
        let log = self.jvm.log().to_owned();
        self.jvm.stop();
        log
    }
}

pub(crate) fn path_word(path: &Path) -> String {
    path.display().to_string()
}

pub(crate) fn ids(codes: &[u32]) -> String {
    codes
        .iter()
        .map(u32::to_string)
        .collect::<Vec<_>>()
        .join(",")
}
