//! `dose`: where do profilers report time that is put into known methods?

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{DoseKind, DoseResult, EveryDose};
use proofmark_jvm::toolchain::jdk_of;

use crate::exit::{CANNOT, INTERRUPTED, code_of, code_of_verdict};
use crate::output;
use crate::request::{DoseRequest, NativeRequest};
use crate::run::{dose, native};
use crate::surroundings::Surroundings;

/// Tests, writes the result and returns the exit code that the verdicts mean.
pub fn run(request: &DoseRequest, around: &Surroundings) -> anyhow::Result<u8> {
    around.say_if_busy();
    say_if_few_witnesses(request, around);
    around.progress.assume(dose::expected_s(request));
    let pace = dose::Pace::of(request, 1);
    shown(dose::run(request, &pace, around).map_err(anew)?, around)
}

/// The same with every kind of dose in turn; the worst verdict of all decides the exit code.
pub fn every(request: &DoseRequest, around: &Surroundings) -> anyhow::Result<u8> {
    around.say_if_busy();
    say_if_few_witnesses(request, around);
    let kinds = DoseKind::ALL.len() as f64;
    around.progress.assume(kinds * dose::expected_s(request));
    let done = dose::run_every(request, around).map_err(anew)?;
    around.progress.finish();
    let shown = output::every_dosed(&done, around.format, around.details);
    let lost = done.tested.into_iter().filter_map(|(_, one)| one.lost);
    lost.chain(done.lost).next().map_or(Ok(()), Err)?;
    shown?;
    Ok(code_of_every(&done.every))
}

/// Says of an interrupted test that none of it is kept, unlike that of runs that go on.
fn anew(error: anyhow::Error) -> anyhow::Error {
    match code_of(&error) {
        INTERRUPTED => error.context("interrupted; the same command begins anew"),
        _ => error,
    }
}

/// The exit code of a test with every kind.
fn code_of_every(every: &EveryDose) -> u8 {
    let mut kinds = every.kinds.values();
    match kinds.any(|one| one.replication.is_interrupted()) {
        true => INTERRUPTED,
        false => code_of_verdict(every.verdict),
    }
}

/// How long that would take.
pub fn cost(request: &DoseRequest, kinds: usize, around: &Surroundings) -> anyhow::Result<u8> {
    let java = dose::java(request, &around.toolchain);
    jdk_of(&around.toolchain, &java)?;
    around.say_if_busy();
    say_if_few_witnesses(request, around);
    let iteration = dose::iteration(request.workload.kind);
    output::dose_cost(&dose::plan(request, kinds), iteration, around.format)?;
    Ok(0)
}

/// Says beforehand that the profilers cannot contradict each other, where that is so.
fn say_if_few_witnesses(request: &DoseRequest, around: &Surroundings) {
    if let Some(text) = dose::few_witnesses(request) {
        around.progress.note(&text);
    }
}

/// The same for a native program.
pub fn native(request: &NativeRequest, around: &Surroundings) -> anyhow::Result<u8> {
    around.say_if_busy();
    shown(native::run(request, around).map_err(anew)?, around)
}

/// Shows a result; the exit code is what its verdicts mean.
pub(super) fn shown(tested: dose::Tested, around: &Surroundings) -> anyhow::Result<u8> {
    around.progress.finish();
    let shown = output::dosed(&tested, around.format, around.details);
    tested.lost.map_or(Ok(()), Err)?;
    shown?;
    Ok(code_of_result(&tested.result))
}

/// The exit code of a result. What the user ended is interrupted, whatever the JVMs before say.
fn code_of_result(result: &DoseResult) -> u8 {
    if result.replication.is_interrupted() {
        return INTERRUPTED;
    }
    if result.attribution.is_empty() {
        return CANNOT;
    }
    let verdicts = result.attribution.values().map(|one| one.verdict);
    let missing = result.failed.keys().map(|_| Verdict::Undecided);
    code_of_verdict(Verdict::all(verdicts.chain(missing)))
}

#[cfg(test)]
mod tests {
    use proofmark_experiment::dose::{Replication, Unfinished};

    use proofmark_jvm::LabError;

    use super::*;
    use crate::exit::chain;
    use crate::run::dose::tests::result;

    #[test]
    fn an_interrupted_test_says_that_it_begins_anew() {
        let stopped = anew(LabError::Interrupted.into());
        assert_eq!(code_of(&stopped), INTERRUPTED);
        assert_eq!(chain(&stopped), "interrupted; the same command begins anew");
        let other = anew(LabError::NoWorkload("no class".into()).into());
        assert_eq!(chain(&other), "no class");
    }

    #[test]
    fn what_the_user_ended_is_interrupted_though_it_has_verdicts() {
        let ended = |interrupted| {
            let unfinished = Unfinished {
                profilers: vec!["jfr".into()],
                each: 2,
                without_sites: false,
                interrupted,
                reason: "it was ended".into(),
                log: None,
            };
            DoseResult {
                replication: Replication::of(3).with_unfinished(Some(unfinished)),
                ..result()
            }
        };
        let usual = code_of_result(&result());
        assert_ne!(usual, INTERRUPTED);
        assert_eq!(code_of_result(&ended(false)), usual);
        assert_eq!(code_of_result(&ended(true)), INTERRUPTED);
        let every = |one| EveryDose::of("Queens", [(DoseKind::Arithmetic, Ok(one))]);
        assert_ne!(code_of_every(&every(result())), INTERRUPTED);
        assert_eq!(code_of_every(&every(ended(true))), INTERRUPTED);
    }
}
