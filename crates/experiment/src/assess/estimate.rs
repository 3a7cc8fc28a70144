//! What an assessment would cost and how precise it would be, before anything is started.

use proofmark_assess::{Condition, Rates, SAMPLES_PER_CONDITION, half_width_after};
use proofmark_rules::MARGIN_PT;
use proofmark_stats::{Confidence, t_quantile};

use super::cost::{CostPlan, CostStep, Precision};
use super::doses;
use super::pace::SWITCH_S;
use super::request::{AssessRequest, Subject};
use super::{OBSERVE_HZ, Pace};
use crate::ExperimentError;
use crate::divine::Effort;

/// Iteration time that is assumed of a program that was never run, ms.
pub const ASSUMED_MS: f64 = 10.0;

/// Name of the step in which the laboratory gets ready.
pub const PREPARE: &str = "laboratory";
/// Name of the step in which doses are found.
pub const DOSES: &str = "doses";
/// Name of the step of the oracle.
pub const ORACLE: &str = "oracle control";
/// Name of the step of the safepoint sampler.
pub const SAFEPOINT: &str = "safepoint control";

/// Toolchain from the cache and the core's clock, s. Victims of known answer are sampled once per processor.
const READY_S: f64 = 1.0;
/// Start of a JVM, compiling and counting its hot code, s; measured on the suite: 3 to 6.
const START_S: f64 = 4.0;
/// Two looks at what is hot, the second of which finds nothing more, s.
const LOOKS_S: f64 = 3.0;
/// Compiling a plan, s.
const COMPILE_S: f64 = 0.5;
/// The look that chooses what is dosed, s.
const CHOOSE_S: f64 = 3.0;
/// Finding two doses for one target, s.
const DOSE_S: f64 = 6.0;
/// Windows of a plan in a process of its own, s.
const FRESH_S: f64 = 9.0;
/// One profiler under C2: start, warm-up, eight windows, s.
const C2_S: f64 = 25.0;
/// Variance between windows over binomial variance.
const DISPERSION: f64 = 1.5;
/// Share of a method for which precision is stated, 0 to 1.
const SHARE: f64 = 0.3;

/// Time for a warm JVM whose code is under control, s.
///
/// # Accuracy
/// Wall time of a program less that of its plans, 14 programs of the suite (docs/evaluation/2026-11-25), toolchain included: 8 to 11 s
/// for nine of them, 12 to 17 for four larger ones; the first one, with the machine's calibration, took 35.
pub fn prepare_s(iteration_ms: f64) -> f64 {
    // Warm-up: at least 2 s and half a dozen iterations; counting and settling: some 12 iterations.
    START_S + LOOKS_S + (6.0 * iteration_ms / 1e3).max(2.0) + 12.0 * iteration_ms / 1e3
}

/// Time for one round of a search, s.
pub fn round_s(effort: &Effort, iteration_ms: f64) -> f64 {
    let least = 4.0 * 2.5 * iteration_ms / 1e3;
    let unwatched = effort.unwatched_s * effort.search_unwatched.max(1.0);
    effort.watched_s.max(least) + unwatched.max(least) + COMPILE_S
}

/// Time for divining, evaluation included, s.
pub fn divine_s(effort: &Effort, iteration_ms: f64) -> f64 {
    target_s(effort, iteration_ms, false)
}

/// The same for one of several targets; `further`: the search begins with what one for another target has measured.
pub fn target_s(effort: &Effort, iteration_ms: f64, further: bool) -> f64 {
    let round_s = round_s(effort, iteration_ms);
    let search_s = (effort.rounds(further) * round_s).min(effort.most_search_s);
    let evaluation_s = f64::from(effort.evaluation_rounds) * round_s;
    effort.watched_s / 2.0 + search_s + evaluation_s + fresh_s(effort, iteration_ms)
}

/// Time for one run of a profiler: a process of its own, and all its windows, s.
///
/// # Errors
/// When the time budget is too small.
pub fn run_s(
    request: &AssessRequest,
    pace: &Pace,
    iteration_ms: f64,
) -> Result<f64, ExperimentError> {
    Ok(prepare_s(iteration_ms) + windows_s(request, pace, request.doses())?)
}

/// Time of all windows with the changes between them, s; so many methods and blocks are dosed. At a change code is put in and
/// iterations are discarded, no more: the schedule's time for it holds both, unless iterations are long.
fn windows_s(request: &AssessRequest, pace: &Pace, dosed: usize) -> Result<f64, ExperimentError> {
    let schedule = pace.schedule(&request.uniform_pct(), request.seed)?;
    let placements = pace.placements(schedule.window_s, 4) as f64;
    let discarded_s = placements * 1.5 * pace.iteration_ms / 1e3;
    let longer_s = (discarded_s - SWITCH_S).max(0.0);
    let doses_s = doses::seconds(pace, dosed);
    Ok(schedule.total_s + schedule.windows().count() as f64 * longer_s + doses_s)
}

