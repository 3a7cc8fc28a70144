//! Which profilers are judged, and what each promises.

use std::path::{Path, PathBuf};

use proofmark_experiment::assess::Subject;
use proofmark_jvm::{Engine, ProfilerOptions, ProfilerSpec, SpecError, find_perf};

use serde_json::{Value, json};

use crate::context::{Context, Refusal};
use crate::request::AssessRequest;
use crate::session::file_name;

/// Profilers of the command line; controls are left out, because they always run.
///
/// # Errors
/// When one is unknown or cannot be had.
pub fn specs(context: &Context, request: &AssessRequest) -> anyhow::Result<Vec<ProfilerSpec>> {
    let names: Vec<&String> = subjects(request).collect();
    let library = request.async_library.as_deref();
    started(context, &names, request.interval_ms, library)
}

/// Profilers of these names, with what they need. `interval_ms`: time between samples, none: each one's own;
/// `library`: another build of async-profiler's.
///
/// # Errors
/// When one is unknown or cannot be had.
pub fn started(
    context: &Context,
    names: &[&String],
    interval_ms: Option<f64>,
    library: Option<&Path>,
) -> anyhow::Result<Vec<ProfilerSpec>> {
    let mut options = ProfilerOptions {
        interval_ns: interval_ms.map(|ms| (ms * 1e6).max(1.0) as u64),
        async_profiler: None,
        perf: find_perf(),
    };
    if names.iter().any(|name| ProfilerSpec::wants_async(name)) {
        options.async_profiler = Some(async_profiler(context, library)?);
    }
    let parse = |name: &&String| {
        let spec = ProfilerSpec::parse(name, &options)?;
        spec.check_program()?;
        Ok::<_, SpecError>(spec)
    };
    let specs: Result<_, SpecError> = names.iter().map(parse).collect();
    Ok(specs.map_err(|e| Refusal::Usage(e.to_string()))?)
}

/// Profilers as they would be started, without fetching anything.
///
/// # Errors
/// When one is unknown.
pub fn named(request: &AssessRequest) -> anyhow::Result<Vec<ProfilerSpec>> {
    let options = ProfilerOptions {
        interval_ns: request.interval_ms.map(|ms| (ms * 1e6).max(1.0) as u64),
        async_profiler: Some(Default::default()),
        perf: find_perf(),
    };
    let parse = |name: &String| {
        ProfilerSpec::parse(name, &options).map_err(|e| Refusal::Usage(e.to_string()).into())
    };
    subjects(request).map(parse).collect()
}

/// Names of the command line without the controls.
pub fn subjects(request: &AssessRequest) -> impl Iterator<Item = &String> {
    request
        .profilers
        .iter()
        .filter(|name| *name != "oracle" && *name != "safepoint")
}

fn async_profiler(context: &Context, library: Option<&Path>) -> anyhow::Result<(PathBuf, PathBuf)> {
    let kit = &context.session.kit;
    let found = kit.async_profiler(&context.session.toolchain)?;
    let Some(library) = library else {
        return Ok((found.jar, found.lib));
    };
    if !library.is_file() {
        return Err(Refusal::Usage(format!("no such library: {}", library.display())).into());
    }
    proofmark_jvm::check_agent(&kit.jdk, library)
        .map_err(|text| Refusal::Usage(format!("--async-library: {text}")))?;
    Ok((found.jar, library.to_owned()))
}

/// Highest rates that JFR reached here with shorter periods, 1/s.
const JFR_HZ: f64 = 400.0;
const JFR_CPU_HZ: f64 = 150.0;

/// A profiler as an assessment knows it.
pub fn subject(spec: &ProfilerSpec, budget_s: Option<f64>) -> Subject {
    let explained = spec.with_debug_info();
    Subject {
        name: spec.name.clone(),
        file: file_name(&spec.name),
        samples_per_s: samples_per_s(spec),
        explained: explained.map(|spec| Box::new(subject(&spec, budget_s))),
        options: options(spec, budget_s),
    }
}

/// What the profiler's interval promises.
fn samples_per_s(spec: &ProfilerSpec) -> f64 {
    let asked = 1e9 / spec.interval_ns as f64;
    match spec.engine {
        Engine::Jfr => (0.8 * asked).min(JFR_HZ),
        Engine::JfrCpu => (0.8 * asked).min(JFR_CPU_HZ),
        _ => 0.9 * asked,
    }
}

/// What decides how a profiler behaves.
fn options(spec: &ProfilerSpec, budget_s: Option<f64>) -> Value {
    let library = match &spec.engine {
        Engine::Async { library, .. } => {
            let data = std::fs::metadata(library).ok();
            let age = data.as_ref().and_then(|data| data.modified().ok());
            json!([library, data.map(|data| data.len()), age])
        }
        _ => Value::Null,
    };
    json!({
        "--interval": spec.interval_ns,
        "--time-budget": budget_s,
        "--async-library": library,
    })
}
