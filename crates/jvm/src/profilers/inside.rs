//! Profilers that run inside the JVM: what the harness is asked to start.

use std::path::Path;

use super::spec::{Engine, ProfilerSpec};
use crate::harness::requests::{InsideProfiler, Setting, path_word};

const MS: u64 = 1_000_000;

/// The profiler for the harness to start, which leaves its files in the directory; none for one that runs beside the JVM.
pub(crate) fn profiler(spec: &ProfilerSpec, directory: &Path) -> Option<InsideProfiler> {
    let period_ms = spec.interval_ns.div_ceil(MS).max(1);
    let setting = |event, name, value: String| Setting { event, name, value };
    match &spec.engine {
        Engine::Async {
            event,
            agct,
            jar,
            library,
        } => {
            let event = event.as_deref().unwrap_or("cpu");
            let walk = if *agct { ",features=agct" } else { "" };
            Some(InsideProfiler::Async {
                jar: path_word(jar),
                library: path_word(library),
                // Threads are told apart when recording begins or not at all.
                start: format!("event={event},interval={},threads{walk}", spec.interval_ns),
                directory: path_word(directory),
            })
        }
        Engine::Jfr => {
            let events = ["jdk.ExecutionSample", "jdk.NativeMethodSample"];
            let settings = events.map(|event| setting(event, "period", format!("{period_ms} ms")));
            Some(InsideProfiler::Jfr {
                settings: settings.into(),
            })
        }
        Engine::JfrCpu => Some(InsideProfiler::Jfr {
            settings: vec![
                setting("jdk.CPUTimeSample", "enabled", "true".into()),
                setting("jdk.CPUTimeSample", "throttle", format!("{period_ms}ms")),
            ],
        }),
        Engine::Safepoint => Some(InsideProfiler::Safepoint {
            interval_ns: spec.interval_ns,
            directory: path_word(directory),
        }),
        Engine::Perf { .. } | Engine::Command { .. } => None,
    }
}
