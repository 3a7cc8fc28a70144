//! `proofmark evaluate`: the questions of the published study, asked of many programs.
//!
//! | module | what |
//! | --- | --- |
//! | `program` | one program: its plans, and what profilers show of it |
//! | `executor` | what has programs measured: here, one after the other |
//! | `slurm` | or as an array of jobs on a cluster, every program on a node of its own |

mod executor;
mod program;
mod slurm;

use std::path::{Path, PathBuf};

use proofmark_divine::SearchKind;
use proofmark_experiment::assess::estimate::{DOSES, ORACLE, SAFEPOINT};
use proofmark_experiment::assess::{CostPlan, CostStep};
use proofmark_experiment::evaluate::{Evaluation, ProgramResult};
use proofmark_experiment::lab::Filler;
use proofmark_store::Run;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::assess;
use crate::context::Refusal;
use crate::request::{AssessRequest, EvaluateRequest, On, SearchRequest};
use crate::session::{file_name, new_place};
use crate::surroundings::Surroundings;
use executor::{Executor, Local, Order};
use slurm::Slurm;

pub use slurm::{present, task};

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
/// called with what is known as often as more of it is.
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
    let (mut results, orders) = begun(request, &run, around)?;
    let targets = request.targets_pct();
    if orders.len() < results.len() {
        shown(&mut run, &known(targets, &results))?;
    }
    let mut done = |order: &Order, result: ProgramResult| -> anyhow::Result<()> {
        let kept = Kept {
            workload: order.workload.clone(),
            place: order.place.clone(),
            result,
        };
        run.finish_step(&step(&order.name), &kept)?;
        results[order.at] = Some(kept.result);
        shown(&mut run, &known(targets, &results))
    };
    // What tasks of a job array left behind while nobody waited for them.
    let orders = slurm::collected(&place, orders, around, &mut done)?;
    let executor: Box<dyn Executor + '_> = match &request.on {
        On::Slurm(asked) => Box::new(Slurm {
            asked,
            place: std::path::absolute(&place)?,
            around,
            seconds: cost(request)?.steps.iter().map(|s| s.seconds).collect(),
        }),
        On::Local | On::Task(_) => Box::new(Local {
            place: &place,
            around,
        }),
    };
    executor.run(&orders, &mut done)?;
    let evaluation = known(targets, &results);
    Ok((run, evaluation))
}

/// Results that are there, in the order of the programs, and what is to be measured.
fn begun(
    request: &EvaluateRequest,
    run: &Run,
    around: &Surroundings,
) -> anyhow::Result<(Vec<Option<ProgramResult>>, Vec<Order>)> {
    let count = request.programs.len();
    let (mut results, mut orders) = (Vec::new(), Vec::new());
    for (at, (name, assessment)) in request.programs.iter().enumerate() {
        let which = format!("program {} of {count}: {name}", at + 1);
        let workload = serde_json::to_value(&assessment.program.workload)?;
        let before = run.result_of::<Kept>(&step(name))?;
        let place = place_of(name, &workload, before.as_ref());
        let same = |kept: &Kept| kept.workload == workload && kept.result.failed.is_none();
        if let Some(kept) = before.filter(same) {
            let taken = format!("{which}: taken from the run before");
            around.progress.note(&taken);
            results.push(Some(kept.result));
            continue;
        }
        results.push(None);
        orders.push(Order {
            at,
            name: name.clone(),
            request: with_place(assessment, run.directory().join(&place)),
            place,
            workload,
            which,
        });
    }
    Ok((results, orders))
}

/// What is known so far, in the order of the programs.
fn known(targets_pct: &[f64], results: &[Option<ProgramResult>]) -> Evaluation {
    Evaluation::of(targets_pct, results.iter().flatten().cloned().collect())
}

/// Step with the result of a program.
fn step(name: &str) -> String {
    format!("program {name}")
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
        let own = assess::cost(assessment, assessment.search.effort())?;
        let judges = |step: &CostStep| [DOSES, ORACLE, SAFEPOINT].contains(&&*step.step);
        let (jvms, seconds) = if assessment.profilers.is_empty() {
            let of_plans = own.steps.iter().filter(|step| !judges(step));
            let each = 2 * u64::from(assessment.search.fresh_jvms);
            let jvms = 1 + each * assessment.targets_pct.len() as u64;
            (jvms, of_plans.map(|step| step.seconds).sum())
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
        "--filler": first.and_then(|a| a.filler).map(Filler::name),
        "--search": first.and_then(|a| by_steps(&a.search)),
        "--fresh": first.map(|a| a.search.fresh_jvms).filter(|jvms| *jvms > 0),
        "--seed": first.map(|a| a.program.seed),
    })
}

/// The published search by its name; none for the usual one, which earlier versions did not name.
fn by_steps(search: &SearchRequest) -> Option<&'static str> {
    (search.kind == SearchKind::Stepwise).then_some("stepwise")
}

/// Refuses a directory that holds something else.
///
/// # Errors
/// With what differs.
pub fn as_before(request: &EvaluateRequest, before: &Value) -> Result<(), Refusal> {
    let place = request.out.as_deref().unwrap_or(Path::new(""));
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
