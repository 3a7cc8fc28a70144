//! `speedup` and `race`: what follows if functions of a native program were faster, or slower.

use crate::request::{RaceRequest, SpeedupRequest};
use crate::run::native::{race as racing, speedup as speeding};
use crate::surroundings::Surroundings;
use crate::{exit, output};

/// `speedup`.
pub fn speedup(request: &SpeedupRequest, around: &Surroundings) -> anyhow::Result<u8> {
    around.say_if_busy();
    let (result, file) = speeding::run(request, around)?;
    around.progress.finish();
    output::sped_up(&result, &file, around.format)?;
    Ok(0)
}

/// `race`: 1 where a run failed.
pub fn race(request: &RaceRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let (result, file) = racing::run(request, around)?;
    around.progress.finish();
    output::raced(&result, &file, around.format)?;
    Ok(if result.failed() { exit::FAILED } else { 0 })
}
