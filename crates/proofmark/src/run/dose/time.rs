//! How long a test will take.

use proofmark_experiment::assess::estimate::ASSUMED_MS;
use proofmark_experiment::assess::{CostPlan, CostStep};
use proofmark_experiment::dose::{Size, cost};
use proofmark_jvm::Kind;

use crate::request::DoseRequest;

/// What decides how long a test takes.
pub(in crate::run) fn size(request: &DoseRequest) -> Size {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    Size {
        profilers: request.profilers.clone(),
        methods: request.methods,
        rounds: request.rounds,
        budget_s: request.budget_s,
        runs: request.runs,
        window_s: request.window_s,
        at_once: request.at_once.min(processors),
    }
}

/// What a test, or one with each of several kinds of dose, would cost; nothing is started.
#[must_use]
pub fn plan(request: &DoseRequest, kinds: usize) -> CostPlan {
    let (jvms, mut steps) = cost(&size(request), ASSUMED_MS);
    for (step, most) in steps.iter_mut().zip(with_most(request)) {
        let more_s = most.seconds - step.seconds;
        if more_s >= 1.0 {
            let text = format!("; up to {more_s:.0} s more if it stays undecided");
            step.detail.push_str(&text);
        }
        step.seconds *= kinds as f64;
        if kinds > 1 {
            step.detail = format!("{kinds} kinds of dose, each: {}", step.detail);
        }
    }
    CostPlan {
        program: format!(
            "{} (iterations of unknown length, {ASSUMED_MS} ms assumed)",
            request.workload
        ),
        jvms: jvms * kinds as u64,
        steps,
        ..CostPlan::default()
    }
}

/// The steps of a test in which every profiler gets as many JVMs as one that stays undecided may get, each with as many windows as
/// those that are wanted.
fn with_most(request: &DoseRequest) -> Vec<CostStep> {
    let wanted = size(request);
    let runs = request.most_runs.max(request.runs);
    let most = Size {
        runs,
        rounds: wanted.rounds_in_each() * runs,
        budget_s: wanted.budget_in_each_s() * runs as f64,
        ..wanted
    };
    cost(&most, ASSUMED_MS).1
}

/// What an iteration of such a program is, as far as its user knows it; none where the program says so itself.
#[must_use]
pub fn iteration(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Main => Some("One call of main is one iteration."),
        Kind::Method => Some("One call of the method is one iteration."),
        Kind::Runnable => Some("One call of run is one iteration."),
        Kind::Suite | Kind::Jmh => None,
    }
}

/// Time that the test will probably take, s, before anything is known of the program.
#[must_use]
pub fn expected_s(request: &DoseRequest) -> f64 {
    let (_, steps) = cost(&size(request), ASSUMED_MS);
    steps.iter().map(|step| step.seconds).sum()
}
