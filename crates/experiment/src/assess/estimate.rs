//! What an assessment would cost and how precise it would be, before anything is started.

use proofmark_assess::{Condition, Rates, SAMPLES_PER_CONDITION, half_width_after};

use super::cost::{CostPlan, CostStep, Precision};
use super::request::{AssessRequest, Subject};
use super::{OBSERVE_HZ, Pace};
use crate::ExperimentError;
use crate::divine::{Effort, ROUNDS};

/// Iteration time that is assumed of a program that was never run, ms.
pub const ASSUMED_MS: f64 = 10.0;

/// Name of the step in which the laboratory gets ready.
pub const PREPARE: &str = "laboratory";
/// Name of the step for the single-block experiments.
pub const SINGLES: &str = "single blocks";
/// Name of the step of the oracle.
pub const ORACLE: &str = "oracle control";
/// Name of the step of the safepoint sampler.
pub const SAFEPOINT: &str = "safepoint control";

/// Toolchain from the cache and victims of known answer, s.
const READY_S: f64 = 5.0;
/// Start of a JVM, compiling and counting its hot code, s; measured on the suite: 3 to 6.
const START_S: f64 = 4.0;
/// Looks at what is hot, s.
const LOOKS_S: f64 = 5.0;
/// Compiling a plan, s.
const COMPILE_S: f64 = 0.5;
/// Trying counts for one single-block experiment, s.
const SINGLE_S: f64 = 4.0;
/// One profiler under C2: start, warm-up, eight windows, s.
const C2_S: f64 = 25.0;
/// Variance between windows over binomial variance.
const DISPERSION: f64 = 1.5;
/// Share of a method for which precision is stated, 0 to 1.
const SHARE: f64 = 0.3;
/// Default margin, for which [`SAMPLES_PER_CONDITION`] was found, points.
const MARGIN_PT: f64 = 5.0;

/// Time for a warm JVM whose code is under control, s.
pub fn prepare_s(iteration_ms: f64) -> f64 {
    // Warm-up: at least 2 s and half a dozen iterations; counting and settling: some 12 iterations.
    START_S + LOOKS_S + (6.0 * iteration_ms / 1e3).max(2.0) + 12.0 * iteration_ms / 1e3
}

/// Time for one round of a search, s.
pub fn round_s(effort: &Effort, iteration_ms: f64) -> f64 {
    let least = 4.0 * 2.5 * iteration_ms / 1e3;
    effort.watched_s.max(least) + effort.unwatched_s.max(least) + COMPILE_S
}

/// Time for divining, evaluation included, s.
pub fn divine_s(effort: &Effort, iteration_ms: f64) -> f64 {
    effort.watched_s / 2.0
        + (ROUNDS + f64::from(effort.evaluation_rounds)) * round_s(effort, iteration_ms)
}

/// Steps of an assessment.
///
/// # Errors
/// When the time budget is too small.
#[expect(clippy::too_many_lines, reason = "older than the rule")]
pub fn assessment(
    program: &str,
    request: &AssessRequest,
    iteration_ms: f64,
) -> Result<CostPlan, ExperimentError> {
    let effort = &request.effort;
    let mut plan = CostPlan {
        program: program.to_owned(),
        ..CostPlan::default()
    };
    let mut step = |name: &str, seconds: f64, detail: String| {
        plan.steps.push(CostStep {
            step: name.to_owned(),
            seconds,
            detail,
        })
    };
    step(
        "toolchain",
        READY_S,
        "from the cache, and the sampler's calibration; the first run fetches and compiles".into(),
    );
    step(
        PREPARE,
        prepare_s(iteration_ms),
        "start, warm-up, hot code taken under control, blocks counted".into(),
    );
    if request.plan.is_none() {
        for target in &request.targets_pct {
            let detail = format!(
                "about {ROUNDS:.0} rounds of {:.0} s, {} to evaluate",
                round_s(effort, iteration_ms),
                effort.evaluation_rounds
            );
            step(&divining(*target), divine_s(effort, iteration_ms), detail);
        }
    }
    let uniform = request.uniform_pct();
    step(
        SINGLES,
        3.0 + SINGLE_S * f64::from(request.singles),
        format!("{} chosen and calibrated", request.singles),
    );
    let (seed, singles) = (request.seed, request.singles);
    let seconds = |pace: &Pace| -> Result<f64, ExperimentError> {
        let schedule = pace.schedule(&uniform, singles, seed)?;
        let discarded = pace.placements(schedule.window_s, 4) as f64 * 1.5 * iteration_ms / 1e3;
        Ok(schedule.total_s + schedule.windows().count() as f64 * discarded)
    };
    step(
        ORACLE,
        seconds(&Pace::oracle(iteration_ms))?,
        "in the same JVM".into(),
    );
    step(
        SAFEPOINT,
        seconds(&request.safepoint.pace(None, iteration_ms))?,
        "in the same JVM".into(),
    );
    let specs = &request.subjects;
    plan.jvms = 1 + specs.len() as u64;
    for spec in specs {
        let pace = spec.pace(request.time_budget_s, iteration_ms);
        let schedule = pace.schedule(&uniform, singles, seed)?;
        let all = prepare_s(iteration_ms) + seconds(&pace)?;
        let windows = format!(
            "{} windows of {:.1} s in a JVM of its own",
            schedule.windows().count(),
            schedule.window_s
        );
        plan.steps.push(CostStep {
            step: spec.name.clone(),
            seconds: all,
            detail: windows,
        });
        plan.precision.push(precision(
            spec,
            &pace,
            schedule.seconds_of(Condition::Baseline),
            &uniform,
            request,
        ));
        if let Some(explained) = spec.explained.as_ref().filter(|_| request.cause)
            && specs.iter().all(|other| other.name != explained.name)
        {
            plan.jvms += 1;
            plan.steps.push(CostStep {
                step: explained.name.clone(),
                seconds: all,
                detail: format!("only if {} is found wrong", spec.name),
            });
        }
    }
    if request.c2 {
        let wrong = specs.len() as u64;
        plan.jvms += wrong;
        plan.steps.push(CostStep {
            step: "under C2".into(),
            seconds: wrong as f64 * C2_S,
            detail: "only profilers that are found wrong".into(),
        });
    }
    Ok(plan)
}

/// Name of the step that divines a target.
pub fn divining(target: f64) -> String {
    format!("divine +{target:.0} %")
}

fn precision(
    spec: &Subject,
    pace: &Pace,
    baseline_s: f64,
    uniform: &[u32],
    request: &AssessRequest,
) -> Precision {
    // The baseline gets two windows of each block, every other condition one.
    let condition_s = baseline_s / 2.0;
    let rates = Rates {
        profiler_per_s: pace.samples_per_s,
        truth_per_s: OBSERVE_HZ,
        dispersion: DISPERSION,
    };
    let samples = condition_s * pace.samples_per_s;
    let wanted = SAMPLES_PER_CONDITION * (MARGIN_PT / request.margin_pt).powi(2);
    Precision {
        profiler: spec.name.clone(),
        samples_per_s: pace.samples_per_s,
        seconds: baseline_s,
        half_width_pt: half_width_after(condition_s, &rates, SHARE, !uniform.is_empty()),
        decides: samples >= 0.9 * wanted,
    }
}
