//! How long a run still takes: what was said beforehand, corrected by what has been seen.
//!
//! A machine that others use makes everything longer, and a search may need more rounds than it mostly does. So every time
//! that the rest is estimated anew, the time that went by is compared with what the estimate fell by.

use std::time::Duration;

/// Seconds of estimate that count as kept before anything was seen: one slow step says little.
const TRUSTED_S: f64 = 20.0;
/// The same as a part of what is left: what the first parts took says little of long ones behind them.
const TRUSTED_PART: f64 = 0.25;
/// Smallest and largest correction.
const LEAST: f64 = 0.5;
const MOST: f64 = 5.0;
/// The least that is shown of time.
const SHOWN: Duration = Duration::from_secs(1);
/// A step that takes less than this part of its estimate was taken from an earlier run: it says nothing of time.
const MEASURED: f64 = 0.3;

/// What is heard of an estimate from who follows the work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct News {
    /// Seconds of the estimate that are done since something was heard before; less than none where more is ahead than was thought. How
    /// long they really took scales the rest. None where the time until now was no part of the estimate, or says nothing of the rest.
    pub done_s: Option<f64>,
    /// So many seconds more are estimated than before, by what is known now.
    pub more_s: f64,
    /// What is done from now on takes so many seconds of the estimate: however long it really takes, the rest is left.
    pub next_s: f64,
    /// The estimate does not rest on an assumption any more: what decides it is known now.
    pub known: bool,
}

