//! Shares of one side of a comparison.

use std::collections::BTreeMap;

use crate::model::Recording;

/// True if the recordings tell overloads apart.
pub(super) fn tells_overloads(runs: &[&Recording]) -> bool {
    let mut rows = runs.iter().flat_map(|r| &r.rows);
    rows.any(|row| row.identity != row.common)
}

/// Share per method and run, %; what a recording does not list counts as zero.
pub(super) fn shares(runs: &[&Recording], apart: bool) -> BTreeMap<String, Vec<f64>> {
    let mut shares: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for (at, run) in runs.iter().enumerate() {
        for row in &run.rows {
            let name = if apart { &row.identity } else { &row.common };
            let of = shares
                .entry(name.clone())
                .or_insert_with(|| vec![0.0; runs.len()]);
            of[at] += row.share_pct;
        }
    }
    shares
}

/// Samples of all runs together, if all tell them.
pub(super) fn samples(runs: &[&Recording]) -> Option<f64> {
    let samples: Option<Vec<f64>> = runs.iter().map(|r| r.samples).collect();
    samples.map(|s| s.iter().sum()).filter(|sum| *sum > 0.0)
}
