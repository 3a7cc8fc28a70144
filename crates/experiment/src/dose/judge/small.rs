//! Rows that are open or wrong, and too small to matter: whatever the time of their methods becomes in a profile, it is a small part of
//! the margin.

use proofmark_assess::Verdict;
use proofmark_rules::DOSE_OPEN_PART;
use proofmark_stats::Estimate;

use super::super::matrix::Row;
use super::by_rows::errs;
use super::one_row::misplaced_part;
use super::{Subject, profiler_kind};

/// All that is known of a row, over JVMs or of single ones, nothing where a JVM lacks it; and its verdict.
pub(super) type Known<'r> = (Vec<&'r Row>, Verdict);

/// How much of the program's time the rows of a profiler can misplace, and how much they stand for.
///
/// A row that is all in another place, or of which nothing is known, misplaces its method's share of the time and no more. That share is
/// the largest that anybody shows, of the program as it is or with sites, or that counting says: one that is blind to the method would
/// show little. So somebody else must know the method, a profiler of another kind or counting. Profilers with a wrong row are not
/// asked if one of another kind without any knows it: they may show in a method what belongs to others. Each
/// site stands for all of its method: how the method's time is divided among sites is not known.
pub(super) struct Sizes {
    /// The largest share of each row's method, % of the program's time.
    shares_pct: Vec<f64>,
    /// What each row stands for by the profiler's own profile, % of the program's time: an equal part for each site of its method.
    own_pct: Vec<f64>,
    /// Rows whose sites make another program of it: what they say is not about this one.
    pub(super) changed: Vec<bool>,
    margin_pt: f64,
}

impl Sizes {
    /// Of one of the profilers, `everybody`, of a test.
    pub(super) fn of(
        subject: &Subject,
        changed: Vec<bool>,
        everybody: &[&Subject],
        margin_pt: f64,
    ) -> Self {
        let rows = || subject.rows.iter();
        let everybody = everybody.iter().copied();
        let (erring, faultless): (Vec<&Subject>, Vec<&Subject>) =
            everybody.partition(|one| one.name != subject.name && errs(one, margin_pt));
        Self {
            shares_pct: rows()
                .map(|row| largest_share_pct(&row.method, subject, &faultless, &erring))
                .collect(),
            own_pct: rows()
                .map(|row| own_share_pct(&row.method, subject))
                .collect(),
            changed,
            margin_pt,
        }
    }

    /// What those rows stand for that are right and decide, % of the program's time. `verdicts`: of all rows, in their order.
    pub(super) fn deciding_pct(&self, verdicts: impl Iterator<Item = Verdict>) -> f64 {
        let rows = verdicts.zip(&self.changed).zip(&self.own_pct);
        let deciding = rows.filter(|((verdict, changed), _)| {
            let right = *verdict == Verdict::Right;
            right && !**changed
        });
        deciding.map(|(_, pct)| pct).sum()
    }

    /// Points of the program's time that each open or wrong one of these rows, which are the profiler's in their order, can misplace at
    /// most, if all of them together are so few that they leave nothing undecided; none of the others.
    ///
    /// A wrong row shows that the profiler errs in a way that may be so in methods that were not tested too. So wrong rows are small only
    /// if what they can misplace is no larger a part of what right rows stand for than the margin is of all. If they are not, open ones are
    /// small or not by themselves.
    pub(super) fn small_pt(&self, rows: &[Known<'_>]) -> Vec<Option<f64>> {
        let of = |such: Verdict| -> Vec<Option<f64>> {
            let points = rows.iter().enumerate();
            let points = points
                .map(|(at, (known, verdict))| (*verdict == such).then(|| self.most_pt(at, known)));
            points.collect()
        };
        let sum = |points: &[Option<f64>]| -> f64 { points.iter().flatten().sum() };
        let (open, wrong) = (of(Verdict::Undecided), of(Verdict::Wrong));
        let allowed_pt = DOSE_OPEN_PART * self.margin_pt;
        let verdicts = rows.iter().map(|(_, verdict)| *verdict);
        let beside_right_pt = self.margin_pt / 100.0 * self.deciding_pct(verdicts);
        if sum(&wrong) <= beside_right_pt && sum(&open) + sum(&wrong) <= allowed_pt {
            let both = open.into_iter().zip(wrong);
            return both.map(|(open, wrong)| open.or(wrong)).collect();
        }
        match sum(&open) <= allowed_pt {
            true => open,
            false => vec![None; rows.len()],
        }
    }

    fn most_pt(&self, at: usize, known: &[&Row]) -> f64 {
        let known = known.iter().copied().filter(|_| !self.changed[at]);
        let most = known.map(most_part).reduce(f64::max);
        most.unwrap_or(1.0) * self.shares_pct[at]
    }
}

/// The largest part of a row that may be in another place, or nowhere.
fn most_part(row: &Row) -> f64 {
    let places = row.elsewhere.iter().map(|(_, part)| part);
    let places = places.chain([&row.other]).chain(&row.missing);
    let most = places.map(|part| part.high);
    most.fold(misplaced_part(row).1, f64::max).min(1.0)
}

/// The share of a method in the profiler's own profile, % of the program's time, in equal parts for the sites that have a row.
fn own_share_pct(method: &str, subject: &Subject) -> f64 {
    let share = subject.shares_pct.get(method);
    let sites = subject.rows.iter().filter(|row| row.method == method);
    share.map_or(0.0, |share| share.value) / sites.count() as f64
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