/// Time for measuring a plan in processes of their own, s.
fn fresh_s(effort: &Effort, iteration_ms: f64) -> f64 {
    2.0 * f64::from(effort.fresh_jvms) * (prepare_s(iteration_ms) + FRESH_S)
}

/// Steps of an assessment.
///
/// # Errors
/// When the time budget is too small.
pub fn assessment(
    program: &str,
    request: &AssessRequest,
    iteration_ms: f64,
) -> Result<CostPlan, ExperimentError> {
    let mut estimate = Estimate {
        request,
        iteration_ms,
        plan: CostPlan {
            program: program.to_owned(),
            jvms: 1,
            ..CostPlan::default()
        },
    };
    estimate.plans();
    estimate.references()?;
    for spec in &request.subjects {
        estimate.subject(spec)?;
    }
    if request.c2 {
        estimate.under_c2();
    }
    Ok(estimate.plan)
}

/// An estimate that grows step by step.
struct Estimate<'a> {
    request: &'a AssessRequest,
    iteration_ms: f64,
    plan: CostPlan,
}

impl Estimate<'_> {
    fn step(&mut self, name: &str, seconds: f64, detail: String) {
        self.plan.steps.push(CostStep {
            step: name.to_owned(),
            seconds,
            detail,
        });
    }

    /// The laboratory, and the search for a plan per target.
    fn plans(&mut self) {
        let request = self.request;
        self.step(
            "toolchain",
            READY_S,
            "from the cache; the first run fetches, compiles and calibrates".into(),
        );
        self.step(
            PREPARE,
            prepare_s(self.iteration_ms),
            "start, warm-up, hot code taken under control, blocks counted".into(),
        );
        if request.plan.is_some() {
            return;
        }
        let effort = &request.effort;
        for (at, target) in request.targets_pct.iter().enumerate() {
            let further = at > 0;
            let detail = format!(
                "about {:.0} rounds of {:.0} s, {} to evaluate",
                effort.rounds(further),
                round_s(effort, self.iteration_ms),
                effort.evaluation_rounds
            );
            let seconds = target_s(effort, self.iteration_ms, further);
            self.plan.jvms += 2 * u64::from(effort.fresh_jvms);
            self.step(&divining(*target), seconds, detail);
        }
    }

    /// Doses, our own sampler and the safepoint control: all in the first JVM.
    fn references(&mut self) -> Result<(), ExperimentError> {
        let request = self.request;
        let targets = request.doses();
        let (seconds, detail) = match targets {
            0 => (0.0, "nothing is dosed".to_owned()),
            _ => (
                CHOOSE_S + DOSE_S * targets as f64,
                format!("{targets} methods and blocks at most, two doses each"),
            ),
        };
        self.step(DOSES, seconds, detail);
        let here = "in the same JVM";
        let oracle = windows_s(request, &Pace::oracle(self.iteration_ms), targets)?;
        self.step(ORACLE, oracle, here.into());
        let pace = request.safepoint.pace(None, self.iteration_ms);
        let dosed = targets.min(doses::CONTROL_METHODS);
        let safepoint = windows_s(request, &pace, dosed)?;
        let detail = match targets > dosed {
            true => format!("{here}, with doses of {dosed} methods"),
            false => here.to_owned(),
        };
        self.step(SAFEPOINT, safepoint, detail);
        Ok(())
    }

    /// A profiler in a JVM of its own in every run, and the one that explains it in others.
    fn subject(&mut self, spec: &Subject) -> Result<(), ExperimentError> {
        let request = self.request;
        let runs = request.runs.max(1);
        let pace = spec.pace(request.time_budget_s, self.iteration_ms);
        let schedule = pace.schedule(&request.uniform_pct(), request.seed)?;
        let all = f64::from(runs) * run_s(request, &pace, self.iteration_ms)?;
        let windows = schedule.windows().count();
        let windows = format!("{windows} windows of {:.1} s", schedule.window_s);
        let detail = match runs {
            1 => format!("{windows} in a JVM of its own"),
            runs => format!("{runs} runs, each {windows} in a JVM of its own"),
        };
        self.plan.jvms += u64::from(runs);
        self.step(&spec.name, all, detail);
        let baseline_s = schedule.seconds_of(Condition::Baseline);
        let expected = precision(spec, &pace, baseline_s, &request.uniform_pct(), request);
        self.plan.precision.push(expected);
        let mut subjects = request.subjects.iter();
        if let Some(explained) = spec.explained.as_ref().filter(|_| request.cause)
            && subjects.all(|other| other.name != explained.name)
        {
            self.plan.jvms += u64::from(runs);
            let detail = format!("only if {} is found wrong", spec.name);
            self.step(&explained.name, all, detail);
        }
        Ok(())
    }

    fn under_c2(&mut self) {
        let wrong = self.request.subjects.len() as u64;
        self.plan.jvms += wrong;
        let detail = "only profilers that are found wrong".into();
        self.step("under C2", wrong as f64 * C2_S, detail);
    }
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
    let runs = f64::from(request.runs.max(1));
    // The baseline gets two windows of each block, every other condition one.
    let condition_s = runs * baseline_s / 2.0;
    let rates = Rates {
        profiler_per_s: pace.samples_per_s,
        truth_per_s: OBSERVE_HZ,
        dispersion: DISPERSION,
    };
    let samples = condition_s * pace.samples_per_s;
    let wider = wider(runs);
    let wanted = SAMPLES_PER_CONDITION * (wider * MARGIN_PT / request.margin_pt).powi(2);
    Precision {
        profiler: spec.name.clone(),
        samples_per_s: pace.samples_per_s,
        seconds: runs * baseline_s,
        runs: request.runs.max(1),
        half_width_pt: wider * half_width_after(condition_s, &rates, SHARE, !uniform.is_empty()),
        decides: samples >= 0.9 * wanted,
    }
}

