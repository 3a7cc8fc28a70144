//! From windows to verdicts.

use proofmark_assess::{Assessment, Evidence, ExcludedBlock, ProfilerEvidence, Role, assess};

use super::super::divine_command::Plan;
use super::super::windows::{JvmWindows, Methods};
use crate::args::AssessArguments;
use crate::context::Context;

/// Verdicts on what was seen.
///
/// # Errors
/// When the evidence does not fit together.
pub fn judge(
    context: &Context,
    arguments: &AssessArguments,
    plan: &Plan,
    excluded: &[ExcludedBlock],
    seen: &[JvmWindows],
    controls: &[JvmWindows],
) -> anyhow::Result<Assessment> {
    let mut methods = Methods::default();
    // Numbers all names first: every list must cover all of them.
    seen.iter()
        .chain(controls)
        .for_each(|windows| drop(windows.evidence(&mut methods)));
    let profilers = seen
        .iter()
        .chain(controls)
        .map(|windows| evidence(windows, &mut methods))
        .collect();
    let environment = context.environment();
    let evidence = Evidence {
        program: context.workload.name().to_owned(),
        machine: format!(
            "{}; {}, Graal {}",
            environment.machine, environment.jdk, environment.graal
        ),
        method: method(context, plan),
        methods: methods.names().to_vec(),
        inlined_into: Vec::new(),
        excluded_blocks: excluded.to_vec(),
        profilers,
    };
    let settings = proofmark_assess::Settings {
        margin_pt: arguments.margin,
        seed: arguments.workload.seed,
        ..Default::default()
    };
    Ok(assess(&evidence, &settings)?)
}

/// Most additional time that is worth a second look, as a part of the first look's: as much again is added, and
/// what it takes is known only roughly.
const WORTH_A_LOOK: f64 = 2.0;

/// Whether the windows leave the verdict open, and as many more would probably decide it. With a budget of the
/// user's own there is one look.
///
/// # Errors
/// When the evidence does not fit together.
pub fn again(
    context: &Context,
    arguments: &AssessArguments,
    plan: &Plan,
    seen: &JvmWindows,
) -> anyhow::Result<bool> {
    if arguments.time_budget.is_some() {
        return Ok(false);
    }
    let judged = judge(
        context,
        arguments,
        plan,
        &[],
        std::slice::from_ref(seen),
        &[],
    )?;
    let undecided = judged.profilers.first().and_then(|j| j.undecided.as_ref());
    let more_s = undecided.and_then(|undecided| undecided.more_s);
    let worth = more_s.is_some_and(|more_s| more_s <= WORTH_A_LOOK * seen.seconds());
    if worth {
        context
            .progress
            .note(&format!("{}: undecided, its windows once more", seen.name));
    }
    Ok(worth)
}

fn evidence(windows: &JvmWindows, methods: &mut Methods) -> ProfilerEvidence {
    let own = windows.evidence(methods);
    if windows.role == Role::OracleControl {
        ProfilerEvidence {
            looks: own.looks,
            ..ProfilerEvidence::oracle(&own.truth, own.totals, own.targets)
        }
    } else {
        own
    }
}

fn method(context: &Context, plan: &Plan) -> String {
    format!(
        "One JVM per profiler, compiled by Graal with the same profiles; everything slowed by {:.0} % with {} (found in {} plans) and single blocks slowed alone, \
         at several code placements per window; truth: our own sampler ({}) on the workload's thread by the plug-in's address map. \
         CPU time of one thread only. Production mostly compiles with C2: what is blamed here should be checked there.",
        plan.file.target_pct, "mov r,r", plan.file.plans_tried, context.probe.event
    )
}
