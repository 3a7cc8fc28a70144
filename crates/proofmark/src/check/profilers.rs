//! Whether profilers exist and can be started, as far as it can be said without a JVM.

use std::path::Path;

use proofmark_experiment::assess::{estimate, percent};
use proofmark_jvm::dose::ATTACHED;
use proofmark_jvm::{ProfilerSpec, SpecError, check_library};

use crate::context::Refusal;
use crate::request::{AgentRequest, AssessRequest, DoseRequest, StudyRequest};
use crate::run::profilers::{startable, subject, subjects};

/// The profilers and slowdowns of an assessment, and whether its time budget is enough for them.
///
/// # Errors
/// With the first that will not do.
pub fn of_assessment(request: &AssessRequest) -> anyhow::Result<()> {
    if let Some(library) = &request.async_library {
        usable_library(library, "--async-library")?;
    }
    let names: Vec<&str> = subjects(request).map(String::as_str).collect();
    let twice = (1..names.len()).find(|at| names[..*at].contains(&names[*at]));
    if let Some(at) = twice {
        let text = format!("--profiler names '{}' twice", names[at]);
        return Err(Refusal::Usage(text).into());
    }
    let uniform: Vec<u32> = request.targets_pct.iter().copied().map(percent).collect();
    let twice = (1..uniform.len()).find(|at| uniform[..*at].contains(&uniform[*at]));
    if let Some(at) = twice {
        let text = format!(
            "--target names {} % twice: slowdowns are told apart by whole percents",
            uniform[at]
        );
        return Err(Refusal::Usage(text).into());
    }
    let budget_s = request.time_budget_s;
    for name in names {
        let spec = startable(name, request.interval_ms).map_err(usage)?;
        let pace = subject(&spec, budget_s).pace(budget_s, estimate::ASSUMED_MS);
        pace.schedule(&uniform, request.program.seed)?;
    }
    Ok(())
}

/// The profilers of a test by dose: only those inside of the JVM are told of windows that short.
///
/// # Errors
/// With the first that will not do.
pub fn of_dose(request: &DoseRequest) -> Result<(), Refusal> {
    if let Some(library) = &request.async_library {
        usable_library(library, "--async-library")?;
    }
    for (at, name) in request.profilers.iter().enumerate() {
        if name == "perf" || name.starts_with("cmd:") {
            return Err(Refusal::Usage(format!(
                "{name} runs beside the JVM and cannot be told of windows as short as these: use async, jfr, jfr-cpu (both jfr also with +nonsafepoints) or safepoint"
            )));
        }
        if request.profilers[..at].contains(name) {
            let text = format!("--profiler names '{name}' twice");
            return Err(Refusal::Usage(text));
        }
        let base = name.strip_suffix(ATTACHED);
        if base.is_some_and(|base| !ProfilerSpec::wants_async(base)) {
            let text = format!("{name}: only async-profiler can be attached");
            return Err(Refusal::Usage(text));
        }
        let spec = startable(base.unwrap_or(name), request.interval_ms);
        spec.map_err(|error| usage(inside(error)))?;
    }
    Ok(())
}

/// Why a profiler cannot be had, where only those inside of the JVM will do.
fn inside(error: SpecError) -> SpecError {
    match error {
        SpecError::Unknown(name) => SpecError::UnknownInside(name),
        other => other,
    }
}

/// A profiler that looks at candidates.
///
/// # Errors
/// When there is none of that name, or it cannot be started.
pub fn known(name: Option<&str>) -> Result<(), Refusal> {
    match name {
        Some(name) => startable(name, None).map(drop).map_err(usage),
        None => Ok(()),
    }
}

/// The profilers of a study. What is not installed is skipped there; what does not exist is a mistake.
///
/// # Errors
/// With the first that will not do.
pub fn of_study(request: &StudyRequest) -> Result<(), Refusal> {
    let files = [
        (&request.async_library, "--async-library"),
        (&request.yourkit.library, "--yourkit"),
        (&request.jprofiler.library, "--jprofiler"),
    ];
    for (library, option) in files {
        if let Some(library) = library {
            usable_library(library, option)?;
        }
    }
    let agent = |name: &str| -> Option<&AgentRequest> {
        match name {
            "yourkit" => Some(&request.yourkit),
            "jprofiler" => Some(&request.jprofiler),
            _ => None,
        }
    };
    for name in request.profilers.iter().map(|name| name.trim()) {
        if name == proofmark_study::NO_PROFILER || agent(name).is_some() {
            continue;
        }
        match startable(name, request.interval_ms) {
            Err(error @ SpecError::Unknown(_)) => {
                let text =
                    format!("{error}; in a study also yourkit and jprofiler, but not oracle");
                return Err(Refusal::Usage(text));
            }
            Err(error @ SpecError::Command { .. }) => return Err(usage(error)),
            _ => {}
        }
    }
    Ok(())
}

fn usable_library(library: &Path, option: &str) -> Result<(), Refusal> {
    check_library(library).map_err(|text| Refusal::Usage(format!("{option}: {text}")))
}

fn usage(error: SpecError) -> Refusal {
    Refusal::Usage(error.to_string())
}
