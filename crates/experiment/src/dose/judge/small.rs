//! Rows that are open or wrong, and too small to matter: whatever the time of their methods becomes in a profile, it is a small part of
//! the margin.

use proofmark_assess::Verdict;
use proofmark_rules::DOSE_OPEN_PART;
use proofmark_stats::Estimate;

use super::super::matrix::Row;
use super::super::profile::share;
use super::by_rows::decided;
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
///
/// A wrong row says that the profiler shows less of the method than there is, and counting says little of time: few bytecodes may take long.
/// So the method has as much as the profiler shows by the part of the row that certainly is in place. Others are believed in its place if
/// they see the method: a profiler of another kind, without a wrong row, whose row of it is right.
pub(super) struct Sizes {
    /// The largest share of each row's method, % of the program's time.
    shares_pct: Vec<f64>,
    /// The same where the row is wrong.
    wrong_pct: Vec<f64>,
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
        let others = Others::of(subject, everybody, margin_pt);
        let shares_pct: Vec<f64> = rows()
            .map(|row| others.largest_share_pct(subject, &row.method))
            .collect();
        let wrong_pct = rows().zip(&shares_pct).zip(&changed);
        let wrong_pct = wrong_pct.map(|((row, share), changed)| {
            let known = *changed || others.see(subject, &row.method);
            let hidden = (!known).then(|| with_hidden_pct(row, subject));
            hidden.map_or(*share, |pct| share.max(pct))
        });
        Self {
            wrong_pct: wrong_pct.collect(),
            shares_pct,
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
    /// if what they can misplace is no larger a part of what right rows stand for than the margin is of all, and none is of a method that
    /// may have as much as the margin, for such a row makes the profiler wrong. If they are not, open ones are small or not by themselves.
    pub(super) fn small_pt(&self, rows: &[Known<'_>]) -> Vec<Option<f64>> {
        let of = |such: Verdict, shares_pct: &[f64]| -> Vec<Option<f64>> {
            let points = rows.iter().zip(shares_pct).enumerate();
            let points = points.map(|(at, ((known, verdict), share))| {
                (*verdict == such).then(|| self.most_part(at, known) * share)
            });
            points.collect()
        };
        let sum = |points: &[Option<f64>]| -> f64 { points.iter().flatten().sum() };
        let open = of(Verdict::Undecided, &self.shares_pct);
        let wrong = of(Verdict::Wrong, &self.wrong_pct);
        let allowed_pt = DOSE_OPEN_PART * self.margin_pt;
        let verdicts = || rows.iter().map(|(_, verdict)| *verdict);
        let beside_right_pt = self.margin_pt / 100.0 * self.deciding_pct(verdicts());
        let mut sizes = verdicts().zip(&self.wrong_pct);
        let little = sizes.all(|(verdict, pct)| verdict != Verdict::Wrong || *pct < self.margin_pt);
        let beside = little && sum(&wrong) <= beside_right_pt;
        if beside && sum(&open) + sum(&wrong) <= allowed_pt {
            let both = open.into_iter().zip(wrong);
            return both.map(|(open, wrong)| open.or(wrong)).collect();
        }
        match sum(&open) <= allowed_pt {
            true => open,
            false => vec![None; rows.len()],
        }
    }

    /// The part of a method that one of its rows can misplace at most: all of it where the site changes the profile, or nothing is known.
    fn most_part(&self, at: usize, known: &[&Row]) -> f64 {
        let known = known.iter().copied().filter(|_| !self.changed[at]);
        known.map(most_part).reduce(f64::max).unwrap_or(1.0)
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

/// The share that a method has at most if the profiler shows no more of it than its row leaves in place, % of the program's time: all of
/// the time where that may be nothing.
fn with_hidden_pct(row: &Row, subject: &Subject) -> f64 {
    let shares = subject.looks.iter().chain([&subject.shares_pct]);
    let shown = shares.map(|shares| share(shares, &row.method).high);
    let in_place = 1.0 - most_part(row);
    match in_place > 0.0 {
        true => f64::min(shown.fold(0.0, f64::max) / in_place, 100.0),
        false => 100.0,
    }
}

/// The largest share of a method that a profiler shows, at the upper end of its interval, %; none if it does not show it.
fn shown_pct(one: &Subject, method: &str) -> Option<f64> {
    let shares = one.looks.iter().chain([&one.shares_pct]);
    let shares = shares.filter_map(|shares| shares.get(method));
    shares.map(|share: &Estimate| share.high).reduce(f64::max)
}

/// Whether a profiler is of another kind, and shows a method.
fn is_foreign(one: &Subject, subject: &Subject, method: &str) -> bool {
    profiler_kind(&one.name) != profiler_kind(&subject.name) && shown_pct(one, method).is_some()
}

/// Who can say how much time a method has.
struct Others<'a> {
    /// Profilers without a wrong row, with the methods about which a row of them that decides is right; and the one that is judged.
    faultless: Vec<(&'a Subject, Vec<&'a str>)>,
    /// Other ones.
    erring: Vec<&'a Subject>,
}

impl<'a> Others<'a> {
    fn of(subject: &'a Subject, everybody: &[&'a Subject], margin_pt: f64) -> Self {
        let mut all = Self {
            faultless: vec![(subject, Vec::new())],
            erring: Vec::new(),
        };
        let others = everybody.iter().copied();
        for one in others.filter(|one| one.name != subject.name) {
            let rows = decided(one, margin_pt);
            if rows.iter().any(|(_, verdict)| *verdict == Verdict::Wrong) {
                all.erring.push(one);
            } else {
                let right = rows.into_iter();
                let right = right.filter(|(_, verdict)| *verdict == Verdict::Right);
                let right = right.map(|(method, _)| method).collect();
                all.faultless.push((one, right));
            }
        }
        all
    }

    /// The largest share of a method that counting or any profile allows, %; profilers that err are asked where no faultless one of another
    /// kind than the subject's shows it. All of the time where nobody but profilers of the subject's own kind says anything of it.
    fn largest_share_pct(&self, subject: &Subject, method: &str) -> f64 {
        let counted = subject.counted_pct.get(method).copied();
        let foreign = |one: &Subject| is_foreign(one, subject, method);
        let known = self.faultless.iter().any(|(one, _)| foreign(one));
        let erring = self.erring.iter().filter(|_| !known);
        let known = known || self.erring.iter().any(|one| foreign(one));
        let shares = self.faultless.iter().map(|(one, _)| *one);
        let shares = shares.chain(erring.copied());
        let shares = shares.filter_map(|one| shown_pct(one, method));
        let largest = shares.chain(counted).reduce(f64::max);
        largest
            .filter(|_| known || counted.is_some())
            .unwrap_or(100.0)
    }

    /// Whether one of another kind that errs nowhere is right about a method.
    fn see(&self, subject: &Subject, method: &str) -> bool {
        let mut faultless = self.faultless.iter();
        faultless.any(|(one, right)| right.contains(&method) && is_foreign(one, subject, method))
    }
}
