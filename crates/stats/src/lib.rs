//! Estimators, intervals and distances. Pure: numbers in, numbers out.
//!
//! Every measured value leaves as an [`Estimate`]: a point with its 95 % interval and the number of observations behind
//! it. Functions return `None` where the data cannot carry an interval (one observation, no spread to learn from), never
//! a made-up one. Resampling is seeded, so the same numbers in give the same numbers out.
#![forbid(unsafe_code)]

mod bootstrap;
mod common;
mod correlation;
mod dip;
mod distance;
mod distribution;
mod estimate;
mod fisher;
mod folded;
mod mean;
mod multiple;
mod proportion;
mod quantile;
mod random_effects;
mod ratio;
mod replicates;
mod share;
mod signed_rank;
mod spread;

pub use bootstrap::Resampling;
pub use common::CommonVariance;
pub use correlation::pearson;
pub use dip::{DipTable, dip};
pub use distance::{jensen_shannon, overlap};
pub use distribution::{Confidence, normal_cdf, normal_quantile, t_quantile};
pub use estimate::Estimate;
pub use fisher::fisher_exact;
pub use folded::{expected_largest_noise, folded_normal_mean};
pub use mean::{mean, mean_t, sample_variance};
pub use multiple::{benjamini_hochberg, holm};
pub use proportion::{clopper_pearson, wilson};
pub use quantile::{deviation_by_median, median, quantile};
pub use random_effects::RandomEffects;
pub use ratio::{paired_ratio, paired_ratio_robust, paired_ratio_spread};
pub use replicates::{mirrored_interval, percentile_interval, two_sample_replicates};
pub use share::{ClusteredShare, clustered_share, matched_difference};
pub use signed_rank::{hodges_lehmann, pseudomedian};
pub use spread::Spread;
