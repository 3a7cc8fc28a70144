//! The published study's files as recordings, under the rules of its own analysis.

use std::collections::BTreeMap;

use proofmark_profile::{MethodId, StudyRun, study_identity};

use crate::model::{Recording, Row};

/// What the files of the published study hold.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Published {
    /// Recordings in the order of the files.
    pub recordings: Vec<Recording>,
    /// Runs without profiler: program and median time of an iteration, ms.
    pub unprofiled: Vec<(String, f64)>,
}

/// Recordings of these files, one per run. Within a profiler the study's own identity of methods counts
/// ([`study_identity`]), across profilers ours.
#[must_use]
pub fn published(runs: &[StudyRun]) -> Published {
    let mut out = Published::default();
    for run in runs {
        for recording in &run.recordings {
            out.recordings.push(Recording {
                program: program(&recording.name),
                profiler: profiler(&recording.profiler),
                rows: rows(recording),
                whole: false,
                samples: None,
                // Perf's recordings are called as the run times without profiler.
                iteration_ms: run
                    .runtimes
                    .get(&recording.name)
                    .copied()
                    .filter(|_| !is_unprofiled(&recording.name)),
            });
        }
        let unprofiled = run.runtimes.iter().filter(|(name, _)| is_unprofiled(name));
        out.unprofiled
            .extend(unprofiled.map(|(name, ms)| (program(name), *ms)));
    }
    out
}

/// Rows of one recording; of two rows for one method the larger share counts, as it did in the study.
fn rows(recording: &proofmark_profile::Recording) -> Vec<Row> {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for (method, share_pct) in &recording.rows {
        let identity = study_identity(&recording.profiler, method);
        let row = rows.entry(identity.clone()).or_insert_with(|| Row {
            identity,
            common: common(method),
            share_pct: *share_pct,
        });
        row.share_pct = row.share_pct.max(*share_pct);
    }
    rows.into_values().collect()
}

fn common(method: &str) -> String {
    match MethodId::parse(method) {
        Some(id) => id.without_descriptor().to_string(),
        None => method.trim().to_owned(),
    }
}

fn is_unprofiled(name: &str) -> bool {
    name.ends_with(".data")
}

/// `rebench_test_Async_Queens.txt` is about `Queens`.
fn program(name: &str) -> String {
    let stem = name.split('.').next().unwrap_or(name);
    stem.rsplit('_').next().unwrap_or(stem).to_owned()
}

/// The study's names of profilers as ours.
fn profiler(name: &str) -> String {
    match name {
        "HonestProfiler" => "honest".into(),
        "JavaFlightRecorder" => "jfr".into(),
        other => other.to_lowercase(),
    }
}
