//! Intervals for a proportion of independent trials.

use crate::distribution::beta_quantile;
use crate::{Confidence, Estimate, t_quantile};

/// Wilson's score interval (1927) for `hits` in `trials`; `None` without trials. Values 0 to 1, `n` counts trials.
///
/// # Accuracy
/// Covers 95 % on average over proportions; single proportions near 0 or 1 dip to about 92 %.
#[must_use]
pub fn wilson(hits: u64, trials: u64) -> Option<Estimate> {
    if trials == 0 || hits > trials {
        return None;
    }
    let (n, z) = (trials as f64, t_quantile(f64::INFINITY, Confidence::P95));
    let p = hits as f64 / n;
    let shrink = 1.0 + z * z / n;
    let centre = (p + z * z / (2.0 * n)) / shrink;
    let half = z / shrink * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    Some(Estimate {
        value: p,
        low: (centre - half).clamp(0.0, p),
        high: (centre + half).clamp(p, 1.0),
        n: trials,
    })
}

/// Clopper and Pearson's interval (1934), from beta quantiles; `None` without trials. Values 0 to 1, `n` counts trials.
///
/// # Accuracy
/// Never covers less than 95 %, usually more.
#[must_use]
pub fn clopper_pearson(hits: u64, trials: u64) -> Option<Estimate> {
    if trials == 0 || hits > trials {
        return None;
    }
    let (k, n) = (hits as f64, trials as f64);
    let tail = Confidence::P95.alpha() / 2.0;
    let low = if hits == 0 {
        0.0
    } else {
        beta_quantile(k, n - k + 1.0, tail)
    };
    let high = if hits == trials {
        1.0
    } else {
        beta_quantile(k + 1.0, n - k, 1.0 - tail)
    };
    Some(Estimate {
        value: k / n,
        low,
        high,
        n: trials,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R: `binom.test(2, 100)$conf.int` 0.002431337 0.070383932; `binom.test(0, 100)` 0 0.03621669;
    /// `binom.test(5, 10)` 0.1870860 0.8129140.
    #[test]
    fn clopper_pearson_as_binom_test() {
        for (k, n, low, high) in [
            (2, 100, 0.002_431_3, 0.070_383_9),
            (0, 100, 0.0, 0.036_216_7),
            (5, 10, 0.187_086, 0.812_914),
        ] {
            let e = clopper_pearson(k, n).unwrap();
            assert!(
                (e.low - low).abs() < 1e-6 && (e.high - high).abs() < 1e-6,
                "{k} of {n}: {e:?}"
            );
        }
        assert_eq!(clopper_pearson(100, 100).unwrap().high, 1.0);
    }

    /// Newcombe (1998), table I: 81/263 gives 0.2553 to 0.3662, 15/148 0.0624 to 0.1605, 0/20 0 to 0.1611, 1/29 0.0061 to 0.1718.
    #[test]
    fn wilson_as_newcombe() {
        for (k, n, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let e = wilson(k, n).unwrap();
            assert!(
                (e.low - low).abs() < 6e-5 && (e.high - high).abs() < 6e-5,
                "{k} of {n}: {e:?}"
            );
        }
    }

    #[test]
    fn nonsense_has_no_interval() {
        assert_eq!(wilson(0, 0), None);
        assert_eq!(clopper_pearson(3, 2), None);
    }
}
