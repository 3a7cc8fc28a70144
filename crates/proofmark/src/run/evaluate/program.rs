//! One program of an evaluation: its plans, and what profilers show of it.

use std::path::Path;

use proofmark_experiment::Progress as _;
use proofmark_experiment::divine::{Series, run_series};
use proofmark_experiment::evaluate::ProgramResult;
use proofmark_experiment::lab::Insertion;
use proofmark_jvm::LabError;

use crate::context::{Context, Refusal};
use crate::exit::{INTERRUPTED, chain, code_of};
use crate::request::AssessRequest;
use crate::run::plan_files::PlanFiles;
use crate::run::{assess, slowdown};
use crate::session::resumable;
use crate::surroundings::Surroundings;

/// The program's result, also that it cannot be measured. `place` is the directory of the evaluation.
///
/// # Errors
/// When the user stops it, or no program at all could be measured here.
pub(super) fn result(
    name: &str,
    request: &AssessRequest,
    place: &Path,
    around: &Surroundings,
) -> anyhow::Result<ProgramResult> {
    let begun_s = around.progress.elapsed_s();
    let mut result = match measured(name, request, around) {
        Ok(result) => result,
        // The evaluation goes on, not the program's own run.
        Err(error) if code_of(&error) == INTERRUPTED => {
            return Err(resumable(LabError::Interrupted.into(), place));
        }
        Err(error) if is_its_own(&error) && begins(around, request) => {
            around.progress.note(&format!("{name}: {}", chain(&error)));
            ProgramResult::failed(name, chain(&error))
        }
        Err(error) => return Err(error),
    };
    result.wall_s = around.progress.elapsed_s() - begun_s;
    Ok(result)
}

/// Whether an error may be a matter of the program: not one that the command line makes.
fn is_its_own(error: &anyhow::Error) -> bool {
    !matches!(error.downcast_ref(), Some(Refusal::Usage(_)))
}

/// Whether a laboratory can be had at all: else no program's failure is its own.
fn begins(around: &Surroundings, request: &AssessRequest) -> bool {
    Context::ready(&request.program, around).is_ok()
}

fn measured(
    name: &str,
    request: &AssessRequest,
    around: &Surroundings,
) -> anyhow::Result<ProgramResult> {
    if request.profilers.is_empty() {
        return slowed(name, request, around);
    }
    let finished = assess::run(request, request.search.effort(), around)?;
    Ok(ProgramResult::of(
        name,
        &finished.plans,
        Some(&finished.report),
    ))
}

/// One program that nobody looks at.
fn slowed(
    name: &str,
    request: &AssessRequest,
    around: &Surroundings,
) -> anyhow::Result<ProgramResult> {
    let mut context = Context::new(&request.program, around)?;
    let filler = slowdown::chosen(&mut context, request.filler)?;
    let series = Series {
        targets: request.targets_pct.iter().map(|pct| pct / 100.0).collect(),
        insertion: Insertion::plan(filler),
        effort: request.search.effort(),
        seed: request.program.seed,
    };
    let labs = context.labs(Vec::new());
    let about = context.about(filler);
    let mut plans = PlanFiles::of_run(&context);
    let mut session = context.experiment(&labs, &about, &mut plans);
    let reports = run_series(&mut session, &series)?;
    let slowdown = context.slowdown.take();
    Ok(ProgramResult::of(name, &reports, None).with_filler(slowdown))
}
