//! Which profilers are judged, and what each promises.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use proofmark_experiment::assess::Subject;
use proofmark_jvm::toolchain::{AsyncProfiler, Jdk, Settings, ToolchainError};
use proofmark_jvm::{Engine, ProfilerOptions, ProfilerSpec, SpecError, check_agent, find_perf};
use serde_json::{Value, json};

use crate::context::{Context, Refusal};
use crate::request::AssessRequest;
use crate::session::file_name;
use crate::stamp::Stamp;

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
    let mut options = with_perf(interval_ms);
    if names.iter().any(|name| ProfilerSpec::wants_async(name)) {
        let (kit, settings) = (&context.session.kit, &context.session.toolchain);
        options.async_profiler = Some(async_profiler(settings, &kit.jdk, library)?);
        if let Some(library) = library {
            check_agent(&kit.jdk, library)
                .map_err(|text| Refusal::Usage(format!("--async-library: {text}")))?;
        }
    }
    let specs = names.iter().map(|name| parsed(name, &options));
    let specs: Result<_, SpecError> = specs.collect();
    Ok(specs.map_err(|e| Refusal::Usage(e.to_string()))?)
}

/// A profiler as it would be started; nothing is fetched for it.
///
/// # Errors
/// When there is none of that name, or it cannot be started.
pub fn startable(name: &str, interval_ms: Option<f64>) -> Result<ProfilerSpec, SpecError> {
    let options = ProfilerOptions {
        async_profiler: Some(Default::default()),
        ..with_perf(interval_ms)
    };
    parsed(name, &options)
}

fn with_perf(interval_ms: Option<f64>) -> ProfilerOptions {
    ProfilerOptions {
        perf: find_perf(),
        ..ProfilerOptions::every(interval_ms)
    }
}

fn parsed(name: &str, options: &ProfilerOptions) -> Result<ProfilerSpec, SpecError> {
    let spec = ProfilerSpec::parse(name, options)?;
    spec.check_program()?;
    Ok(spec)
}

/// Names of the command line without the controls.
pub fn subjects(request: &AssessRequest) -> impl Iterator<Item = &String> {
    request
        .profilers
        .iter()
        .filter(|name| *name != "oracle" && *name != "safepoint")
}

/// Jar and library of async-profiler, fetched at first use; `library`: another build of the library, checked before.
///
/// # Errors
/// When it cannot be had, or has no library for this processor.
pub fn async_profiler(
    settings: &Settings,
    jdk: &Jdk,
    library: Option<&Path>,
) -> Result<(PathBuf, PathBuf), ToolchainError> {
    let found = AsyncProfiler::obtain(settings, jdk)?;
    Ok((found.jar, library.map_or(found.lib, Path::to_owned)))
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
        Engine::Async { library, .. } => Stamp::of(library).file(),
        _ => Value::Null,
    };
    let program = spec.program();
    json!({
        "--interval": spec.interval_ns,
        "--time-budget": budget_s,
        "--async-library": library,
        "build of its program": program.map(|file| Stamp::of(&file).file()),
    })
}

/// Files of these profilers by their names, where they have one that is not the JVM's: `library`, perf, or the program of a
/// command. async-profiler that Proofmark fetched is locked: every copy of it is the same.
pub fn files<'n>(
    names: impl IntoIterator<Item = &'n String>,
    library: Option<&Path>,
) -> BTreeMap<String, Stamp> {
    let file = |name: &str| {
        if ProfilerSpec::wants_async(name) {
            let fetched = || Stamp::named("fetched by Proofmark", None);
            return Some(library.map_or_else(fetched, Stamp::of));
        }
        let program = startable(name, None).ok()?.program()?;
        Some(Stamp::of(&program))
    };
    let named = |name: &'n String| {
        let name = name.trim();
        Some((name.to_owned(), file(name)?))
    };
    names.into_iter().filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is kept of a profiler is measured again when its file was built anew.
    #[test]
    fn files_of_profilers_are_among_their_options() {
        let place = tempfile::tempdir().unwrap();
        let [own, library] = ["own", "own.so"].map(|name| place.path().join(name));
        let line = format!("cmd:{} {{pid}} {{out}}", own.display());
        let spec = |name: &str| {
            let fetched = Some((PathBuf::from("a.jar"), library.clone()));
            let given = ProfilerOptions {
                async_profiler: fetched,
                ..ProfilerOptions::default()
            };
            ProfilerSpec::parse(name, &given).unwrap()
        };
        for (name, file) in [(line.as_str(), &own), ("async", &library)] {
            std::fs::write(file, "one").unwrap();
            let before = options(&spec(name), None);
            assert_eq!(options(&spec(name), None), before, "{name}");
            std::fs::write(file, "longer than before").unwrap();
            assert_ne!(options(&spec(name), None), before, "{name}");
        }
        let names = [line, "async".to_owned(), "jfr".to_owned()];
        let files = files(&names, Some(&library));
        assert_eq!(files.len(), 2, "{files:?}");
        assert_eq!(files["async"], Stamp::of(&library));
        assert_eq!(files[&names[0]], Stamp::of(&own));
    }
}
