//! Tells the progress line how far a test has come, and what becomes known of the time that it takes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use proofmark_experiment::assess::estimate::ASSUMED_MS;
use proofmark_experiment::dose::Times;

use super::ahead::Ahead;
use super::time::size_in_time;
use crate::progress::{News, Progress};
use crate::request::DoseRequest;

/// Name of the first JVM in which it is seen what sites cost.
const PLAIN: &str = "plain";
/// What stands between a profiler's name and a number in the names of its JVMs behind the first one.
const RUN: &str = "-run-";

/// How far a test has come.
pub struct Pace {
    ahead: Mutex<Ahead>,
    /// Owned by this and by every JVM that runs.
    running: Arc<()>,
}

impl Pace {
    /// Of so many tests, one behind the other, before anything is known of the program.
    #[must_use]
    pub fn of(request: &DoseRequest, tests: usize) -> Self {
        let size = size_in_time(request, ASSUMED_MS);
        Self::with(Times::before(&size, ASSUMED_MS), tests)
    }

    /// Of a test of a program of which it is known how long an iteration takes, ms.
    #[must_use]
    pub fn of_iterations(request: &DoseRequest, iteration_ms: f64) -> Self {
        let size = size_in_time(request, iteration_ms);
        Self::with(Times::before(&size, iteration_ms), 1)
    }

    fn with(times: Times, tests: usize) -> Self {
        Self {
            ahead: Mutex::new(Ahead::of(times, tests)),
            running: Arc::default(),
        }
    }

    /// A test begins.
    pub(super) fn test_begins(&self, progress: &Progress) {
        let news = self.ahead().begins();
        progress.hear(&news);
    }

    /// Its methods are chosen, and how long an iteration takes is known.
    pub(super) fn chosen(&self, times: &Times, progress: &Progress) {
        let news = self.ahead().chosen(*times);
        progress.hear(&news);
    }

    /// What sites cost is known, and how long the JVMs of profilers take by that.
    pub(super) fn sites_found(&self, times: &Times, progress: &Progress) {
        let news = self.ahead().costs_are_known();
        progress.hear(&news);
        // By what was measured: that is not scaled once more.
        let profilers_s = times.profilers_s / progress.factor();
        let news = self.ahead().profilers_take(profilers_s);
        progress.hear(&news);
    }

    /// A JVM of that name is begun, with this profiler in it or none.
    pub(super) fn begins(&self, name: &str, profiler: Option<&str>, progress: &Progress) {
        let others = Arc::strong_count(&self.running) - 1;
        let now_s = progress.elapsed().as_secs_f64();
        if let Some(news) = self.heard(name, profiler, (now_s, others)) {
            progress.hear(&news);
        }
    }

    /// JVMs are added to those that were wanted, and take about so long, s.
    pub(super) fn adds(&self, seconds: f64, progress: &Progress) {
        self.ends(progress);
        // By what was measured: that is not scaled once more.
        let news = self.ahead().adds(seconds / progress.factor());
        progress.hear(&news);
    }

    /// The test has ended, whether it has a result or not.
    pub(super) fn ends(&self, progress: &Progress) {
        let news = self.ahead().ends();
        if let Some(news) = news {
            progress.hear(&news);
        }
    }

    /// What a JVM that runs has to hold.
    pub(super) fn running(&self) -> Arc<()> {
        Arc::clone(&self.running)
    }

    /// What a JVM tells that begins at this time, s, beside so many others that run; none where it tells nothing.
    fn heard(
        &self,
        name: &str,
        profiler: Option<&str>,
        (now_s, others): (f64, usize),
    ) -> Option<News> {
        if profiler.is_some_and(|profiler| is_measured(name, profiler)) {
            return self.ahead().jvm_begins(now_s, others);
        }
        let is_plain = profiler.is_none() && name == PLAIN;
        is_plain.then(|| self.ahead().costs())
    }

    fn ahead(&self) -> MutexGuard<'_, Ahead> {
        self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
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
    use crate::run::dose::size;
    use crate::run::dose::tests::asked;

