//! A study on disk: what was asked for, what was finished, and the manifest that analyses read.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use proofmark_store::{Run, new_run_directory, state_directory};
use proofmark_study::{MANIFEST, RunRecord};

use super::live_args::LiveArguments;
use super::live_manifest::{About, Finished, Plan, difference};
use crate::context::Refusal;

/// A study's directory, locked for this process.
pub struct Ledger {
    run: Run,
    finished: Vec<Finished>,
    known: BTreeSet<(String, String, u32)>,
}

const PLAN: &str = "plan";
const RUN: &str = "run";

impl Ledger {
    /// Begins a study, or continues the one in the directory.
    ///
    /// # Errors
    /// When another study is there or another process is at it.
    pub fn open(arguments: &LiveArguments, about: &About) -> anyhow::Result<Self> {
        let run = match &arguments.out {
            Some(directory) if directory.join("manifest.json").exists() => {
                continued(directory, about)?
            }
            Some(directory) => Run::create(directory, about)?,
            None => Run::create(&new_directory()?, about)?,
        };
        Self::of(run)
    }

    fn of(run: Run) -> anyhow::Result<Self> {
        let mut ledger = Ledger {
            finished: Vec::new(),
            known: BTreeSet::new(),
            run,
        };
        let steps = ledger.run.steps().iter().filter(|step| step.name == RUN);
        let finished: Result<Vec<Finished>, _> = steps
            .map(|step| serde_json::from_value(step.result.clone()))
            .collect();
        ledger.finished = finished.context("a finished run cannot be read")?;
        ledger.known = ledger.finished.iter().map(|f| key(&f.record)).collect();
        // A process that was killed may have stored a run and not listed it.
        let mut lines = Vec::new();
        for finished in &ledger.finished {
            lines.extend(line(&finished.record)?);
        }
        ledger.run.write_file(MANIFEST, &lines)?;
        for place in [RECORDINGS, LOGS] {
            let place = ledger.directory().join(place);
            std::fs::create_dir_all(&place)
                .with_context(|| format!("cannot create {}", place.display()))?;
        }
        Ok(ledger)
    }

    /// The study's directory.
    pub fn directory(&self) -> &Path {
        self.run.directory()
    }

    /// Runs that have ended, in their order.
    pub fn finished(&self) -> &[Finished] {
        &self.finished
    }

    /// True if this run has ended.
    pub fn has(&self, program: &str, profiler: &str, run: u32) -> bool {
        self.known
            .contains(&(program.to_owned(), profiler.to_owned(), run))
    }

    /// The stored plan.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn plan(&self) -> anyhow::Result<Option<Plan>> {
        Ok(self.run.result_of(PLAN)?)
    }

    /// Stores the plan.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub fn set_plan(&mut self, plan: &Plan) -> anyhow::Result<()> {
        Ok(self.run.finish_step(PLAN, plan)?)
    }

    /// Writes a file of the study as a whole.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
        self.run.write_file(name, bytes)?;
        Ok(())
    }

    /// Stores a run that has ended. After this it is not repeated.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub fn finish(&mut self, finished: Finished) -> anyhow::Result<()> {
        self.run.finish_step(RUN, &finished)?;
        let manifest = self.directory().join(MANIFEST);
        let append = || -> std::io::Result<()> {
            let mut file = OpenOptions::new().append(true).open(&manifest)?;
            file.write_all(&line(&finished.record).map_err(std::io::Error::other)?)
        };
        append().with_context(|| format!("cannot write {}", manifest.display()))?;
        self.known.insert(key(&finished.record));
        self.finished.push(finished);
        Ok(())
    }
}

/// Where recordings are, below the study's directory.
pub const RECORDINGS: &str = "recordings";
/// Where logs of failed runs are.
pub const LOGS: &str = "logs";

fn key(record: &RunRecord) -> (String, String, u32) {
    (record.program.clone(), record.profiler.clone(), record.run)
}

