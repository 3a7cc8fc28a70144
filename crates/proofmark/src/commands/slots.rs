//! `slots`: the second check of a native program's slots.

use anyhow::Context as _;
use proofmark_experiment::ExperimentError;
use proofmark_native::{FULL_SLOTS, Slotted, check_slots};

use crate::request::SlotsRequest;
use crate::surroundings::Surroundings;
use crate::{exit, output};

/// `slots`: 1 where something differs.
pub fn run(request: &SlotsRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let program = Slotted::read(&request.program)?;
    let place = tempfile::tempdir().context("making a temporary directory")?;
    let say = around.progress.callback();
    let report = check_slots(&program, place.path(), request.filler, &*say);
    let report = report.map_err(ExperimentError::from)?;
    if let Some(output) = &request.output {
        std::fs::copy(place.path().join(FULL_SLOTS), output)
            .with_context(|| format!("writing {}", output.display()))?;
    }
    around.progress.finish();
    output::slots(&report, around.format)?;
    Ok(match report.differing.is_empty() {
        true => 0,
        false => exit::CHANGED,
    })
}
