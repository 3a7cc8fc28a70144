//! What an assessment would cost, both parts.

use proofmark_experiment::assess::{CostPlan, estimate};
use proofmark_experiment::divine::Effort;
use proofmark_experiment::dose;

use super::laboratory;
use crate::request::{AssessRequest, DoseRequest, InLaboratory};

/// What a run would cost; nothing is started. A plan or an interrupted run tells how long an iteration takes.
///
/// # Errors
/// When the command line asks for something that does not exist.
pub fn cost(request: &AssessRequest, effort: Effort) -> anyhow::Result<CostPlan> {
    let known = laboratory::known_iteration_ms(request)?;
    let iteration_ms = known.unwrap_or(estimate::ASSUMED_MS);
    let program = format!(
        "{} (iterations of {})",
        request.program.workload.name(),
        known.map_or(
            format!("unknown length, {} ms assumed", estimate::ASSUMED_MS),
            |ms| format!("{ms:.3} ms")
        )
    );
    let mut plan = match request.laboratory {
        InLaboratory::Never => CostPlan {
            program,
            ..CostPlan::default()
        },
        _ => laboratory::cost(&program, request, effort, iteration_ms)?,
    };
    if let Ok(sites) = &request.sites {
        let (jvms, steps) = dose::cost(&size(sites), iteration_ms);
        plan.jvms += jvms;
        plan.steps.splice(0..0, steps);
    }
    Ok(plan)
}

fn size(sites: &DoseRequest) -> dose::Size {
    dose::Size {
        profilers: sites.profilers.clone(),
        methods: sites.methods,
        rounds: sites.rounds,
        budget_s: sites.budget_s,
        runs: sites.runs,
        window_s: sites.window_s,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::demo;

    #[test]
    fn the_demo_fits_into_five_minutes() {
        let queens = proofmark_jvm::Workload::parse("suite:Queens", Vec::new());
        let request = demo::request(queens.expect("a program of the suite"), None);
        let plan = cost(&request, demo::effort()).unwrap();
        assert!(plan.total_s() < 300.0, "{}", plan.total_s());
        let sites = plan.total_s() - plan.from("toolchain");
        assert!((30.0..150.0).contains(&sites), "{sites}");
        let without = AssessRequest {
            laboratory: InLaboratory::Never,
            ..request
        };
        let without = cost(&without, demo::effort()).unwrap();
        assert!((without.total_s() - sites).abs() < 1e-9 && without.jvms < plan.jvms);
    }
}
