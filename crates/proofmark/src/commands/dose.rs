//! `dose`: where do profilers report time that is put into known methods?

use proofmark_assess::Verdict;

use crate::exit::{CANNOT, code_of_verdict};
use crate::output;
use crate::request::DoseRequest;
use crate::run::dose;
use crate::surroundings::Surroundings;

/// Tests, writes the result and returns the exit code that the verdicts mean.
pub fn run(request: &DoseRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let tested = dose::run(request, around)?;
    around.progress.finish();
    output::dosed(&tested, around.format)?;
    let result = &tested.result;
    if result.attribution.is_empty() {
        return Ok(CANNOT);
    }
    let verdicts = result.attribution.values().map(|one| one.verdict);
    let missing = result.failed.keys().map(|_| Verdict::Undecided);
    Ok(code_of_verdict(Verdict::all(verdicts.chain(missing))))
}
