//! Puts the experiments into the code of a JVM and runs their windows.

use proofmark_assess::{Condition, Role, Schedule};
use proofmark_jvm::{Bench, Running};

use super::super::divine_command::Plan;
use super::super::profilers::{CONTROL_HZ, OBSERVE_HZ, Pace};
use super::super::singles;
use super::super::tables::resolve;
use super::super::windows::{JvmWindows, Order, run as run_windows};
use super::laboratory::{Experiments, HOW};
use crate::args::AssessArguments;
use crate::context::{Context, Refusal};

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
    context: &Context,
    arguments: &AssessArguments,
    bench: &mut Bench,
    (plan, experiments): (&Plan, &Experiments),
    who: &Who<'_>,
    running: Option<Running>,
) -> anyhow::Result<JvmWindows> {
    let mut sides = vec![(Condition::Baseline, bench.baseline())];
    for (percent, tables) in &experiments.uniform {
        let resolved = resolve(bench, tables, HOW, &plan.units);
        for refused in &resolved.refused {
            context
                .progress
                .note(&format!("{}: not slowed: {refused}", who.name));
        }
        if resolved.tables.is_empty() {
            let text = format!(
                "{}: no unit of the plan was compiled as in the plan; the profiles beside the plan are missing or of another program",
                who.name
            );
            return Err(Refusal::Cannot(text).into());
        }
        sides.push((Condition::Uniform(*percent), bench.side(&resolved.tables)?));
    }
    let mut targets = Vec::new();
    for single in &experiments.singles {
        let resolved = resolve(
            bench,
            std::slice::from_ref(&single.table),
            singles::HOW,
            &plan.units,
        );
        if resolved.tables.is_empty() {
            context.progress.note(&format!(
                "{}: no single-block experiment: {}",
                who.name,
                resolved.refused.join("; ")
            ));
            continue;
        }
        let condition = Condition::Single(targets.len() as u32);
        sides.push((condition, bench.side(&resolved.tables)?));
        targets.push((single.owner.clone(), single.label.clone()));
    }
    let uniform: Vec<u32> = experiments
        .uniform
        .iter()
        .map(|(percent, _)| *percent)
        .collect();
    let seed = arguments.workload.seed + who.before.map_or(0, |seen| u64::from(seen.looks));
    let schedule: Schedule = who.pace.schedule(&uniform, targets.len() as u32, seed)?;
    let order = Order {
        name: who.name,
        role: who.role,
        schedule: &schedule,
        sides: &sides,
        targets: &targets,
        rate_hz: if running.is_none() {
            CONTROL_HZ
        } else {
            OBSERVE_HZ
        },
        placements: who.pace.placements(schedule.window_s, bench.shifts()),
        first: who.before.map_or((0, 0), JvmWindows::next),
    };
    run_windows(bench, &order, running)
}
