//! `proofmark evaluate`: the questions of the published study, asked of many programs, one after the other.

use std::path::PathBuf;

use proofmark_experiment::Progress as _;
use proofmark_experiment::assess::estimate::{DOSES, ORACLE, SAFEPOINT};
use proofmark_experiment::assess::{CostPlan, CostStep};
use proofmark_experiment::divine::{Effort, Series, run_series};
use proofmark_experiment::evaluate::{Evaluation, ProgramResult};
use proofmark_experiment::lab::Insertion;
use proofmark_jvm::LabError;
use proofmark_store::Run;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::assess;
use super::plan_files::PlanFiles;
use crate::context::{Context, Refusal};
use crate::exit::{INTERRUPTED, chain, code_of};
use crate::request::{AssessRequest, EvaluateRequest};
use crate::session::{file_name, new_place, resumable};
use crate::surroundings::Surroundings;

/// A program's result, and what was asked for.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// The workload with its class path and options.
    workload: Value,
    /// Directory of the program's own run, inside of the evaluation's.
    #[serde(default)]
    place: String,
    result: ProgramResult,
}

/// Measures every program of which the evaluation's directory holds no result yet, or only that it failed. `shown` is
/// called with what is known after each of them.
///
/// # Errors
/// When nothing can be measured here, or the user stops it. A program that cannot be measured is a result.
pub fn run(
    request: &EvaluateRequest,
    around: &Surroundings,
    shown: &mut dyn FnMut(&mut Run, &Evaluation) -> anyhow::Result<()>,
) -> anyhow::Result<(Run, Evaluation)> {
    let mut run = open(request)?;
    let place = run.directory().to_owned();
    let targets = request.targets_pct();
    let mut evaluation = Evaluation::of(targets, Vec::new());
    let count = request.programs.len();
    for (at, (name, assessment)) in request.programs.iter().enumerate() {
        let which = format!("program {} of {count}: {name}", at + 1);
        let step = format!("program {name}");
        let workload = serde_json::to_value(&assessment.program.workload)?;
        let before = run.result_of::<Kept>(&step)?;
        let own_place = place_of(name, &workload, before.as_ref());
        let same = |kept: &Kept| kept.workload == workload && kept.result.failed.is_none();
        if let Some(kept) = before.filter(same) {
            let taken = format!("{which}: taken from the run before");
            around.progress.note(&taken);
            evaluation = evaluation.with(kept.result);
            shown(&mut run, &evaluation)?;
            continue;
        }
        around.progress.note(&which);
        let begun_s = around.progress.elapsed_s();
        let own = with_place(assessment, place.join(&own_place));
        let mut result = match measured(name, &own, around) {
            Ok(result) => result,
            // The evaluation goes on, not the program's own run.
            Err(error) if code_of(&error) == INTERRUPTED => {
                return Err(resumable(LabError::Interrupted.into(), &place));
            }
            Err(error) if is_its_own(&error) && begins(around, &own) => {
                around.progress.note(&format!("{name}: {}", chain(&error)));
                ProgramResult::failed(name, chain(&error))
            }
            Err(error) => return Err(error),
        };
        result.wall_s = around.progress.elapsed_s() - begun_s;
        let kept = Kept {
            workload,
            place: own_place,
            result,
        };
        run.finish_step(&step, &kept)?;
        evaluation = evaluation.with(kept.result);
        shown(&mut run, &evaluation)?;
    }
    Ok((run, evaluation))
}

