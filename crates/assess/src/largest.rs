//! The largest error over several methods, with an interval that holds for a maximum.

use crate::deviation::Deviation;
use crate::{TestResult, Verdict};
use proofmark_stats::{Confidence, Estimate, expected_largest_noise, normal_quantile};

/// More than this many times the data is not worth proposing.
const MOST_TIMES: f64 = 100.0;
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
    Some(TestResult {
        verdict,
        error_pt,
        worst: name(worst.method),
        compared: deviations.len(),
        noise_pt: expected_largest_noise(&errors),
        ambiguous_pt: reach,
        detectable_pt: detectable(deviations, amount)?,
        more_s: (verdict == Verdict::Undecided)
            .then(|| more_seconds(deviations, limits, amount))
            .flatten(),
    })
}

/// Largest absolute deviation: lower end from intervals that hold together (2.5 %, Bonferroni), upper end from single
/// ones (only the truly worst method must be covered).
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
        .half_width(Confidence::leaving(0.025).simultaneous(together))
}

fn upper_half(d: &Deviation) -> f64 {
    d.spread.half_width(Confidence::P95)
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

/// Additional seconds after which the intervals, shrinking with the square root of time, would clear a limit.
fn more_seconds(deviations: &[Deviation], limits: Limits, amount: Amount) -> Option<f64> {
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