fn line(record: &RunRecord) -> Result<Vec<u8>, serde_json::Error> {
    let mut line = serde_json::to_vec(record)?;
    line.push(b'\n');
    Ok(line)
}

fn new_directory() -> anyhow::Result<PathBuf> {
    let place = state_directory(|name| std::env::var_os(name))?.join("studies");
    Ok(new_run_directory(
        &place,
        "study",
        std::time::SystemTime::now(),
    )?)
}

fn continued(directory: &Path, about: &About) -> anyhow::Result<Run> {
    let run = Run::open(directory)?;
    let before: Option<About> = run.manifest().ok();
    let Some(before) = before else {
        let text = format!("{} holds a run of another command", directory.display());
        return Err(Refusal::Usage(format!("{text}: give another --out")).into());
    };
    match difference(&before.asked, &about.asked) {
        None => Ok(run),
        Some(what) => Err(Refusal::Usage(format!(
            "{} holds a study with {what}: give the same command line again, or another --out",
            directory.display()
        ))
        .into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::study::live_args::CompilerName;
    use crate::run::study::live_estimate::Size;
    use crate::run::study::live_manifest::Asked;
    use proofmark_jvm::toolchain::Machine;
    use proofmark_study::read_manifest;

    fn asked(seed: u64) -> Asked {
        Asked {
            proofmark: "1".into(),
            programs: Vec::new(),
            profilers: vec!["none".into(), "jfr".into()],
            size: Size {
                runs: 2,
                iterations: 3,
            },
            time_budget_s: None,
            seed,
            compiler: CompilerName::C2,
            heap_mb: 64,
            interval_ms: None,
            all_threads: false,
            keep_recordings: false,
            jdk: "25".into(),
            jars: Vec::new(),
        }
    }

    fn about(seed: u64) -> About {
        About {
            asked: asked(seed),
            skipped: Vec::new(),
            machine: Machine::default(),
        }
    }

    fn finished(run: u32) -> Finished {
        let record = RunRecord {
            program: "suite:Queens".into(),
            profiler: "jfr".into(),
            run,
            file: None,
            perf_map: None,
            jitdump: None,
            thread_os_id: None,
            thread_name: None,
            interval_ns: None,
            iterations_ms: vec![1.0],
            env_bytes: 0,
            seed: 1,
            failure: None,
        };
        Finished {
            record,
            duration_s: 1.0,
            samples: 0,
            lost: 0,
        }
    }

    #[test]
    fn a_run_that_was_stored_but_not_listed_is_listed_again() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("study");
        let mut ledger = Ledger::of(Run::create(&directory, &about(1)).unwrap()).unwrap();
        ledger.finish(finished(0)).unwrap();
        ledger.finish(finished(1)).unwrap();
        drop(ledger);
        let manifest = directory.join(MANIFEST);
        let text = std::fs::read(&manifest).unwrap();
        // Killed in the middle of the second line.
        std::fs::write(&manifest, &text[..text.len() - 9]).unwrap();
        let ledger = Ledger::of(continued(&directory, &about(1)).unwrap()).unwrap();
        assert_eq!(std::fs::read(&manifest).unwrap(), text);
        assert_eq!(read_manifest(&text).unwrap().len(), 2);
        assert!(ledger.has("suite:Queens", "jfr", 1));
        assert!(!ledger.has("suite:Queens", "jfr", 2));
    }

    #[test]
    fn another_study_is_not_continued() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("study");
        drop(Run::create(&directory, &about(1)).unwrap());
        let error = continued(&directory, &about(2)).unwrap_err().to_string();
        assert!(error.contains("other seed (1)"), "{error}");
        let busy = continued(&directory, &about(1)).unwrap();
        let error = continued(&directory, &about(1)).unwrap_err().to_string();
        assert!(error.contains("another Proofmark"), "{error}");
        drop(busy);
    }
}
