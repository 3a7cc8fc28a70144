//! Words about rows of sites: what would have been found, and what is right.

use proofmark_experiment::dose::{Attribution, AttributionRow};
use proofmark_rules::DOSE_TOLERANCE_PER_MARGIN;

use crate::number::{count, fixed};

/// `of 6 errors of 15 % of the added time, planted into its right rows one at a time, 5 would have been called wrong and none right`
pub(crate) fn planted(one: &Attribution) -> Option<String> {
    let planted = one.planted?;
    let right = match planted.right {
        0 => "none".to_owned(),
        right => right.to_string(),
    };
    Some(format!(
        "of {} of {} % of the added time, planted into its right rows one at a time, {} would have been called wrong and {right} right",
        count(planted.of as u64, "error"),
        fixed(planted.size_pct, 0),
        planted.wrong,
    ))
}

/// `right is 100 to 119 % here`, of a row whose part in place would not do if only all of the added time were right.
pub(crate) fn truth(row: &AttributionRow, margin_pt: f64) -> Option<String> {
    let tolerance = DOSE_TOLERANCE_PER_MARGIN * margin_pt;
    let part = &row.in_place_pct;
    let does = part.low >= 100.0 - tolerance && part.high <= 100.0 + tolerance;
    let [low, high] = row.truth_pct;
    (!does && high > low)
        .then(|| format!("right is {} to {} % here", fixed(low, 0), fixed(high, 0)))
}
