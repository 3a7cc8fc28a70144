//! Evidence that cannot be judged is refused with the place of the first fault.

use crate::{Condition, Evidence, ProfilerEvidence};

/// What is wrong with the evidence.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EvidenceError {
    /// A list per method has another length than the list of methods.
    #[error("{profiler}, window {window}: {found} weights in `{field}` for {expected} methods")]
    Length {
        /// Profiler.
        profiler: String,
        /// Window.
        window: u32,
        /// Field.
        field: &'static str,
        /// Its length.
        found: usize,
        /// Number of methods.
        expected: usize,
    },
    /// A weight or time is negative, infinite or not a number.
    #[error("{profiler}, window {window}: `{field}` holds {value}")]
    Number {
        /// Profiler.
        profiler: String,
        /// Window.
        window: u32,
        /// Field.
        field: &'static str,
        /// The value.
        value: f64,
    },
    /// A window refers to a single-block experiment that has no target, or a target to a method that does not exist.
    #[error(
        "{profiler}: single-block experiment {index} has no target, or its owner is not in the list of methods"
    )]
    Target {
        /// Profiler.
        profiler: String,
        /// Index of the experiment.
        index: u32,
    },
}

/// Checks lengths, signs and references.
pub(crate) fn validate(evidence: &Evidence) -> Result<(), EvidenceError> {
    let expected = evidence.methods.len();
    evidence
        .profilers
        .iter()
        .try_for_each(|p| profiler(p, expected))
}

fn profiler(p: &ProfilerEvidence, methods: usize) -> Result<(), EvidenceError> {
    for w in &p.windows {
        let rest = [
            w.at.seconds,
            w.native,
            w.unattributed,
            w.lost,
            w.other_threads,
        ];
        list(p, w.at.window, "methods", &w.methods, Some(methods))?;
        list(
            p,
            w.at.window,
            "native, unattributed, lost, other_threads or seconds",
            &rest,
            None,
        )?;
        target(p, w.at.condition, methods)?;
    }
    for w in &p.truth {
        target(p, w.at.condition, methods)?;
        for s in &w.streams {
            list(p, w.at.window, "methods", &s.methods, Some(methods))?;
            for (field, values) in [
                ("ambiguous", &s.ambiguous),
                ("claimable", &s.claimable),
                ("reported", &s.reported),
                ("roots", &s.roots),
            ] {
                list(
                    p,
                    w.at.window,
                    field,
                    values,
                    (!values.is_empty()).then_some(methods),
                )?;
            }
            for replay in &s.replays {
                list(p, w.at.window, "replays", &replay.methods, Some(methods))?;
            }
            list(p, w.at.window, "outside", &[s.outside], None)?;
        }
    }
    for w in &p.totals {
        list(p, w.at.window, "iteration_ms", &w.iteration_ms, None)?;
        target(p, w.at.condition, methods)?;
    }
    Ok(())
}

fn list(
    p: &ProfilerEvidence,
    window: u32,
    field: &'static str,
    values: &[f64],
    length: Option<usize>,
) -> Result<(), EvidenceError> {
    if let Some(expected) = length.filter(|l| *l != values.len()) {
        return Err(EvidenceError::Length {
            profiler: p.name.clone(),
            window,
            field,
            found: values.len(),
            expected,
        });
    }
    match values.iter().find(|v| !v.is_finite() || **v < 0.0) {
        Some(value) => Err(EvidenceError::Number {
            profiler: p.name.clone(),
            window,
            field,
            value: *value,
        }),
        None => Ok(()),
    }
}

fn target(p: &ProfilerEvidence, condition: Condition, methods: usize) -> Result<(), EvidenceError> {
    let (Condition::Single(index) | Condition::SingleLow(index)) = condition else {
        return Ok(());
    };
    match p.targets.get(index as usize) {
        Some(target) if target.owner < methods => Ok(()),
        _ => Err(EvidenceError::Target {
            profiler: p.name.clone(),
            index,
        }),
    }
}
