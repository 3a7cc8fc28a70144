//! The process without a profiler: plan, doses, controls.

use proofmark_assess::{ExcludedBlock, Role};
use proofmark_blocks::BlockTimes;
use serde::{Deserialize, Serialize};

use super::doses::{self, Chosen, DoseTarget, Known};
use super::judge::again;
use super::request::{AssessRequest, Subject, percent};
use super::run::expect;
use super::schedule::{Who, windows};
use super::windows::JvmWindows;
use super::{CONTROL_HZ, Pace, estimate};
use crate::ExperimentError;
use crate::divine::{DivineReport, Plan, Series, plans, wanted};
use crate::lab::{Insertion, Lab, LabError, Preparation, WindowSpec};
use crate::progress::Progress;
use crate::session::Session;
use crate::steps::{self, Steps};
use crate::tables::{NamedTable, of_plan};

/// What is done to the program, by name, so that every process can do it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Experiments {
    /// Percent and tables of each uniform slowdown.
    pub uniform: Vec<(u32, Vec<NamedTable>)>,
    /// What is dosed.
    #[serde(default)]
    pub doses: Vec<DoseTarget>,
    /// Blocks that were looked at for it and are not dosed.
    #[serde(default)]
    pub excluded: Vec<ExcludedBlock>,
    /// CPU time of an iteration.
    pub iteration_ms: f64,
}

/// Step with experiments and controls.
const STEP: &str = "laboratory";
/// Step with what is told about the plans, one for each target.
const PLANS_STEP: &str = "plans";

/// CPU time of an iteration that an interrupted assessment saw, ms; none if it did not come so far.
#[must_use]
pub fn stored_iteration_ms(steps: &dyn Steps) -> Option<f64> {
    let stored: (Experiments, serde_json::Value) = steps::result_of(steps, STEP).ok()??;
    Some(stored.0.iteration_ms)
}

/// What was found without a profiler.
pub struct Prepared {
    /// The plan for the first target.
    pub plan: Plan,
    /// What is told about the plans, one for each target.
    pub plans: Vec<DivineReport>,
    /// What is done to the program.
    pub experiments: Experiments,
    /// Windows of both controls.
    pub controls: Vec<JvmWindows>,
}

/// The process without a profiler: plan, doses, controls.
///
/// # Errors
/// When something cannot be measured.
pub fn laboratory(
    session: &mut Session<'_>,
    request: &AssessRequest,
) -> Result<Prepared, ExperimentError> {
    let stored = steps::result_of::<(Experiments, Vec<JvmWindows>)>(session.steps, STEP)?;
    if let (Some((experiments, controls)), Some(mut plan)) = (stored, session.plans.stored()?) {
        session.progress.note(&of_before(session, request, &plan));
        let plans = steps::result_of::<Vec<DivineReport>>(session.steps, PLANS_STEP)?;
        let plans = plans.unwrap_or_else(|| vec![plan.report.clone()]);
        plan.report.clone_from(&plans[0]);
        return Ok(Prepared {
            plan,
            plans,
            experiments,
            controls,
        });
    }
    let mut lab = session.labs.prepare(&Preparation {
        name: "laboratory".into(),
        run: 0,
        wanted: wanted_units(session, request),
        profiler: None,
        filler: Some(session.about.filler),
    })?;
    let iteration_ms = lab.warm().iteration_ns / 1e6;
    let (mut plans, uniform) = slowdowns(session, request, &mut *lab)?;
    session.plans.keep(&mut plans[0])?;
    let reports: Vec<DivineReport> = plans.iter().map(|plan| plan.report.clone()).collect();
    steps::finish(session.steps, PLANS_STEP, &reports)?;
    let plan = plans.swap_remove(0);
    session.progress.stage(estimate::DOSES);
    expect(session, request, iteration_ms, estimate::DOSES);
    let Chosen { targets, excluded } = chosen(session, request, &mut *lab)?;
    let experiments = Experiments {
        uniform,
        doses: targets,
        excluded,
        iteration_ms,
    };
    expect(session, request, iteration_ms, estimate::ORACLE);
    let controls = controls(session, request, &mut *lab, (&plan, &experiments))?;
    lab.stop();
    steps::finish(session.steps, STEP, &(&experiments, &controls))?;
    Ok(Prepared {
        plan,
        plans: reports,
        experiments,
        controls,
    })
}

/// Units of an interrupted search, and of the plan that is given.
fn wanted_units(session: &Session<'_>, request: &AssessRequest) -> Vec<String> {
    let of_plan = request.plan.iter().flat_map(|plan| &plan.file.units);
    let given = of_plan.map(|unit| unit.name.clone());
    wanted(session.steps).into_iter().chain(given).collect()
}

/// Percent and tables of each uniform slowdown.
type Uniform = Vec<(u32, Vec<NamedTable>)>;

/// The plan that is given, or one for every target; at least one.
fn slowdowns(
    session: &mut Session<'_>,
    request: &AssessRequest,
    lab: &mut dyn Lab,
) -> Result<(Vec<Plan>, Uniform), ExperimentError> {
    let found = match &request.plan {
        Some(given) => {
            of_elsewhere(session, given);
            vec![given.clone()]
        }
        None => divined(session, request, lab)?,
    };
    if found.is_empty() {
        return Err(ExperimentError::Usage("no target".into()));
    }
    let uniform = |plan: &Plan| (percent(plan.file.target_pct), of_plan(&plan.file));
    let uniform = found.iter().map(uniform).collect();
    Ok((found, uniform))
}

