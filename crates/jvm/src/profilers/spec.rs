//! Names and settings of profilers.

use std::path::PathBuf;

use proofmark_profile::{NON_SAFEPOINTS, profiler_name};

use crate::launch::Launch;
use crate::nearest::distance;

/// A profiler under test or a control, ready to be started.
#[derive(Debug, Clone, PartialEq)]
pub struct ProfilerSpec {
    /// Name in tables and results, for example `jfr+nonsafepoints`.
    pub name: String,
    /// How it works.
    pub engine: Engine,
    /// Whether the whole JVM runs with debug information between safepoints.
    pub debug_non_safepoints: bool,
    /// Wanted time between samples, ns.
    pub interval_ns: u64,
}

/// How a profiler gets its samples.
#[derive(Debug, Clone, PartialEq)]
pub enum Engine {
    /// async-profiler.
    Async {
        /// `cpu`, `ctimer`, `itimer`; none: what it picks itself.
        event: Option<String>,
        /// It walks Java stacks by the JVM's `AsyncGetCallTrace`, as it did before version 4.2; else by the JVM's structures.
        agct: bool,
        /// Its Java interface.
        jar: PathBuf,
        /// Its agent library.
        library: PathBuf,
    },
    /// JFR's `jdk.ExecutionSample`.
    Jfr,
    /// JFR's `jdk.CPUTimeSample`.
    JfrCpu,
    /// Linux perf with the JVM's map of its code.
    Perf {
        /// The program.
        program: PathBuf,
    },
    /// The control that must look bad.
    Safepoint,
    /// Any command that leaves a profile.
    Command {
        /// With `{pid}`, `{tid}` and `{out}` to be filled in.
        line: String,
    },
}

impl Engine {
    /// Whether it leaves one file of all windows, in which they are marked; else each window has a file of its own.
    pub(crate) fn has_one_recording(&self) -> bool {
        matches!(self, Self::Jfr | Self::JfrCpu)
    }
}

/// What the user set for all profilers.
#[derive(Debug, Clone, Default)]
pub struct ProfilerOptions {
    /// Time between samples, ns; none: the profiler's default here.
    pub interval_ns: Option<u64>,
    /// async-profiler's jar and library.
    pub async_profiler: Option<(PathBuf, PathBuf)>,
    /// Where perf is, if installed.
    pub perf: Option<PathBuf>,
}

impl ProfilerOptions {
    /// So many milliseconds between samples, none: the profiler's default here; nothing else is set.
    #[must_use]
    pub fn every(interval_ms: Option<f64>) -> Self {
        Self {
            interval_ns: interval_ms.map(|ms| (ms * 1e6).max(1.0) as u64),
            ..Self::default()
        }
    }
}

/// A profiler that cannot be had.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// No such name.
    #[error(
        "unknown profiler '{0}'{meant}: use async, async-cpu, async-ctimer, async-itimer (each also with +agct), jfr, jfr-cpu (each jfr also with +nonsafepoints), perf, cmd:COMMAND, or the controls safepoint and oracle",
        meant = meant(.0, &[&INSIDE, &NOT_INSIDE])
    )]
    Unknown(String),
    /// No such name, where only profilers inside of the JVM will do.
    #[error(
        "unknown profiler '{0}'{meant}: use async, async-cpu, async-ctimer, async-itimer (each also with +agct and +attached), jfr, jfr-cpu (each jfr also with +nonsafepoints) or safepoint",
        meant = meant(.0, &[&INSIDE])
    )]
    UnknownInside(String),
    /// A command that cannot be a profiler.
    #[error("cmd:{line}: {reason}")]
    Command {
        /// The command.
        line: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Known, but not on this machine.
    #[error("{name} is not available here: {reason}")]
    Unavailable {
        /// The name.
        name: String,
        /// Why not, and what to do.
        reason: String,
    },
}

/// Ending of the names of async-profilers that walk stacks by `AsyncGetCallTrace` (`features=agct`). The two differ in how they look a
/// position up: the one takes the first record behind the instruction that a sample is at, the other its own record if it has one.
const AGCT: &str = "+agct";

/// async-profiler by each of its clocks.
const ASYNC: [&str; 4] = ["async", "async-cpu", "async-ctimer", "async-itimer"];

/// Names of profilers inside of the JVM, without their endings.
const INSIDE: [&str; 7] = [
    "async",
    "async-cpu",
    "async-ctimer",
    "async-itimer",
    "jfr",
    "jfr-cpu",
    "safepoint",
];

/// Names of the others.
const NOT_INSIDE: [&str; 2] = ["perf", "oracle"];

/// The one of these profilers that a misspelt name is nearest to, as a question.
fn meant(name: &str, known: &[&[&str]]) -> String {
    /// Signs that may be wrong.
    const WRONG: usize = 2;
    let flagged = ["jfr", "jfr-cpu"].map(|base| format!("{base}{NON_SAFEPOINTS}"));
    let mut all = known.concat();
    all.extend(flagged.iter().map(String::as_str));
    let far = |known: &&str| distance(&name.to_lowercase(), known);
    let near = all.into_iter().min_by_key(far);
    let near = near.filter(|known| far(known) <= WRONG && far(known) < known.len());
    near.map_or(String::new(), |name| format!(" (did you mean {name}?)"))
}

const MS: u64 = 1_000_000;

impl ProfilerSpec {
    /// True if the name stands for an async-profiler engine, whose files must be fetched first.
    pub fn wants_async(name: &str) -> bool {
        let base = name.strip_suffix(AGCT).unwrap_or(name);
        base == "async" || base.starts_with("async-")
    }

