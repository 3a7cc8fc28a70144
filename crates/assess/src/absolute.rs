//! Absolute test: shares in unslowed code.

use crate::block_map;
use crate::deviation::View;
use crate::deviation::{Ambiguity, Deviation};
use crate::judge::method_name;
use crate::largest::{Amount, Limits, judge_largest, largest_error};
use crate::shares::stream_side;
use crate::{AbsoluteTest, Condition, Evidence, ProfilerEvidence, Settings};
use proofmark_stats::{Estimate, matched_difference};

/// Largest error of a share over the methods that are large enough on either side.
pub(crate) fn absolute(
    e: &Evidence,
    p: &ProfilerEvidence,
    baseline: &View,
    settings: &Settings,
) -> Option<AbsoluteTest> {
    let compared = baseline.methods_from(settings.judged_share_pct());
    let deviations: Vec<Deviation> = compared.iter().map(|m| baseline.deviation(*m)).collect();
    let limits = Limits {
        wrong_above: settings.margin_pt,
        right_below: settings.margin_pt,
    };
    let amount = Amount {
        samples: baseline.profiler.samples,
        seconds: baseline.profiler.seconds,
    };
    let result = judge_largest(&deviations, limits, amount, |m| method_name(e, m))?;
    Some(AbsoluteTest {
        result,
        streams_differ_pt: streams_differ(p, &compared),
        counts: block_map::decides(e, p),
    })
}

/// Largest difference between our two streams over the compared methods: the same windows, so phases cancel.
fn streams_differ(p: &ProfilerEvidence, compared: &[usize]) -> Option<Estimate> {
    let keep = |at: &crate::WindowAt| at.condition == Condition::Baseline;
    let (first, second) = (stream_side(p, keep, 0)?, stream_side(p, keep, 1)?);
    let deviations: Vec<Deviation> = compared
        .iter()
        .map(|m| {
            let (difference, spread) = matched_difference(&first.shares[*m], &second.shares[*m])?;
            let points = difference * 100.0;
            Some(Deviation {
                method: *m,
                points,
                spread: spread.times(100.0),
                runs: 1,
                down: 0.0,
                up: 0.0,
                ambiguity: Ambiguity::Unknown,
            })
        })
        .collect::<Option<_>>()?;
    largest_error(
        &deviations,
        Amount {
            samples: first.samples + second.samples,
            seconds: first.seconds,
        },
    )
}