/// What is taken from the run before, and where it was measured if the machine has another name now: it is another one, or
/// another Proofmark named it.
fn of_before(session: &Session<'_>, request: &AssessRequest, kept: &Plan) -> String {
    let taken = "plan and controls: taken from the run before";
    let there = &kept.file.environment.machine;
    let here = &session.about.environment.machine;
    // One that is given may be of elsewhere from the beginning.
    match request.plan.is_some() || there == here {
        true => taken.to_owned(),
        false => format!("{taken}, which was measured on {there}; this machine is {here}"),
    }
}

/// Says so if a plan was made elsewhere.
fn of_elsewhere(session: &Session<'_>, given: &Plan) {
    let (there, here) = (&given.file.environment, &session.about.environment);
    if there != here {
        session.progress.note(&format!(
            "the plan was made elsewhere, or by another Proofmark ({}; {}, Graal {}): how well it does is measured here, its own figures hold there",
            there.machine, there.jdk, there.graal
        ));
    }
}

fn divined(
    session: &mut Session<'_>,
    request: &AssessRequest,
    lab: &mut dyn Lab,
) -> Result<Vec<Plan>, ExperimentError> {
    let iteration_ms = lab.warm().iteration_ns / 1e6;
    let cost = estimate::assessment("", request, iteration_ms)?;
    let series = Series {
        targets: request.targets_pct.iter().map(|pct| pct / 100.0).collect(),
        insertion: Insertion::plan(lab.filler()),
        effort: request.effort,
        seed: request.seed,
    };
    plans(session, lab, &series, &|session, target| {
        let step = estimate::divining(100.0 * target);
        session.progress.stage(&step);
        cost.from(&step) - cost.seconds_of(&step)
    })
}

/// What is dosed.
fn chosen(
    session: &Session<'_>,
    request: &AssessRequest,
    lab: &mut dyn Lab,
) -> Result<Chosen, LabError> {
    if request.singles == 0 {
        return Ok(Chosen::default());
    }
    let times = look(lab, session.progress)?;
    let known = Known {
        times: &times,
        clock_ghz: session.about.clock_ghz,
        slope_cycles: session.about.prior.slope_cycles,
    };
    let chosen = doses::choose(lab, &known, request.singles as usize, session.progress)?;
    if chosen.targets.is_empty() {
        session.progress.note(
            "no doses: no block of at least 2 % of the time belongs to one method and responds to instructions",
        );
    }
    Ok(chosen)
}

/// Where the time goes when nothing is slowed.
fn look(lab: &mut dyn Lab, progress: &dyn Progress) -> Result<BlockTimes, LabError> {
    progress.step("sampling the baseline to choose what is dosed");
    let spec = WindowSpec {
        label: "look",
        seconds: 0.3,
        iterations: 2,
        rate_hz: Some(CONTROL_HZ),
    };
    let baseline = lab.baseline();
    Ok(lab.window(&spec, &[baseline], &[0; 8])?.times())
}

/// Oracle and safepoint sampler, in the laboratory itself: neither changes how code is compiled.
fn controls(
    session: &Session<'_>,
    request: &AssessRequest,
    lab: &mut dyn Lab,
    what: (&Plan, &Experiments),
) -> Result<Vec<JvmWindows>, ExperimentError> {
    session.progress.stage(estimate::ORACLE);
    let pace = Pace::oracle(what.1.iteration_ms);
    let who = Who {
        name: "oracle",
        role: Role::OracleControl,
        pace: &pace,
        run: 0,
        before: None,
    };
    let mut oracle = windows(session, request, lab, what, &who)?;
    if again(session, request, None, &oracle)? {
        let who = Who {
            before: Some(&oracle),
            ..who
        };
        let more = windows(session, request, lab, what, &who)?;
        oracle.append(more);
    }
    let safepoint = safepoint(session, request, lab, what)?;
    Ok(vec![oracle, safepoint])
}

/// The safepoint sampler; like a profiler under test it gets its windows once more if that would probably decide.
fn safepoint(
    session: &Session<'_>,
    request: &AssessRequest,
    lab: &mut dyn Lab,
    what: (&Plan, &Experiments),
) -> Result<JvmWindows, ExperimentError> {
    session.progress.stage(estimate::SAFEPOINT);
    let Subject { name, file, .. } = &request.safepoint;
    lab.start_profiler(name, file)?;
    let pace = request.safepoint.pace(None, what.1.iteration_ms);
    let who = Who {
        name,
        role: Role::SafepointControl,
        pace: &pace,
        run: 0,
        before: None,
    };
    let mut seen = windows(session, request, lab, what, &who)?;
    seen.add_profile(lab.stop_profiler()?);
    if again(session, request, None, &seen)? {
        lab.start_profiler(name, &format!("{file}/again"))?;
        let who = Who {
            before: Some(&seen),
            ..who
        };
        let mut more = windows(session, request, lab, what, &who)?;
        more.add_profile(lab.stop_profiler()?);
        seen.append(more);
    }
    Ok(seen)
}
