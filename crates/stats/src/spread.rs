//! How uncertain an estimate from windows is: what the windows show, but never less than sampling alone must cause.

use crate::distribution::{chi_squared_quantile, t_tail};
use crate::{Confidence, t_quantile};

/// Two views of the variance of one estimate.
///
/// The variance *between windows* sees over-dispersion (phases, drift, garbage collections) but is itself uncertain and
/// needs t quantiles; the *floor* (binomial) is known and needs normal quantiles, but is too small for over-dispersed
/// windows. An interval takes the wider of the two, so it covers whichever of the two is the truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// Variance of the estimate seen between windows, squared units of the estimate.
    pub between: f64,
    /// Degrees of freedom of `between`; infinite if it is known.
    pub df: f64,
    /// Variance of the estimate that sampling alone causes, squared units of the estimate.
    pub floor: f64,
}

impl Spread {
    /// Only a variance seen in the data, no floor.
    #[must_use]
    pub fn from_variance(between: f64, df: f64) -> Self {
        Self {
            between,
            df,
            floor: 0.0,
        }
    }

    /// Spread of the sum or difference of two independent estimates; degrees of freedom by Welch and Satterthwaite.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let between = self.between + other.between;
        let denominator = self.between.powi(2) / self.df + other.between.powi(2) / other.df;
        let df = if denominator > 0.0 {
            between.powi(2) / denominator
        } else {
            self.df.min(other.df)
        };
        Self {
            between,
            df,
            floor: self.floor + other.floor,
        }
    }

    /// Spread of the estimate times a constant.
    #[must_use]
    pub fn times(&self, factor: f64) -> Self {
        Self {
            between: self.between * factor * factor,
            df: self.df,
            floor: self.floor * factor * factor,
        }
    }

    /// Standard error: the larger of both views, unit of the estimate.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        self.between.max(self.floor).sqrt()
    }

    /// Half-width of the two-sided interval, unit of the estimate.
    ///
    /// # Accuracy
    /// At least nominal if the windows are independent and either view is right; with over-dispersion and fewer than
    /// about eight windows the t quantile makes it wide, not wrong. Simulated coverage stands in the tests of `share`.
    #[must_use]
    pub fn half_width(&self, confidence: Confidence) -> f64 {
        let seen = if self.between > 0.0 {
            self.between.sqrt() * t_quantile(self.df, confidence)
        } else {
            0.0
        };
        let least = self.floor.sqrt() * t_quantile(f64::INFINITY, confidence);
        seen.max(least)
    }

    /// Two-sided p-value of `deviation` from zero: the larger of both views.
    #[must_use]
    pub fn p_value(&self, deviation: f64) -> f64 {
        if deviation == 0.0 {
            return 1.0;
        }
        let view = |variance: f64, df: f64| t_tail(deviation.abs() / variance.sqrt(), df);
        view(self.between, self.df).max(view(self.floor, f64::INFINITY))
    }

    /// Largest plausible over smallest plausible factor on the standard error (95 %), from the chi-squared
    /// distribution of the variance between windows: `(low, high)` multiply the standard error.
    #[must_use]
    pub fn standard_error_range(&self) -> (f64, f64) {
        if !self.df.is_finite() || self.floor >= self.between {
            return (1.0, 1.0);
        }
        let factor = |p: f64| (self.df / chi_squared_quantile(self.df, p)).sqrt();
        (factor(0.975), factor(0.025))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wider_view_wins() {
        let quiet = Spread {
            between: 1.0,
            df: 19.0,
            floor: 4.0,
        };
        assert!((quiet.half_width(Confidence::P95) - 2.0 * 1.959_964).abs() < 1e-5);
        let wild = Spread {
            between: 9.0,
            df: 19.0,
            floor: 4.0,
        };
        assert!((wild.half_width(Confidence::P95) - 3.0 * 2.093_024).abs() < 1e-4);
    }

    #[test]
    fn welch_of_equal_parts_doubles_the_degrees() {
        let part = Spread::from_variance(2.0, 10.0);
        let sum = part.plus(&part);
        assert!((sum.df - 20.0).abs() < 1e-9 && (sum.between - 4.0).abs() < 1e-12);
        let exact = Spread::from_variance(0.0, f64::INFINITY);
        assert!((part.plus(&exact).df - 10.0).abs() < 1e-9);
    }

    #[test]
    fn p_value_agrees_with_the_interval() {
        let s = Spread {
            between: 2.0,
            df: 7.0,
            floor: 1.0,
        };
        let edge = s.half_width(Confidence::leaving(0.01));
        assert!((s.p_value(edge) - 0.01).abs() < 1e-5);
        assert_eq!(s.p_value(0.0), 1.0);
    }
}
