//! `divine`, `assess` and `demo`: programs are slowed down and profilers judged.

use proofmark_experiment::divine::Effort;

use crate::context::Context;
use crate::exit::code_of_verdict;
use crate::request::{AssessRequest, CandidatesRequest, DivineRequest};
use crate::session::resumable;
use crate::surroundings::Surroundings;
use crate::{output, run};

/// `divine`.
pub fn divine(request: &DivineRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let mut context = Context::new(&request.program, around)?;
    let plan = run::divine::run(&mut context, request).map_err(|error| match request.fresh {
        true => error,
        false => resumable(error, context.session.run.directory()),
    })?;
    around.progress.finish();
    output::divined(&mut context, &plan.report, around.format)?;
    Ok(0)
}

/// `candidates`.
pub fn candidates(request: &CandidatesRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let mut context = Context::new(&request.program, around)?;
    let report = run::candidates::run(&mut context, request)
        .map_err(|error| resumable(error, context.session.run.directory()))?;
    around.progress.finish();
    output::candidates(&mut context, &report, around.format)?;
    Ok(0)
}

/// `assess --dry-run`.
pub fn cost(request: &AssessRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let request = run::assess::possible(request, around)?;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    if let Some(text) = busy(&load, processors) {
        around.progress.note(&text);
    }
    let cost = run::assess::cost(&request, Effort::default())?;
    output::cost(&cost, around.format)?;
    Ok(0)
}

/// `assess`.
pub fn assess(request: &AssessRequest, around: &Surroundings) -> anyhow::Result<u8> {
    judged(request, Effort::default(), around)
}

/// `demo`: a wrong profiler is what it is there to show.
pub fn demo(request: &AssessRequest, around: &Surroundings) -> anyhow::Result<u8> {
    let code = judged(request, run::demo::effort(), around)?;
    Ok(if code <= 1 { 0 } else { code })
}

fn judged(request: &AssessRequest, effort: Effort, around: &Surroundings) -> anyhow::Result<u8> {
    let mut finished = run::assess::run(request, effort, around)?;
    around.progress.finish();
    output::assessed(&mut finished, around.format)?;
    Ok(code_of_verdict(finished.report.verdict))
}

/// That an estimate is too low because others use the machine; none if they do not. `load` as /proc/loadavg has it.
fn busy(load: &str, processors: usize) -> Option<String> {
    let load: f64 = load.split(' ').next()?.parse().ok()?;
    (load > 0.5 * processors as f64).then(|| {
        format!(
            "others use this machine (load {load:.1}, {processors} processors): it takes longer than on a quiet one, for which this is estimated"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_machine_is_said_to_be_one() {
        let said = busy("3.13 5.79 6.61 2/391 4711", 2).expect("a note");
        assert!(said.contains("load 3.1, 2 processors"), "{said}");
        assert_eq!(busy("0.40 0.20 0.10 1/391 4711", 2), None);
        assert_eq!(busy("", 2), None);
    }
}
