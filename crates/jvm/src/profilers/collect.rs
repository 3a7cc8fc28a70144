//! From a profiler's files to weight per method and window.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

pub(super) use proofmark_experiment::lab::ProfiledWindow;
use proofmark_profile::{
    Filter, GrowingJfr, ImportError, LineWeights, Options, Profile, Shares, ThreadFilter, import,
};

use super::spec::Engine;
use crate::error::LabError;
use crate::harness::Hello;
use crate::threads::NOT_OF_THE_PROGRAM;

/// Classes whose work on the workload's thread is ours: installing code between iterations.
const OURS: [&str; 3] = ["proofmark.graal.", "jdk.graal.", "jdk.vm.ci."];

/// Classes of the harness whose work stands between the program's iterations in a profiled window, and is nobody's time: the loop that
/// is a clock, and what compares the program's outputs.
const BETWEEN: [&str; 2] = ["proofmark.harness.Turns", "proofmark.harness.Comparison"];

/// Which threads are the workload's.
#[derive(Debug, Clone)]
pub(crate) enum Scope {
    /// The one that calls it: the kernel's id, and the Java name.
    Caller(i64, String),
    /// It and all that it started: the kernel's ids.
    Program(BTreeSet<i64>),
}

impl Scope {
    /// The thread that calls the workload.
    pub fn of(hello: &Hello) -> Self {
        Self::Caller(i64::from(hello.tid), hello.thread.clone())
    }

    /// By the kernel's id where the profile tells ids, else by name; all where it tells no threads.
    fn filter(&self, profile: &Profile) -> Filter {
        let threads = &profile.threads;
        let thread = match self {
            _ if threads.is_empty() => ThreadFilter::All,
            Self::Caller(id, _) if threads.iter().any(|one| one.os_id == Some(*id)) => {
                ThreadFilter::OsId(*id)
            }
            Self::Caller(_, name) => ThreadFilter::Name(name.clone()),
            Self::Program(ids) => ThreadFilter::Program {
                os_ids: ids.clone(),
                not_named: NOT_OF_THE_PROGRAM.map(str::to_owned).into(),
            },
        };
        let ours = OURS.into_iter().chain(BETWEEN);
        Filter {
            thread,
            without_classes: ours.map(str::to_owned).collect(),
            ..Filter::default()
        }
    }
}

/// All samples but those of what runs between iterations.
fn everybody() -> Filter {
    Filter {
        without_classes: BETWEEN.map(str::to_owned).into(),
        ..Filter::default()
    }
}

fn profiled(
    shares: &Shares,
    all: &Shares,
    lines: LineWeights,
    profile: &Profile,
) -> ProfiledWindow {
    ProfiledWindow {
        methods: shares
            .methods
            .iter()
            .filter(|(_, s)| s.self_weight > 0.0)
            .map(|(m, s)| (m.clone(), s.self_weight))
            .collect(),
        lines,
        native: shares.not_java_weight(),
        unattributed: shares.failed_weight(),
        lost: shares.lost_samples(),
        other_threads: (all.weight() - shares.weight()).max(0.0),
        overloads_merged: profile.overloads_merged,
    }
}

/// Reads a profile file.
fn read(file: &Path, options: &Options) -> Result<Profile, LabError> {
    let bytes = std::fs::read(file).map_err(no_file(file))?;
    whole(file, import(&bytes, options))
}

/// A profiler left no such file.
fn no_file(file: &Path) -> impl FnOnce(std::io::Error) -> LabError {
    LabError::io(format!("the profiler left no file {}", file.display()))
}

/// What was read of a profile file, if that is all of it.
fn whole(file: &Path, read: Result<Profile, ImportError>) -> Result<Profile, LabError> {
    let damaged = |message| LabError::Profile {
        file: file.to_owned(),
        message,
    };
    let profile = read.map_err(|source| damaged(source.to_string()))?;
    // Half a profile is not what the profiler reported.
    if profile.incomplete {
        return Err(damaged(profile.remarks.join("; ")));
    }
    Ok(profile)
}

