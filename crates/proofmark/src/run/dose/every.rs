//! The test with every kind of dose in turn: each has its own directory below that of the run.

use std::path::PathBuf;

use anyhow::Context as _;
use proofmark_experiment::dose::{DoseKind, DoseResult, EveryDose};

use super::{Tested, run};
use crate::exit::{CANNOT, chain, code_of};
use crate::request::DoseRequest;
use crate::session::run_place;
use crate::surroundings::Surroundings;

/// What every kind showed, and where it lies.
pub struct EveryTested {
    /// The verdicts, and each kind's result.
    pub every: EveryDose,
    /// The same as JSON; beside it a directory for each kind, with its page.
    pub file: PathBuf,
    /// Results of single kinds, and where they lie.
    pub tested: Vec<(DoseKind, Tested)>,
    /// Why the whole could not be written: what was measured is shown all the same.
    pub lost: Option<anyhow::Error>,
}

/// Tests the profilers with one kind after the other. A kind that cannot be tested is named; the usual one comes first, and
/// if it cannot, no other is tried.
///
/// # Errors
/// When the program cannot be run, no method of it can be tested, or the user stops it.
pub fn run_every(request: &DoseRequest, around: &Surroundings) -> anyhow::Result<EveryTested> {
    let label = format!("dose-{}", request.workload.name());
    let directory = run_place(request.out.as_deref(), &label)?;
    let mut tested = Vec::new();
    let mut results: Vec<(DoseKind, Result<DoseResult, String>)> = Vec::new();
    for kind in DoseKind::ALL {
        around.progress.stage(kind.name());
        let one = DoseRequest {
            kind,
            out: Some(directory.join(kind.name())),
            ..request.clone()
        };
        match run(&one, around) {
            Ok(done) => {
                results.push((kind, Ok(done.result.clone())));
                tested.push((kind, done));
            }
            Err(error) if !tested.is_empty() && code_of(&error) == CANNOT => {
                let why = chain(&error);
                let note = format!("--dose {}: {why}", kind.name());
                around.progress.note(&note);
                results.push((kind, Err(why)));
            }
            Err(error) => return Err(error),
        }
    }
    let every = EveryDose::of(&request.workload.to_string(), results);
    let file = directory.join("every-dose.json");
    let written = std::fs::write(&file, serde_json::to_vec_pretty(&every)?);
    let lost = written.with_context(|| format!("writing {}", file.display()));
    Ok(EveryTested {
        every,
        file,
        tested,
        lost: lost.err(),
    })
}
