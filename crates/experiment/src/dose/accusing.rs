//! How wide intervals are that call a row wrong.
//!
//! There are many: of each row what is in place and what is missing, in every JVM and in all of them together. All of them are to hold
//! the truth in 95 of 100 tests, so that each has a small part of the other 5 (Bonferroni). They need not be equal parts, as long as they
//! are chosen before anything is seen. A profiler's error is usually in every JVM. It is known best in all of them together, and of these
//! intervals there are few. So they have most of it; a JVM's own are for errors of that JVM, which are large where there are any.

use proofmark_rules::{DOSE_ACCUSED_MISS, DOSE_ACCUSED_TOGETHER};
use proofmark_stats::Confidence;

/// Confidence of each interval that accuses.
///
/// # Accuracy
/// Bonferroni's inequality with weights: the parts of all intervals, with those of an earlier look, sum to
/// [`DOSE_ACCUSED_MISS`] (R. Miller, Simultaneous Statistical Inference, 1981). Simulated in crates/experiment/tests/false_alarms.rs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Levels {
    /// Of all JVMs together; of the only one where there is one.
    pub(super) together: Confidence,
    /// Of a JVM by itself, where there are several.
    pub(super) each: Confidence,
}

/// Confidence of the interval of a line, of which there are as many as intervals that accuse: each has an equal part.
pub(super) fn of_lines(intervals: usize) -> Confidence {
    Confidence::leaving(DOSE_ACCUSED_MISS).simultaneous(intervals)
}

impl Levels {
    /// Of so many intervals: of all JVMs together, and of JVMs by themselves (0 where there is one). `earlier`: how many an earlier look
    /// had; this look has its part of all.
    pub(super) fn of([together, each]: [usize; 2], earlier: usize) -> Self {
        let now = (together + each).max(1);
        let all = DOSE_ACCUSED_MISS * now as f64 / (now + earlier) as f64;
        let part = match each {
            0 => 1.0,
            _ => DOSE_ACCUSED_TOGETHER,
        };
        let level = |part: f64, of: usize| Confidence::leaving(all * part / of.max(1) as f64);
        Self {
            together: level(part, together),
            each: level(1.0 - DOSE_ACCUSED_TOGETHER, each),
        }
    }

    /// Where so many intervals accuse, those of an earlier look among them, and each of so many JVMs has as many as all together.
    pub(super) fn with_jvms(intervals: usize, jvms: usize) -> Self {
        let of_all = intervals.max(1) as f64;
        let level = |part: f64| Confidence::leaving(DOSE_ACCUSED_MISS * part / of_all);
        match jvms {
            0 | 1 => Self::of([intervals, 0], 0),
            _ => Self {
                together: level(DOSE_ACCUSED_TOGETHER * (jvms + 1) as f64),
                each: level((1.0 - DOSE_ACCUSED_TOGETHER) * (jvms + 1) as f64 / jvms as f64),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(levels: Levels, [together, each]: [usize; 2]) -> f64 {
        together as f64 * levels.together.alpha() + each as f64 * levels.each.alpha()
    }

    #[test]
    fn all_intervals_together_miss_as_often_as_they_may() {
        for counts in [[8, 32], [26, 104], [3, 9], [1, 2], [4, 0], [1, 0]] {
            let levels = Levels::of(counts, 0);
            let all = sum(levels, counts);
            assert!((all - DOSE_ACCUSED_MISS).abs() < 1e-12, "{counts:?} {all}");
            assert!(counts[1] == 0 || levels.together.alpha() > levels.each.alpha());
        }
    }

    /// 40 intervals before, 56 now: these have 56 parts of 96.
    #[test]
    fn an_earlier_look_has_its_part() {
        let counts = [8, 48];
        let now = sum(Levels::of(counts, 40), counts);
        assert!(
            (now - DOSE_ACCUSED_MISS * 56.0 / 96.0).abs() < 1e-12,
            "{now}"
        );
    }

    #[test]
    fn what_is_reckoned_from_their_number_is_the_same_where_every_jvm_has_all_rows() {
        for (rows, jvms, earlier) in [(8, 4, 0), (26, 4, 0), (8, 6, 40), (5, 1, 0), (1, 2, 0)] {
            let counts = match jvms {
                1 => [rows, 0],
                _ => [rows, rows * jvms],
            };
            let exact = Levels::of(counts, earlier);
            let by_number = Levels::with_jvms(counts[0] + counts[1] + earlier, jvms);
            let close = |a: Confidence, b: Confidence| (a.alpha() - b.alpha()).abs() < 1e-12;
            assert!(close(exact.together, by_number.together), "{rows} {jvms}");
            assert!(
                jvms == 1 || close(exact.each, by_number.each),
                "{rows} {jvms}"
            );
        }
    }
}