/// How much wider an interval over so many runs is than one of as many windows of one run, if runs do not differ.
fn wider(runs: f64) -> f64 {
    let known = t_quantile(f64::INFINITY, Confidence::P95);
    match runs > 1.0 {
        true => t_quantile(runs - 1.0, Confidence::P95) / known,
        false => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Student's t with 4 and 1 degrees of freedom: 2.776 and 12.706, beside 1.960.
    #[test]
    fn few_runs_widen_intervals_as_students_t_does() {
        let expected = [(1.0, 1.0), (2.0, 6.483), (5.0, 1.4165)];
        for (runs, factor) in expected {
            assert!(
                (wider(runs) - factor).abs() < 1e-3,
                "{runs}: {}",
                wider(runs)
            );
        }
    }

    /// A later search knows how blocks respond; one by steps begins with nothing.
    #[test]
    fn further_targets_cost_less() {
        let mut request = AssessRequest::of_a_test();
        request.targets_pct = vec![100.0, 50.0, 150.0];
        let each = |request: &AssessRequest| {
            let cost = assessment("p", request, 10.0).expect("an estimate");
            [100.0, 50.0, 150.0].map(|target| cost.seconds_of(&divining(target)))
        };
        let [first, second, third] = each(&request);
        assert!(second > 0.0 && second < 0.9 * first, "{first} {second}");
        assert_eq!(second, third);
        request.effort = Effort::by(proofmark_divine::SearchKind::Stepwise, f64::INFINITY);
        let [first, second, _] = each(&request);
        assert_eq!(first, second);
    }

    /// Where nothing is dosed, nobody looks for it.
    #[test]
    fn doses_that_are_not_asked_for_cost_nothing() {
        let mut request = AssessRequest::of_a_test();
        let doses_s = |request: &AssessRequest| {
            let cost = assessment("p", request, 10.0).expect("an estimate");
            cost.seconds_of(DOSES)
        };
        assert_eq!(doses_s(&request), 0.0);
        request.singles = 3;
        assert!(doses_s(&request) > CHOOSE_S);
    }

    /// Short iterations that are discarded fit into the time of a change: only long ones make windows longer.
    #[test]
    fn discarded_iterations_are_counted_once() {
        let request = AssessRequest::of_a_test();
        let beyond = |iteration_ms: f64| {
            let pace = request.safepoint.pace(None, iteration_ms);
            let schedule = pace.schedule(&request.uniform_pct(), request.seed);
            let all_s = windows_s(&request, &pace, 0).expect("an estimate");
            all_s - schedule.expect("a schedule").total_s
        };
        assert_eq!(beyond(10.0), 0.0);
        assert!(beyond(100.0) > 1.0);
    }

    /// Of everything that is dosed the safepoint control sees two methods.
    #[test]
    fn the_safepoint_control_has_doses_of_two_methods() {
        let mut request = AssessRequest::of_a_test();
        let step = |request: &AssessRequest, name: &str| {
            let cost = assessment("p", request, 10.0).expect("an estimate");
            cost.seconds_of(name)
        };
        let without = [ORACLE, SAFEPOINT].map(|name| step(&request, name));
        request.singles = 3;
        let with = [ORACLE, SAFEPOINT].map(|name| step(&request, name));
        let pace = request.safepoint.pace(None, 10.0);
        let doses_s = doses::seconds(&pace, doses::CONTROL_METHODS);
        assert!((with[1] - without[1] - doses_s).abs() < 1e-9, "{with:?}");
        let all_s = doses::seconds(&Pace::oracle(10.0), request.doses());
        assert!((with[0] - without[0] - all_s).abs() < 1e-9, "{with:?}");
    }
}
