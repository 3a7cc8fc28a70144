//! `divine`, `assess` and `demo`: programs are slowed down and profilers judged.

use proofmark_experiment::divine::Effort;

use crate::context::{Context, Refusal};
use crate::exit::{CANNOT, code_of_assessment};
use crate::output::InFiles;
use crate::request::{
    AssessRequest, CandidatesRequest, DivineRequest, EvaluateRequest, NativeDivineRequest, On,
};
use crate::run::native::divine::NativeRun;
use crate::session::resumable;
use crate::surroundings::Surroundings;
use crate::{output, run};

/// `divine`.
pub fn divine(request: &DivineRequest, around: &Surroundings) -> anyhow::Result<u8> {
    around.say_if_busy();
    let mut context = Context::new(&request.program, around)?;
    let plan = run::divine::run(&mut context, request).map_err(|error| match request.fresh {
        Some(_) => error,
        None => resumable(error, context.session.run.directory()),
    })?;
    around.progress.finish();
    output::divined(&mut context, &plan.report, around.format)?;
    Ok(0)
}

/// `divine` of a native program.
pub fn native_divine(request: &NativeDivineRequest, around: &Surroundings) -> anyhow::Result<u8> {
    around.say_if_busy();
    let mut native = NativeRun::new(request, around)?;
    let plan = run::native::divine::run(&mut native)
        .map_err(|error| resumable(error, native.run.directory()))?;
    around.progress.finish();
    output::natively_divined(&mut native, &plan.report, around.format)?;
    Ok(0)
}

/// `candidates`.
pub fn candidates(request: &CandidatesRequest, around: &Surroundings) -> anyhow::Result<u8> {
    around.say_if_busy();
    let mut context = Context::new(&request.program, around)?;
    let report = run::candidates::run(&mut context, request)
        .map_err(|error| resumable(error, context.session.run.directory()))?;
    around.progress.finish();
    output::candidates(&mut context, &report, around.format)?;
    Ok(0)
}

/// `evaluate`: 3 where a program could not be measured.
pub fn evaluate(request: &EvaluateRequest, around: &Surroundings) -> anyhow::Result<u8> {
    if let On::Task(file) = &request.on {
        around.say_if_busy();
        run::evaluate::task(request, file, around, &InFiles)?;
        around.progress.finish();
        return Ok(0);
    }
    let here = request.on == On::Local;
    if request.dry_run {
        // All programs have the same options: what the first one lacks, all lack. What nodes have is seen there.
        if let Some((_, first)) = request.programs.first().filter(|_| here) {
            run::assess::possible(first, around)?;
        }
        let cost = run::evaluate::cost(request, &around.toolchain)?;
        output::cost(&cost, around.format)?;
        return Ok(0);
    }
    if here {
        around.say_if_busy();
    }
    let (run, evaluation) = run::evaluate::run(request, around, &InFiles)?;
    around.progress.finish();
    output::evaluated(&run, &evaluation, around.format)?;
    let failed = evaluation.programs.iter().any(|one| one.failed.is_some());
    Ok(if failed { CANNOT } else { 0 })
}

/// `assess --dry-run`.
pub fn cost(request: &AssessRequest, around: &Surroundings) -> anyhow::Result<u8> {
    cost_with(request, Effort::default(), around)
}

/// `demo --dry-run`.
pub fn cost_of_demo(request: &AssessRequest, around: &Surroundings) -> anyhow::Result<u8> {
    if let Some(why) = run::demo::without_jdk(request, &around.toolchain) {
        let text = format!(
            "no JDK will do ({why}): the demo would be about a program in C; how long that takes is seen when it runs"
        );
        return Err(Refusal::Cannot(text).into());
    }
    cost_with(request, run::demo::effort(), around)
}

fn cost_with(request: &AssessRequest, effort: Effort, around: &Surroundings) -> anyhow::Result<u8> {
    let request = run::assess::possible(request, around)?;
    around.say_if_busy();
    let cost = run::assess::cost(&request, effort)?;
    output::cost(&cost, around.format)?;
    Ok(0)
}

/// `assess`.
pub fn assess(request: &AssessRequest, around: &Surroundings) -> anyhow::Result<u8> {
    judged(request, Effort::default(), around)
}

/// `demo`: a wrong profiler is what it is there to show.
pub fn demo(request: &AssessRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let code = match run::demo::without_jdk(request, &around.toolchain) {
        Some(why) => {
            around.say_if_busy();
            super::dose::shown(run::demo::in_c(request, &why, around)?, around)?
        }
        None => judged(request, run::demo::effort(), around)?,
    };
    Ok(if code <= 1 { 0 } else { code })
}

fn judged(request: &AssessRequest, effort: Effort, around: &Surroundings) -> anyhow::Result<u8> {
    around.say_if_busy();
    let mut finished = run::assess::run(request, effort, around)?;
    around.progress.finish();
    output::assessed(&mut finished, around.format, around.details)?;
    Ok(code_of_assessment(&finished.report))
}
