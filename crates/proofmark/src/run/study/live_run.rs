//! One run of a study, from its JVM to its line of the manifest.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use proofmark_jvm::study::{self, RunOrder, RunOutcome};
use proofmark_jvm::toolchain::Kit;
use proofmark_jvm::{LabError, Workload};
use proofmark_study::RunRecord;

use super::live_manifest::Finished;
use super::live_order::Planned;
use super::live_place::Place;
use super::live_profilers::Watcher;
use super::live_record::{Ledger, RECORDINGS};
use crate::request::StudyRequest;
use crate::request::programs::Program;
use crate::session::file_name;

/// Longest text of a failure that the manifest keeps; all of it is in the log.
const FAILURE_CHARS: usize = 2000;

/// What is the same for all runs.
pub struct Workshop<'a> {
    /// JDK and jars.
    pub kit: &'a Kit,
    /// The command line.
    pub request: &'a StudyRequest,
    /// Iterations of every run.
    pub iterations: u32,
    /// Set on Ctrl-C.
    pub interrupted: Arc<AtomicBool>,
}

/// A run that is about to be made.
pub struct Next<'a> {
    /// Its place in the order.
    pub planned: Planned,
    /// The program.
    pub program: &'a Program,
    /// The profiler.
    pub watcher: &'a Watcher,
    /// Time that it should take, s.
    pub expected_s: f64,
}

impl Workshop<'_> {
    fn order<'a>(
        &self,
        workload: &'a Workload,
        watcher: &'a Watcher,
        place: &'a Place,
    ) -> RunOrder<'a> {
        RunOrder {
            workload,
            attachment: &watcher.attachment,
            compiler: self.request.compiler,
            heap_mb: self.request.heap_mb,
            iterations: self.iterations,
            env_bytes: 0,
            iteration_limit: self.iteration_limit(),
            run_limit: self.iteration_limit() * self.iterations,
            directory: &place.directory,
            log: &place.log,
            all_threads: self.request.all_threads,
            interrupted: self.interrupted.clone(),
        }
    }

    fn iteration_limit(&self) -> Duration {
        Duration::from_secs_f64(self.request.iteration_timeout_s)
    }

    /// Runs a program without a profiler, so many iterations, for its pace. Only the log of a failed one
    /// stays, among the temporary files.
    ///
    /// # Errors
    /// When the run fails.
    pub fn trial(
        &self,
        program: &Program,
        nothing: &Watcher,
        iterations: u32,
    ) -> Result<(f64, Vec<f64>), LabError> {
        let failed = |source| LabError::Io {
            what: "cannot make a temporary file".into(),
            source,
        };
        let temporary = tempfile::tempdir().map_err(failed)?;
        let log = tempfile::Builder::new()
            .prefix("proofmark-trial-")
            .suffix(".log")
            .tempfile()
            .map_err(failed)?;
        let place = Place {
            directory: temporary.path().to_owned(),
            log: log.path().to_owned(),
        };
        let order = RunOrder {
            iterations,
            ..self.order(&program.workload, nothing, &place)
        };
        let begin = Instant::now();
        match study::run(self.kit, &order) {
            Ok(outcome) => Ok((begin.elapsed().as_secs_f64(), outcome.iterations_ms)),
            Err(error) => {
                // The error names it.
                let _ = log.keep();
                Err(error)
            }
        }
    }

    /// Makes the run and stores its recording. A failure of the run is a result, too.
    ///
    /// # Errors
    /// When the user interrupts or the disk is full.
    pub fn run(&self, next: &Next<'_>, ledger: &mut Ledger) -> anyhow::Result<Finished> {
        let name = next.file_name();
        let place = Place::empty(ledger.directory(), &name)?;
        let expected = Duration::from_secs_f64(10.0 * next.expected_s.max(0.0));
        let order = RunOrder {
            env_bytes: next.planned.env_bytes,
            run_limit: 2 * self.iteration_limit() + expected,
            ..self.order(&next.program.workload, next.watcher, &place)
        };
        let begin = Instant::now();
        let mut finished = Finished {
            record: self.record(next),
            duration_s: 0.0,
            samples: 0,
            lost: 0,
        };
        let outcome = study::run(self.kit, &order);
        let kept = match outcome {
            Ok(outcome) => self.keep(outcome, &name, ledger, &mut finished)?,
            Err(error) => Err(error),
        };
        match kept {
            Ok(()) => _ = std::fs::remove_file(&place.log),
            Err(LabError::Interrupted) => return Err(LabError::Interrupted.into()),
            Err(error) => finished.record.failure = Some(shortened(&error.to_string())),
        }
        place.clear()?;
        finished.duration_s = begin.elapsed().as_secs_f64();
        Ok(finished)
    }

    /// The line of a run of which nothing is known yet.
    pub fn record(&self, next: &Next<'_>) -> RunRecord {
        RunRecord {
            program: next.program.name.clone(),
            profiler: next.watcher.name.clone(),
            run: next.planned.run,
            file: None,
            perf_map: None,
            jitdump: None,
            thread_os_id: None,
            thread_name: None,
            interval_ns: next.watcher.interval_ns,
            iterations_ms: Vec::new(),
            env_bytes: next.planned.env_bytes,
            seed: self.request.seed,
            failure: None,
        }
    }

    /// Puts what a run gave into the study. The inner error is one of the recording, the outer one of our disk.
    fn keep(
        &self,
        outcome: RunOutcome,
        name: &str,
        ledger: &mut Ledger,
        finished: &mut Finished,
    ) -> anyhow::Result<Result<(), LabError>> {
        let record = &mut finished.record;
        record.iterations_ms = outcome.iterations_ms;
        if !self.request.all_threads {
            record.thread_os_id = Some(outcome.thread_os_id);
            record.thread_name = Some(outcome.thread_name);
        }
        let Some(recording) = outcome.recording else {
            return Ok(Ok(()));
        };
        let compact = match recording.compact() {
            Ok(compact) => compact,
            Err(error) => return Ok(Err(error)),
        };
        (finished.samples, finished.lost) = (compact.samples, compact.lost);
        let mut put = |extension: &str, bytes: &[u8]| {
            let file = format!("{RECORDINGS}/{name}.{extension}");
            ledger.write(&file, bytes).map(|()| Some(file))
        };
        if !self.request.keep_recordings {
            record.file = put(&compact.extension, &compact.bytes)?;
            return Ok(Ok(()));
        }
        let bytes = std::fs::read(&recording.file)
            .with_context(|| format!("cannot read {}", recording.file.display()))?;
        let extension = recording.file.extension().unwrap_or_default();
        record.file = put(&extension.to_string_lossy(), &bytes)?;
        if let Some(map) = &recording.perf_map {
            record.perf_map = put("map", map)?;
        }
        Ok(Ok(()))
    }
}

impl Next<'_> {
    /// Name of the run's files: readable, and unique by the numbers in it.
    fn file_name(&self) -> String {
        let Planned {
            program,
            profiler,
            run,
            ..
        } = self.planned;
        let program_name = file_name(self.program.name.trim_start_matches("suite:"));
        let profiler_name = file_name(&self.watcher.name);
        format!("{program:02}-{program_name}-{profiler:02}-{profiler_name}-{run:03}")
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(FAILURE_CHARS).collect()
}
