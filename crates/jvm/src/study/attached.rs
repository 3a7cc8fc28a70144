//! The profiler of a run: begun before the first iteration, ended after the last.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::host::{Host, LABEL};
use super::perf::{self, Subject};
use super::recording::Recording;
use super::{Agent, Attachment, RunOrder};
use crate::error::LabError;
use crate::profilers::beside::Beside;
use crate::profilers::{Engine, ProfilerSpec};

const MS: u64 = 1_000_000;

/// A profiler at work, or what it left.
pub(super) struct Attached {
    kind: Kind,
    /// Where its recording is, or will be.
    file: PathBuf,
    /// The JVM's map of its code, for perf.
    perf_map: Option<Vec<u8>>,
}

enum Kind {
    Nothing,
    /// In the JVM, started by the harness. JFR keeps what it has until it is stopped.
    Inside {
        stop: bool,
    },
    Beside {
        process: Option<Beside>,
        wants_map: bool,
    },
    Agent(Agent),
}

impl Attached {
    /// Starts the profiler.
    pub fn begin(order: &RunOrder<'_>, host: &mut Host) -> Result<Self, LabError> {
        let (kind, name) = match order.attachment {
            Attachment::Nothing => (Kind::Nothing, String::new()),
            Attachment::Agent(agent) => (Kind::Agent(agent.clone()), String::new()),
            Attachment::Profiler(spec) => start(spec, order, host)?,
        };
        Ok(Attached {
            kind,
            file: order.directory.join(name),
            perf_map: None,
        })
    }

    /// Stops it; the JVM is still there.
    pub fn end(mut self, host: &mut Host) -> Result<Self, LabError> {
        match &mut self.kind {
            Kind::Inside { stop: true } => host.stop_profiler(&self.file)?,
            Kind::Beside { process, wants_map } => {
                if let Some(process) = process.take() {
                    process.end()?;
                }
                if *wants_map {
                    self.perf_map = Some(host.perf_map()?);
                }
            }
            Kind::Nothing | Kind::Inside { stop: false } | Kind::Agent(_) => {}
        }
        Ok(self)
    }

    /// True if its recording comes when the JVM ends.
    pub fn writes_at_the_end(&self) -> bool {
        matches!(self.kind, Kind::Agent(_))
    }

    /// What it left. `java_ended`: the JVM ended by itself.
    pub fn recording(self, java_ended: bool) -> Result<Option<Recording>, LabError> {
        let file = match &self.kind {
            Kind::Nothing => return Ok(None),
            Kind::Inside { .. } | Kind::Beside { .. } => self.file,
            Kind::Agent(agent) if !java_ended => {
                return Err(LabError::Unmeasurable(format!(
                    "the JVM did not end with {} loaded",
                    agent.name
                )));
            }
            Kind::Agent(agent) => agent.exported(&self.file)?,
        };
        if !file.is_file() {
            let message = "the profiler left no such file".to_owned();
            return Err(LabError::Profile { file, message });
        }
        Ok(Some(Recording {
            file,
            perf_map: self.perf_map,
        }))
    }
}

/// Starts a profiler that we know; with the name of its file.
fn start(
    spec: &ProfilerSpec,
    order: &RunOrder<'_>,
    host: &mut Host,
) -> Result<(Kind, String), LabError> {
    let place = order.directory.display().to_string();
    let collapsed = format!("{LABEL}.collapsed");
    let period_ms = spec.interval_ns.div_ceil(MS).max(1);
    match &spec.engine {
        Engine::Async {
            event,
            jar,
            library,
        } => {
            let event = event.as_deref().unwrap_or("cpu");
            // Threads are told apart when recording begins or not at all.
            let start = format!("event={event},interval={},threads", spec.interval_ns);
            let files = [jar, library].map(|file| file.display().to_string());
            let [jar, library] = files;
            host.start_profiler("async", &[jar, library, start, place])?;
            Ok((Kind::Inside { stop: false }, collapsed))
        }
        Engine::Jfr => {
            let period = format!("period={period_ms} ms");
            let events = ["jdk.ExecutionSample", "jdk.NativeMethodSample"];
            let words = events.map(|event| [event.to_owned(), period.clone()]);
            host.start_profiler("jfr", &words.concat())?;
            Ok((Kind::Inside { stop: true }, "recording.jfr".into()))
        }
        Engine::JfrCpu => {
            let settings = ["enabled=true".to_owned(), format!("throttle={period_ms}ms")];
            let words = settings.map(|setting| ["jdk.CPUTimeSample".to_owned(), setting]);
            host.start_profiler("jfr", &words.concat())?;
            Ok((Kind::Inside { stop: true }, "recording.jfr".into()))
        }
        Engine::Safepoint => {
            host.start_profiler("safepoint", &[spec.interval_ns.to_string(), place])?;
            Ok((Kind::Inside { stop: false }, collapsed))
        }
        Engine::Perf { program } => {
            let subject = Subject {
                pid: host.hello().pid,
                tid: (!order.all_threads).then_some(host.hello().tid),
                rate_hz: 1_000_000_000 / spec.interval_ns.max(1),
            };
            let file = "recording.perf.data";
            let process = perf::record(program, &subject, &order.directory.join(file))?;
            let kind = Kind::Beside {
                process: Some(process),
                wants_map: true,
            };
            Ok((kind, file.into()))
        }
        Engine::Command { line } => {
            let file = "recording.profile";
            let process = command(line, order, host, file)?;
            let kind = Kind::Beside {
                process: Some(process),
                wants_map: false,
            };
            Ok((kind, file.into()))
        }
    }
}

/// Somebody's own command, which gets SIGINT after the last iteration.
fn command(line: &str, order: &RunOrder<'_>, host: &Host, file: &str) -> Result<Beside, LabError> {
    let out = order.directory.join(file);
    let filled = line
        .replace("{pid}", &host.hello().pid.to_string())
        .replace("{tid}", &host.hello().tid.to_string())
        .replace("{out}", &out.display().to_string());
    let log = std::fs::File::create(out.with_extension("log"))
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
