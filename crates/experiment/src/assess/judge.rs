//! From windows to verdicts.

use proofmark_assess::{Assessment, Evidence, ExcludedBlock, ProfilerEvidence, Role, assess};
use proofmark_rules::SECOND_LOOK_TIMES;

use super::request::AssessRequest;
use super::windows::{JvmWindows, Methods};
use crate::ExperimentError;
use crate::divine::Plan;
use crate::session::{About, Session};

/// Verdicts on what was seen.
///
/// # Errors
/// When the evidence does not fit together.
pub fn judge(
    about: &About,
    request: &AssessRequest,
    (plan, excluded): (&Plan, &[ExcludedBlock]),
    seen: &[JvmWindows],
    controls: &[JvmWindows],
) -> Result<Assessment, ExperimentError> {
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
    let environment = &about.environment;
    let evidence = Evidence {
        program: about.program.clone(),
        machine: format!(
            "{}; {}, Graal {}",
            environment.machine, environment.jdk, environment.graal
        ),
        method: method(about, plan),
        methods: methods.names().to_vec(),
        excluded_blocks: excluded.to_vec(),
        profilers,
    };
    let settings = proofmark_assess::Settings {
        margin_pt: request.margin_pt,
        seed: request.seed,
        ..Default::default()
    };
    Ok(assess(&evidence, &settings)?)
}

/// Whether the windows leave the verdict open, and as many more would probably decide it. With a budget of the
/// user's own there is one look.
///
/// # Errors
/// When the evidence does not fit together.
pub fn again(
    session: &Session<'_>,
    request: &AssessRequest,
    plan: &Plan,
    seen: &JvmWindows,
) -> Result<bool, ExperimentError> {
    if request.time_budget_s.is_some() {
        return Ok(false);
    }
    let alone = std::slice::from_ref(seen);
    let judged = judge(session.about, request, (plan, &[]), alone, &[])?;
    let undecided = judged.profilers.first().and_then(|j| j.undecided.as_ref());
    let more_s = undecided.and_then(|undecided| undecided.more_s);
    let worth = more_s.is_some_and(|more_s| more_s <= SECOND_LOOK_TIMES * seen.seconds());
    if worth {
        session
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

fn method(about: &About, plan: &Plan) -> String {
    format!(
        "One JVM per profiler, compiled by Graal with the same profiles; everything slowed by {:.0} % with {} (found in {} plans) and single blocks slowed alone, \
         at several code placements per window; truth: our own sampler ({}) on the workload's thread by the plug-in's address map. \
         CPU time of one thread only. Production mostly compiles with C2: what is blamed here should be checked there.",
        plan.file.target_pct, plan.file.instruction, plan.file.plans_tried, about.environment.event
    )
}
