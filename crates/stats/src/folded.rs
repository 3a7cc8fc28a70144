//! What the size of an error looks like when there is only noise: |x| of a normal x.

use crate::{normal_cdf, normal_quantile};

/// Mean of |X| for X normal with `mean` and standard deviation `sd` (Leone, Nelson and Nottingham 1961):
/// `sd*sqrt(2/pi)*exp(-mean^2/(2 sd^2)) + mean*(1 - 2*Phi(-mean/sd))`. Unit of the mean.
///
/// The noise floor of a mean absolute error is this with mean 0, `0.798 * sd`.
#[must_use]
pub fn folded_normal_mean(mean: f64, sd: f64) -> f64 {
    if sd <= 0.0 {
        return mean.abs();
    }
    let z = mean / sd;
    sd * (2.0 / std::f64::consts::PI).sqrt() * (-z * z / 2.0).exp()
        + mean * (1.0 - 2.0 * normal_cdf(-z))
}

/// Median of the largest |X| among independent normal values of mean 0 with these standard deviations: what "the largest
/// error" shows when nothing is wrong. Bisection on `prod(2*Phi(x/sd) - 1) = 1/2`; 0 for an empty slice.
///
/// # Accuracy
/// Shares of one profile sum to one and are therefore correlated, which makes the true median slightly smaller.
#[must_use]
pub fn expected_largest_noise(standard_deviations: &[f64]) -> f64 {
    let widest = standard_deviations.iter().copied().fold(0.0, f64::max);
    if widest <= 0.0 {
        return 0.0;
    }
    let below = |x: f64| -> f64 {
        let inside = |sd: &f64| {
            if *sd > 0.0 {
                2.0 * normal_cdf(x / sd) - 1.0
            } else {
                1.0
            }
        };
        standard_deviations.iter().map(inside).product()
    };
    let most = widest * -normal_quantile(0.25 / (standard_deviations.len() as f64 + 1.0));
    let (mut low, mut high) = (0.0, most * 2.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if below(middle) < 0.5 {
            low = middle
        } else {
            high = middle
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// scipy.stats.foldnorm(1).mean() = 1.16663; mean 0: sqrt(2/pi) = 0.797885.
    #[test]
    fn known_means() {
        assert!((folded_normal_mean(0.0, 1.0) - 0.797_884_56).abs() < 1e-7);
        assert!((folded_normal_mean(1.0, 1.0) - 1.166_630_9).abs() < 1e-6);
        assert!((folded_normal_mean(-30.0, 1.0) - 30.0).abs() < 1e-9);
        assert_eq!(folded_normal_mean(-2.0, 0.0), 2.0);
    }

    /// Median of |N(0,1)| is the 75 % quantile; of the larger of two, |x| with (2 Phi - 1)^2 = 1/2.
    #[test]
    fn largest_of_one_and_of_two() {
        assert!((expected_largest_noise(&[2.0]) - 2.0 * 0.674_489_75).abs() < 1e-6);
        assert!(
            (expected_largest_noise(&[1.0, 1.0]) - normal_quantile((1.0 + 0.5f64.sqrt()) / 2.0))
                .abs()
                < 1e-6
        );
        assert_eq!(expected_largest_noise(&[]), 0.0);
    }
}
