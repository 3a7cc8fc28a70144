//! What an assessment would cost, both parts.

use proofmark_experiment::assess::{CostPlan, estimate};
use proofmark_experiment::divine::Effort;
use proofmark_experiment::doctor::{Check, CheckStatus};
use proofmark_jvm::toolchain::{doctor, find_jdk, jdk_of};

use super::{in_a_line, laboratory, may_lack};
use crate::context::Refusal;
use crate::machine::Measured;
use crate::request::{AssessRequest, InLaboratory};
use crate::run::dose::{java, steps};
use crate::surroundings::Surroundings;

/// The request as far as it can be met here, found out without fetching or measuring anything: what the run itself would
/// say of a missing JDK or counter is said now.
///
/// # Errors
/// Those with which the run would not begin.
pub fn possible(request: &AssessRequest, around: &Surroundings) -> anyhow::Result<AssessRequest> {
    let mut request = request.clone();
    let mut laboratory = Ok(());
    if request.laboratory != InLaboratory::Never {
        laboratory = of_laboratory(around);
    }
    let sites = match &request.sites {
        Ok(sites) => jdk_of(&around.toolchain, &java(sites, &around.toolchain)).map(|_| ()),
        Err(_) => Ok(()),
    };
    let alone = request.laboratory == InLaboratory::Never || laboratory.is_err();
    if let Err(error) = laboratory {
        if request.sites.is_err() || !may_lack(&request, &error) {
            return Err(error);
        }
        let why = in_a_line(&error);
        let text = format!("sites only, without the laboratory: {why}");
        around.progress.note(&text);
        request.laboratory = InLaboratory::Never;
    }
    if let Err(error) = sites {
        if alone {
            return Err(error.into());
        }
        let why = in_a_line(&error.into());
        let text = format!("the laboratory only, without sites: {why}");
        around.progress.note(&text);
        request.sites = Err(why);
    }
    Ok(request)
}

/// A fit JDK, Graal here or to be had, and a machine whose samples say something, as far as that is known. What must be fetched
/// first is not asked for, which is said.
fn of_laboratory(around: &Surroundings) -> anyhow::Result<()> {
    find_jdk(&around.toolchain)?;
    let checks = doctor(&around.toolchain);
    let graal = |check: &&Check| check.name == "graal" && check.status == CheckStatus::Missing;
    if let Some(missing) = checks.iter().find(graal) {
        let text = format!("graal: {}; remedy: {}", missing.detail, missing.remedy);
        return Err(Refusal::Cannot(text).into());
    }
    if let Some(to_fetch) = to_fetch(&checks) {
        around.progress.note(&to_fetch);
    }
    if Measured::kept(around)?.is_none() {
        around.progress.note(
            "this machine is not calibrated yet: whether block times can be told here is seen when the run begins (or in proofmark doctor)",
        );
    }
    Ok(())
}

/// What the laboratory must fetch before it begins; none if all of it is here.
fn to_fetch(checks: &[Check]) -> Option<String> {
    let absent = |check: &&Check| check.name == "graal" && check.status == CheckStatus::Limited;
    let graal = checks.iter().find(absent)?;
    Some(format!(
        "graal: {}; whether that succeeds was not tried: nothing is downloaded in a dry run",
        graal.detail
    ))
}

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
        let (jvms, steps) = steps(sites, iteration_ms);
        plan.jvms += jvms;
        plan.steps.splice(0..0, steps);
    }
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::demo;
    use crate::run::dose::tests::asked;

    #[test]
    fn that_nothing_was_downloaded_is_said_where_something_must_be() {
        let jdk = Check::ok("jdk", "25");
        let here = Check::ok("graal", "25.0.1, in the cache");
        assert_eq!(to_fetch(&[jdk.clone(), here]), None);
        let absent = Check::limited("graal", "25.0.1 is not here yet: 9 MB will be fetched", "");
        let said = to_fetch(&[jdk, absent]).expect("a sentence");
        assert!(
            said.contains("9 MB") && said.contains("was not tried"),
            "{said}"
        );
    }

    #[test]
    fn the_demo_fits_into_five_minutes() {
        let queens = proofmark_jvm::Workload::parse("suite:Queens", Vec::new());
        let request = AssessRequest::demo(queens.expect("a program of the suite"), None);
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

    #[test]
    fn more_jvms_with_sites_are_told() {
        let told = |most_runs| {
            let sites = asked(3, most_runs);
            let usual = AssessRequest::demo(sites.workload.clone(), None);
            let request = AssessRequest {
                laboratory: InLaboratory::Never,
                sites: Ok(Box::new(sites)),
                ..usual
            };
            let plan = cost(&request, demo::effort()).unwrap();
            let mut steps = plan.steps.iter();
            steps.any(|step| step.detail.contains("2 more JVMs would probably decide"))
        };
        assert!(told(5) && !told(3));
    }
}
