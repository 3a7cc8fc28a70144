//! What one row says: its verdict, that of its line, and how much of it is not where it belongs.

use proofmark_assess::Verdict;
use proofmark_rules::DOSE_TOLERANCE_PER_MARGIN;
use proofmark_stats::Estimate;

use super::super::matrix::Row;
use super::super::{LineVerdict, Truth};

/// The verdict on a row by its intervals. Where more than all of the added time may be right in place ([`Truth`]), a part of it that is
/// for certain somewhere else must be looked for there: a row with such a part is not right.
pub(in crate::dose) fn of_row(row: &Row, tolerance: f64) -> Verdict {
    if row
        .missing
        .as_ref()
        .is_some_and(|part| much(part, tolerance))
    {
        return Verdict::Wrong;
    }
    match of_part(&row.in_place, row.truth, tolerance) {
        Verdict::Right if is_astray(row, tolerance) => Verdict::Undecided,
        verdict => verdict,
    }
}

/// Whether a part of a row that is too large is in another place for certain: it is not right then, whatever is in place.
pub(in crate::dose) fn is_astray(row: &Row, tolerance: f64) -> bool {
    let elsewhere = row.elsewhere.iter().map(|(_, part)| part);
    let mut all = elsewhere.chain([&row.other]);
    all.any(|part| much(part, tolerance))
}

fn much(part: &Estimate, tolerance: f64) -> bool {
    part.low > tolerance
}

fn of_part(part: &Estimate, truth: Truth, tolerance: f64) -> Verdict {
    let (least, most) = (truth.low - tolerance, truth.high + tolerance);
    if part.low >= least && part.high <= most {
        Verdict::Right
    } else if part.high < least || part.low > most {
        Verdict::Wrong
    } else {
        Verdict::Undecided
    }
}

/// Whether a profiler is right about the line of a row's site, by the rule for methods.
#[must_use]
pub fn line_verdict(row: &Row, margin_pt: f64) -> LineVerdict {
    let Some(part) = &row.at_line else {
        return LineVerdict::Unknown;
    };
    let tolerance = DOSE_TOLERANCE_PER_MARGIN * margin_pt / 100.0;
    match of_part(part, row.truth, tolerance) {
        Verdict::Right => LineVerdict::Right,
        Verdict::Wrong => LineVerdict::Wrong,
        Verdict::Undecided => LineVerdict::Undecided,
    }
}

/// Least and greatest part of a row that is not where it belongs: in another place, or nowhere.
pub(super) fn misplaced_part(row: &Row) -> (f64, f64) {
    let (near, far) = row.truth.away(&row.in_place);
    // More samples than before say that some were lost without the dose.
    let missing = row.missing.as_ref().filter(|missing| missing.low > 0.0);
    match missing.map(from_nothing) {
        // What may be missing is known less well than what is in place: it counts where it is for certain.
        Some((least, most)) if least > 0.0 => (near.max(least), far.max(most)),
        _ => (near, far),
    }
}

/// Least and greatest distance from nothing that the interval allows.
fn from_nothing(part: &Estimate) -> (f64, f64) {
    Truth {
        low: 0.0,
        high: 0.0,
        by_others: false,
    }
    .away(part)
}
