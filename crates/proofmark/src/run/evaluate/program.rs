//! One program of an evaluation: its plans, and what profilers show of it.

use std::path::Path;

use proofmark_experiment::Progress as _;
use proofmark_experiment::divine::{DivineReport, Series, run_series};
use proofmark_experiment::evaluate::ProgramResult;
use proofmark_experiment::lab::Insertion;
use proofmark_jvm::LabError;

use super::keeper::Keeper;
use crate::context::{Context, Refusal};
use crate::exit::{INTERRUPTED, chain, code_of};
use crate::request::AssessRequest;
use crate::run::assess::{self, Finished};
use crate::run::plan_files::PlanFiles;
use crate::run::slowdown;
use crate::session::resumable;
use crate::surroundings::Surroundings;

/// A program that was measured, with what its own files tell of.
enum Ended {
    /// Its profilers were judged.
    Judged(Box<Finished>),
    /// It was only slowed; none without a plan.
    Slowed(Box<Context>, Option<Box<DivineReport>>),
}

/// The program's result, also that it cannot be measured; what is told of it alone goes into its own directory. `place` is the
/// directory of the evaluation.
///
/// # Errors
/// When the user stops it, something cannot be kept, or no program at all could be measured here.
pub(super) fn result(
    (name, request): (&str, &AssessRequest),
    place: &Path,
    around: &Surroundings,
    keeper: &dyn Keeper,
) -> anyhow::Result<ProgramResult> {
    let begun_s = around.progress.elapsed_s();
    let mut result = match measured(name, request, around) {
        Ok((result, mut ended)) => {
            ended.keep(keeper)?;
            result
        }
        // The evaluation goes on, not the program's own run.
        Err(error) if code_of(&error) == INTERRUPTED => {
            return Err(resumable(LabError::Interrupted.into(), place));
        }
        Err(error) if is_its_own(&error) && begins(around, request) => {
            around.progress.note(&format!("{name}: {}", chain(&error)));
            ProgramResult::failed(name, chain(&error))
        }
        Err(error) => return Err(error),
    };
    result.wall_s = around.progress.elapsed_s() - begun_s;
    Ok(result)
}

impl Ended {
    /// Keeps what is told of the program alone.
    fn keep(&mut self, keeper: &dyn Keeper) -> anyhow::Result<()> {
        match self {
            Self::Judged(finished) => keeper.judged(finished),
            Self::Slowed(context, Some(plan)) => keeper.slowed(context, plan),
            Self::Slowed(_, None) => Ok(()),
        }
    }
}

/// Whether an error may be a matter of the program: not one that the command line makes.
fn is_its_own(error: &anyhow::Error) -> bool {
    !matches!(error.downcast_ref(), Some(Refusal::Usage(_)))
}

/// Whether a laboratory can be had at all: else no program's failure is its own.
fn begins(around: &Surroundings, request: &AssessRequest) -> bool {
    Context::ready(&request.program, around).is_ok()
}

fn measured(
    name: &str,
    request: &AssessRequest,
    around: &Surroundings,
) -> anyhow::Result<(ProgramResult, Ended)> {
    if request.profilers.is_empty() {
        return slowed(name, request, around);
    }
    let finished = assess::run(request, request.search.effort(), around)?;
    let result = ProgramResult::of(name, &finished.plans, Some(&finished.report));
    Ok((result, Ended::Judged(Box::new(finished))))
}

/// One program that nobody looks at.
fn slowed(
    name: &str,
    request: &AssessRequest,
    around: &Surroundings,
) -> anyhow::Result<(ProgramResult, Ended)> {
    let mut context = Context::new(&request.program, around)?;
    let filler = slowdown::chosen(&mut context, request.filler)?;
    let series = Series {
        targets: request.targets_pct.iter().map(|pct| pct / 100.0).collect(),
        insertion: Insertion::plan(filler),
        effort: request.search.effort(),
        seed: request.program.seed,
    };
    let labs = context.labs(Vec::new());
    let about = context.about(filler);
    let mut plans = PlanFiles::of_run(&context);
    let mut session = context.experiment(&labs, &about, &mut plans);
    let mut reports = run_series(&mut session, &series)?;
    let result = ProgramResult::of(name, &reports, None).with_filler(context.slowdown.clone());
    let first = (!reports.is_empty()).then(|| Box::new(reports.swap_remove(0)));
    Ok((result, Ended::Slowed(Box::new(context), first)))
}

#[cfg(test)]
mod tests {
    use proofmark_assess::Assessment;
    use proofmark_experiment::assess::{AssessReport, Part};
    use proofmark_experiment::dose::DoseResult;
    use proofmark_store::Run;

    use super::*;
    use crate::output::InFiles;
    use crate::run::assess::Ground;

    /// What `assess` leaves in its directory, an evaluation leaves in that of the program.
    #[test]
    fn a_judged_program_keeps_its_own_page_and_document() {
        let place = tempfile::tempdir().unwrap();
        let run = Run::create(&place.path().join("suite_Queens"), &"a run").unwrap();
        let dose: Part<DoseResult> = Err("not in this test".into());
        let laboratory: Part<Assessment> = Err("nor this".into());
        let about = ("Queens", "a machine");
        let report = AssessReport::of(&["jfr".to_owned()], &dose, &laboratory, about);
        let finished = Finished {
            report: report.clone(),
            dose,
            plan: None,
            plans: Vec::new(),
            ground: Ground::Sites(run),
        };
        Ended::Judged(Box::new(finished)).keep(&InFiles).unwrap();
        let read =
            |name: &str| std::fs::read(place.path().join("suite_Queens").join(name)).unwrap();
        let kept: AssessReport = serde_json::from_slice(&read("assessment.json")).unwrap();
        assert_eq!(kept, report);
        let page = String::from_utf8(read("report.html")).unwrap();
        assert!(page.contains("Queens") && page.contains("not in this test"));
    }
}
