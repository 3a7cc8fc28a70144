//! Quantiles and tails of the normal, Student's t, chi-squared and beta distributions (statrs, with edge cases settled).

use statrs::distribution::{Beta, ChiSquared, ContinuousCDF, Normal, StudentsT};

/// Probability that an interval covers the truth, two-sided, strictly between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence {
    alpha: f64,
}

impl Confidence {
    /// 95 %.
    pub const P95: Self = Self { alpha: 0.05 };

    /// Confidence that leaves `alpha` (0 to 1, both excluded) outside of the interval, half of it on either side.
    ///
    /// # Panics
    /// If `alpha` is not inside (0, 1).
    #[must_use]
    pub fn leaving(alpha: f64) -> Self {
        assert!(alpha > 0.0 && alpha < 1.0, "alpha {alpha} outside (0, 1)");
        Self { alpha }
    }

    /// Confidence of each of `intervals` intervals, so that all of them hold together with this one (Bonferroni).
    #[must_use]
    pub fn simultaneous(self, intervals: usize) -> Self {
        Self {
            alpha: self.alpha / intervals.max(1) as f64,
        }
    }

    /// Probability of missing the truth.
    #[must_use]
    pub fn alpha(self) -> f64 {
        self.alpha
    }
}

/// The standard normal distribution.
pub(crate) fn standard_normal() -> Normal {
    Normal::standard()
}

/// P(Z <= z) of the standard normal distribution.
#[must_use]
pub fn normal_cdf(z: f64) -> f64 {
    standard_normal().cdf(z)
}

/// Quantile of the standard normal distribution; `p` in (0, 1).
#[must_use]
pub fn normal_quantile(p: f64) -> f64 {
    standard_normal().inverse_cdf(p)
}

/// Half-width in standard errors of a two-sided t interval; `df` > 0, infinite `df` gives the normal quantile.
///
/// # Accuracy
/// Checked against published tables to 1e-3 (df 1 to 120, 95 to 99.9 %). Above 1e5 degrees of freedom the normal
/// quantile is used (off by less than 1e-5).
#[must_use]
pub fn t_quantile(df: f64, confidence: Confidence) -> f64 {
    let tail = confidence.alpha() / 2.0;
    if df > 1e5 {
        return -normal_quantile(tail);
    }
    match StudentsT::new(0.0, 1.0, df) {
        Ok(t) => t.inverse_cdf(tail).abs(),
        Err(_) => f64::INFINITY,
    }
}

/// Two-sided tail P(|T| >= t) of Student's t with `df` degrees of freedom.
#[must_use]
pub(crate) fn t_tail(t: f64, df: f64) -> f64 {
    if t.is_infinite() {
        return 0.0;
    }
    if df > 1e5 {
        return 2.0 * standard_normal().sf(t.abs());
    }
    StudentsT::new(0.0, 1.0, df).map_or(1.0, |d| 2.0 * d.sf(t.abs()))
}

/// Quantile of the chi-squared distribution with `df` degrees of freedom; `p` in (0, 1).
///
/// Above 1e4 degrees of freedom Wilson and Hilferty's cube-root formula (off by less than 1e-5 of the value).
#[must_use]
pub(crate) fn chi_squared_quantile(df: f64, p: f64) -> f64 {
    if df > 1e4 {
        let v = 2.0 / (9.0 * df);
        return df * (1.0 - v + normal_quantile(p) * v.sqrt()).powi(3);
    }
    ChiSquared::new(df).map_or(f64::NAN, |d| d.inverse_cdf(p))
}

/// Quantile of the beta distribution; shapes > 0, `p` in (0, 1).
pub(crate) fn beta_quantile(a: f64, b: f64, p: f64) -> f64 {
    Beta::new(a, b).map_or(f64::NAN, |d| d.inverse_cdf(p))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of Student's t (any textbook): df, two-sided confidence, quantile.
    #[test]
    fn t_table() {
        for (df, alpha, want) in [
            (1.0, 0.05, 12.706),
            (2.0, 0.05, 4.303),
            (5.0, 0.05, 2.571),
            (10.0, 0.05, 2.228),
            (19.0, 0.05, 2.093),
            (30.0, 0.05, 2.042),
            (120.0, 0.05, 1.980),
            (1.0, 0.01, 63.657),
            (9.0, 0.01, 3.250),
            (20.0, 0.001, 3.850),
            (f64::INFINITY, 0.05, 1.960),
        ] {
            let got = t_quantile(df, Confidence::leaving(alpha));
            assert!(
                (got - want).abs() < 1.1e-3,
                "df {df} alpha {alpha}: {got} instead of {want}"
            );
        }
    }

    #[test]
    fn tail_undoes_quantile_also_far_out_and_at_fractional_degrees() {
        for df in [1.0, 1.7, 3.3, 19.0, 38.5, 400.0, 5e4, 2e6] {
            for alpha in [0.5, 0.05, 0.01, 1e-3, 1e-5] {
                let t = t_quantile(df, Confidence::leaving(alpha));
                assert!(
                    (t_tail(t, df) / alpha - 1.0).abs() < 3e-4,
                    "df {df} alpha {alpha}: {t} {}",
                    t_tail(t, df)
                );
            }
        }
    }

    /// Chi-squared table: 95 % points 3.841 (1), 18.307 (10), 124.342 (100); 2.5 % point 8.907 (19).
    #[test]
    fn chi_squared_table() {
        for (df, p, want) in [
            (1.0, 0.95, 3.841),
            (10.0, 0.95, 18.307),
            (100.0, 0.95, 124.342),
            (19.0, 0.025, 8.907),
        ] {
            assert!((chi_squared_quantile(df, p) - want).abs() < 1e-3, "df {df}");
        }
        let below = chi_squared_quantile(9999.0, 0.975) / 9999.0;
        let above = chi_squared_quantile(10_001.0, 0.975) / 10_001.0;
        assert!((below - above).abs() < 1e-4);
    }

    #[test]
    fn normal_table() {
        assert!((normal_quantile(0.975) - 1.959_964).abs() < 1e-6);
        assert!((normal_cdf(1.0) - 0.841_345).abs() < 1e-6);
    }
}
