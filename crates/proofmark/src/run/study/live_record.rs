//! A study on disk: what was asked for, what was finished, and the manifest that analyses read.

use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use anyhow::Context as _;
use proofmark_store::Run;
use proofmark_study::{MANIFEST, RunRecord};

use super::live_manifest::{About, Finished, Plan, difference, other_build};
use crate::builds::other_builds;
use crate::context::Refusal;
use crate::request::StudyRequest;
use crate::session::new_place;

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
    pub fn open(request: &StudyRequest, about: &About) -> anyhow::Result<Self> {
        let run = match &request.out {
            Some(directory) if continues(request) => continued(directory, about)?,
            Some(directory) => Run::create(directory, about)?,
            None => Run::create(&new_place("studies", "study")?, about)?,
        };
        Self::of(run)
    }

    /// What [`Ledger::open`] would say of the directory. Nothing is begun there.
    ///
    /// # Errors
    /// As those of [`Ledger::open`].
    pub fn could_open(request: &StudyRequest, about: &About) -> anyhow::Result<()> {
        let there = request.out.as_ref().filter(|_| continues(request));
        there.map_or(Ok(()), |directory| continued(directory, about).map(drop))
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

/// True if the directory has a study already.
pub fn continues(request: &StudyRequest) -> bool {
    let directory = request.out.as_ref();
    directory.is_some_and(|directory| directory.join("manifest.json").exists())
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

fn continued(directory: &Path, about: &About) -> anyhow::Result<Run> {
    let run = Run::open(directory)?;
    let before: Option<About> = run.manifest().ok();
    let Some(before) = before else {
        let text = format!("{} holds a run of another command", directory.display());
        return Err(Refusal::Usage(format!("{text}: give another --out")).into());
    };
    if let Some(what) = difference(&before.asked, &about.asked) {
        return Err(Refusal::Usage(format!(
            "{} holds a study with {what}: give the same command line again, or another --out",
            directory.display()
        ))
        .into());
    }
    match other_build(&before.asked, &about.asked) {
        Some(what) => Err(other_builds(directory, &what).into()),
        None => Ok(run),
    }
}

#[cfg(test)]
mod tests;
