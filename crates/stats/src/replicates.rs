//! Intervals from replicates of a bootstrap, for statistics that are drawn together.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{Confidence, Estimate, Resampling, quantile};

/// Percentile interval of `value` from its bootstrap replicates, widened to contain the value; `None` without
/// replicates. `n` is what the caller counts.
#[must_use]
pub fn percentile_interval(value: f64, replicates: &[f64], n: u64) -> Option<Estimate> {
    let tail = Confidence::P95.alpha() / 2.0;
    Some(Estimate {
        value,
        low: quantile(replicates, tail)?.min(value),
        high: quantile(replicates, 1.0 - tail)?.max(value),
        n,
    })
}

/// Interval for statistics that grow with the number of different observations (largest minus smallest value, number of
/// methods ever seen): as far above `value` as the replicates fall below it.
///
/// A resample has only about 63 % of the observations, so its statistic is never above `value`, and a percentile
/// interval ends there. What it misses above is as likely as what it shows below, so that side is mirrored; the tail is
/// 0.5 % instead of 2.5 %, because resampled extremes vary too little.
///
/// # Accuracy
/// Simulated: 93 % of the intervals cover the expected range of as many normal values (10 and 30), 80 % for
/// exponential values. (A percentile interval covers it in 46 %.)
#[must_use]
pub fn mirrored_interval(value: f64, replicates: &[f64], n: u64) -> Option<Estimate> {
    let low = quantile(replicates, MIRRORED_TAIL)?.min(value);
    Some(Estimate {
        value,
        low,
        high: quantile(replicates, 1.0 - MIRRORED_TAIL)?.max(2.0 * value - low),
        n,
    })
}

const MIRRORED_TAIL: f64 = 0.005;

/// Replicates of a statistic of two independent samples, each drawn anew from its own; empty if a sample is empty.
pub fn two_sample_replicates(
    a: &[f64],
    b: &[f64],
    statistic: impl Fn(&[f64], &[f64]) -> f64,
    how: Resampling,
) -> Vec<f64> {
    if a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    let mut rng = ChaCha8Rng::seed_from_u64(how.seed);
    let mut drawn = (a.to_vec(), b.to_vec());
    let mut draw = |from: &[f64], to: &mut [f64]| {
        to.iter_mut()
            .for_each(|slot| *slot = from[rng.random_range(0..from.len())]);
    };
    (0..how.times)
        .map(|_| {
            draw(a, &mut drawn.0);
            draw(b, &mut drawn.1);
            statistic(&drawn.0, &drawn.1)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mean;
    use crate::mean::mean_spread;

    fn range(values: &[f64]) -> f64 {
        let of = |start, f: fn(f64, f64) -> f64| values.iter().copied().fold(start, f);
        of(f64::MIN, f64::max) - of(f64::MAX, f64::min)
    }

    /// Sum of twelve uniform values less six: nearly normal.
    fn normal(rng: &mut ChaCha8Rng) -> f64 {
        (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0
    }

    fn redrawn(values: &[f64], rng: &mut ChaCha8Rng) -> Vec<f64> {
        let pick = |_| values[rng.random_range(0..values.len())];
        (0..values.len()).map(pick).collect()
    }

    /// Share of intervals that cover the expected range of as many values: mirrored, percentile.
    fn coverage(n: usize, draw: fn(&mut ChaCha8Rng) -> f64) -> (f64, f64) {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let sample = |rng: &mut ChaCha8Rng| (0..n).map(|_| draw(rng)).collect::<Vec<f64>>();
        let expected = (0..4000).map(|_| range(&sample(&mut rng))).sum::<f64>() / 4000.0;
        let (mut mirrored, mut plain) = (0.0, 0.0);
        for _ in 0..400 {
            let values = sample(&mut rng);
            let replicates: Vec<f64> = (0..400)
                .map(|_| range(&redrawn(&values, &mut rng)))
                .collect();
            let covers = |e: Option<Estimate>| f64::from(u8::from(e.unwrap().covers(expected)));
            mirrored += covers(mirrored_interval(range(&values), &replicates, 1)) / 400.0;
            plain += covers(percentile_interval(range(&values), &replicates, 1)) / 400.0;
        }
        (mirrored, plain)
    }

    #[test]
    fn mirrored_intervals_cover_the_range_that_a_repetition_would_show() {
        let exponential = |rng: &mut ChaCha8Rng| -(1.0 - rng.random::<f64>()).ln();
        for (name, n, draw, least) in [
            ("normal", 30, normal as fn(&mut ChaCha8Rng) -> f64, 0.92),
            ("normal", 10, normal, 0.92),
            ("exponential", 30, exponential, 0.78),
        ] {
            let (mirrored, plain) = coverage(n, draw);
            assert!(mirrored >= least, "{name} {n}: {mirrored}");
            assert!(plain < mirrored - 0.2, "{name} {n}: {plain}");
        }
    }

    #[test]
    fn two_samples_are_drawn_independently() {
        let a: Vec<f64> = (0..30).map(f64::from).collect();
        let b: Vec<f64> = (0..20).map(|i| 5.0 + 2.0 * f64::from(i)).collect();
        let how = Resampling {
            times: 2000,
            seed: 3,
        };
        let replicates = two_sample_replicates(&a, &b, |x, y| mean(y) - mean(x), how);
        let e = percentile_interval(mean(&b) - mean(&a), &replicates, 50).unwrap();
        let welch = mean_spread(&a).unwrap().plus(&mean_spread(&b).unwrap());
        let half_width = welch.half_width(Confidence::P95);
        assert!(
            (e.half_width() / half_width - 0.95).abs() < 0.06,
            "{e:?} {half_width}"
        );
        assert!(two_sample_replicates(&[], &b, |_, _| 0.0, how).is_empty());
    }

    #[test]
    fn the_value_is_always_inside() {
        let e = percentile_interval(9.0, &[1.0, 2.0, 3.0], 3).unwrap();
        assert!(e.covers(9.0) && e.low < 1.2 && e.n == 3);
        assert_eq!(percentile_interval(1.0, &[], 3), None);
    }
}
