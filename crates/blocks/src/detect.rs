//! How small a block can be and still be judged?

/// Baseline samples that a block needs so that the ratio of its times, `ratio`, has the standard
/// error `standard_error` (both as factors: 2.0 and 0.05 are +100 % with 5 points), with equally
/// long baseline and slowed windows: `(1 + 1/R) (R/SE)^2`.
///
/// # Accuracy
/// Counts are Poisson; placement of the code and a common change of speed come on top.
fn samples_needed(ratio: f64, standard_error: f64) -> f64 {
    (1.0 + 1.0 / ratio) * (ratio / standard_error).powi(2)
}

/// Smallest share (0 to 1, or more: then none is large enough) that `samples` baseline samples of the
/// program let judge at this ratio and standard error.
#[must_use]
pub fn detectable_share(ratio: f64, standard_error: f64, samples: f64) -> f64 {
    samples_needed(ratio, standard_error) / samples.max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_of_the_study() {
        assert!((samples_needed(2.0, 0.1) - 600.0).abs() < 1e-6);
        assert!((samples_needed(2.0, 0.05) - 2400.0).abs() < 1e-6);
        assert!((samples_needed(2.0, 0.025) - 9600.0).abs() < 1e-6);
        assert!((detectable_share(2.0, 0.05, 15_000.0) - 0.16).abs() < 1e-9);
        assert!((detectable_share(2.0, 0.05, 1e6) - 0.0024).abs() < 1e-9);
    }
}