    /// Understands a name of the list in docs/dose.md (`oracle` is no profiler of its own and not understood here).
    ///
    /// # Errors
    /// When there is no such profiler, or not on this machine.
    pub fn parse(name: &str, options: &ProfilerOptions) -> Result<Self, SpecError> {
        let name = &profiler_name(name);
        let plain = name.strip_suffix(NON_SAFEPOINTS);
        let (base, flag) = (plain.unwrap_or(name), plain.is_some());
        let (engine, default_ns) = match base {
            "jfr" => (Engine::Jfr, 2 * MS),
            "jfr-cpu" => (Engine::JfrCpu, 2 * MS),
            "safepoint" if !flag => (Engine::Safepoint, 2 * MS),
            "perf" if !flag => (
                Engine::Perf {
                    program: options.perf.clone().ok_or_else(|| missing_perf(name))?,
                },
                MS,
            ),
            _ if !flag && ASYNC.contains(&name.strip_suffix(AGCT).unwrap_or(name)) => {
                (async_engine(name, options)?, MS)
            }
            _ => match name
                .strip_prefix("cmd:")
                .filter(|line| !line.trim().is_empty())
            {
                Some(line) => (
                    Engine::Command {
                        line: line.to_owned(),
                    },
                    MS,
                ),
                None => return Err(SpecError::Unknown(name.to_owned())),
            },
        };
        let debug_non_safepoints = flag && !matches!(engine, Engine::Command { .. });
        let interval_ns = options.interval_ns.unwrap_or(default_ns);
        Ok(ProfilerSpec {
            name: name.to_owned(),
            engine,
            debug_non_safepoints,
            interval_ns,
        })
    }

    /// The same profiler with debug information between safepoints, where that can make a difference.
    pub fn with_debug_info(&self) -> Option<Self> {
        let can = matches!(self.engine, Engine::Jfr | Engine::JfrCpu) && !self.debug_non_safepoints;
        can.then(|| ProfilerSpec {
            name: format!("{}{NON_SAFEPOINTS}", self.name),
            debug_non_safepoints: true,
            ..self.clone()
        })
    }

    /// Puts what the profiler needs from the start of the JVM into its launch.
    pub fn prepare(&self, launch: &mut Launch) {
        launch.debug_non_safepoints = self.debug_non_safepoints;
        if let Engine::Async { library, .. } = &self.engine {
            // As its documentation advises: loaded at start, it turns on debug information between safepoints.
            launch.agent_path = Some(library.clone());
        }
    }

    /// True for a control.
    pub fn is_control(&self) -> bool {
        self.engine == Engine::Safepoint
    }
}

fn async_engine(name: &str, options: &ProfilerOptions) -> Result<Engine, SpecError> {
    let unavailable = || SpecError::Unavailable {
        name: name.to_owned(),
        reason: "its library was not fetched".to_owned(),
    };
    let (jar, library) = options.async_profiler.clone().ok_or_else(unavailable)?;
    let base = name.strip_suffix(AGCT);
    let event = base.unwrap_or(name).strip_prefix("async-");
    Ok(Engine::Async {
        event: event.map(str::to_owned),
        agct: base.is_some(),
        jar,
        library,
    })
}

fn missing_perf(name: &str) -> SpecError {
    SpecError::Unavailable {
        name: name.to_owned(),
        reason: "install perf (Debian: apt-get install linux-perf)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_understood() {
        let options = ProfilerOptions {
            perf: Some("/usr/bin/perf".into()),
            ..ProfilerOptions::default()
        };
        let jfr = ProfilerSpec::parse("jfr", &options).unwrap();
        let with = jfr.with_debug_info().unwrap();
        assert_eq!(with.name, "jfr+nonsafepoints");
        for name in ["jfr+nonsafepoints", "jfr+dns"] {
            assert_eq!(ProfilerSpec::parse(name, &options).unwrap(), with);
        }
        assert!(
            ProfilerSpec::parse("jfr+nonsafepoints", &options)
                .unwrap()
                .with_debug_info()
                .is_none()
        );
        assert!(
            ProfilerSpec::parse("safepoint", &options)
                .unwrap()
                .is_control()
        );
        assert!(matches!(
            ProfilerSpec::parse("async", &options),
            Err(SpecError::Unavailable { .. })
        ));
        let fetched = ProfilerOptions {
            async_profiler: Some(("api.jar".into(), "libasyncProfiler.so".into())),
            ..ProfilerOptions::default()
        };
        for (name, clock, by_agct) in [
            ("async", None, false),
            ("async+agct", None, true),
            ("async-ctimer+agct", Some("ctimer"), true),
        ] {
            assert!(ProfilerSpec::wants_async(name));
            let spec = ProfilerSpec::parse(name, &fetched).unwrap();
            let Engine::Async { event, agct, .. } = spec.engine else {
                panic!("{name}")
            };
            assert_eq!((event.as_deref(), agct), (clock, by_agct));
        }
        assert!(matches!(
            ProfilerSpec::parse("jfr+agct", &options),
            Err(SpecError::Unknown(_))
        ));
        assert!(matches!(
            ProfilerSpec::parse("gprof", &options),
            Err(SpecError::Unknown(_))
        ));
        assert!(matches!(
            ProfilerSpec::parse("cmd: ", &options),
            Err(SpecError::Unknown(_))
        ));
        assert!(matches!(
            ProfilerSpec::parse("perf", &ProfilerOptions::default()),
            Err(SpecError::Unavailable { .. })
        ));
    }
}
