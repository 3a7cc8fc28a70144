//! `study` and `diff`.

use crate::output;
use crate::request::{AnalyzeRequest, DiffRequest, StudyRequest};
use crate::run::study::{analysis, live};
use crate::surroundings::Surroundings;

/// `study run`.
pub fn run(request: &StudyRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let ran = live::run(request, around)?;
    around.progress.finish();
    live::print(&ran, around.format)?;
    Ok(0)
}

/// `study analyze`.
pub fn analyze(request: &AnalyzeRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let analysis = analysis::analyze_inputs(request, &around.progress)?;
    around.progress.finish();
    output::analyzed(&analysis, request, around.format)?;
    Ok(0)
}

/// `diff`.
pub fn diff(request: &DiffRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let found = analysis::compare(request, &around.progress)?;
    around.progress.finish();
    output::compared(&found, around.format)
}
