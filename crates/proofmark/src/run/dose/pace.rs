//! Tells the progress line how far a test has come, so that what its first JVMs really took scales the time that is left.

use std::sync::{Arc, Mutex, PoisonError};

use proofmark_experiment::assess::CostStep;
use proofmark_experiment::assess::estimate::ASSUMED_MS;

use super::time::{Reached, behind_s, steps};
use crate::progress::Progress;
use crate::request::DoseRequest;

/// Name of the JVM in which doses are found.
const DOSES: &str = "doses";
/// What stands between a profiler's name and a number in the names of its JVMs behind the first one.
const RUN: &str = "-run-";

/// How far a test has come.
pub(super) struct Pace {
    steps: Vec<CostStep>,
    /// JVMs with profilers that are wanted.
    jvms: usize,
    /// Owned by this and by every JVM that runs.
    running: Arc<()>,
    told: Mutex<Told>,
}

/// What the progress line knows.
#[derive(Debug, Default)]
struct Told {
    /// JVMs with profilers that were begun.
    begun: usize,
    /// What is behind the test, s as estimated.
    behind_s: f64,
}

impl Pace {
    /// Of a test of which nothing has begun.
    pub(super) fn of(request: &DoseRequest) -> Self {
        Self {
            steps: steps(request, ASSUMED_MS).1,
            jvms: request.runs * request.profilers.len(),
            running: Arc::default(),
            told: Mutex::default(),
        }
    }

    /// A JVM of that name is begun, with this profiler in it or none. Of those with profilers that were begun before, all have ended but
    /// the ones that still run.
    pub(super) fn begins(&self, name: &str, profiler: Option<&str>, progress: &Progress) {
        let others = Arc::strong_count(&self.running) - 1;
        if let Some(seconds) = self.newly_behind_s(name, profiler, others) {
            progress.done(seconds);
        }
    }

    /// The test has ended, whether it has a result or not.
    pub(super) fn ends(&self, progress: &Progress) {
        let seconds = self.rest_s();
        if seconds > 0.0 {
            progress.done(seconds);
        }
    }

    /// Seconds, as estimated, that were not told of; they are now.
    fn rest_s(&self) -> f64 {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let all_s = behind_s(&self.steps, self.jvms, Reached::Measuring(self.jvms));
        let rest_s = all_s - told.behind_s;
        told.behind_s = all_s;
        rest_s
    }

    /// What a JVM that runs has to hold.
    pub(super) fn running(&self) -> Arc<()> {
        Arc::clone(&self.running)
    }

    /// Seconds, as estimated, that are behind the test since it was told last; none where this JVM tells nothing. `others`: those that run.
    fn newly_behind_s(&self, name: &str, profiler: Option<&str>, others: usize) -> Option<f64> {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let reached = match profiler {
            Some(profiler) if is_measured(name, profiler) => {
                Reached::Measuring(told.begun.saturating_sub(others))
            }
            None if name == DOSES => Reached::Dosing,
            _ => Reached::Choosing,
        };
        if let Reached::Measuring(_) = reached {
            told.begun += 1;
        }
        let behind_s = behind_s(&self.steps, self.jvms, reached);
        let newly = behind_s - told.behind_s;
        if newly <= 0.0 {
            return None;
        }
        told.behind_s = behind_s;
        Some(newly)
    }
}

/// Whether a JVM of that name is one in which the profiler is measured: `jfr`, or `jfr-run-2`.
fn is_measured(name: &str, profiler: &str) -> bool {
    name.strip_prefix(profiler)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(RUN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::dose::tests::asked;

    /// The demo's program, with two profilers of two JVMs each, two of which run at the same time.
    #[test]
    fn a_jvm_that_begins_says_how_many_have_ended() {
        let request = DoseRequest {
            profilers: vec!["async".into(), "jfr".into()],
            ..asked(2, 2)
        };
        let pace = Pace::of(&request);
        let [choose, doses, of_async, of_jfr] = pace.steps.as_slice() else {
            panic!("{:?}", pace.steps);
        };
        let (choose, doses) = (choose.seconds, doses.seconds);
        let quarter = (of_async.seconds + of_jfr.seconds) / 4.0;
        let near = |newly: Option<f64>, expected: f64| {
            assert!(
                newly.is_some_and(|newly| (newly - expected).abs() < 1e-9),
                "{newly:?}"
            );
        };
        assert_eq!(pace.newly_behind_s("look-jfr", Some("jfr"), 0), None);
        near(pace.newly_behind_s("doses", None, 0), choose);
        assert_eq!(pace.newly_behind_s("plain", None, 0), None);
        near(pace.newly_behind_s("async", Some("async"), 0), doses);
        assert_eq!(pace.newly_behind_s("jfr", Some("jfr"), 1), None);
        // The first one has ended, and the other one still runs.
        let newly = pace.newly_behind_s("async-run-2", Some("async"), 1);
        near(newly, quarter);
        near(pace.newly_behind_s("jfr-run-2", Some("jfr"), 1), quarter);
        // Those that are added were not in the estimate: all of it is behind them.
        let newly = pace.newly_behind_s("jfr-run-3", Some("jfr"), 0);
        near(newly, 2.0 * quarter);
        assert_eq!(pace.newly_behind_s("jfr-run-4", Some("jfr"), 0), None);
    }

    #[test]
    fn what_was_not_told_is_told_at_the_end() {
        let pace = Pace::of(&asked(2, 2));
        let all_s: f64 = pace.steps.iter().map(|step| step.seconds).sum();
        let chosen_s = pace
            .newly_behind_s("doses", None, 0)
            .expect("the first step");
        assert!((pace.rest_s() - (all_s - chosen_s)).abs() < 1e-9);
        assert_eq!(pace.rest_s(), 0.0);
    }

    #[test]
    fn what_runs_is_counted_by_what_it_holds() {
        let pace = Pace::of(&asked(2, 2));
        let running = pace.running();
        assert_eq!(Arc::strong_count(&pace.running), 2);
        drop(running);
        assert_eq!(Arc::strong_count(&pace.running), 1);
    }
}
