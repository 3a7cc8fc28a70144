//! Whether the block map may be called truth.

use proofmark_rules::{MAP_EACH_PT, MAP_MEAN_PT};
use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dose::AttributionRow;

/// What the matrix of our own sampler says about the block map on this program and machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MapTruth {
    /// The map may be called truth: of what was added to a method it finds 95 to 105 % there in every row, and 98 to 102 %
    /// in the mean; and no row is known less well than to 5 points.
    pub called_truth: bool,
    /// Mean over the rows of the part in place, % of the added time; `n` counts samples. Null without rows.
    pub mean_in_place_pct: Option<Estimate>,
    /// Why it is not called truth; empty if it is.
    pub reasons: Vec<String>,
}

impl MapTruth {
    /// Judges the rows of our own sampler. `unseen`: what was dosed under its eyes has no row in any run.
    ///
    /// # Accuracy
    /// The mean's interval takes the rows for independent.
    #[must_use]
    pub fn of(rows: &[AttributionRow], unseen: bool) -> Self {
        let Some(mean) = mean(rows) else {
            return MapTruth {
                called_truth: false,
                mean_in_place_pct: None,
                reasons: vec!["no method of this program could be dosed".into()],
            };
        };
        let mut reasons: Vec<String> = rows.iter().filter_map(objection).collect();
        if unseen {
            reasons.push("of a method that was dosed it has no row: nothing is known there".into());
        }
        if (mean.value - 100.0).abs() > MAP_MEAN_PT {
            reasons.push(format!(
                "{:.1} % in place in the mean of {} rows ({:.1} to {:.1})",
                mean.value,
                rows.len(),
                mean.low,
                mean.high
            ));
        }
        MapTruth {
            called_truth: reasons.is_empty(),
            mean_in_place_pct: Some(mean),
            reasons,
        }
    }
}

/// What speaks against the map in one row.
fn objection(row: &AttributionRow) -> Option<String> {
    let part = &row.in_place_pct;
    let off = (part.value - 100.0).abs() > MAP_EACH_PT;
    let vague = part.half_width() > MAP_EACH_PT;
    (off || vague).then(|| {
        format!(
            "{:.1} % of what was added to {} ({}) is found there ({:.1} to {:.1})",
            part.value, row.method, row.kind, part.low, part.high
        )
    })
}

fn mean(rows: &[AttributionRow]) -> Option<Estimate> {
    let n = rows.len() as f64;
    let sum: f64 = rows.iter().map(|row| row.in_place_pct.value).sum();
    let squares = rows.iter().map(|row| row.in_place_pct.half_width().powi(2));
    let half = squares.sum::<f64>().sqrt() / n;
    let samples = rows.iter().map(|row| row.in_place_pct.n).sum();
    (!rows.is_empty()).then(|| Estimate::around(sum / n, half, samples))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dose::{JvmWords, LineVerdict};
    use proofmark_assess::Verdict;

    fn row(in_place: f64, half: f64) -> AttributionRow {
        AttributionRow {
            method: "A.get".into(),
            line: None,
            place: String::new(),
            kind: "3 blocks".into(),
            verdict: Verdict::Right,
            turns: [10, 50],
            growth_pct: [50.0, 250.0],
            growth: None,
            in_place_pct: Estimate::around(in_place, half, 1000),
            truth_pct: [100.0, 100.0],
            truth_by_others: false,
            in_place_per_run_pct: Vec::new(),
            unknown_runs: 0,
            jvms: JvmWords::default(),
            line_pct: None,
            line_verdict: LineVerdict::Unknown,
            elsewhere: Vec::new(),
            other_pct: Estimate::around(0.0, 1.0, 1000),
            missing_pct: None,
            void_windows: 0,
            reveals_itself: None,
            change: None,
            own_share: None,
            small_pt: None,
            cause: None,
        }
    }

    #[test]
    fn the_map_is_truth_only_if_every_row_and_the_mean_say_so() {
        let truth = |rows: &[AttributionRow]| MapTruth::of(rows, false);
        let good = truth(&[row(96.0, 2.0), row(103.0, 3.0)]);
        assert!(good.called_truth && good.reasons.is_empty(), "{good:?}");
        let mean = good.mean_in_place_pct.expect("a mean");
        assert!((mean.value - 99.5).abs() < 1e-9 && mean.n == 2000);
        assert!((mean.half_width() - 13.0_f64.sqrt() / 2.0).abs() < 1e-9);
        let unseen = MapTruth::of(&[row(96.0, 2.0), row(103.0, 3.0)], true);
        assert!(!unseen.called_truth && unseen.reasons.len() == 1);
        let off = truth(&[row(94.0, 1.0), row(104.0, 1.0)]);
        assert!(!off.called_truth && off.reasons.len() == 1, "{off:?}");
        assert!(off.reasons[0].contains("A.get (3 blocks)"), "{off:?}");
        let shifted = truth(&[row(97.0, 1.0), row(97.5, 1.0)]);
        assert!(!shifted.called_truth && shifted.reasons[0].contains("in the mean"));
        assert!(!truth(&[row(100.0, 6.0)]).called_truth, "known too little");
        assert!(!truth(&[]).called_truth && truth(&[]).mean_in_place_pct.is_none());
    }
}
