//! How long a run still takes: what was said beforehand, corrected by what has been seen.
//!
//! A machine that others use makes everything longer, and a search may need more rounds than it mostly does. So every time
//! that the rest is estimated anew, the time that went by is compared with what the estimate fell by.

use std::time::Duration;

/// Seconds of estimate that count as kept before anything was seen: one slow step says little.
const TRUSTED_S: f64 = 20.0;
/// Smallest and largest correction.
const LEAST: f64 = 0.5;
const MOST: f64 = 5.0;
/// The least that is shown of time.
const SHOWN: Duration = Duration::from_secs(1);
/// A step that takes less than this part of its estimate was taken from an earlier run: it says nothing of time.
const MEASURED: f64 = 0.3;

/// What is expected.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Forecast {
    /// When the rest was estimated last, and the estimate, s.
    last: Option<(Duration, f64)>,
    /// Estimated, and real, seconds of what is done.
    done: (f64, f64),
    /// What comes behind the part that is estimated, s.
    behind_s: f64,
}

impl Forecast {
    /// So many seconds are added to every estimate from now on.
    pub fn behind(&mut self, seconds: f64) {
        self.behind_s = seconds;
    }

    /// From now on everything takes so many seconds, as estimated, and what comes behind.
    pub fn expect(&mut self, now: Duration, seconds: f64) {
        let seconds = seconds.max(0.0) + self.behind_s;
        if let Some((before, estimate)) = self.last {
            let real = now.saturating_sub(before).as_secs_f64();
            let fell = (estimate - seconds).max(0.0);
            if real >= MEASURED * fell {
                self.done.0 += fell;
                self.done.1 += real;
            }
        }
        self.last = Some((now, seconds));
    }

    /// What went by until now was no part of the estimate: nothing is learned of it.
    pub fn begin(&mut self, now: Duration) {
        if let Some((since, _)) = &mut self.last {
            *since = now;
        }
    }

    /// A part of the estimate is done, that of so many seconds: what it really took, since the last estimate, scales the rest.
    pub fn done(&mut self, now: Duration, seconds: f64) {
        if let Some((_, estimate)) = self.last {
            self.expect(now, estimate - self.behind_s - seconds);
        }
    }

    /// Real seconds per estimated one.
    fn factor(&self) -> f64 {
        ((TRUSTED_S + self.done.1) / (TRUSTED_S + self.done.0)).clamp(LEAST, MOST)
    }

    /// `, about 2:07 left`, or `, 2:20 longer than estimated` once that is used up; empty before anything was estimated.
    pub fn words(&self, now: Duration) -> String {
        let Some(end) = self.end() else {
            return String::new();
        };
        let over = now.saturating_sub(end);
        if over >= SHOWN {
            return format!(", {} longer than estimated", super::minutes(over));
        }
        format!(", about {} left", super::minutes(end.saturating_sub(now)))
    }

    /// What is left of the estimate; nothing once it is used up.
    pub fn left(&self, now: Duration) -> Option<Duration> {
        Some(self.end()?.saturating_sub(now))
    }

    /// When everything would be done.
    fn end(&self) -> Option<Duration> {
        let (since, estimate) = self.last?;
        Some(since + Duration::from_secs_f64(estimate * self.factor()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    /// Left after so many steps of 20 s as estimated, of 200 s, each of which really takes `each`.
    fn after(steps: u32, each: f64) -> f64 {
        let mut forecast = Forecast::default();
        for step in 0..=steps {
            let step = f64::from(step);
            forecast.expect(s(each * step), 200.0 - 20.0 * step);
        }
        let now = s(each * f64::from(steps));
        forecast.left(now).expect("an estimate").as_secs_f64()
    }

    #[test]
    fn what_is_slow_makes_the_rest_longer() {
        assert_eq!(after(5, 20.0), 100.0, "as estimated");
        let slow = after(5, 34.0);
        assert!((150.0..=170.0).contains(&slow), "{slow}");
        assert_eq!(after(5, 0.1), 100.0, "taken from an earlier run");
    }

    /// Of 320 s, of which some 40 went by before the first JVM began, which took so long in place of 20 s.
    #[test]
    fn what_the_first_jvm_took_scales_the_rest() {
        let left = |took: f64| {
            let mut forecast = Forecast::default();
            forecast.expect(s(0.0), 320.0);
            forecast.begin(s(40.0));
            forecast.done(s(40.0 + took), 20.0);
            let left = forecast.left(s(40.0 + took)).expect("an estimate");
            left.as_secs_f64()
        };
        assert_eq!(left(20.0), 300.0, "as estimated");
        // Half of the correction: 20 s of estimate count as kept beforehand.
        assert_eq!(left(60.0), 600.0);
        assert_eq!(left(10.0), 225.0);
        assert_eq!(left(10_000.0), 1500.0, "no more than five times as long");
    }

    #[test]
    fn parts_that_are_done_leave_what_comes_behind() {
        let mut forecast = Forecast::default();
        forecast.done(s(1.0), 20.0);
        assert_eq!(forecast.left(s(1.0)), None, "nothing was estimated");
        forecast.behind(100.0);
        forecast.expect(s(0.0), 50.0);
        forecast.done(s(30.0), 30.0);
        assert_eq!(forecast.left(s(30.0)), Some(s(120.0)));
    }

    #[test]
    fn rounds_beyond_the_planned_ones_do_not_leave_the_estimate_where_it_was() {
        let mut forecast = Forecast::default();
        forecast.expect(s(0.0), 56.0);
        let mut left = vec![forecast.left(s(0.0))];
        for round in 1..=3 {
            let now = s(24.0 * f64::from(round));
            forecast.expect(now, 56.0);
            left.push(forecast.left(now));
        }
        assert!(left.is_sorted_by(|a, b| a < b), "{left:?}");
    }

    /// Three programs of 100 s as estimated: each says what it will take itself.
    #[test]
    fn what_comes_behind_is_left_too() {
        let mut forecast = Forecast::default();
        let mut left = Vec::new();
        for program in 0..3 {
            forecast.behind(100.0 * f64::from(2 - program));
            for half in 0..2 {
                let now = s(100.0 * f64::from(program) + 50.0 * f64::from(half));
                forecast.expect(now, 100.0 - 50.0 * f64::from(half));
                left.push(forecast.left(now).expect("an estimate").as_secs_f64());
            }
        }
        assert_eq!(left, [300.0, 250.0, 200.0, 150.0, 100.0, 50.0]);
    }

    #[test]
    fn an_estimate_that_is_over_says_by_how_much() {
        let mut forecast = Forecast::default();
        assert_eq!(forecast.words(s(3.0)), "");
        forecast.expect(s(0.0), 60.0);
        assert_eq!(forecast.words(s(10.0)), ", about 0:50 left");
        assert_eq!(forecast.words(s(60.5)), ", about 0:00 left");
        assert_eq!(forecast.words(s(61.0)), ", 0:01 longer than estimated");
        assert_eq!(forecast.words(s(200.0)), ", 2:20 longer than estimated");
        // Who learns more estimates anew: then something is left again.
        forecast.expect(s(200.0), 30.0);
        let words = forecast.words(s(200.0));
        assert!(words.ends_with(" left"), "{words}");
    }
}