/// What a profiler reported of windows with these labels, in order. `file`: the one of each label; the Flight Recorder
/// has one for all, in which the harness marked them. `options`: what whole recordings are read with.
pub(crate) fn reported(
    engine: &Engine,
    labels: &[String],
    scope: &Scope,
    options: &Options,
    file: impl Fn(usize) -> PathBuf,
) -> Result<Vec<ProfiledWindow>, LabError> {
    if engine.has_one_recording() {
        return jfr_windows(&mut GrowingJfr::default(), &file(0), scope, labels);
    }
    let window = |at| {
        let file = file(at);
        match file.extension().and_then(OsStr::to_str) {
            Some("jfr" | "data") => whole_window(&file, scope, options),
            _ => collapsed_window(&file, scope),
        }
    };
    (0..labels.len()).map(window).collect()
}

/// A file that holds one window and nothing else.
fn collapsed_window(file: &Path, scope: &Scope) -> Result<ProfiledWindow, LabError> {
    let profile = match std::fs::metadata(file) {
        // A window without any sample leaves an empty file.
        Ok(data) if data.len() == 0 => return Ok(ProfiledWindow::default()),
        _ => read(file, &Options::default())?,
    };
    let filter = scope.filter(&profile);
    Ok(profiled(
        &profile.by_method(&filter),
        &profile.by_method(&everybody()),
        LineWeights::new(),
        &profile,
    ))
}

/// The same for a file that knows times and lines, or needs the JVM's map of its code.
fn whole_window(file: &Path, scope: &Scope, options: &Options) -> Result<ProfiledWindow, LabError> {
    let profile = read(file, options)?;
    let whole = i64::MIN..i64::MAX;
    Ok(windows_of(&profile, scope, std::slice::from_ref(&whole)).remove(0))
}

/// Windows that the harness marked in the recording itself. `recording`: what was read of it before.
pub(crate) fn jfr_windows(
    recording: &mut GrowingJfr,
    file: &Path,
    scope: &Scope,
    labels: &[String],
) -> Result<Vec<ProfiledWindow>, LabError> {
    let opened = File::open(file).map_err(no_file(file))?;
    let profile = whole(file, recording.read(opened))?;
    // A window that was repeated is marked more than once; its last run is the one that counts.
    let mut windows: Vec<Range<i64>> = Vec::new();
    for label in labels {
        let mark = profile.marks.iter().rev().find(|mark| mark.label == *label);
        let missing = || LabError::Profile {
            file: file.to_owned(),
            message: format!("window {label} is not in the recording"),
        };
        windows.push(mark.ok_or_else(missing)?.window());
    }
    Ok(windows_of(&profile, scope, &windows))
}

/// The given stretches of time, in the profile's clock.
fn windows_of(profile: &Profile, scope: &Scope, windows: &[Range<i64>]) -> Vec<ProfiledWindow> {
    let filter = scope.filter(profile);
    let shares = profile.by_windows(&filter, windows);
    let lines = profile.by_lines(&filter, windows);
    let all = profile.by_windows(&everybody(), windows);
    shares
        .iter()
        .zip(&all)
        .zip(lines)
        .map(|((shares, all), lines)| profiled(shares, all, lines, profile))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seven of ten samples, as the safepoint control leaves them: without threads.
    #[test]
    fn what_runs_between_iterations_is_in_no_profile_and_in_no_other_thread() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("w0.collapsed");
        let text = "a/A.run;a/A.get 3\nproofmark/harness/DoseSession.read;proofmark/harness/Turns.pass 5\n\
                    proofmark/harness/Comparison.compare;java/util/Arrays.mismatch 2\n";
        std::fs::write(&file, text).unwrap();
        let scope = Scope::Caller(1, "main".into());
        let window = collapsed_window(&file, &scope).unwrap();
        let own: f64 = window.methods.values().sum();
        let others = window.native + window.unattributed;
        assert_eq!(
            (own, others, window.other_threads),
            (3.0, 0.0, 0.0),
            "{window:?}"
        );
    }
}
