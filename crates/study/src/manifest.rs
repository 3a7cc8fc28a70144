//! What `study run` leaves: one recording per run, and `runs.jsonl` with a line of JSON per run.

use proofmark_profile::profiler_name;
use serde::{Deserialize, Serialize};

/// Name of the manifest in a study's directory.
pub const MANIFEST: &str = "runs.jsonl";

/// [`RunRecord::profiler`] of runs without a profiler.
pub const NO_PROFILER: &str = "none";

/// One run of one program: a line of [`MANIFEST`], written when the run has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The program, such as `suite:Queens`.
    pub program: String,
    /// The profiler's name, such as `jfr` or `async`; [`NO_PROFILER`] without one.
    pub profiler: String,
    /// Number of the run among those of this program and profiler, from 0.
    pub run: u32,
    /// The recording, relative to the study's directory; none without a profiler or if the run failed.
    pub file: Option<String>,
    /// The `perf-PID.map` that names the code in the recording, relative to the study's directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub perf_map: Option<String>,
    /// The jitdump file that names the code in the recording, relative to the study's directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jitdump: Option<String>,
    /// The operating system's id of the thread that ran the program; with it only this thread's samples count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread_os_id: Option<i64>,
    /// That thread's name, for profilers that tell names only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread_name: Option<String>,
    /// Sampling interval that was asked for, ns.
    pub interval_ns: Option<u64>,
    /// Time of every iteration, ms, in order.
    pub iterations_ms: Vec<f64>,
    /// Bytes by which the environment was made larger in this run.
    pub env_bytes: u64,
    /// Seed of the study's order of runs.
    pub seed: u64,
    /// Why the run has no result; none if all went well.
    pub failure: Option<String>,
}

/// A manifest that cannot be understood.
#[derive(Debug, thiserror::Error)]
#[error(
    "line {line} of the manifest is no run of a study: {what}; remove the line or run the study again"
)]
pub struct ManifestError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

/// Reads the lines of a manifest. A last line without its end, as a killed study leaves it, does not count. Of several
/// lines for one run the last counts: a run that failed may have been repeated. Names of profilers are as they are written now.
///
/// # Errors
/// If another line is not a [`RunRecord`].
pub fn read_manifest(bytes: &[u8]) -> Result<Vec<RunRecord>, ManifestError> {
    let mut runs: Vec<RunRecord> = Vec::new();
    for (at, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let record = match serde_json::from_slice::<RunRecord>(line) {
            Ok(record) => record,
            Err(_) if line.last() != Some(&b'\n') || line.trim_ascii().is_empty() => continue,
            Err(error) => {
                return Err(ManifestError {
                    line: at + 1,
                    what: error.to_string(),
                });
            }
        };
        let record = RunRecord {
            profiler: profiler_name(&record.profiler),
            ..record
        };
        let same = |known: &RunRecord| {
            (&known.program, &known.profiler, known.run)
                == (&record.program, &record.profiler, record.run)
        };
        match runs.iter().position(same) {
            Some(known) => runs[known] = record,
            None => runs.push(record),
        }
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(run: u32, failure: Option<&str>) -> RunRecord {
        RunRecord {
            program: "suite:Queens".into(),
            profiler: "jfr".into(),
            run,
            file: Some(format!("queens-jfr-{run}.jfr")),
            perf_map: None,
            jitdump: None,
            thread_os_id: Some(17),
            thread_name: None,
            interval_ns: Some(10_000_000),
            iterations_ms: vec![1.5, 1.25],
            env_bytes: 96,
            seed: 1,
            failure: failure.map(str::to_owned),
        }
    }

    #[test]
    fn a_torn_last_line_is_dropped_and_a_repeated_run_counts_once() {
        let line = |record| serde_json::to_string(&record).unwrap();
        let text = format!(
            "{}\n{}\n{}\n{{\"program\":\"sui",
            line(record(0, Some("killed"))),
            line(record(1, None)),
            line(record(0, None))
        );
        let runs = read_manifest(text.as_bytes()).unwrap();
        assert_eq!(runs, [record(0, None), record(1, None)]);
    }

    #[test]
    fn former_names_of_profilers_are_read() {
        let named = |profiler: &str| RunRecord {
            profiler: profiler.into(),
            ..record(0, None)
        };
        let (old, new) = (named("jfr+dns"), named("jfr+nonsafepoints"));
        let line = |record: &RunRecord| serde_json::to_string(record).unwrap();
        let text = format!("{}\n{}\n", line(&old), line(&new));
        assert_eq!(read_manifest(text.as_bytes()).unwrap(), [new]);
    }

    #[test]
    fn a_damaged_line_is_named() {
        let text = format!(
            "{}\n{{\"program\":3}}\n",
            serde_json::to_string(&record(0, None)).unwrap()
        );
        let error = read_manifest(text.as_bytes()).unwrap_err();
        assert!(error.to_string().starts_with("line 2"), "{error}");
    }
}
