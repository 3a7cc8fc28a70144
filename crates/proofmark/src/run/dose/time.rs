//! How long a test will take.

use proofmark_experiment::assess::estimate::ASSUMED_MS;
use proofmark_experiment::dose::{Size, cost};

use crate::request::DoseRequest;

/// What decides how long a test takes.
pub(in crate::run) fn size(request: &DoseRequest) -> Size {
    Size {
        profilers: request.profilers.clone(),
        methods: request.methods,
        rounds: request.rounds,
        budget_s: request.budget_s,
        runs: request.runs,
        window_s: request.window_s,
    }
}

/// Time that the test will probably take, s, before anything is known of the program.
#[must_use]
pub fn expected_s(request: &DoseRequest) -> f64 {
    let (_, steps) = cost(&size(request), ASSUMED_MS);
    steps.iter().map(|step| step.seconds).sum()
}
