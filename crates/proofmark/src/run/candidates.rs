//! `proofmark candidates`: which inserted instruction makes a program slower reliably? What is told apart from this
//! processor's usual one as better is kept for other commands.

use proofmark_experiment::candidates::{self, CandidatesReport};
use proofmark_experiment::lab::{Filler, Insertion};
use serde_json::Value;

use super::plan_files::PlanFiles;
use super::profilers::started;
use crate::context::Context;
use crate::exit::chain;
use crate::machine::recommended::{self, Recommendation};
use crate::request::CandidatesRequest;

/// Step with what tells the machine of a run from others; null once it has gone on on another one.
const MACHINE: &str = "machine";
/// Step with the day on which something was measured last.
const DAY: &str = "day";

/// Measures every candidate on the program, and keeps what it recommends for this machine.
///
/// # Errors
/// When the laboratory fails.
pub fn run(context: &mut Context, asked: &CandidatesRequest) -> anyhow::Result<CandidatesReport> {
    let request = candidates::CandidatesRequest {
        target: asked.target_pct / 100.0,
        candidates: asked.candidates.clone(),
        profiler: asked.profiler.clone(),
        seed: asked.program.seed,
    };
    let names: Vec<&String> = asked.profiler.iter().collect();
    let profilers = started(context, &names, None, None)?;
    let here = recommended::identity()?;
    let run = &mut context.session.run;
    let begun: Option<Value> = run.result_of(MACHINE)?;
    if run.steps().is_empty() {
        run.finish_step(MACHINE, &here)?;
    } else if begun.is_some_and(|there| !there.is_null() && there != here) {
        // Candidates of two machines tell nothing of either.
        run.finish_step(MACHINE, &Value::Null)?;
    }
    let before = run.steps().len();
    let labs = context.labs(profilers);
    let about = context.about(context.measured.filler());
    let mut plans = PlanFiles::of_run(context);
    let mut session = context.experiment(&labs, &about, &mut plans);
    let report = candidates::run(&mut session, &request)?;
    let run = &mut context.session.run;
    // One that was cut off behind its last candidate has no day yet.
    if run.steps().len() > before || run.result_of::<String>(DAY)?.is_none() {
        run.finish_step(DAY, &today())?;
    }
    keep(context, &request.candidates, &report, &here)?;
    Ok(report)
}

/// Keeps the recommendation; one that is kept and was tried again without being told apart goes.
fn keep(
    context: &Context,
    tried: &[Insertion],
    report: &CandidatesReport,
    here: &Value,
) -> anyhow::Result<()> {
    let run = &context.session.run;
    let (cache, progress) = (
        context.session.toolchain.cache.as_deref(),
        &context.session.progress,
    );
    let on = run.result_of::<String>(DAY)?;
    let measured_here = run.result_of::<Value>(MACHINE)?.as_ref() == Some(here);
    let Some(on) = on.filter(|_| measured_here) else {
        if report.preferred.is_some() {
            progress.note("not kept for other commands: it was measured on another machine, or by another Proofmark");
        }
        return Ok(());
    };
    let usual = context.measured.filler();
    let preferred = report.preferred.as_deref().and_then(Filler::named);
    if let Some(filler) = preferred.filter(|_| cache.is_some()) {
        let recommendation = Recommendation {
            filler,
            instead_of: usual,
            with: report.workload.clone(),
            on,
        };
        let name = filler.name();
        // What was measured is shown all the same.
        progress.note(&match recommended::keep(cache, &recommendation) {
            Ok(()) => format!(
                "kept for this machine: divine, evaluate and assess take {name} from now on; --filler takes another"
            ),
            Err(error) => format!("not kept for other commands: {}", chain(&error)),
        });
        return Ok(());
    }
    // A process that dies may be chance: it refutes nothing.
    let rows = tried.iter().zip(&report.candidates);
    let measured = rows.filter(|(_, row)| row.failed.is_none());
    let measured: Vec<Insertion> = measured.map(|(one, _)| *one).collect();
    let known = context.measured.recommended(cache, progress)?;
    if known.is_some_and(|known| is_refuted(known.filler, usual, &measured)) {
        progress.note("the instruction that candidates recommended before is not told apart any more: other commands take the usual one");
        return recommended::forget(cache);
    }
    Ok(())
}

/// Whether a run that recommends nothing measured both the instruction that was recommended before and the usual one.
fn is_refuted(recommended: Filler, usual: Filler, measured: &[Insertion]) -> bool {
    let both = [recommended, usual].map(Insertion::plan);
    both.iter().all(|one| measured.contains(one))
}

/// `2026-11-23`
fn today() -> String {
    let now = jiff::Timestamp::try_from(std::time::SystemTime::now()).unwrap_or_default();
    now.strftime("%Y-%m-%d").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_run_that_tried_both_refutes() {
        let tried = |fillers: &[Filler]| -> Vec<Insertion> {
            fillers.iter().map(|one| Insertion::plan(*one)).collect()
        };
        let refuted = |fillers: &[Filler]| is_refuted(Filler::Lea, Filler::Mov, &tried(fillers));
        assert!(refuted(&[Filler::Mov, Filler::Nop, Filler::Lea]));
        assert!(!refuted(&[Filler::Mov, Filler::Nop]));
        assert!(!refuted(&[Filler::Lea]));
    }
}
