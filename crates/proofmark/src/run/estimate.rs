//! What an assessment would cost and how precise it would be, before anything is started.

use proofmark_assess::{Condition, Rates, SAMPLES_PER_CONDITION, half_width_after};
use proofmark_jvm::{ProfilerOptions, ProfilerSpec, find_perf};
use proofmark_report::{CostPlan, CostStep, Precision};

use super::divine::Effort;
use super::profilers::{OBSERVE_HZ, Pace, subjects};
use crate::args::AssessArguments;
use crate::context::Refusal;

/// Iteration time that is assumed of a program that was never run, ms.
pub const ASSUMED_MS: f64 = 10.0;
/// Rounds of a search: the baseline, and as many plans as it mostly takes, some measured twice.
pub const ROUNDS: f64 = 8.0;

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
/// When a profiler is unknown or the time budget too small.
pub fn assessment(
    program: &str,
    arguments: &AssessArguments,
    effort: &Effort,
    iteration_ms: f64,
) -> anyhow::Result<CostPlan> {
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
    if arguments.plan.is_none() {
        for target in &arguments.target {
            let detail = format!(
                "about {ROUNDS:.0} rounds of {:.0} s, {} to evaluate",
                round_s(effort, iteration_ms),
                effort.evaluation_rounds
            );
            step(&divining(*target), divine_s(effort, iteration_ms), detail);
        }
    }
    let uniform: Vec<u32> = uniform(arguments);
    step(
        SINGLES,
        3.0 + SINGLE_S * f64::from(arguments.singles),
        format!("{} chosen and calibrated", arguments.singles),
    );
    let (seed, singles) = (arguments.workload.seed, arguments.singles);
    let seconds = |pace: &Pace| -> anyhow::Result<f64> {
        let schedule = pace.schedule(&uniform, singles, seed)?;
        let discarded = pace.placements(schedule.window_s, 4) as f64 * 1.5 * iteration_ms / 1e3;
        Ok(schedule.total_s + schedule.windows().count() as f64 * discarded)
    };
    step(
        ORACLE,
        seconds(&Pace::oracle(iteration_ms))?,
        "in the same JVM".into(),
    );
    let safepoint = ProfilerSpec::parse("safepoint", &Default::default())?;
    step(
        SAFEPOINT,
        seconds(&Pace::of(&safepoint, None, iteration_ms))?,
        "in the same JVM".into(),
    );
    let specs = specs(arguments)?;
    plan.jvms = 1 + specs.len() as u64;
    for spec in &specs {
        let pace = Pace::of(spec, arguments.time_budget, iteration_ms);
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
            arguments,
        ));
        if let Some(explained) = spec.with_debug_info().filter(|_| !arguments.no_cause)
            && specs.iter().all(|other| other.name != explained.name)
        {
            plan.jvms += 1;
            plan.steps.push(CostStep {
                step: explained.name,
                seconds: all,
                detail: format!("only if {} is found wrong", spec.name),
            });
        }
    }
    if arguments.c2 {
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

/// Seconds from the beginning of the named step to the end; 0 if there is none.
pub fn from(plan: &CostPlan, step: &str) -> f64 {
    plan.steps
        .iter()
        .skip_while(|s| s.step != step)
        .map(|s| s.seconds)
        .sum()
}

/// Name of the step that divines a target.
pub fn divining(target: f64) -> String {
    format!("divine +{target:.0} %")
}

fn uniform(arguments: &AssessArguments) -> Vec<u32> {
    arguments
        .target
        .iter()
        .map(|target| target.round().max(1.0) as u32)
        .collect()
}

/// Profilers as they would be started, without fetching anything.
fn specs(arguments: &AssessArguments) -> anyhow::Result<Vec<ProfilerSpec>> {
    let options = ProfilerOptions {
        interval_ns: arguments.interval.map(|ms| (ms * 1e6).max(1.0) as u64),
        async_profiler: Some(Default::default()),
        perf: find_perf(),
    };
    let parse = |name: &String| {
        ProfilerSpec::parse(name, &options).map_err(|e| Refusal::Usage(e.to_string()).into())
    };
    let names: Vec<&String> = subjects(arguments).collect();
    let twice = (1..names.len()).find(|at| names[..*at].contains(&names[*at]));
    if let Some(at) = twice {
        let text = format!("--profiler names '{}' twice", names[at]);
        return Err(Refusal::Usage(text).into());
    }
    names.into_iter().map(parse).collect()
}

fn precision(
    spec: &ProfilerSpec,
    pace: &Pace,
    baseline_s: f64,
    uniform: &[u32],
    arguments: &AssessArguments,
) -> Precision {
    // The baseline gets two windows of each block, every other condition one.
    let condition_s = baseline_s / 2.0;
    let rates = Rates {
        profiler_per_s: pace.samples_per_s,
        truth_per_s: OBSERVE_HZ,
        dispersion: DISPERSION,
    };
    let samples = condition_s * pace.samples_per_s;
    let wanted = SAMPLES_PER_CONDITION * (MARGIN_PT / arguments.margin).powi(2);
    Precision {
        profiler: spec.name.clone(),
        samples_per_s: pace.samples_per_s,
        seconds: baseline_s,
        half_width_pt: half_width_after(condition_s, &rates, SHARE, !uniform.is_empty()),
        decides: samples >= 0.9 * wanted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::demo;

    #[test]
    fn the_demo_fits_into_five_minutes_and_costs_add_up() {
        let arguments = demo::arguments(&crate::args::DemoArguments {
            program: "Queens".into(),
            out: None,
        });
        let plan = assessment("Queens", &arguments, &demo::effort(), 1.0).unwrap();
        assert_eq!(plan.jvms, 4, "laboratory, jfr, jfr+dns, async");
        assert!(plan.total_s() < 300.0, "{}", plan.total_s());
        assert!((from(&plan, "toolchain") - plan.total_s()).abs() < 1e-9);
        assert!(from(&plan, "async") < from(&plan, "jfr"));
        assert!(plan.precision.iter().all(|p| p.decides));
    }

    #[test]
    fn a_profiler_that_is_named_twice_is_a_mistake() {
        let mut arguments = demo::arguments(&crate::args::DemoArguments {
            program: "Queens".into(),
            out: None,
        });
        arguments.profiler = vec!["async".into(), "async".into()];
        let error = assessment("Queens", &arguments, &demo::effort(), 1.0).unwrap_err();
        assert_eq!(error.to_string(), "--profiler names 'async' twice");
    }

    #[test]
    fn a_small_budget_does_not_decide() {
        let mut arguments = demo::arguments(&crate::args::DemoArguments {
            program: "Queens".into(),
            out: None,
        });
        arguments.time_budget = Some(12.0);
        arguments.interval = Some(20.0);
        let plan = assessment("Queens", &arguments, &demo::effort(), 1.0).unwrap();
        assert!(plan.precision.iter().all(|p| !p.decides));
    }
}
