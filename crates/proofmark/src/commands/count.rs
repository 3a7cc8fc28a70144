//! `count`: bytecodes instead of time.

use crate::output;
use crate::request::{
    CompareRequest, CountRequest, Format, InstrumentRequest, OverheadRequest, ShowRequest,
};
use crate::run::count;
use crate::surroundings::Surroundings;

/// `count` itself: the exit code is the program's.
pub fn run(request: &CountRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let apart = around.format == Format::Json;
    let ran = count::live::run(request, &around.toolchain, apart, &around.progress)?;
    output::counted(&ran.counted, around.format, around.quiet)?;
    Ok(ran.code)
}

/// `count instrument`.
pub fn instrument(request: &InstrumentRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let coverage = count::instrument::run(request, &around.toolchain)?;
    output::instrumented(&coverage, around.format, around.quiet)?;
    Ok(0)
}

/// `count compare`.
pub fn compare(request: &CompareRequest, around: &Surroundings) -> anyhow::Result<u8> {
    output::counts_compared(&count::compare::run(request)?, around.format)?;
    Ok(0)
}

/// `count show`.
pub fn show(request: &ShowRequest, around: &Surroundings) -> anyhow::Result<u8> {
    output::shown(&count::show::run(request)?, around.format)?;
    Ok(0)
}

/// `count overhead`.
pub fn overhead(request: &OverheadRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let cost = count::overhead::run(request, &around.toolchain, &around.progress)?;
    around.progress.finish();
    output::overhead(&cost, around.format)?;
    Ok(0)
}
