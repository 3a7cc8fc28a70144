//! Puts the experiments into the code of a process and runs their windows.

use std::collections::BTreeMap;

use proofmark_assess::{Condition, Role};

use super::doses;
use super::laboratory::Experiments;
use super::request::AssessRequest;
use super::windows::{JvmWindows, Order, Planned, run as run_windows};
use super::{CONTROL_HZ, OBSERVE_HZ, Pace};
use crate::ExperimentError;
use crate::divine::Plan;
use crate::lab::{Insertion, Lab, Variant};
use crate::session::Session;
use crate::tables::resolve;

/// From the seed of one run's order of windows to that of the next.
const RUN_SEED: u64 = 1000;

/// Who is watched, and how fast it samples.
pub struct Who<'a> {
    /// Name of the profiler or control.
    pub name: &'a str,
    /// Its role.
    pub role: Role,
    /// What its windows must be like.
    pub pace: &'a Pace,
    /// Number of the run, from 0.
    pub run: u32,
    /// What was seen of it before, if that did not decide.
    pub before: Option<&'a JvmWindows>,
}

/// Puts the experiments into a JVM's code and runs the schedule. The plan is of the first run, which compiled with other
/// profiles than later ones: what is not as in the plan there is not slowed.
///
/// # Errors
/// When no unit of the first run is as in the plan, or the laboratory fails.
pub fn windows(
    session: &Session<'_>,
    request: &AssessRequest,
    lab: &mut dyn Lab,
    (plan, experiments): (&Plan, &Experiments),
    who: &Who<'_>,
) -> Result<JvmWindows, ExperimentError> {
    let filler = lab.filler();
    let mut variants = vec![(Condition::Baseline, lab.baseline())];
    for (percent, tables) in &experiments.uniform {
        let resolved = resolve(
            (lab.map(), &lab.units()),
            tables,
            Insertion::plan(filler),
            &plan.units,
        );
        for refused in &resolved.refused {
            session
                .progress
                .note(&format!("{}: not slowed: {refused}", who.name));
        }
        if resolved.tables.is_empty() && who.run > 0 {
            continue;
        }
        if resolved.tables.is_empty() {
            let text = format!(
                "{}: no unit of the plan was compiled as in the plan; the profiles beside the plan are missing or of another program",
                who.name
            );
            return Err(ExperimentError::Cannot(text));
        }
        let slowed = lab.variant(&resolved.tables)?;
        variants.push((Condition::Uniform(*percent), slowed));
    }
    let targets = dosed(session, lab, (plan, experiments), who, &mut variants)?;
    let uniform = variants
        .iter()
        .filter_map(|(condition, _)| match condition {
            Condition::Uniform(percent) => Some(*percent),
            _ => None,
        });
    let uniform: Vec<u32> = uniform.collect();
    let seed = request.seed
        + who.before.map_or(0, |seen| u64::from(seen.analyses))
        + RUN_SEED * u64::from(who.run);
    let planned = planned(who.pace, (&uniform, targets.len()), lab.alignments(), seed)?;
    let order = Order {
        name: who.name,
        role: who.role,
        windows: &planned,
        variants: &variants,
        targets: &targets,
        rate_hz: if who.role == Role::OracleControl {
            CONTROL_HZ
        } else {
            OBSERVE_HZ
        },
        first: who.before.map_or((0, 0), JvmWindows::next),
        border_doubt: border_doubt(session, lab),
    };
    Ok(run_windows(lab, &order, session.progress)?)
}

/// Puts both doses of every target for these eyes into the code; owners and labels of those that this process has as well.
fn dosed(
    session: &Session<'_>,
    lab: &mut dyn Lab,
    (plan, experiments): (&Plan, &Experiments),
    who: &Who<'_>,
    variants: &mut Vec<(Condition, Variant)>,
) -> Result<Vec<(String, String)>, ExperimentError> {
    let insertion = Insertion::plan(lab.filler());
    let mut targets: Vec<(String, String)> = Vec::new();
    for dose in doses::dosed_under(who.role, &experiments.doses) {
        let units = lab.units();
        let [low, high] = [&dose.low, &dose.high]
            .map(|tables| resolve((lab.map(), &units), tables, insertion, &plan.units));
        if !low.refused.is_empty() || low.tables.is_empty() {
            session.progress.note(&format!(
                "{}: {} is not dosed: {}",
                who.name,
                dose.label,
                low.refused.join("; ")
            ));
            continue;
        }
        let index = targets.len() as u32;
        for (condition, tables) in [
            (Condition::SingleLow(index), low.tables),
            (Condition::Single(index), high.tables),
        ] {
            variants.push((condition, lab.variant(&tables)?));
        }
        targets.push((dose.owner.clone(), dose.label.clone()));
    }
    Ok(targets)
}

/// All windows in order: first those without a dose, then those under doses.
fn planned(
    pace: &Pace,
    (uniform, targets): (&[u32], usize),
    alignments: usize,
    seed: u64,
) -> Result<Vec<Planned>, ExperimentError> {
    let schedule = pace.schedule(uniform, seed)?;
    let window = |seconds: f64, (block, condition): (u32, Condition)| Planned {
        block,
        condition,
        seconds,
        placements: pace.placements(seconds, alignments),
    };
    let without = schedule.windows().map(|at| window(schedule.window_s, at));
    let mut planned: Vec<Planned> = without.collect();
    if targets > 0 {
        let first = schedule.blocks.len() as u32;
        let doses = doses::conditions(targets, seed).into_iter();
        planned
            .extend(doses.map(|(block, condition)| {
                window(pace.dose_window_s(), (first + block, condition))
            }));
    }
    Ok(planned)
}

/// What borders between methods can do to the time of each, as a part of the program's unslowed time (0 to 1), by name.
fn border_doubt(session: &Session<'_>, lab: &dyn Lab) -> BTreeMap<String, f64> {
    let resolution = lab.resolution();
    let cycles = lab.warm().iteration_ns * session.about.clock_ghz;
    let doubt = |(name, passages)| (name, resolution.share_in_doubt(passages, cycles));
    lab.method_passages().into_iter().map(doubt).collect()
}
