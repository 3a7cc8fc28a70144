//! Before the first run: how fast the programs are, and how large the study can be.

use proofmark_experiment::assess::{CostPlan, CostStep};
use proofmark_jvm::LabError;

use super::live_estimate::{Pace, Size};
use super::live_manifest::Plan;
use super::live_profilers::Watcher;
use super::live_run::Workshop;
use crate::context::Refusal;
use crate::progress::Progress;
use crate::request::programs::Program;

/// Iterations of a trial.
const TRIAL: u32 = 15;

/// Tries every program once and makes the study fit the time budget.
///
/// # Errors
/// When a program does not exist, nothing fits the budget or the user interrupts.
pub fn planned(
    workshop: &Workshop<'_>,
    programs: &[Program],
    watchers: &[Watcher],
    progress: &Progress,
) -> anyhow::Result<Plan> {
    let asked = Size {
        runs: workshop.request.runs,
        iterations: workshop.request.iterations,
    };
    let mut paces = Vec::new();
    for program in programs {
        progress.step(&format!("trying {} once", program.name));
        let iterations = asked.iterations.min(TRIAL);
        match workshop.trial(program, &watchers[0], iterations) {
            Ok((total_s, iterations_ms)) => paces.push(Some(Pace::of(total_s, &iterations_ms))),
            Err(
                error @ (LabError::Interrupted | LabError::NoWorkload(_) | LabError::Start { .. }),
            ) => {
                return Err(anyhow::Error::from(error).context(program.name.clone()));
            }
            Err(error) => {
                progress.note(&format!("{} fails: {error}", program.name));
                paces.push(None);
            }
        }
    }
    let known: Vec<Pace> = paces
        .iter()
        .map(|pace| pace.unwrap_or(Pace::unknown()))
        .collect();
    let total_s = asked.total_s(&known, watchers.len());
    let size = match workshop.request.time_budget_s {
        None => asked,
        Some(budget_s) => asked.fitted(budget_s, &known, watchers.len()).map_err(|least_s| {
            Refusal::Usage(format!(
                "--time-budget {budget_s}: the smallest study of these programs and profilers takes {least_s:.0} s"
            ))
        })?,
    };
    if size != asked {
        progress.note(&format!(
            "{} runs of {} iterations would take {:.0} s; for the time budget: {} runs of {} iterations",
            asked.runs, asked.iterations, total_s, size.runs, size.iterations
        ));
    }
    Ok(Plan { paces, size })
}

/// Paces of all programs; of one whose trial failed an assumed one.
pub fn known(plan: &Plan) -> Vec<Pace> {
    let paces = plan.paces.iter();
    paces.map(|pace| pace.unwrap_or(Pace::unknown())).collect()
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// What the study would cost.
pub fn cost(plan: &Plan, programs: &[Program], watchers: &[Watcher]) -> CostPlan {
    let per_program = watchers.len() as f64 * f64::from(plan.size.runs);
    let steps = programs.iter().zip(known(plan)).zip(&plan.paces);
    CostPlan {
        program: format!(
            "{}, {}",
            counted(programs.len(), "program"),
            counted(watchers.len() - 1, "profiler")
        ),
        jvms: programs.len() as u64 * watchers.len() as u64 * u64::from(plan.size.runs),
        steps: steps
            .map(|((program, pace), tried)| CostStep {
                step: program.name.clone(),
                seconds: per_program * pace.run_s(plan.size.iterations),
                detail: format!(
                    "{} runs with and without profilers, {} iterations of {:.1} ms{}",
                    per_program,
                    plan.size.iterations,
                    1e3 * pace.iteration_s,
                    if tried.is_some() {
                        ""
                    } else {
                        " (assumed: its trial failed)"
                    }
                ),
            })
            .collect(),
        precision: Vec::new(),
    }
}
