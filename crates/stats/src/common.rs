//! Variances that are alike: what many of them have in common says something of each.

use statrs::function::gamma::digamma;

use crate::mean::{mean, sample_variance};

/// What the variances of groups have in common, where each is known from a few values only (Smyth, Linear models and empirical
/// Bayes methods for assessing differential expression, 2004: true variances differ as this one times `df` by a chi-squared variable).
///
/// # Accuracy
/// Of groups whose true variances are so distributed, an interval by [`with`](Self::with) holds the truth as often as it says, on average
/// over groups. Of a group that scatters more than the others it does less often.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CommonVariance {
    /// A typical variance.
    pub variance: f64,
    /// As many degrees of freedom of its own a group would need to know its variance as well; infinite where groups differ by
    /// no more than chance.
    pub df: f64,
}

impl CommonVariance {
    /// Of groups, each with its variance and the degrees of freedom of that, both above 0; none of fewer than two.
    #[must_use]
    pub fn of(groups: &[(f64, f64)]) -> Option<Self> {
        // The mean of the logarithm of a chi-squared variable by its degrees of freedom.
        let away = |df: f64| digamma(df / 2.0) - (df / 2.0).ln();
        let logs = groups
            .iter()
            .map(|(variance, df)| variance.ln() - away(*df));
        let logs: Vec<f64> = logs.collect();
        let seen = sample_variance(&logs)?;
        let by_chance = groups.iter().map(|(_, df)| trigamma(df / 2.0)).sum::<f64>();
        let beyond = seen - by_chance / groups.len() as f64;
        let typical = mean(&logs);
        Some(match beyond > 0.0 {
            true => {
                let df = 2.0 * trigamma_inverse(beyond);
                Self {
                    variance: (typical + away(df)).exp(),
                    df,
                }
            }
            false => Self {
                variance: typical.exp(),
                df: f64::INFINITY,
            },
        })
    }

    /// The same, believed by so many degrees of freedom at most.
    #[must_use]
    pub fn at_most(self, df: f64) -> Self {
        Self {
            df: self.df.min(df),
            ..self
        }
    }

    /// The variance of a group, of which it knows this by so many degrees of freedom, with what all have in common, and degrees of
    /// freedom of that. Finite only where [`df`](Self::df) is.
    #[must_use]
    pub fn with(&self, variance: f64, df: f64) -> (f64, f64) {
        let all = self.df + df;
        ((self.df * self.variance + df * variance) / all, all)
    }
}

/// The second derivative of the logarithm of the gamma function, for `x` above 0: by its recurrence up to 8, then its asymptotic
/// series (Abramowitz and Stegun, 6.4.6 and 6.4.12), to 1e-8.
fn trigamma(x: f64) -> f64 {
    let (mut at, mut sum) = (x, 0.0);
    while at < 8.0 {
        sum += 1.0 / (at * at);
        at += 1.0;
    }
    let square = 1.0 / (at * at);
    let series = 1.0 / 6.0 - square * (1.0 / 30.0 - square / 42.0);
    sum + 1.0 / at + square / 2.0 + square / at * series
}

/// Where [`trigamma`], which falls, has this value above 0; between 0.001 and a million.
fn trigamma_inverse(value: f64) -> f64 {
    let (mut low, mut high) = (1e-3_f64, 1e6_f64);
    for _ in 0..80 {
        let middle = (low * high).sqrt();
        match trigamma(middle) > value {
            true => low = middle,
            false => high = middle,
        }
    }
    (low * high).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    fn normal(random: &mut ChaCha8Rng) -> f64 {
        (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0
    }

    /// A chi-squared variable of so many degrees of freedom, by these.
    fn chi_squared(df: u32, random: &mut ChaCha8Rng) -> f64 {
        let squares = (0..df).map(|_| normal(random).powi(2));
        squares.sum::<f64>() / f64::from(df)
    }

    /// Groups of three degrees of freedom, whose true variances differ as by so many; 0: not at all.
    fn groups(number: usize, df: u32, seed: u64) -> Vec<(f64, f64)> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let one = |_| {
            let variance = match df {
                0 => 4.0,
                df => 4.0 / chi_squared(df, &mut random),
            };
            (variance * chi_squared(3, &mut random), 3.0)
        };
        (0..number).map(one).collect()
    }

    #[test]
    fn trigamma_of_one_and_of_halves() {
        let square = std::f64::consts::PI.powi(2);
        for (at, known) in [
            (1.0, square / 6.0),
            (0.5, square / 2.0),
            (2.5, square / 2.0 - 4.0 - 4.0 / 9.0),
        ] {
            assert!((trigamma(at) - known).abs() < 1e-7, "{at}");
            assert!((trigamma_inverse(known) / at - 1.0).abs() < 1e-6, "{at}");
        }
    }

    #[test]
    fn what_groups_have_in_common_is_found() {
        for (df, from, to) in [(4, 2.5, 7.0), (10, 6.0, 25.0)] {
            let found = CommonVariance::of(&groups(2000, df, 3)).unwrap();
            assert!((from..to).contains(&found.df), "{df}: {found:?}");
            assert!((found.variance - 4.0).abs() < 0.6, "{df}: {found:?}");
        }
        let same = CommonVariance::of(&groups(2000, 0, 3)).unwrap();
        assert!(same.df > 25.0, "{same:?}");
        assert!((same.variance - 4.0).abs() < 0.3, "{same:?}");
        assert_eq!(CommonVariance::of(&groups(1, 0, 3)), None);
    }

    /// Equal variances: infinitely many degrees of freedom, and a little more than each, because logarithms lie low.
    #[test]
    fn a_group_is_moved_by_what_is_believed_of_the_others() {
        let same = CommonVariance::of(&[(2.0, 4.0), (2.0, 4.0), (2.0, 4.0)]).unwrap();
        assert!(same.df.is_infinite());
        assert!(same.variance > 2.0 && same.variance < 2.8, "{same:?}");
        let common = CommonVariance {
            variance: 3.0,
            df: 9.0,
        };
        assert_eq!(common.at_most(4.0).with(1.0, 4.0), (2.0, 8.0));
        assert_eq!(common.with(1.0, 3.0), (2.5, 12.0));
    }
}
