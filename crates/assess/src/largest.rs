//! The largest error over several methods, with an interval that holds for a maximum.

use crate::between;
use crate::deviation::Deviation;
use crate::{TestResult, Verdict};
use proofmark_rules::{LARGEST_ERROR_LOWER_MISS, LARGEST_ERROR_UPPER_MISS};
use proofmark_stats::{Confidence, Estimate, expected_largest_noise, normal_quantile};

/// More than this many times the data is not worth proposing.
pub(crate) const MOST_TIMES: f64 = 100.0;
/// Confidence of the power statement.
const POWER: f64 = 0.9;

/// Limits of a test, points.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Wrong if the interval lies wholly above.
    pub(crate) wrong_above: f64,
    /// Right if the interval lies wholly below.
    pub(crate) right_below: f64,
}

/// Amount of data behind a test.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Amount {
    /// Profiler samples.
    pub(crate) samples: f64,
    /// Time of the profiler's windows, seconds.
    pub(crate) seconds: f64,
}

/// Judges the largest of `deviations`; `None` if there are none.
pub(crate) fn judge_largest(
    deviations: &[Deviation],
    limits: Limits,
    amount: Amount,
    name: impl Fn(usize) -> String,
) -> Option<TestResult> {
    let worst = deviations
        .iter()
        .max_by(|a, b| a.shown().total_cmp(&b.shown()))?;
    let error_pt = largest_error(deviations, amount)?;
    let verdict = Verdict::of(&error_pt, limits.wrong_above, limits.right_below);
    let errors: Vec<f64> = deviations
        .iter()
        .map(|d| d.spread.standard_error())
        .collect();
    let reach = deviations
        .iter()
        .map(|d| d.up.max(d.down))
        .fold(0.0, f64::max);
    let open = verdict == Verdict::Undecided;
    Some(TestResult {
        verdict,
        error_pt,
        runs: deviations.iter().map(|d| d.runs).min().unwrap_or(1),
        worst: name(worst.method),
        compared: deviations.len(),
        noise_pt: expected_largest_noise(&errors),
        ambiguous_pt: reach,
        detectable_pt: detectable(deviations, amount)?,
        more_s: open
            .then(|| more_seconds(deviations, limits, amount))
            .flatten(),
        runs_needed: open
            .then(|| between::runs_needed(deviations, limits))
            .flatten(),
    })
}

/// Whether the intervals of these deviations clear a limit.
pub(crate) fn decides(deviations: &[Deviation], limits: Limits) -> bool {
    let wrong = |d: &Deviation| d.nearest() - lower_half(d, deviations.len()) > limits.wrong_above;
    let right = |d: &Deviation| d.farthest() + upper_half(d) < limits.right_below;
    deviations.iter().any(wrong) || deviations.iter().all(right)
}

/// Largest absolute deviation with its 95 % interval.
///
/// The lower end comes from intervals that hold together (1 %, Bonferroni), because any method could stick out by chance.
/// The upper end needs no such correction (4 %, one-sided): it misses only if the *truly* worst method, which is one,
/// lies above its own bound (intersection-union principle, Berger 1982).
pub(crate) fn largest_error(deviations: &[Deviation], amount: Amount) -> Option<Estimate> {
    let value = deviations.iter().map(Deviation::shown).reduce(f64::max)?;
    let low = deviations
        .iter()
        .map(|d| d.nearest() - lower_half(d, deviations.len()))
        .fold(0.0, f64::max);
    let high = deviations
        .iter()
        .map(|d| d.farthest() + upper_half(d))
        .fold(value, f64::max);
    Some(Estimate {
        value,
        low: low.min(value),
        high,
        n: amount.samples.round() as u64,
    })
}

fn lower_half(d: &Deviation, together: usize) -> f64 {
    d.spread
        .half_width(Confidence::leaving(LARGEST_ERROR_LOWER_MISS).simultaneous(together))
}

fn upper_half(d: &Deviation) -> f64 {
    d.spread
        .half_width(Confidence::leaving(2.0 * LARGEST_ERROR_UPPER_MISS))
}

/// Error that would be significant (family-wise 5 %) in 90 % of cases, on the method where that is hardest.
pub(crate) fn detectable(deviations: &[Deviation], amount: Amount) -> Option<Estimate> {
    let together = Confidence::P95.simultaneous(deviations.len());
    let needs = |d: &Deviation| {
        d.spread.half_width(together)
            + normal_quantile(POWER) * d.spread.standard_error()
            + d.up.max(d.down)
    };
    let hardest = deviations
        .iter()
        .max_by(|a, b| needs(a).total_cmp(&needs(b)))?;
    let (value, reach) = (needs(hardest), hardest.up.max(hardest.down));
    let (small, large) = hardest.spread.standard_error_range();
    let scaled = |factor: f64| reach + (value - reach) * factor;
    Some(Estimate {
        value,
        low: scaled(small),
        high: scaled(large),
        n: amount.samples.round() as u64,
    })
}

