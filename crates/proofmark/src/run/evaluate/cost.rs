//! What an evaluation would cost.

use proofmark_experiment::assess::estimate::{ASSUMED_MS, DOSES, ORACLE, SAFEPOINT};
use proofmark_experiment::assess::{CostPlan, CostStep};
use proofmark_jvm::toolchain::Settings;
use proofmark_store::steps_in;

use super::begun::{Begun, Kept, begun};
use super::{builds_now, slurm};
use crate::request::{AssessRequest, EvaluateRequest};
use crate::run::assess;

/// What one program costs.
pub(super) struct OwnCost {
    /// JVMs that are started.
    jvms: u64,
    /// Time, s.
    pub seconds: f64,
    /// What that rests on.
    detail: String,
}

/// What a program would cost, also one that was begun: how much of it is done is not known before its run goes on.
///
/// # Errors
/// When an option cannot be met.
pub(super) fn estimated(assessment: &AssessRequest) -> anyhow::Result<OwnCost> {
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
    let detail = match assess::known_iteration_ms(assessment)? {
        Some(ms) => format!("iterations of {ms:.3} ms"),
        None => format!("iterations of unknown length: taken as {ASSUMED_MS} ms"),
    };
    Ok(OwnCost {
        jvms,
        seconds,
        detail,
    })
}

/// What it would cost, one step for each program of which the evaluation's directory holds no result; no program is started.
///
/// # Errors
/// When what is there cannot be read or is of another build, or an option cannot be met.
pub fn cost(request: &EvaluateRequest, settings: &Settings) -> anyhow::Result<CostPlan> {
    let place = request.out.as_deref();
    let steps = place.map(steps_in).transpose()?.unwrap_or_default();
    let kept = |name: &str| -> anyhow::Result<Option<Kept>> {
        let last = steps.iter().rfind(|step| step.name == name);
        let kept = last.map(|step| serde_json::from_value(step.result.clone()));
        Ok(kept.transpose()?)
    };
    let builds = builds_now(settings);
    let mut missing = Vec::new();
    for one in begun(request, place, &builds, &kept)? {
        if let Begun::Missing(order) = one
            && !place.map_or(Ok(false), |place| slurm::is_left(place, &order))?
        {
            missing.push(order);
        }
    }
    let mut all = CostPlan {
        program: words(missing.len(), request.programs.len()),
        ..CostPlan::default()
    };
    for order in missing {
        let own = estimated(&order.request)?;
        all.jvms += own.jvms;
        all.steps.push(CostStep {
            step: order.name,
            seconds: own.seconds,
            detail: own.detail,
        });
    }
    Ok(all)
}

/// `14 programs`; `3 of 14 programs, the others are there`.
fn words(missing: usize, all: usize) -> String {
    match (missing, all) {
        (1, 1) => "1 program".to_owned(),
        (missing, all) if missing == all => format!("{all} programs"),
        (missing, 1) => format!("{missing} of 1 program, which is there"),
        (missing, all) => format!("{missing} of {all} programs, the others are there"),
    }
}

#[cfg(test)]
mod tests {
    use proofmark_experiment::evaluate::ProgramResult;
    use proofmark_store::Run;

    use super::super::begun::step;
    use super::*;
    use crate::builds::Builds;
    use crate::request::On;

    /// Only slowed, so that sites and profilers cost nothing.
    fn program(name: &str) -> (String, AssessRequest) {
        let workload = proofmark_jvm::Workload::parse(name, Vec::new());
        let mut own = AssessRequest::demo(workload.expect("a program of the suite"), None);
        own.profilers.clear();
        (name.to_owned(), own)
    }

    fn keep(run: &mut Run, (name, own): &(String, AssessRequest), failed: Option<&str>) {
        let kept = Kept {
            workload: serde_json::to_value(&own.program.workload).unwrap(),
            builds: Builds::default(),
            place: name.clone(),
            result: ProgramResult {
                failed: failed.map(str::to_owned),
                ..ProgramResult::failed(name, String::new())
            },
        };
        run.finish_step(&step(name), &kept).unwrap();
    }

    /// What failed is measured again; that another process is at it is no reason not to say what is left.
    #[test]
    fn only_what_is_missing_costs() {
        let place = tempfile::tempdir().unwrap();
        let names = ["suite:Queens", "suite:Towers", "suite:List"];
        let mut request = EvaluateRequest {
            programs: names.map(program).into(),
            out: Some(place.path().join("evaluation")),
            on: On::Local,
            dry_run: true,
        };
        let all = cost(&request, &Settings::default()).unwrap();
        assert_eq!((all.steps.len(), &*all.program), (3, "3 programs"));
        assert!(!place.path().join("evaluation").exists());
        let mut run = Run::create(&place.path().join("evaluation"), &"evaluation").unwrap();
        keep(&mut run, &request.programs[0], None);
        keep(&mut run, &request.programs[2], Some("it rains"));
        let left = cost(&request, &Settings::default()).unwrap();
        let steps: Vec<&str> = left.steps.iter().map(|one| &*one.step).collect();
        assert_eq!(steps, ["suite:Towers", "suite:List"]);
        assert_eq!(left.program, "2 of 3 programs, the others are there");
        assert!((left.total_s() - all.total_s() * 2.0 / 3.0).abs() < 1e-6);
        assert_eq!(left.jvms * 3, all.jvms * 2);
        request.programs.truncate(1);
        let none = cost(&request, &Settings::default()).unwrap();
        assert_eq!((none.total_s(), none.jvms), (0.0, 0), "{none:?}");
    }
}
