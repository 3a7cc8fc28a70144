//! How long a test will take.

use proofmark_experiment::assess::CostPlan;
use proofmark_experiment::assess::estimate::ASSUMED_MS;
use proofmark_experiment::dose::{Size, cost};

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
    for step in &mut steps {
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

/// Time that the test will probably take, s, before anything is known of the program.
#[must_use]
pub fn expected_s(request: &DoseRequest) -> f64 {
    let (_, steps) = cost(&size(request), ASSUMED_MS);
    steps.iter().map(|step| step.seconds).sum()
}