    /// Two profilers of two JVMs each, two of which run at the same time.
    #[test]
    fn a_jvm_that_begins_says_how_far_the_test_has_come() {
        let request = DoseRequest {
            profilers: vec!["async".into(), "jfr".into()],
            ..asked(2, 2)
        };
        let times = Times {
            choosing_s: 30.0,
            dosing_s: 10.0,
            costs_s: 20.0,
            profilers_s: 200.0,
            jvms: 4,
            at_once: 2,
        };
        let (pace, progress) = (Pace::of(&request, 1), Progress::new(true));
        pace.test_begins(&progress);
        pace.chosen(&times, &progress);
        let done_s = |name, profiler, at: (f64, usize)| {
            let news = pace.heard(name, profiler, at);
            news.and_then(|news| news.done_s)
        };
        let near = |done_s: Option<f64>, expected_s: f64| {
            let near = done_s.is_some_and(|done_s| (done_s - expected_s).abs() < 1e-9);
            assert!(near, "{done_s:?}");
        };
        assert_eq!(done_s("look-jfr", Some("jfr"), (0.0, 0)), None);
        assert_eq!(done_s("doses", None, (30.0, 0)), None);
        near(done_s("plain", None, (40.0, 0)), 10.0);
        assert_eq!(done_s("rest", None, (40.0, 1)), None);
        near(done_s("async", Some("async"), (60.0, 0)), 20.0);
        near(done_s("jfr", Some("jfr"), (60.0, 1)), 0.0);
        // The first one has ended, and so, nearly, has the other one.
        near(done_s("async-run-2", Some("async"), (160.0, 1)), 100.0);
        near(done_s("jfr-run-2", Some("jfr"), (160.0, 1)), 0.0);
        // Those that are added were not in the estimate.
        assert_eq!(done_s("jfr-run-3", Some("jfr"), (300.0, 0)), None);
    }

    #[test]
    fn what_is_left_follows_the_length_of_an_iteration() {
        let (request, progress) = (asked(1, 1), Progress::new(true));
        let pace = Pace::of(&request, 1);
        let before = Times::before(&size(&request), ASSUMED_MS);
        progress.assume(before.total_s());
        pace.test_begins(&progress);
        assert_eq!(progress.left_s(), None, "no iteration was timed");
        let times = Times::of(&size(&request), request.methods, 3.0);
        pace.chosen(&times, &progress);
        // Hardly any time has passed since.
        let left_s = progress.left_s().expect("an estimate");
        assert!(times.chosen_s() > 4.0 * before.total_s(), "{times:?}");
        assert!((left_s - times.chosen_s()).abs() < 60.0, "{left_s}");
        pace.ends(&progress);
        assert_eq!(progress.left_s(), Some(0.0));
    }

    /// Twice what was estimated, and a hundred seconds.
    #[test]
    fn what_is_left_follows_the_sites_that_were_found() {
        let (request, progress) = (asked(1, 1), Progress::new(true));
        let pace = Pace::of(&request, 1);
        let times = Times::of(&size(&request), request.methods, 0.01);
        let before = Times::before(&size(&request), ASSUMED_MS);
        progress.assume(before.total_s());
        pace.test_begins(&progress);
        pace.chosen(&times, &progress);
        let told = Times {
            profilers_s: 2.0 * times.profilers_s + 100.0,
            ..times
        };
        pace.sites_found(&told, &progress);
        let left_s = progress.left_s().expect("an estimate");
        // Hardly any time has passed since.
        assert!((left_s - told.profilers_s).abs() < 5.0, "{left_s}");
    }

    #[test]
    fn what_runs_is_counted_by_what_it_holds() {
        let pace = Pace::of(&asked(2, 2), 1);
        let running = pace.running();
        assert_eq!(Arc::strong_count(&pace.running), 2);
        drop(running);
        assert_eq!(Arc::strong_count(&pace.running), 1);
    }
}
