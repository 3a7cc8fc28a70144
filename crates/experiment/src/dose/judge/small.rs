//! Rows that are open and too small to matter: whatever the time of their methods becomes in a profile, it is a small part of the
//! margin.

use proofmark_assess::Verdict;
use proofmark_rules::DOSE_OPEN_PART;
use proofmark_stats::Estimate;

use super::super::matrix::Row;
use super::by_rows::errs;
use super::one_row::misplaced_part;
use super::{Subject, profiler_kind};

/// What rows of a profiler can misplace where they are open.
///
/// A row that is all in another place, or of which nothing is known, misplaces its method's share of the time and no more. That share is
/// the largest that anybody shows, of the program as it is or with sites, or that counting says: one that is blind to the method would
/// show little. So somebody else must know the method, a profiler of another kind or counting. Profilers with a wrong row are not
/// asked if one of another kind without any knows it: they may show in a method what belongs to others. Each
/// site stands for all of its method: how the method's time is divided among sites is not known.
pub(super) struct Open {
    /// The largest share of each row's method, % of the program's time.
    shares_pct: Vec<f64>,
    /// Rows whose sites make another program of it: what they say is not about this one.
    pub(super) changed: Vec<bool>,
    /// Points that all of them together may misplace.
    allowed_pt: f64,
}

impl Open {
    /// Of one of the profilers, `everybody`, of a test.
    pub(super) fn of(
        subject: &Subject,
        changed: Vec<bool>,
        everybody: &[&Subject],
        margin_pt: f64,
    ) -> Self {
        let rows = subject.rows.iter();
        let everybody = everybody.iter().copied();
        let (erring, faultless): (Vec<&Subject>, Vec<&Subject>) =
            everybody.partition(|one| one.name != subject.name && errs(one, margin_pt));
        Self {
            shares_pct: rows
                .map(|row| largest_share_pct(&row.method, subject, &faultless, &erring))
                .collect(),
            changed,
            allowed_pt: DOSE_OPEN_PART * margin_pt,
        }
    }

    /// Points of the program's time that each open one of these rows, which are the profiler's in their order, can misplace at most, if
    /// all of them together are so few that they leave nothing undecided; none of the others, nor where they are more.
    pub(super) fn small_pt<'r>(
        &self,
        rows: impl Iterator<Item = (Option<&'r Row>, Verdict)>,
    ) -> Vec<Option<f64>> {
        let points = rows.enumerate().map(|(at, (row, verdict))| {
            (verdict == Verdict::Undecided).then(|| self.most_pt(at, row))
        });
        let points: Vec<Option<f64>> = points.collect();
        match points.iter().flatten().sum::<f64>() <= self.allowed_pt {
            true => points,
            false => vec![None; points.len()],
        }
    }

    fn most_pt(&self, at: usize, row: Option<&Row>) -> f64 {
        let known = row.filter(|_| !self.changed[at]);
        known.map_or(1.0, most_part) * self.shares_pct[at]
    }
}

/// The largest part of a row that may be in another place, or nowhere.
fn most_part(row: &Row) -> f64 {
    let places = row.elsewhere.iter().map(|(_, part)| part);
    let places = places.chain([&row.other]).chain(&row.missing);
    let most = places.map(|part| part.high);
    most.fold(misplaced_part(row).1, f64::max).min(1.0)
}

/// The largest share of a method that counting or any profile allows, %; profilers that err are asked where no faultless one of another
/// kind than the subject's shows it. All of the time where nobody but profilers of the subject's own kind says anything of it.
fn largest_share_pct(
    method: &str,
    subject: &Subject,
    faultless: &[&Subject],
    erring: &[&Subject],
) -> f64 {
    let shown = |one: &&Subject| -> Option<f64> {
        let shares = one.looks.iter().chain([&one.shares_pct]);
        let shares = shares.filter_map(|shares| shares.get(method));
        shares.map(|share: &Estimate| share.high).reduce(f64::max)
    };
    let counted = subject.counted_pct.get(method).copied();
    let foreign = |one: &&Subject| {
        profiler_kind(&one.name) != profiler_kind(&subject.name) && shown(one).is_some()
    };
    let known = faultless.iter().any(foreign);
    let others = erring.iter().filter(|_| !known);
    let known = known || erring.iter().any(foreign);
    let shares = faultless.iter().chain(others).filter_map(shown);
    let largest = shares.chain(counted).reduce(f64::max);
    largest
        .filter(|_| known || counted.is_some())
        .unwrap_or(100.0)
}
