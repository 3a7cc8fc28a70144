//! Puts the experiments into the code of a process and runs their windows.

use std::collections::BTreeMap;

use proofmark_assess::{Condition, Role, Schedule};

use super::laboratory::Experiments;
use super::request::AssessRequest;
use super::windows::{JvmWindows, Order, run as run_windows};
use super::{CONTROL_HZ, OBSERVE_HZ, Pace};
use crate::ExperimentError;
use crate::divine::Plan;
use crate::lab::{Insertion, Lab};
use crate::session::Session;
use crate::tables::resolve;

/// Who is watched, and how fast it samples.
pub struct Who<'a> {
    /// Name of the profiler or control.
    pub name: &'a str,
    /// Its role.
    pub role: Role,
    /// What its windows must be like.
    pub pace: &'a Pace,
    /// What was seen of it before, if that did not decide.
    pub before: Option<&'a JvmWindows>,
}

/// Puts the experiments into a JVM's code and runs the schedule.
///
/// # Errors
/// When no unit is as in the plan, or the laboratory fails.
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
    let mut targets = Vec::new();
    for single in &experiments.singles {
        let resolved = resolve(
            (lab.map(), &lab.units()),
            std::slice::from_ref(&single.table),
            Insertion::single(filler),
            &plan.units,
        );
        if resolved.tables.is_empty() {
            session.progress.note(&format!(
                "{}: no single-block experiment: {}",
                who.name,
                resolved.refused.join("; ")
            ));
            continue;
        }
        let condition = Condition::Single(targets.len() as u32);
        let slowed = lab.variant(&resolved.tables)?;
        variants.push((condition, slowed));
        targets.push((single.owner.clone(), single.label.clone()));
    }
    let uniform: Vec<u32> = experiments
        .uniform
        .iter()
        .map(|(percent, _)| *percent)
        .collect();
    let seed = request.seed + who.before.map_or(0, |seen| u64::from(seen.looks));
    let schedule: Schedule = who.pace.schedule(&uniform, targets.len() as u32, seed)?;
    let order = Order {
        name: who.name,
        role: who.role,
        schedule: &schedule,
        variants: &variants,
        targets: &targets,
        rate_hz: if who.role == Role::OracleControl {
            CONTROL_HZ
        } else {
            OBSERVE_HZ
        },
        placements: who.pace.placements(schedule.window_s, lab.shifts()),
        first: who.before.map_or((0, 0), JvmWindows::next),
        border_doubt: border_doubt(session, lab),
    };
    Ok(run_windows(lab, &order, session.progress)?)
}

/// What borders between methods can do to the share of each (0 to 1), by name.
fn border_doubt(session: &Session<'_>, lab: &dyn Lab) -> BTreeMap<String, f64> {
    let resolution = lab.resolution();
    let cycles = lab.warm().iteration_ns * session.about.clock_ghz;
    let doubt = |(name, passages)| (name, resolution.share_in_doubt(passages, cycles));
    lab.method_passages().into_iter().map(doubt).collect()
}
