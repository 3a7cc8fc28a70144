//! Rows that are open and too small to matter: whatever the time of their methods becomes in a profile, it is a small part of the
//! margin.

use proofmark_assess::Verdict;
use proofmark_rules::DOSE_OPEN_PART;
use proofmark_stats::Estimate;

use super::Subject;
use super::by_rows::misplaced_part;

/// Points of the program's time that each of a profiler's open rows can misplace at most, if all of them together are so few that
/// they leave nothing undecided; none of the others, nor where they are more. `sites_of`: sites of a method.
///
/// A row that is all in another place, or of which nothing is known, misplaces its method's share of the time and no more. That share is
/// the largest that anybody shows, of the program as it is or with sites: one that is blind to the method would show little.
pub(super) fn small_pt(
    subject: &Subject,
    verdicts: &[Verdict],
    everybody: &[&Subject],
    margin_pt: f64,
    sites_of: impl Fn(&str) -> f64,
) -> Vec<Option<f64>> {
    let all = subject.rows.iter().zip(verdicts);
    let points = all.map(|(row, verdict)| {
        let elsewhere = row.elsewhere.iter().map(|(_, part)| part);
        let elsewhere = elsewhere.chain([&row.other]).map(|part| part.high);
        let part = elsewhere.fold(misplaced_part(row).1, f64::max).min(1.0);
        let points = part * largest_share_pct(&row.method, everybody) / sites_of(&row.method);
        (*verdict == Verdict::Undecided).then_some(points)
    });
    let points: Vec<Option<f64>> = points.collect();
    match points.iter().flatten().sum::<f64>() <= DOSE_OPEN_PART * margin_pt {
        true => points,
        false => vec![None; points.len()],
    }
}

/// The largest share of a method that counting or any profile allows, %. All of the time where nobody says anything of it.
fn largest_share_pct(method: &str, everybody: &[&Subject]) -> f64 {
    let of = |one: &&Subject| -> Option<f64> {
        let shown = one.looks.iter().chain([&one.shares_pct]);
        let shown = shown.filter_map(|shares| shares.get(method));
        let counted = one.counted_pct.get(method).copied();
        shown
            .map(|share: &Estimate| share.high)
            .chain(counted)
            .reduce(f64::max)
    };
    let shares = everybody.iter().filter_map(of);
    shares.reduce(f64::max).unwrap_or(100.0)
}
