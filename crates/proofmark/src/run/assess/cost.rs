//! What an assessment would cost.

use super::super::divine::Effort;
use super::super::divine_command;
use super::super::estimate;
use super::laboratory::Experiments;
use crate::args::AssessArguments;
use proofmark_report::CostPlan;

/// What a run would cost; nothing is started. A plan or an interrupted run tells how long an iteration takes.
///
/// # Errors
/// When the command line asks for something that does not exist.
pub fn cost(arguments: &AssessArguments, effort: Effort) -> anyhow::Result<CostPlan> {
    let workload = crate::context::workload(&arguments.workload)?;
    let told = arguments
        .plan
        .as_deref()
        .map(divine_command::read)
        .transpose()?
        .and_then(|plan| plan.report.warm_up)
        .map(|warm| warm.iteration_ms);
    let stored = || {
        let run = proofmark_store::Run::open(arguments.workload.out.as_deref()?).ok()?;
        Some(
            run.result_of::<(Experiments, serde_json::Value)>("laboratory")
                .ok()??
                .0
                .iteration_ms,
        )
    };
    let iteration_ms = told.or_else(stored);
    let program = format!(
        "{} (iterations of {})",
        workload.name(),
        iteration_ms.map_or(
            format!("unknown length, {} ms assumed", estimate::ASSUMED_MS),
            |ms| format!("{ms:.3} ms")
        )
    );
    estimate::assessment(
        &program,
        arguments,
        &effort,
        iteration_ms.unwrap_or(estimate::ASSUMED_MS),
    )
}
