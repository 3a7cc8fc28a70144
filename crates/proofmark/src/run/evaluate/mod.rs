//! `proofmark evaluate`: the questions of the published study, asked of many programs.
//!
//! | module | what |
//! | --- | --- |
//! | `begun` | what the directory of the evaluation holds already |
//! | `program` | one program: its plans, and what profilers show of it |
//! | `cost` | what is missing would cost |
//! | `keeper` | what becomes of results |
//! | `show` | what was measured before, from files |
//! | `executor` | what has programs measured: here, one after the other |
//! | `slurm` | or as an array of jobs on a cluster, every program on a node of its own |

mod begun;
mod cost;
mod executor;
mod keeper;
mod place;
mod program;
mod show;
mod slurm;

use std::path::Path;

use proofmark_divine::SearchKind;
use proofmark_experiment::evaluate::{Evaluation, ProgramResult};
use proofmark_experiment::lab::Filler;
use proofmark_jvm::toolchain::{Settings, find_jdk};
use proofmark_store::Run;
use serde_json::{Value, json};

use crate::builds::Builds;
use crate::context::Refusal;
use crate::request::{AssessRequest, EvaluateRequest, On, SearchRequest};
use crate::run::assess::builds;
use crate::run::profilers::files;
use crate::session::new_place;
use crate::surroundings::Surroundings;
use begun::{Begun, Kept, begun, step};
use executor::{Executor, Local, Order};
use slurm::Slurm;

pub use cost::cost;
pub use keeper::Keeper;
pub use show::show;
pub use slurm::{present, task};

/// Measures every program of which the evaluation's directory holds no result yet, or only that it failed. `keeper` gets what
/// is known as often as more of it is.
///
/// # Errors
/// When nothing can be measured here, what is there is of another build, something cannot be kept, or the user stops it. A program
/// that cannot be measured is a result.
pub fn run(
    request: &EvaluateRequest,
    around: &Surroundings,
    keeper: &dyn Keeper,
) -> anyhow::Result<(Run, Evaluation)> {
    let mut run = open(request)?;
    let place = run.directory().to_owned();
    let (mut results, orders) = found(request, &run, around)?;
    let targets = request.targets_pct();
    if orders.len() < results.len() {
        keeper.evaluation(&mut run, &known(targets, &results))?;
    }
    let mut done = |order: &Order, result: ProgramResult| -> anyhow::Result<()> {
        let kept = Kept {
            workload: order.workload.clone(),
            builds: order.builds.clone(),
            place: order.place.clone(),
            result,
        };
        run.finish_step(&step(&order.name), &kept)?;
        results[order.at] = Some(kept.result);
        keeper.evaluation(&mut run, &known(targets, &results))
    };
    // What tasks of a job array left behind while nobody waited for them.
    let orders = slurm::collected(&place, orders, around, &mut done)?;
    let measure =
        |order: &Order| program::result((&order.name, &order.request), &place, around, keeper);
    let executor: Box<dyn Executor + '_> = match &request.on {
        On::Slurm(asked) => Box::new(Slurm {
            asked,
            place: std::path::absolute(&place)?,
            around,
            programs: request.programs.len(),
        }),
        On::Local | On::Task(_) => Box::new(Local {
            measure: &measure,
            progress: &around.progress,
        }),
    };
    executor.run(&orders, &mut done)?;
    let evaluation = known(targets, &results);
    Ok((run, evaluation))
}

/// Results that are there, in the order of the programs, and what is to be measured.
fn found(
    request: &EvaluateRequest,
    run: &Run,
    around: &Surroundings,
) -> anyhow::Result<(Vec<Option<ProgramResult>>, Vec<Order>)> {
    let kept = |name: &str| -> anyhow::Result<Option<Kept>> { Ok(run.result_of(name)?) };
    let builds = builds_now(&around.toolchain);
    let (mut results, mut orders) = (Vec::new(), Vec::new());
    for one in begun(request, Some(run.directory()), &builds, &kept)? {
        match one {
            Begun::There(which, result) => {
                let taken = format!("{which}: taken from the run before");
                around.progress.note(&taken);
                results.push(Some(*result));
            }
            Begun::Missing(order) => {
                results.push(None);
                orders.push(*order);
            }
        }
    }
    Ok((results, orders))
}

/// Builds of a program, the JDKs and the profilers as they are now.
fn builds_now(settings: &Settings) -> impl Fn(&AssessRequest) -> Builds {
    let laboratory = find_jdk(settings).ok();
    move |assessment: &AssessRequest| {
        let library = assessment.async_library.as_deref();
        builds(assessment, settings)
            .in_laboratory(laboratory.as_ref())
            .under(files(&assessment.profilers, library))
    }
}

/// What is known so far, in the order of the programs.
fn known(targets_pct: &[f64], results: &[Option<ProgramResult>]) -> Evaluation {
    Evaluation::of(targets_pct, results.iter().flatten().cloned().collect())
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
