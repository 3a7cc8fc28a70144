//! `proofmark candidates`: which inserted instruction makes a program slower reliably?

use proofmark_experiment::candidates::{self, CandidatesReport};

use super::plan_files::PlanFiles;
use super::profilers::started;
use crate::context::Context;
use crate::request::CandidatesRequest;

/// Measures every candidate on the program.
///
/// # Errors
/// When the laboratory fails.
pub fn run(context: &mut Context, asked: &CandidatesRequest) -> anyhow::Result<CandidatesReport> {
    let request = candidates::CandidatesRequest {
        target: asked.target_pct / 100.0,
        candidates: asked.candidates.clone(),
        profiler: asked.profiler.clone(),
        seed: asked.program.seed,
    };
    let names: Vec<&String> = asked.profiler.iter().collect();
    let profilers = started(context, &names, None, None)?;
    let labs = context.labs(profilers);
    let about = context.about(context.measured.filler());
    let mut plans = PlanFiles::of_run(context);
    let mut session = context.experiment(&labs, &about, &mut plans);
    Ok(candidates::run(&mut session, &request)?)
}
