//! What the user can set about judging.

use proofmark_rules::{
    AA_NOMINAL, BLAMED_LEAST_PT, BLAMED_SHARE_PCT, COMPARED_SHARE_PCT, MARGIN_PT,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Limits and seeds of the judge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Settings {
    /// Error that separates right from wrong, points. Default 5.
    pub margin_pt: f64,
    /// Methods with at least this share in truth or profile are judged, percent; never more than the margin. Default 5.
    pub min_share_pct: f64,
    /// Methods with at least this share can be blamed, percent. Default 1.
    pub blame_share_pct: f64,
    /// Smaller misattributions are not listed even if significant, points. Default 1.
    pub blame_min_pt: f64,
    /// Methods in the published comparison (correlation, off by more than 5 points). Default 5.
    pub top_methods: usize,
    /// Comparisons of unslowed windows with each other, per profiler. Default 100.
    pub aa_comparisons: usize,
    /// Nominal rate of false alarms of one such comparison, 0 to 1. Default 0.01.
    pub aa_nominal: f64,
    /// Seed of the random splits. Default 1.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            margin_pt: MARGIN_PT,
            min_share_pct: COMPARED_SHARE_PCT,
            blame_share_pct: BLAMED_SHARE_PCT,
            blame_min_pt: BLAMED_LEAST_PT,
            top_methods: 5,
            aa_comparisons: 100,
            aa_nominal: AA_NOMINAL,
            seed: 1,
        }
    }
}

impl Settings {
    /// Share from which a method is judged, percent: a method below the margin in both cannot be off by the margin.
    #[must_use]
    pub fn judged_share_pct(&self) -> f64 {
        self.min_share_pct.min(self.margin_pt)
    }
}