/// Directory of a program's run: one in which the same workload went wrong is gone on with, one of another workload of that
/// name is left alone.
fn place_of(name: &str, workload: &Value, before: Option<&Kept>) -> String {
    match before {
        None => file_name(name),
        Some(kept) if kept.workload == *workload && !kept.place.is_empty() => kept.place.clone(),
        Some(kept) => {
            let number = kept
                .place
                .rsplit_once('~')
                .and_then(|(_, n)| n.parse().ok());
            format!("{}~{}", file_name(name), number.unwrap_or(1) + 1)
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

/// What it would cost, one step for each program; nothing is started.
///
/// # Errors
/// When an option cannot be met.
pub fn cost(request: &EvaluateRequest) -> anyhow::Result<CostPlan> {
    let mut all = CostPlan {
        program: match request.programs.len() {
            1 => "1 program".to_owned(),
            count => format!("{count} programs"),
        },
        ..CostPlan::default()
    };
    for (name, assessment) in &request.programs {
        let own = assess::cost(assessment, Effort::thorough())?;
        let judges = |step: &CostStep| [DOSES, ORACLE, SAFEPOINT].contains(&&*step.step);
        let (jvms, seconds) = if assessment.profilers.is_empty() {
            let of_plans = own.steps.iter().filter(|step| !judges(step));
            (1, of_plans.map(|step| step.seconds).sum())
        } else {
            (own.jvms, own.total_s())
        };
        all.jvms += jvms;
        all.steps.push(CostStep {
            step: name.clone(),
            seconds,
            detail: "iterations of unknown length: taken as 10 ms".into(),
        });
    }
    Ok(all)
}

fn with_place(assessment: &AssessRequest, out: PathBuf) -> AssessRequest {
    let mut own = assessment.clone();
    own.program.out = Some(out);
    own
}

/// One program: its plans, and what profilers show of it.
fn measured(
    name: &str,
    request: &AssessRequest,
    around: &Surroundings,
) -> anyhow::Result<ProgramResult> {
    if request.profilers.is_empty() {
        return slowed(name, request, around);
    }
    let finished = assess::run(request, Effort::thorough(), around)?;
    Ok(ProgramResult::of(
        name,
        &finished.plans,
        Some(&finished.report),
    ))
}

/// One program that nobody looks at.
fn slowed(
    name: &str,
    request: &AssessRequest,
    around: &Surroundings,
) -> anyhow::Result<ProgramResult> {
    let mut context = Context::new(&request.program, around)?;
    let filler = context.measured.filler();
    let series = Series {
        targets: request.targets_pct.iter().map(|pct| pct / 100.0).collect(),
        insertion: Insertion::plan(filler),
        effort: Effort::thorough(),
        seed: request.program.seed,
    };
    let labs = context.labs(Vec::new());
    let about = context.about(filler);
    let mut plans = PlanFiles::of_run(&context);
    let mut session = context.experiment(&labs, &about, &mut plans);
    let reports = run_series(&mut session, &series)?;
    Ok(ProgramResult::of(name, &reports, None))
}

/// Begins the evaluation in its directory, or goes on with the one that is there.
fn open(request: &EvaluateRequest) -> anyhow::Result<Run> {
    let asked = asked(request);
    let Some(directory) = &request.out else {
        return Ok(Run::create(&new_place("runs", "evaluate")?, &asked)?);
    };
    if !directory.join("manifest.json").exists() {
        return Ok(Run::create(directory, &asked)?);
    }
    let run = Run::open(directory)?;
    as_before(request, &run.manifest()?)?;
    Ok(run)
}

/// Options that decide results; programs may be added.
fn asked(request: &EvaluateRequest) -> Value {
    let first = request.programs.first().map(|(_, assessment)| assessment);
    json!({
        "Proofmark": env!("CARGO_PKG_VERSION"),
        "command": "evaluate",
        "--target": request.targets_pct(),
        "--profiler": first.map(|a| &a.profilers),
        "--singles": first.map(|a| a.singles),
        "--methods": first.map(|a| a.sites.as_ref().map_or(0, |sites| sites.methods)),
        "--heap": first.map(|a| a.program.heap_mb),
        "--seed": first.map(|a| a.program.seed),
    })
}

/// Refuses a directory that holds something else.
///
/// # Errors
/// With what differs.
pub fn as_before(request: &EvaluateRequest, before: &Value) -> Result<(), Refusal> {
    let place = request.out.as_deref().unwrap_or(std::path::Path::new(""));
    let what = if before.get("command") != Some(&json!("evaluate")) {
        "a run of another command".to_owned()
    } else if let Some(option) = proofmark_experiment::assess::difference(before, &asked(request)) {
        format!("an evaluation with another {option}")
    } else {
        return Ok(());
    };
    Err(Refusal::Usage(format!(
        "{} holds {what}: repeat it with the same one, or give another --out; nothing was changed there",
        place.display()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A class path that was mended is another workload: its run begins anew, beside the one that failed.
    #[test]
    fn a_mended_program_gets_a_directory_of_its_own() {
        let failed = |workload: &str, place: &str| Kept {
            workload: json!(workload),
            place: place.into(),
            result: ProgramResult::failed("Main", "no such class".into()),
        };
        let place = |before: Option<&Kept>| place_of("Main", &json!("new"), before);
        assert_eq!(place(None), "Main");
        assert_eq!(place(Some(&failed("new", "Main"))), "Main");
        assert_eq!(place(Some(&failed("old", "Main"))), "Main~2");
        assert_eq!(place(Some(&failed("old", "Main~2"))), "Main~3");
        assert_eq!(place(Some(&failed("new", "Main~2"))), "Main~2");
    }
}
