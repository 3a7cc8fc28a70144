//! Normal and Student distributions as far as the search needs them.

use std::f64::consts::{PI, SQRT_2};

/// Normal quantile of the upper end of a 95 % interval.
pub(crate) const Z95: f64 = 1.959_963_985;

/// Density of the standard normal distribution.
pub(crate) fn density(x: f64) -> f64 {
    (-0.5 * x * x).exp() / (2.0 * PI).sqrt()
}

/// Distribution function of the standard normal distribution.
///
/// Numerical Recipes' Chebyshev fit of erfc; relative error below 1.2e-7 everywhere.
pub(crate) fn below(x: f64) -> f64 {
    let z = (x / SQRT_2).abs();
    let t = 1.0 / (1.0 + 0.5 * z);
    let poly = t
        * (1.000_023_68
            + t * (0.374_091_96
                + t * (0.096_784_18
                    + t * (-0.186_288_06
                        + t * (0.278_868_07
                            + t * (-1.135_203_98
                                + t * (1.488_515_87 + t * (-0.822_152_23 + t * 0.170_872_77))))))));
    let tail = 0.5 * t * (-z * z - 1.265_512_23 + poly).exp();
    if x >= 0.0 { 1.0 - tail } else { tail }
}

/// `E|X|` of a normal X: `sd sqrt(2/pi) exp(-m²/2sd²) + m (1 - 2 Phi(-m/sd))` (folded normal).
pub(crate) fn mean_absolute(mean: f64, sd: f64) -> f64 {
    if sd <= 0.0 {
        return mean.abs();
    }
    let z = mean / sd;
    2.0 * sd * density(z) + mean * (1.0 - 2.0 * below(-z))
}

/// Upper 97.5 % quantile of Student's distribution with `freedom` degrees of freedom.
///
/// Table below 10, Cornish-Fisher expansion (Abramowitz and Stegun 26.7.5) from there: error < 0.001.
pub(crate) fn t95(freedom: f64) -> f64 {
    const TABLE: [f64; 10] = [
        12.706, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262,
    ];
    if freedom < 10.0 {
        return TABLE[freedom.max(0.0) as usize];
    }
    let (z, v) = (Z95, freedom);
    let g1 = (z.powi(3) + z) / 4.0;
    let g2 = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let g3 = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    z + g1 / v + g2 / v.powi(2) + g3 / v.powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_tables() {
        assert!((below(1.96) - 0.975_002_1).abs() < 1e-6);
        assert!((below(-1.0) - 0.158_655_3).abs() < 1e-6);
        assert!((t95(5.0) - 2.571).abs() < 3e-3);
        assert!((t95(9.0) - 2.262).abs() < 1e-3);
        assert!((t95(30.0) - 2.042).abs() < 1e-3);
    }

    #[test]
    fn folded_normal_has_its_known_limits() {
        assert!((mean_absolute(0.0, 1.0) - (2.0 / PI).sqrt()).abs() < 1e-7);
        assert!((mean_absolute(-8.0, 1.0) - 8.0).abs() < 1e-6);
        assert_eq!(mean_absolute(-3.0, 0.0), 3.0);
    }
}
