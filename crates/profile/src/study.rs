//! The uniform JSON in which "Don't Trust Your Profiler" (MPLR 2023) published its profiles.
//!
//! One file per run: `{ profiler: { recording: { method: percent } }, "Runtimes": { recording: ms } }`, per recording
//! at most the ten hottest methods.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::builder::Builder;
use crate::error::ImportError;
use crate::identity::MethodId;
use crate::import::Format;
use crate::model::*;

/// What one profiler reported about one program in one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    /// The profiler, in the study's spelling: `Async`, `HonestProfiler`, `JavaFlightRecorder`, ...
    pub profiler: String,
    /// The recording's file name, which contains the program's name.
    pub name: String,
    /// Rows in the file's spelling: method and per cent of run time. Perf's have one without a name.
    pub rows: Vec<(String, f64)>,
}

impl Recording {
    /// Per cent by the study's identity of methods, see [`study_identity`]. If two rows are one method, the larger
    /// share counts, as it did in the study.
    #[must_use]
    pub fn shares(&self) -> BTreeMap<String, f64> {
        let mut shares = BTreeMap::new();
        for (method, share) in &self.rows {
            let known = shares
                .entry(study_identity(&self.profiler, method))
                .or_insert(*share);
            *known = f64::max(*known, *share);
        }
        shares
    }

    /// The recording as a profile with our own identity of methods.
    #[must_use]
    pub fn profile(&self) -> Profile {
        let mut builder = Builder::new(Format::Study, &self.profiler, "cpu");
        builder.head().unit = Unit::Percent;
        for (name, share) in &self.rows {
            let (method, kind) = match MethodId::parse(name) {
                Some(method) => (method, FrameKind::Unknown),
                None if name.trim().is_empty() => {
                    (MethodId::symbol("[unnamed]"), FrameKind::Unknown)
                }
                None => (MethodId::symbol(name), FrameKind::Native),
            };
            builder.table_row(method, kind, *share, None);
        }
        builder.finish()
    }
}

/// One run of all programs under all profilers.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyRun {
    /// Profiles, in the order of profiler and name.
    pub recordings: Vec<Recording>,
    /// Median time of an iteration in milliseconds, by recording.
    pub runtimes: BTreeMap<String, f64>,
}

/// Reads one file of the study.
///
/// # Errors
/// If it is no JSON of that shape, a share is no number from 0 to 100 or a time none from 0.
pub fn read_study(bytes: &[u8]) -> Result<StudyRun, ImportError> {
    let json: Value = serde_json::from_slice(bytes)
        .map_err(|error| ImportError::json(Format::Study, bytes, &error))?;
    study_run(&json)
}

/// True for an object of that shape.
pub(crate) fn is_study(json: &Value) -> bool {
    json["Runtimes"].is_object()
}

fn study_run(json: &Value) -> Result<StudyRun, ImportError> {
    let profilers = json
        .as_object()
        .ok_or_else(|| bad("the file is no JSON object"))?;
    let mut run = StudyRun {
        recordings: Vec::new(),
        runtimes: BTreeMap::new(),
    };
    for (profiler, recordings) in profilers {
        let recordings = recordings.as_object().ok_or_else(|| bad(profiler))?;
        for (name, value) in recordings {
            if profiler == "Runtimes" {
                run.runtimes
                    .insert(name.clone(), number(value).ok_or_else(|| bad(name))?);
            } else {
                run.recordings.push(recording(profiler, name, value)?);
            }
        }
    }
    run.recordings
        .sort_by(|a, b| (&a.profiler, &a.name).cmp(&(&b.profiler, &b.name)));
    Ok(run)
}

fn recording(profiler: &str, name: &str, value: &Value) -> Result<Recording, ImportError> {
    let rows = value.as_object().ok_or_else(|| bad(name))?.iter();
    let rows = rows.map(|(method, value)| Some((method.clone(), share(value)?)));
    let rows = rows.collect::<Option<Vec<_>>>().ok_or_else(|| bad(name))?;
    Ok(Recording {
        profiler: profiler.to_owned(),
        name: name.to_owned(),
        rows,
    })
}

/// A number that a share or a time can be, or a text of one with `%` or without.
fn number(value: &Value) -> Option<f64> {
    let text = || {
        value
            .as_str()?
            .trim()
            .trim_end_matches('%')
            .trim()
            .parse()
            .ok()
    };
    let number = value.as_f64().or_else(text);
    number.filter(|number| number.is_finite() && *number >= 0.0)
}

fn share(value: &Value) -> Option<f64> {
    number(value).filter(|share| *share <= 100.0)
}

fn bad(what: &str) -> ImportError {
    let expected = format!(
        "an object of profilers, recordings and per cent per method was expected; {what:?} does not fit"
    );
    ImportError::damaged(Format::Study, 0, expected)
}

/// The study's identity of a method that `profiler` reported: hexadecimal addresses removed, a name with `$$Lambda`
/// cut there, YourKit's trailing file name and its parameters removed.
#[must_use]
pub fn study_identity(profiler: &str, method: &str) -> String {
    let method = method.trim();
    if let Some(at) = method.find("$$Lambda") {
        return method[..at].to_owned();
    }
    let method = match profiler {
        "YourKit" => method.split('(').next().unwrap_or(method),
        _ => method,
    };
    remove_addresses(method)
}

/// Takes out every `0x` with the digits behind it.
fn remove_addresses(method: &str) -> String {
    let mut out = String::new();
    let mut rest = method;
    while let Some(at) = rest.find("0x") {
        out.push_str(&rest[..at]);
        rest = rest[at + 2..].trim_start_matches(|c: char| c.is_ascii_hexdigit());
    }
    out + rest
}
