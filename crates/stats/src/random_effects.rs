//! What several measurements of similar things say together, and of one more such thing.

use crate::{Confidence, t_quantile};

/// The mean of similar things, each of which is known by a measurement of its own, and how far they are from each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RandomEffects {
    /// Mean over such things.
    pub mean: f64,
    /// Variance of the mean.
    pub variance: f64,
    /// Variance between things, beyond what their measurements leave open; the least that it may be where these explain all.
    pub between: f64,
    /// Degrees of freedom: one less than there are things.
    pub df: f64,
}

impl RandomEffects {
    /// Of values with their standard errors, above 0, of things that are at least so far from each other: a standard deviation, 0 or more.
    /// None of fewer than two values.
    ///
    /// # Accuracy
    /// Variance between things by moments (R. DerSimonian and N. Laird, Controlled Clinical Trials 7, 1986), that of the mean by what is
    /// seen (J. Hartung and G. Knapp, Statistics in Medicine 20, 2001), and never less than the measurements leave. Standard errors are
    /// taken to be exact. Few things often look as if they did not differ: where they do by little, the interval of one more is too
    /// narrow without a least distance between them.
    #[must_use]
    pub fn of(values: &[(f64, f64)], least: f64) -> Option<Self> {
        let df = values.len().checked_sub(1).filter(|df| *df > 0)? as f64;
        let fixed = Weighted::of(values, 0.0);
        let squares: f64 = fixed.weights.iter().map(|weight| weight * weight).sum();
        let beyond = fixed.scatter(values) - df;
        let between = (beyond / (fixed.sum - squares / fixed.sum)).max(least * least);
        let all = Weighted::of(values, between);
        Some(Self {
            mean: all.mean,
            variance: (all.scatter(values) / df).max(1.0) / all.sum,
            between,
            df,
        })
    }

    /// Half-width of the mean's interval.
    #[must_use]
    pub fn of_mean(&self, confidence: Confidence) -> f64 {
        t_quantile(self.df, confidence) * self.variance.sqrt()
    }

    /// Half-width of the interval, around the mean, that holds one more such thing.
    ///
    /// # Accuracy
    /// J. Higgins, S. Thompson and D. Spiegelhalter, Journal of the Royal Statistical Society A 172, 2009, with one less than the number of
    /// things as degrees of freedom. Things are taken to be normally distributed.
    #[must_use]
    pub fn of_one_more(&self, confidence: Confidence) -> f64 {
        t_quantile(self.df, confidence) * (self.between + self.variance).sqrt()
    }
}

/// A mean with the inverse of variances as weights.
struct Weighted {
    weights: Vec<f64>,
    sum: f64,
    mean: f64,
}

impl Weighted {
    fn of(values: &[(f64, f64)], between: f64) -> Self {
        let weight = |(_, error): &(f64, f64)| 1.0 / (error * error + between);
        let weights: Vec<f64> = values.iter().map(weight).collect();
        let sum: f64 = weights.iter().sum();
        let mean = weights.iter().zip(values).map(|(w, (value, _))| w * value);
        Self {
            mean: mean.sum::<f64>() / sum,
            weights,
            sum,
        }
    }

    /// Squares of the distances from the mean, weighted.
    fn scatter(&self, values: &[(f64, f64)]) -> f64 {
        let away = |(w, (value, _)): (&f64, &(f64, f64))| w * (value - self.mean).powi(2);
        self.weights.iter().zip(values).map(away).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }

    /// Two values, 1 and 3, each known to 1: scatter 2 beyond one degree of freedom, weights of 1, so 1 between them.
    #[test]
    fn variance_between_things_is_what_their_errors_do_not_explain() {
        let two = RandomEffects::of(&[(1.0, 1.0), (3.0, 1.0)], 0.0).expect("two");
        close(two.mean, 2.0);
        close(two.between, 1.0);
        close(two.variance, 1.0);
        let near = [(1.0, 1.0), (1.5, 1.0), (2.0, 1.0)];
        let alike = RandomEffects::of(&near, 0.0).expect("three");
        close(alike.between, 0.0);
        close(alike.variance, 1.0 / 3.0);
        let apart = RandomEffects::of(&near, 0.5).expect("three");
        close(apart.between, 0.25);
        close(apart.variance, 1.25 / 3.0);
        assert_eq!(RandomEffects::of(&[(1.0, 1.0)], 0.0), None);
        assert_eq!(RandomEffects::of(&[], 0.0), None);
    }

    #[test]
    fn what_is_known_badly_hardly_counts() {
        let values = [(1.0, 0.01), (1.02, 0.01), (0.98, 0.01), (9.0, 20.0)];
        let all = RandomEffects::of(&values, 0.0).expect("four");
        assert!((all.mean - 1.0).abs() < 1e-4, "{all:?}");
        // With three degrees of freedom.
        let ratio = all.of_mean(Confidence::P95) / all.variance.sqrt();
        assert!((ratio - 3.182).abs() < 1e-3, "{ratio}");
        assert!(all.of_one_more(Confidence::P95) > all.of_mean(Confidence::P95));
    }
}
