//! From windows to verdicts.

use proofmark_assess::{
    Assessment, BlockMap, ControlOutcome, Evidence, ExcludedBlock, ProfilerEvidence, Role, assess,
};
use proofmark_rules::SECOND_LOOK_TIMES;

use super::doses;
use super::laboratory::Experiments;
use super::request::AssessRequest;
use super::windows::{JvmWindows, Methods};
use crate::ExperimentError;
use crate::divine::Plan;
use crate::session::{About, Session};

/// Verdicts on what was seen. What was dosed in the windows of the controls says whether the block map may be called truth,
/// and with that which tests decide.
///
/// # Errors
/// When the evidence does not fit together.
pub fn judge(
    about: &About,
    request: &AssessRequest,
    (plan, experiments): (&Plan, &Experiments),
    seen: &[JvmWindows],
    controls: &[JvmWindows],
) -> Result<Assessment, ExperimentError> {
    let besides = Besides {
        method: method(about, plan, request.runs),
        excluded: experiments.excluded.clone(),
        block_map: block_map(request, experiments, controls),
    };
    judged(about, request, besides, seen, controls)
}

/// What is told with verdicts, and whether the block map may be called truth.
#[derive(Debug, Default)]
struct Besides {
    /// How everything was measured, in words.
    method: String,
    excluded: Vec<ExcludedBlock>,
    block_map: Option<BlockMap>,
}

/// Whether the block map may be called truth; none if no time was added to blocks (it was not asked for, or nothing could be
/// dosed), or no control was run.
#[must_use]
pub fn block_map(
    request: &AssessRequest,
    experiments: &Experiments,
    controls: &[JvmWindows],
) -> Option<BlockMap> {
    if request.singles == 0 || controls.is_empty() {
        return None;
    }
    let doses = doses::block_doses(&experiments.doses, controls.iter(), request.margin_pt)?;
    Some(BlockMap {
        called_truth: doses.map.called_truth,
        reasons: doses.map.reasons,
    })
}

fn judged(
    about: &About,
    request: &AssessRequest,
    besides: Besides,
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
        method: besides.method,
        methods: methods.names().to_vec(),
        excluded_blocks: besides.excluded,
        block_map: besides.block_map,
        profilers,
    };
    let settings = proofmark_assess::Settings {
        margin_pt: request.margin_pt,
        seed: request.seed,
        ..Default::default()
    };
    Ok(assess(&evidence, &settings)?)
}

/// Whether the windows leave the verdict open, and as many more would probably decide it. The same tests decide as at the
/// end: `block_map` is what the controls' doses say of the map; none while the controls themselves are measured. With a
/// budget of the user's own there is one analysis.
///
/// # Errors
/// When the evidence does not fit together.
pub fn again(
    session: &Session<'_>,
    request: &AssessRequest,
    block_map: Option<&BlockMap>,
    seen: &JvmWindows,
) -> Result<bool, ExperimentError> {
    if request.time_budget_s.is_some() {
        return Ok(false);
    }
    let more_s = more_s(session.about, request, block_map, seen)?;
    let worth = more_s.is_some_and(|more_s| more_s <= SECOND_LOOK_TIMES * seen.seconds());
    if worth {
        session
            .progress
            .note(&format!("{}: undecided, its windows once more", seen.name));
    }
    Ok(worth)
}

/// Time of windows that would probably decide what these leave open, s; none if nothing is open, if time is not what is
/// missing, or if the program cannot show what the control is for.
fn more_s(
    about: &About,
    request: &AssessRequest,
    block_map: Option<&BlockMap>,
    seen: &JvmWindows,
) -> Result<Option<f64>, ExperimentError> {
    let besides = Besides {
        block_map: block_map.cloned(),
        ..Besides::default()
    };
    let alone = std::slice::from_ref(seen);
    let judged = judged(about, request, besides, alone, &[])?;
    if judged.controls.safepoint == ControlOutcome::NotApplicable {
        return Ok(None);
    }
    let undecided = judged.profilers.first().and_then(|j| j.undecided.as_ref());
    Ok(undecided.and_then(|undecided| undecided.more_s))
}

fn evidence(windows: &JvmWindows, methods: &mut Methods) -> ProfilerEvidence {
    let own = windows.evidence(methods);
    if windows.role == Role::OracleControl {
        ProfilerEvidence {
            analyses: own.analyses,
            ..ProfilerEvidence::oracle(&own.truth, own.totals, own.targets)
        }
    } else {
        own
    }
}

fn method(about: &About, plan: &Plan, runs: u32) -> String {
    let jvms = match runs {
        0 | 1 => "One JVM per profiler, compiled by Graal with the same profiles".to_owned(),
        runs => format!(
            "{runs} runs, each with one JVM per profiler, compiled by Graal with the same profiles, which every run collects anew"
        ),
    };
    format!(
        "{jvms}; everything slowed by {:.0} % with {} (found in {} plans) and single blocks slowed alone, \
         at several code placements per window; truth: our own sampler ({}) on the workload's thread by the plug-in's address map. \
         CPU time of one thread only. Production mostly compiles with C2: what is blamed here should be checked there.",
        plan.file.target_pct, plan.file.instruction, plan.file.plans_tried, about.environment.event
    )
}

