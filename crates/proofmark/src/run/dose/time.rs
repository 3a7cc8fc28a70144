//! How long a test will take.

use proofmark_experiment::assess::estimate::ASSUMED_MS;
use proofmark_experiment::assess::{CostPlan, CostStep};
use proofmark_experiment::dose::{Size, Times, cost};
use proofmark_jvm::Kind;
use proofmark_jvm::toolchain::processors;

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
        at_once: request.at_once.min(processors()),
    }
}

/// The same with as many methods as there is time for by its estimate, if an iteration takes so long, ms.
pub(super) fn size_in_time(request: &DoseRequest, iteration_ms: f64) -> Size {
    let all = size(request);
    let of = |methods: usize| Size {
        methods,
        ..all.clone()
    };
    let fits = |methods: &usize| {
        let total_s = Times::before(&of(*methods), iteration_ms).total_s();
        request.most_s.is_none_or(|most_s| total_s <= most_s)
    };
    let mut methods = (1..=all.methods).rev();
    of(methods.find(fits).unwrap_or(1))
}

/// What a test, or one with each of several kinds of dose, would cost; nothing is started.
#[must_use]
pub fn plan(request: &DoseRequest, kinds: usize) -> CostPlan {
    let (jvms, mut steps) = steps(request, ASSUMED_MS);
    if let (Some(most_s), Some(doses)) = (request.most_s, steps.get_mut(1)) {
        let text = format!(
            "; fewer where the test would take more than {:.0} min",
            most_s / 60.0
        );
        doses.detail.push_str(&text);
    }
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

/// JVMs that are started, and the steps with their times, for iterations of this length. What more JVMs would take is said and not
/// counted.
pub(in crate::run) fn steps(request: &DoseRequest, iteration_ms: f64) -> (u64, Vec<CostStep>) {
    let (jvms, mut steps) = cost(&size_in_time(request, iteration_ms), iteration_ms);
    let most = with_most(request, iteration_ms);
    for (step, most) in steps.iter_mut().zip(most) {
        let more_s = most.seconds - step.seconds;
        if more_s >= 1.0 {
            let more = match request.most_runs - request.runs {
                1 => "one more JVM".to_owned(),
                more => format!("{more} more JVMs"),
            };
            let text = format!("; up to {more_s:.0} s more where {more} would probably decide");
            step.detail.push_str(&text);
        }
    }
    (jvms, steps)
}

/// The steps of a test in which every profiler gets as many JVMs as one may get that more would probably decide, each with as many
/// windows as those that are wanted.
fn with_most(request: &DoseRequest, iteration_ms: f64) -> Vec<CostStep> {
    let wanted = size_in_time(request, iteration_ms);
    let runs = request.most_runs.max(request.runs);
    let most = Size {
        runs,
        rounds: wanted.rounds_in_each() * runs,
        budget_s: wanted.budget_in_each_s() * runs as f64,
        ..wanted
    };
    cost(&most, iteration_ms).1
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

/// Time that the test would take, s, if iterations were as long as is assumed before anything is known of the program.
#[must_use]
pub fn expected_s(request: &DoseRequest) -> f64 {
    Times::before(&size_in_time(request, ASSUMED_MS), ASSUMED_MS).total_s()
}

#[cfg(test)]
pub(in crate::run) mod tests {
    use super::*;
    use crate::request::AssessRequest;

    /// What the demo asks of sites, with so many JVMs per profiler, and at most so many.
    pub(in crate::run) fn asked(runs: usize, most_runs: usize) -> DoseRequest {
        let queens = proofmark_jvm::Workload::parse("suite:Queens", Vec::new());
        let demo = AssessRequest::demo(queens.expect("a program of the suite"), None);
        let sites = *demo.sites.expect("it has sites");
        DoseRequest {
            runs,
            most_runs,
            ..sites
        }
    }

    #[test]
    fn more_jvms_are_told_as_what_may_decide_and_are_not_counted() {
        let details = |request: &DoseRequest| {
            let (_, steps) = steps(request, ASSUMED_MS);
            let details: Vec<String> = steps.into_iter().map(|step| step.detail).collect();
            details.join("\n")
        };
        let said = details(&asked(3, 5));
        let of_each = said.matches(" s more where 2 more JVMs would probably decide");
        assert_eq!(of_each.count(), asked(3, 5).profilers.len(), "{said}");
        assert!(!said.contains("undecided"), "{said}");
        assert!(details(&asked(3, 4)).contains(" more where one more JVM would "));
        assert!(!details(&asked(3, 3)).contains(" more where "));
        let seconds = |most_runs| plan(&asked(3, most_runs), 1).total_s();
        assert_eq!(seconds(3), seconds(5));
    }

    /// What is said before the start is no longer than the test may take.
    #[test]
    fn as_many_methods_are_reckoned_with_as_there_is_time_for() {
        let all = DoseRequest {
            methods: 12,
            ..asked(4, 4)
        };
        let takes = |most_s| {
            let request = DoseRequest {
                most_s,
                ..all.clone()
            };
            (expected_s(&request), plan(&request, 1).total_s())
        };
        let (expected, planned) = takes(None);
        assert!((expected - planned).abs() < 1e-6, "{expected} {planned}");
        assert_eq!(takes(Some(2.0 * expected)), (expected, planned));
        let most_s = 0.8 * expected;
        let (expected, planned) = takes(Some(most_s));
        assert!(expected <= most_s && expected > 0.6 * most_s, "{expected}");
        assert!((expected - planned).abs() < 1e-6, "{expected} {planned}");
        // One is tested however long it takes.
        assert!(takes(Some(1.0)).0 > 1.0);
    }
}
