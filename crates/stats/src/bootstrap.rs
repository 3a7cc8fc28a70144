//! How to resample (Efron and Tibshirani 1993).

/// How often and from which seed to resample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resampling {
    /// Number of resamples; 2,000 settle the ends of a 95 % interval to about 2 % of its width.
    pub times: usize,
    /// Seed of the ChaCha8 generator.
    pub seed: u64,
}
