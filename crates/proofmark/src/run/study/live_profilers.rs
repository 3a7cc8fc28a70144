//! The profilers of a study: what each is, and which cannot be had here.

use std::path::PathBuf;

use proofmark_jvm::study::{Agent, Attachment, perf_problem};
use proofmark_jvm::toolchain::{Kit, Settings};
use proofmark_jvm::{ProfilerOptions, ProfilerSpec, SpecError, find_perf};
use proofmark_study::NO_PROFILER;
use serde::{Deserialize, Serialize};

use crate::request::StudyRequest;
use crate::run::profilers::async_profiler;

/// What watches runs, under its name in results.
#[derive(Debug, Clone, PartialEq)]
pub struct Watcher {
    /// The name.
    pub name: String,
    /// How it is started.
    pub attachment: Attachment,
    /// Time between samples, ns, where it is ours to say.
    pub interval_ns: Option<u64>,
}

/// A profiler that takes no part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Its name.
    pub profiler: String,
    /// Why, and what to do.
    pub reason: String,
}

/// Runs without a profiler.
fn nothing() -> Watcher {
    Watcher {
        name: NO_PROFILER.into(),
        attachment: Attachment::Nothing,
        interval_ns: None,
    }
}

/// Profilers of the command line that can be had, after the runs without one; and those that cannot.
pub fn watchers(
    request: &StudyRequest,
    kit: &Kit,
    toolchain: &Settings,
) -> (Vec<Watcher>, Vec<Skipped>) {
    let mut names: Vec<&str> = Vec::new();
    for name in request.profilers.iter().map(|name| name.trim()) {
        if name != NO_PROFILER && !names.contains(&name) {
            names.push(name);
        }
    }
    let obtain = || {
        let own = request.async_library.as_deref();
        async_profiler(toolchain, &kit.jdk, own).map_err(|error| error.to_string())
    };
    let async_profiler = names
        .iter()
        .any(|name| ProfilerSpec::wants_async(name))
        .then(obtain);
    let perf = names.contains(&"perf").then(perf);
    let options = ProfilerOptions {
        async_profiler: async_profiler.clone().and_then(Result::ok),
        perf: perf.clone().and_then(Result::ok),
        ..ProfilerOptions::every(request.interval_ms)
    };
    let mut watchers = vec![nothing()];
    let mut skipped = Vec::new();
    for name in names {
        let missing = match name {
            "perf" => perf.as_ref().and_then(|found| found.as_ref().err()),
            name if ProfilerSpec::wants_async(name) => async_profiler
                .as_ref()
                .and_then(|found| found.as_ref().err()),
            _ => None,
        };
        let found = match missing {
            Some(reason) => Err(reason.clone()),
            None => watcher(name, request, &options),
        };
        match found {
            Ok(watcher) => watchers.push(watcher),
            Err(reason) => skipped.push(Skipped {
                profiler: name.to_owned(),
                reason,
            }),
        }
    }
    (watchers, skipped)
}

fn is_agent(name: &str) -> bool {
    name == "yourkit" || name == "jprofiler"
}

fn watcher(
    name: &str,
    request: &StudyRequest,
    options: &ProfilerOptions,
) -> Result<Watcher, String> {
    if is_agent(name) {
        let agent = agent(name, request, options.interval_ns)?;
        return Ok(Watcher {
            name: name.to_owned(),
            interval_ns: agent.interval_ns,
            attachment: Attachment::Agent(agent),
        });
    }
    let spec = ProfilerSpec::parse(name, options).map_err(|error| match error {
        SpecError::Unavailable { reason, .. } => reason,
        other => other.to_string(),
    })?;
    Ok(Watcher {
        name: name.to_owned(),
        interval_ns: Some(spec.interval_ns),
        attachment: Attachment::Profiler(spec),
    })
}

fn agent(name: &str, request: &StudyRequest, interval_ns: Option<u64>) -> Result<Agent, String> {
    let asked = if name == "yourkit" {
        &request.yourkit
    } else {
        &request.jprofiler
    };
    let library = asked.library.clone().ok_or_else(|| {
        format!("its licence is yours to have: give its agent with --{name} FILE")
    })?;
    if !library.is_file() {
        return Err(format!("no such file: {}", library.display()));
    }
    let options = asked
        .options
        .clone()
        .ok_or_else(|| format!("its agent needs options: give --{name}-options"))?;
    Ok(Agent {
        name: name.to_owned(),
        library,
        options,
        export: asked.export.clone(),
        interval_ns,
    })
}

fn perf() -> Result<PathBuf, String> {
    let program = find_perf()
        .ok_or("perf is not installed (Debian: apt-get install linux-perf)".to_owned())?;
    match perf_problem(&program) {
        Some(problem) => Err(problem),
        None => Ok(program),
    }
}
