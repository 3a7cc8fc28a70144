//! What precision costs, for `--dry-run`.

use proofmark_stats::{Confidence, t_quantile};

/// Profiler samples per slowed condition (and twice as many unslowed) from which a right profiler is left undecided in at
/// most 5 % of cases by the absolute, one uniform and up to three single-block tests with the default margin.
///
/// Simulated: 100 tries each for programs of 2, 6 and 10 methods; undecided with 1,000 / 2,000 / 3,000 / 4,000 samples:
/// absolute and uniform 22-62 / 0-8 / 0-2 / 0 %; with one single 34-75 / 2-21 / 0-1 / 0 %; with three 58-97 / 1-31 / 1-5 /
/// 0-2 %. The absolute test alone needs 1,000 (undecided 0-1 %).
pub const SAMPLES_PER_CONDITION: f64 = 3000.0;

/// Sampling of one profiler's JVM.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// Samples of the profiler per second of CPU time of the workload.
    pub profiler_per_s: f64,
    /// Samples of the truth per second, all streams together.
    pub truth_per_s: f64,
    /// Variance between windows over binomial variance; 1 if windows are alike, measured 1 to 2 on steady programs.
    pub dispersion: f64,
}

/// Half-width of the 95 % interval of one share's error after `seconds` of windows per condition, points, for a share
/// of `share` (0 to 1; 0.5 is the worst): `1.96 * sqrt(d * p(1-p) * (1/n_profiler + 1/n_truth))`, times sqrt(2) for a
/// test of change (uniform), which has two conditions.
#[must_use]
pub fn half_width_after(seconds: f64, rates: &Rates, share: f64, change: bool) -> f64 {
    let per_sample = 1.0 / rates.profiler_per_s + 1.0 / rates.truth_per_s;
    let conditions = if change { 2.0 } else { 1.0 };
    let variance = conditions * rates.dispersion * share * (1.0 - share) * per_sample / seconds;
    100.0 * t_quantile(f64::INFINITY, Confidence::P95) * variance.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const JFR: Rates = Rates {
        profiler_per_s: 50.0,
        truth_per_s: 1e12,
        dispersion: 1.0,
    };

    /// 2,000 samples at p = 0.5: standard error 1.118 points.
    #[test]
    fn textbook_half_width() {
        assert!((half_width_after(40.0, &JFR, 0.5, false) - 1.96 * 1.118).abs() < 1e-2);
    }
}
