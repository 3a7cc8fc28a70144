//! A plan with all that is told about it, and how one is made.

use proofmark_blocks::Unit;
use proofmark_divine::PlanFile;

use super::describe::describe;
use super::fresh::JUDGING_ROUNDS;
use super::report::DivineReport;
use super::series::laboratory;
use super::verify::verify;
use super::{Effort, Journal, Series, divine, plans};
use crate::ExperimentError;
use crate::assess::estimate::{ASSUMED_MS, divine_s, prepare_s};
use crate::lab::{Alone, Failure, Filler, Insertion, Lab, LabError, Labs};
use crate::session::Session;

/// A plan with everything that other processes need for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The plan file.
    pub file: PlanFile,
    /// What is told about it.
    pub report: DivineReport,
    /// Descriptions of its units.
    pub units: Vec<Unit>,
}

impl Plan {
    /// The slowdown instruction that it counts.
    ///
    /// # Errors
    /// When it is not known here.
    pub fn filler(&self) -> Result<Filler, ExperimentError> {
        let name = &self.file.instruction;
        Filler::named(name).ok_or_else(|| {
            ExperimentError::Usage(format!(
                "the plan counts an instruction that is not known here, '{name}': make it again with `proofmark divine`"
            ))
        })
    }
}

/// A plan as it is asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DivineRequest {
    /// Slowdown wanted, 1.0 is +100 %.
    pub target: f64,
    /// Slowdown instruction, and where in a block it goes.
    pub insertion: Insertion,
    /// Seed of everything that is drawn at random.
    pub seed: u64,
    /// Fresh processes in which the plan is tried afterwards.
    pub verify: u32,
    /// Every window in a process of its own, with these profiles; none: all in one process.
    pub fresh: Option<FreshProfiles>,
    /// How much is measured, and by which search.
    pub effort: Effort,
}

/// By which profiles processes compile that have a window each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FreshProfiles {
    /// Each by what it has seen itself.
    Own,
    /// All by those of the first one, so that they compile the same code.
    Loaded,
}

/// What trying a plan in a process that is ready takes, s.
const VERIFY_S: f64 = 8.0;

/// Prepares a laboratory, divines a plan in it, keeps it, and tries it in fresh ones.
///
/// # Errors
/// When a laboratory fails or something cannot be stored.
pub fn run(session: &mut Session<'_>, request: &DivineRequest) -> Result<Plan, ExperimentError> {
    let effort = request.effort;
    let progress = session.progress;
    progress.expect(prepare_s(ASSUMED_MS) + divine_s(&effort, ASSUMED_MS));
    let mut lab = laboratory(session)?;
    let series = Series {
        targets: vec![request.target],
        insertion: request.insertion,
        effort,
        seed: request.seed,
    };
    let found = match request.fresh {
        Some(FreshProfiles::Own) => {
            let labs = Alone(session.labs);
            let found = plan_fresh(session, &labs, &mut *lab, &series);
            Some(found.map_err(or_loaded)?)
        }
        Some(FreshProfiles::Loaded) => Some(plan_fresh(session, session.labs, &mut *lab, &series)?),
        None => plans(session, &mut *lab, &series, &|_, _| 0.0)?.pop(),
    };
    let mut plan = found.ok_or_else(|| ExperimentError::Usage("no target".into()))?;
    let iteration_ms = lab.warm().iteration_ns / 1e6;
    lab.stop();
    session.plans.keep(&mut plan)?;
    if request.verify > 0 {
        let each = prepare_s(iteration_ms) + VERIFY_S;
        progress.expect(f64::from(request.verify) * each);
        let labs = session.labs;
        let seen = verify(labs, &plan, request.insertion, request.verify, progress)?;
        plan.report.verification = Some(seen);
    }
    Ok(plan)
}

/// Says what helps where processes compile other code than the first one.
fn or_loaded(error: ExperimentError) -> ExperimentError {
    match error {
        ExperimentError::Lab(error) if error.failure == Failure::UnitsLost => {
            let text = format!(
                "{error}; with --fresh=loaded all of them compile by the first one's profiles"
            );
            LabError::new(Failure::UnitsLost, text).into()
        }
        other => other,
    }
}

/// Divines a plan with every window in a process of its own, which `labs` starts; the one that is given serves for the
/// baseline profile.
///
/// # Errors
/// When a laboratory fails.
fn plan_fresh(
    session: &Session<'_>,
    labs: &dyn Labs,
    lab: &mut dyn Lab,
    series: &Series,
) -> Result<Plan, ExperimentError> {
    let effort = Effort {
        watched_s: 12.0,
        unwatched_s: 9.0,
        evaluation_rounds: JUDGING_ROUNDS,
        ..series.effort
    };
    let series = Series {
        effort,
        ..series.clone()
    };
    let target = series.targets[0];
    let request = series.request(session.about, target, None);
    let mut journal = Journal::none(session.progress);
    let found = divine(lab, &request, &mut journal, Some(labs), session.progress)?;
    Ok(describe(session.about, lab, target, &found, &effort))
}
