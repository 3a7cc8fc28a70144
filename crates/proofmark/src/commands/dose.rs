//! `dose`: where do profilers report time that is put into known methods?

use proofmark_assess::Verdict;

use crate::exit::{CANNOT, code_of_verdict};
use crate::output;
use crate::request::{DoseRequest, NativeRequest};
use crate::run::{dose, native};
use crate::surroundings::Surroundings;

/// Tests, writes the result and returns the exit code that the verdicts mean.
pub fn run(request: &DoseRequest, around: &Surroundings) -> anyhow::Result<u8> {
    around.say_if_busy();
    around.progress.expect(dose::expected_s(request));
    shown(dose::run(request, around)?, around)
}

/// The same for a native program.
pub fn native(request: &NativeRequest, around: &Surroundings) -> anyhow::Result<u8> {
    around.say_if_busy();
    shown(native::run(request, around)?, around)
}

/// Shows a result; the exit code is what its verdicts mean.
pub(super) fn shown(tested: dose::Tested, around: &Surroundings) -> anyhow::Result<u8> {
    around.progress.finish();
    let shown = output::dosed(&tested, around.format);
    tested.lost.map_or(Ok(()), Err)?;
    shown?;
    let result = &tested.result;
    if result.attribution.is_empty() {
        return Ok(CANNOT);
    }
    let verdicts = result.attribution.values().map(|one| one.verdict);
    let missing = result.failed.keys().map(|_| Verdict::Undecided);
    Ok(code_of_verdict(Verdict::all(verdicts.chain(missing))))
}
