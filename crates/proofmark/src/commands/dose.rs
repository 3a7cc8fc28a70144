//! `dose`: where do profilers report time that is put into known methods?

use proofmark_assess::Verdict;
use proofmark_experiment::dose::DoseKind;
use proofmark_jvm::toolchain::jdk_of;

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

/// The same with every kind of dose in turn; the worst verdict of all decides the exit code.
pub fn every(request: &DoseRequest, around: &Surroundings) -> anyhow::Result<u8> {
    around.say_if_busy();
    let kinds = DoseKind::ALL.len() as f64;
    around.progress.expect(kinds * dose::expected_s(request));
    let done = dose::run_every(request, around)?;
    around.progress.finish();
    let shown = output::every_dosed(&done, around.format);
    let lost = done.tested.into_iter().filter_map(|(_, one)| one.lost);
    lost.chain(done.lost).next().map_or(Ok(()), Err)?;
    shown?;
    Ok(code_of_verdict(done.every.verdict))
}

/// How long that would take.
pub fn cost(request: &DoseRequest, kinds: usize, around: &Surroundings) -> anyhow::Result<u8> {
    let java = dose::java(request, &around.toolchain);
    jdk_of(&around.toolchain, &java)?;
    around.say_if_busy();
    let iteration = dose::iteration(request.workload.kind);
    output::dose_cost(&dose::plan(request, kinds), iteration, around.format)?;
    Ok(0)
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