/// Additional seconds after which the intervals, shrinking with the square root of time, would clear a limit. With several
/// runs only what windows leave shrinks.
fn more_seconds(deviations: &[Deviation], limits: Limits, amount: Amount) -> Option<f64> {
    if deviations.iter().any(|d| d.runs > 1) {
        let times = between::windows_needed(deviations, limits)?;
        return Some((times - 1.0) * amount.seconds);
    }
    let times = |half: f64, distance: f64| (half / distance).powi(2);
    let wrong = deviations
        .iter()
        .filter(|d| d.nearest() > limits.wrong_above)
        .map(|d| {
            times(
                lower_half(d, deviations.len()),
                d.nearest() - limits.wrong_above,
            )
        })
        .reduce(f64::min);
    let right = || {
        let can = deviations.iter().all(|d| d.farthest() < limits.right_below);
        let slowest = deviations
            .iter()
            .map(|d| times(upper_half(d), limits.right_below - d.farthest()));
        slowest.reduce(f64::max).filter(|_| can)
    };
    let factor = wrong.or_else(right)?;
    (factor <= MOST_TIMES).then(|| ((factor - 1.0).max(0.05)) * amount.seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deviation::Ambiguity;
    use proofmark_stats::Spread;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const AMOUNT: Amount = Amount {
        samples: 100.0,
        seconds: 10.0,
    };
    const MARGIN: Limits = Limits {
        wrong_above: 5.0,
        right_below: 5.0,
    };

    fn deviation(points: f64) -> Deviation {
        let spread = Spread {
            between: 0.0,
            df: 19.0,
            floor: 1.0,
        };
        Deviation {
            method: 0,
            points,
            spread,
            runs: 1,
            down: 0.0,
            up: 0.0,
            ambiguity: Ambiguity::Unknown,
        }
    }

    fn normal(rng: &mut ChaCha8Rng) -> f64 {
        normal_quantile(rng.random::<f64>().clamp(1e-12, 1.0 - 1e-12))
    }

    /// One large error, several equal ones, many small ones, none: the interval of the maximum holds.
    #[test]
    fn the_interval_of_a_maximum_covers() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for truth in [
            vec![5.0, 0.0, 0.0, 0.0],
            vec![3.0, -3.0, 3.0, -3.0],
            vec![0.5; 10],
            vec![0.0; 6],
            vec![2.0],
        ] {
            let real = truth.iter().fold(0.0, |a, t: &f64| f64::max(a, t.abs()));
            let tries = 4000;
            let covered = (0..tries).filter(|_| {
                let seen: Vec<Deviation> = truth
                    .iter()
                    .map(|t| deviation(t + normal(&mut rng)))
                    .collect();
                largest_error(&seen, AMOUNT).unwrap().covers(real)
            });
            let share = covered.count() as f64 / f64::from(tries);
            assert!(share >= 0.94, "{truth:?}: {share}");
        }
    }

    /// Forty methods without error: one sticks out somewhere in a third of all profiles, which must not raise the lower end.
    #[test]
    fn many_methods_do_not_raise_the_lower_end() {
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        let raised = (0..1000).filter(|_| {
            let seen: Vec<Deviation> = (0..40).map(|_| deviation(normal(&mut rng))).collect();
            largest_error(&seen, AMOUNT).unwrap().low > 0.0
        });
        let raised = raised.count();
        assert!(raised <= 25, "{raised} of 1000");
    }

    /// Half-width 1.751 at distance 1 from the margin: 1.751^2 = 3.065 times the time, 2.065 more.
    #[test]
    fn more_time_by_hand() {
        let result = judge_largest(&[deviation(4.0)], MARGIN, AMOUNT, |_| "m".into()).unwrap();
        assert_eq!(result.verdict, Verdict::Undecided);
        assert!((result.more_s.unwrap() - 20.65).abs() < 0.1, "{result:?}");
    }

    #[test]
    fn an_error_at_the_margin_is_never_decided() {
        let result = judge_largest(&[deviation(5.0)], MARGIN, AMOUNT, |_| "m".into()).unwrap();
        assert_eq!((result.verdict, result.more_s), (Verdict::Undecided, None));
    }

    #[test]
    fn ambiguity_reaches_both_ways_or_only_excuses() {
        let mut d = Deviation {
            down: 3.0,
            up: 2.0,
            ..deviation(6.0)
        };
        assert_eq!((d.nearest(), d.farthest(), d.shown()), (3.0, 8.0, 6.0));
        d.points = -6.0;
        assert_eq!((d.nearest(), d.farthest()), (4.0, 9.0));
        d.ambiguity = Ambiguity::Legitimate;
        assert_eq!((d.nearest(), d.farthest(), d.shown()), (4.0, 4.0, 4.0));
        d.points = 2.0;
        assert_eq!(d.nearest(), 0.0);
    }

    #[test]
    fn nothing_to_compare_is_no_test() {
        assert!(judge_largest(&[], MARGIN, AMOUNT, |_| String::new()).is_none());
    }
}