#[cfg(test)]
mod tests {
    use proofmark_divine::{Environment, Prior};
    use proofmark_stats::Estimate;
    use serde_json::json;

    use super::*;
    use crate::assess::doses::DoseTarget;
    use crate::lab::Filler;

    fn request(singles: u32) -> AssessRequest {
        AssessRequest {
            singles,
            ..AssessRequest::of_a_test()
        }
    }

    fn experiments(doses: Vec<DoseTarget>) -> Experiments {
        Experiments {
            uniform: Vec::new(),
            doses,
            excluded: Vec::new(),
            iteration_ms: 10.0,
        }
    }

    /// A user who asks for doses must not get less of an answer than one who does not, where there is nothing to dose.
    #[test]
    fn a_map_for_which_nothing_could_be_dosed_was_not_tested() {
        let nothing = experiments(Vec::new());
        let controls = [JvmWindows::failed("oracle", "it ended".into())];
        assert_eq!(block_map(&request(0), &nothing, &controls), None);
        assert_eq!(block_map(&request(2), &nothing, &[]), None);
        assert_eq!(block_map(&request(2), &nothing, &controls), None);
    }

    /// Ten windows of a second, in which a profiler shows 53 of 100 samples in a method that has half of the time.
    fn near_the_margin() -> JvmWindows {
        let window = |number: u32| {
            let stream = json!({
                "methods": {"A.a()": 10_000.0, "A.b()": 10_000.0},
                "ambiguous": {},
                "claimable": {},
                "outside": 0.0,
            });
            json!({
                "at": {"window": number, "block": number / 2, "condition": "baseline", "seconds": 1.0},
                "streams": [stream, stream],
                "iteration_ms": [10.0, 10.0],
                "profile": {
                    "methods": {"A.a()": 53.0, "A.b()": 47.0},
                    "native": 0.0,
                    "unattributed": 0.0,
                    "lost": 0.0,
                    "other_threads": 0.0,
                },
            })
        };
        let windows: Vec<_> = (0..10).map(window).collect();
        let all = json!({
            "name": "x",
            "role": "subject",
            "windows": windows,
            "targets": [],
            "overloads_merged": false,
        });
        serde_json::from_value(all).expect("windows")
    }

    fn about() -> About {
        About {
            program: "p".into(),
            workload: "p".into(),
            environment: Environment {
                machine: "m".into(),
                jdk: "25".into(),
                graal: "25".into(),
                event: "cpu-clock".into(),
            },
            clock_ghz: 1.0,
            filler: Filler::Mov,
            prior: Prior::default(),
            place: "here".into(),
        }
    }

    /// Three points off, known to 2.8: twice the windows would decide what is compared with the map. Where the oracle did
    /// not find the added time (here it has no window of it), that comparison decides nothing, and no window is worth it.
    #[test]
    fn the_second_look_asks_the_tests_that_decide_in_the_end() {
        let target = DoseTarget {
            owner: "A.a()".into(),
            label: "2 blocks of A.a()".into(),
            blocks: 2,
            share: Estimate::around(0.5, 0.01, 1000),
            low: Vec::new(),
            high: Vec::new(),
        };
        let controls = [JvmWindows::failed("oracle", "it ended".into())];
        let refuted = block_map(&request(2), &experiments(vec![target]), &controls);
        assert!(refuted.as_ref().is_some_and(|map| !map.called_truth));
        let more = |map: Option<&BlockMap>| {
            more_s(&about(), &request(2), map, &near_the_margin()).expect("evidence")
        };
        let untested = more(None).expect("time decides");
        assert!((5.0..15.0).contains(&untested), "{untested}");
        assert_eq!(more(refuted.as_ref()), None);
    }

    /// A control is asked as a profiler is; where one method has all the time it can do no harm, and no window is worth it.
    #[test]
    fn a_control_is_looked_at_again_where_the_program_can_show_it() {
        let mut control = near_the_margin();
        control.role = Role::SafepointControl;
        let more = |seen: &JvmWindows| more_s(&about(), &request(0), None, seen).expect("evidence");
        assert!(more(&control).is_some());
        let mut alone = serde_json::to_value(&control).expect("windows");
        for window in alone["windows"].as_array_mut().expect("windows") {
            for stream in window["streams"].as_array_mut().expect("streams") {
                stream["methods"] = json!({"A.a()": 18_500.0, "A.b()": 1_500.0});
            }
            window["profile"]["methods"] = json!({"A.a()": 97.0, "A.b()": 3.0});
        }
        let alone: JvmWindows = serde_json::from_value(alone).expect("windows");
        assert_eq!(more(&alone), None);
    }
}
