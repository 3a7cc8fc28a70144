//! `divine`, `assess` and `demo`: programs are slowed down and profilers judged.

use proofmark_experiment::divine::Effort;

use crate::context::Context;
use crate::exit::{INTERRUPTED, code_of};
use crate::request::{AssessRequest, DivineRequest};
use crate::surroundings::Surroundings;
use crate::{output, run};

/// `divine`.
pub fn divine(request: &DivineRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let mut context = Context::new(&request.program, around)?;
    let plan = run::divine::run(&mut context, request)
        .map_err(|error| resumable(error, &context, !request.fresh))?;
    around.progress.finish();
    output::divined(&mut context, &plan.report, around.format)?;
    Ok(0)
}

/// `assess --dry-run`.
pub fn cost(request: &AssessRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let cost = run::assess::cost(request, Effort::default())?;
    output::cost(&cost, around.format)?;
    Ok(0)
}

/// `assess`.
pub fn assess(request: &AssessRequest, around: &Surroundings) -> anyhow::Result<u8> {
    judged(request, Effort::default(), around)
}

/// `demo`: a wrong profiler is what it is there to show.
pub fn demo(request: &AssessRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let code = judged(request, run::demo::effort(), around)?;
    Ok(if code <= 1 { 0 } else { code })
}

fn judged(request: &AssessRequest, effort: Effort, around: &Surroundings) -> anyhow::Result<u8> {
    let mut context = Context::new(&request.program, around)?;
    let assessed = run::assess::run(&mut context, request, effort)
        .map_err(|error| resumable(error, &context, true))?;
    around.progress.finish();
    output::assessed(&mut context, &assessed, around.format)
}

/// Says how an interrupted run goes on.
fn resumable(error: anyhow::Error, context: &Context, resumes: bool) -> anyhow::Error {
    if !resumes || code_of(&error) != INTERRUPTED {
        return error;
    }
    let place = context.session.run.directory().display().to_string();
    error.context(format!(
        "interrupted; the same command with --out {place} goes on from here"
    ))
}