/// What is expected.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Forecast {
    /// When the rest was estimated last, and the estimate, s.
    last: Option<(Duration, f64)>,
    /// What of it is being done now, s; none where that is not known.
    next_s: Option<f64>,
    /// Estimated, and real, seconds of what is done.
    done: (f64, f64),
    /// What comes behind the part that is estimated, s.
    behind_s: f64,
    /// The estimate rests on an assumption, so that nothing is said of it.
    assumed: bool,
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
            self.learn((estimate - seconds).max(0.0), now.saturating_sub(before));
        }
        self.last = Some((now, seconds));
        self.next_s = None;
        self.assumed = false;
    }

    /// The same by an assumption, which may be far off: nothing is said of it until news say that what decides it is known.
    pub fn assume(&mut self, now: Duration, seconds: f64) {
        self.expect(now, seconds);
        self.assumed = true;
    }

    /// What is known of the estimate now; nothing before there is one.
    pub fn hear(&mut self, now: Duration, news: &News) {
        let Some((before, estimate)) = self.last else {
            return;
        };
        if let Some(done_s) = news.done_s {
            self.learn(done_s, now.saturating_sub(before));
        }
        let seconds = estimate - news.done_s.unwrap_or(0.0) + news.more_s;
        self.last = Some((now, seconds.max(self.behind_s)));
        self.next_s = Some(news.next_s);
        self.assumed &= !news.known;
    }

    /// So many seconds of the estimate are done, and really took so long.
    fn learn(&mut self, estimated_s: f64, real: Duration) {
        let real_s = real.as_secs_f64();
        if real_s >= MEASURED * estimated_s {
            self.done.0 = (self.done.0 + estimated_s).max(0.0);
            self.done.1 += real_s;
        }
    }

    /// Real seconds per estimated one.
    pub fn factor(&self) -> f64 {
        let left_s = self.last.map_or(0.0, |(_, estimate)| estimate);
        let trusted = TRUSTED_S.max(TRUSTED_PART * (left_s - self.behind_s));
        ((trusted + self.done.1) / (trusted + self.done.0)).clamp(LEAST, MOST)
    }

    /// `, about 2:07 left`, or `, 2:20 longer than estimated` once that is used up; empty before anything was estimated, and as long
    /// as that was only assumed.
    pub fn words(&self, now: Duration) -> String {
        let Some((end, rest)) = self.end() else {
            return String::new();
        };
        let over = now.saturating_sub(end);
        if rest.is_zero() && over >= SHOWN {
            return format!(", {} longer than estimated", super::minutes(over));
        }
        let left = end.saturating_sub(now) + rest;
        format!(", about {} left", super::minutes(left))
    }

    /// What is left of the estimate; nothing once it is used up. None where [`Self::words`] are empty.
    pub fn left(&self, now: Duration) -> Option<Duration> {
        let (end, rest) = self.end()?;
        Some(end.saturating_sub(now) + rest)
    }

    /// When what is being done now would be done, and how long the rest would take then.
    fn end(&self) -> Option<(Duration, Duration)> {
        let (since, estimate) = self.last.filter(|_| !self.assumed)?;
        let next_s = self.next_s.map_or(estimate, |next_s| next_s.min(estimate));
        let real = |seconds: f64| Duration::from_secs_f64(seconds * self.factor());
        Some((since + real(next_s), real(estimate - next_s)))
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

    /// What comes next takes so long as estimated; so much was done before.
    fn news(done_s: Option<f64>, next_s: f64) -> News {
        News {
            done_s,
            more_s: 0.0,
            next_s,
            known: false,
        }
    }

    /// Of 320 s, of which some 40 went by before the first JVM began, which took so long in place of 20 s.
    #[test]
    fn what_the_first_jvm_took_scales_the_rest() {
        let left = |took: f64| {
            let mut forecast = Forecast::default();
            forecast.expect(s(0.0), 320.0);
            forecast.hear(s(40.0), &news(None, 20.0));
            forecast.hear(s(40.0 + took), &news(Some(20.0), 300.0));
            let left = forecast.left(s(40.0 + took)).expect("an estimate");
            left.as_secs_f64()
        };
        assert_eq!(left(20.0), 300.0, "as estimated");
        // A quarter of what is left counts as kept beforehand: 75 s.
        assert!((left(60.0) - 300.0 * 135.0 / 95.0).abs() < 1e-6);
        assert!((left(10.0) - 300.0 * 85.0 / 95.0).abs() < 1e-6);
        assert_eq!(left(10_000.0), 1500.0, "no more than five times as long");
    }

    /// The start of the first JVM takes a minute where some seconds were estimated.
    #[test]
    fn what_takes_longer_leaves_what_comes_behind_it() {
        let mut forecast = Forecast::default();
        forecast.expect(s(0.0), 100.0);
        forecast.hear(s(0.0), &news(None, 10.0));
        let left = |forecast: &Forecast, at| forecast.left(s(at));
        assert_eq!(left(&forecast, 4.0), Some(s(96.0)));
        assert_eq!(left(&forecast, 60.0), Some(s(90.0)));
        assert_eq!(forecast.words(s(60.0)), ", about 1:30 left");
        // What is last takes all that is left.
        forecast.hear(s(60.0), &news(None, 100.0));
        assert_eq!(forecast.words(s(200.0)), ", 0:40 longer than estimated");
    }

    #[test]
    fn what_is_estimated_anew_says_nothing_of_the_time_until_then() {
        let mut forecast = Forecast::default();
        forecast.expect(s(0.0), 140.0);
        let anew = News {
            more_s: 500.0,
            ..news(None, 50.0)
        };
        forecast.hear(s(90.0), &anew);
        assert_eq!(forecast.left(s(90.0)), Some(s(640.0)));
        assert_eq!(forecast.factor(), 1.0);
    }

    /// Some minutes are assumed; the program's iterations turn out to be longer.
    #[test]
    fn nothing_is_said_of_what_is_only_assumed() {
        let mut forecast = Forecast::default();
        forecast.assume(s(0.0), 427.0);
        forecast.hear(s(1.0), &news(None, 30.0));
        for at in [s(9.0), s(900.0)] {
            assert_eq!((forecast.words(at).as_str(), forecast.left(at)), ("", None));
        }
        let known = News {
            more_s: 100.0,
            known: true,
            ..news(None, 50.0)
        };
        forecast.hear(s(40.0), &known);
        assert_eq!(forecast.words(s(40.0)), ", about 8:47 left");
        forecast.hear(s(90.0), &news(Some(50.0), 100.0));
        assert_eq!(forecast.left(s(90.0)), Some(s(477.0)));
    }

    #[test]
    fn parts_that_are_done_leave_what_comes_behind() {
        let mut forecast = Forecast::default();
        forecast.hear(s(1.0), &news(Some(20.0), 20.0));
        assert_eq!(forecast.left(s(1.0)), None, "nothing was estimated");
        forecast.behind(100.0);
        forecast.expect(s(0.0), 50.0);
        forecast.hear(s(30.0), &news(Some(30.0), 20.0));
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
