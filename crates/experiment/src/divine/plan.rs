//! A plan with all that is told about it, and how one is made.

use proofmark_blocks::Unit;
use proofmark_divine::PlanFile;

use super::describe::describe;
use super::report::DivineReport;
use super::verify::verify;
use super::{Effort, Journal, Series, divine, plans, wanted};
use crate::ExperimentError;
use crate::assess::estimate::{ASSUMED_MS, divine_s, prepare_s};
use crate::lab::{Filler, Insertion, Lab, Preparation};
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
    /// Every window in a process of its own.
    pub fresh: bool,
}

/// What trying a plan in a process that is ready takes, s.
const VERIFY_S: f64 = 8.0;

/// Prepares a laboratory, divines a plan in it, keeps it, and tries it in fresh ones.
///
/// # Errors
/// When a laboratory fails or something cannot be stored.
pub fn run(session: &mut Session<'_>, request: &DivineRequest) -> Result<Plan, ExperimentError> {
    let effort = Effort::thorough();
    let progress = session.progress;
    progress.expect(prepare_s(ASSUMED_MS) + divine_s(&effort, ASSUMED_MS));
    let mut lab = session.labs.prepare(&Preparation {
        name: "divine".into(),
        wanted: wanted(session.steps),
        profiler: None,
        filler: Some(session.about.filler),
    })?;
    let series = Series {
        targets: vec![request.target],
        insertion: request.insertion,
        effort,
        seed: request.seed,
    };
    let found = match request.fresh {
        true => Some(plan_fresh(session, &mut *lab, &series, request.target)?),
        false => plans(session, &mut *lab, &series, &|_, _| 0.0)?.pop(),
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

/// Divines a plan by the published protocol, every window in a process of its own; the one that is given serves for the
/// first look at the program.
///
/// # Errors
/// When a laboratory fails.
fn plan_fresh(
    session: &Session<'_>,
    lab: &mut dyn Lab,
    series: &Series,
    target: f64,
) -> Result<Plan, ExperimentError> {
    let effort = Effort {
        watched_s: 12.0,
        unwatched_s: 9.0,
        evaluation_rounds: 3,
        ..series.effort
    };
    let series = Series {
        effort,
        ..series.clone()
    };
    let request = series.request(session.about, target, None);
    let mut journal = Journal::none(session.progress);
    let found = divine(
        lab,
        &request,
        &mut journal,
        Some(session.labs),
        session.progress,
    )?;
    Ok(describe(session.about, lab, target, &found, &effort))
}
