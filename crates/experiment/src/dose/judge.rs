//! Verdicts: per row, per profiler.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;
use proofmark_profile::NON_SAFEPOINTS;
use proofmark_stats::Estimate;

use super::jvms::{EarlierLook, JvmWords};
use super::matrix::Row;
use super::planted::{Planted, planted};
use super::profile::{JavaShares, ProfileChange, ProfileCheck};
use by_rows::ByRows;

mod by_rows;
mod one_row;
mod small;
mod witness;

pub use one_row::line_verdict;
pub(super) use one_row::of_row;
use witness::{believed, beside, by_one, is_contradicted, of_other_kinds, refuting, with_voided};

/// A profiler's matrix and its profiles.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// Name, for example `jfr`.
    pub name: String,
    /// The rows, over JVMs where there are several; their verdicts come in the same order.
    pub rows: Vec<Row>,
    /// The same rows in each JVM, none where it has no such row. Empty where JVMs are not told apart.
    pub in_jvms: Vec<Vec<Option<Row>>>,
    /// What the site of each row changes in the profile without a turn. Empty where that was not looked at.
    pub changes: Vec<Option<ProfileChange>>,
    /// Share of each method with all sites at rest, %.
    pub shares_pct: BTreeMap<String, Estimate>,
    /// Its profiles without a dose, one for each time that the program was looked at; of all subjects in the same order.
    pub looks: Vec<JavaShares>,
    /// It took no sample while time was added at a site, which has no row therefore.
    pub unseen: bool,
    /// Its profiles of the program as it is, one for each JVM without sites in which it looked at it; the first one of `looks` is of all
    /// of these, the last one is with sites. Empty where nothing was put into the program.
    pub as_it_is: Vec<JavaShares>,
    /// What the time of all sites at rest may be, as a part of the program's. None where nothing was put into the program.
    pub rest_cost: Option<f64>,
    /// What could have been said of it before JVMs were added; nothing where none were.
    pub earlier: EarlierLook,
    /// Share of methods, % of the bytecodes, where they were counted.
    pub counted_pct: BTreeMap<String, f64>,
}

impl Subject {
    /// Points by which its profile is in doubt: the most that one of its sites changes in it, where that is beyond the margin.
    fn doubt_pt(&self) -> f64 {
        let changes = self.changes.iter().flatten();
        let much = changes.filter(|one| one.voids_rows);
        much.map(|one| one.beyond_pt).fold(0.0, f64::max)
    }
}

/// What is said of a profiler.
#[derive(Clone, Debug, PartialEq)]
pub struct RowVerdict {
    /// Every row is right, or open or wrong and too small to matter.
    pub certified: bool,
    /// The verdict.
    pub verdict: Verdict,
    /// Verdicts of the rows.
    pub rows: Vec<Verdict>,
    /// Points of the program's time that each open or wrong row can misplace at most, where these are so few that they leave nothing
    /// undecided.
    pub small_pt: Vec<Option<f64>>,
    /// In how many JVMs each of them is right, wrong, or open.
    pub row_jvms: Vec<JvmWords>,
    /// In how many JVMs the rows alone make the profiler right or wrong.
    pub jvms: JvmWords,
    /// Points of share that are misplaced, from and to: shares and parts have their intervals.
    pub misplaced_pt: (f64, f64),
    /// Intervals of its rows that could have called it wrong.
    pub accusing_intervals: usize,
    /// Probability that any of them would call a profiler wrong that is exactly right, at most.
    pub false_alarm: f64,
    /// What would have been said of errors of known size.
    pub planted: Option<Planted>,
    /// What its profiles say against it, beside those of witnesses.
    pub profile: Option<ProfileCheck>,
    /// What sites change in its profile.
    pub change: Option<ProfileChange>,
}

/// Judges profilers of one program. A row is right if the 95 % interval of its part in place lies within what may be right
/// ([`Truth`](super::Truth): 100 %, or a range around it) plus and minus twice the margin (10 at the usual 5), and no other place has
/// more than that of it for certain; wrong if a wider one lies wholly outside; wrong also if so much of the added time for
/// certain left no sample. A profiler is certified if all rows are right, and it saw every site; rows that are open or wrong do not matter
/// if all of them together can misplace half of the margin at most ([`DOSE_OPEN_PART`](proofmark_rules::DOSE_OPEN_PART)), by the largest
/// share of their methods that anybody shows; profilers with a wrong row are asked only where no other one knows the method. Wrong rows
/// matter all the same where what they can misplace is a larger part of what right rows stand for than the margin is of all, and where
/// the method may have as much as the margin. A profiler with a wrong row shows too little of its method: what it shows is divided by the
/// part that the row leaves in place, unless one of another kind that errs nowhere is right about the method.
///
/// A profiler is wrong if a wrong row's method has at least the margin's share, or if the misplaced points lie above the margin, by the
/// profile of every witness; if there is none, by the profile of everybody. Each is believed as a whole, so that two that differ make
/// nobody wrong by the least of both.
///
/// Where there are several JVMs, each has its own word on every row. A row is wrong if it is wrong in one JVM for certain, or
/// in all that were asked together; right if it is right in all of them, or in the mean while no JVM is wrong. A profiler is
/// wrong if its rows in one JVM, or in all together, make it so.
///
/// A *witness* is a profiler that is certified and not wrong, and whose own profile sites do not change: rows speak of the
/// program with sites. Where a profiler's profile of it differs from that of the program as it is by more than the margin,
/// beyond the time of the sites ([`change`](super::profile::change)), its rows alone neither certify nor condemn it. The same holds
/// of a single row whose site changes the profile so much; the others must stand for at least as much of the
/// program's time, by its own profile, or nothing is certified; and a witness that has such a row is believed that much less, as it is
/// by what its open and wrong rows can misplace.
///
/// Profiles that misplace more than the margin beside those of all witnesses ([`compare`](super::profile::compare)) make a profiler
/// wrong if a row of it that decides is wrong too, or if it is *refuted*: the same profiler with more debug information, which then
/// makes the difference, shows the program so differently, has no wrong row, and is contradicted by nobody else who is certified. One
/// witness whom the others stand by ([`by_one`]) makes it wrong only if such a row is about a method that they show differently: its
/// own, or one where its time is reported. A profiler that is certified although it has a small wrong row is made wrong so only if one
/// of those who say it has no wrong row; it is no witness if all of these say it.
/// Else it is undecided: either of them may be wrong about the program's own code. It is undecided too if all certified
/// profilers of another kind contradict it, although one of its own kind, such as `jfr` and `jfr+nonsafepoints`, agrees with it; those
/// too that are not certified only because sites change what they show.
///
/// # Accuracy
/// All intervals that accuse, of what is in place and of what is missing, of every row, in each JVM and in all together, hold
/// the truth in 95 of 100 tests ([`DOSE_ACCUSED_MISS`](proofmark_rules::DOSE_ACCUSED_MISS)). So rows call a profiler wrong that is
/// nowhere further off than the tolerance in 5 of 100 tests at most, however many JVMs and rows there are. Where JVMs were added
/// because a profiler was open ([`EarlierLook`]), the intervals of both looks are counted. A row that is right in the mean has a
/// 95 % interval within the limits, which one that is further off than the tolerance to one side has in 2.5 of 100 tests at most, or in 5 with
/// two looks. One that is right in every JVM by itself need not have it: JVMs that differ may agree by chance. Shares, and profiles, have
/// intervals of their own, which are not in this.
#[must_use]
pub fn judge(subjects: &[Subject], margin_pt: f64) -> Vec<RowVerdict> {
    let everybody: Vec<&Subject> = subjects.iter().collect();
    let by_rows = subjects
        .iter()
        .map(|one| ByRows::of(one, &everybody, margin_pt));
    let by_rows: Vec<ByRows> = by_rows.collect();
    let all: Vec<(&Subject, &ByRows)> = subjects.iter().zip(&by_rows).collect();
    let knowing = those(&all, |one, of| {
        of.knows(one, margin_pt) && !of.has_wrong_row()
    });
    let curing = those(&all, |_, of| of.cures());
    let refuting = |one: &Subject| refuting(one, &curing, &knowing, margin_pt);
    // One that has itself with more debug information against it is no witness for others.
    let faultless = knowing.iter().copied();
    let faultless = faultless.filter(|one| refuting(one).is_none());
    let faultless: Vec<&Subject> = faultless.collect();
    let doubt = |(one, of): &(&'_ Subject, &ByRows)| one.doubt_pt() + of.open_pt();
    let doubts = subjects.iter().map(|one| one.name.as_str());
    let doubts: Vec<(&str, f64)> = doubts.zip(all.iter().map(doubt)).collect();
    // Nor is one with a wrong row, however small, whom all of these contradict: that makes it wrong.
    let stands = |one: &Subject, of: &ByRows| {
        let errs = of.has_wrong_row() && is_contradicted(one, &faultless, &doubts, margin_pt);
        !errs && refuting(one).is_none()
    };
    let witnesses = those(&all, |one, of| of.knows(one, margin_pt) && stands(one, of));
    let doubting = those(&all, |one, of| {
        of.sees_all(one, margin_pt) && stands(one, of)
    });
    let voided = those(&all, |one, of| {
        !of.sees_all(one, margin_pt) && of.may_doubt(one, margin_pt)
    });
    let verdicts = all.iter().map(|&(subject, of)| {
        let around = Around {
            subjects,
            doubts: &doubts,
            faultless: &faultless,
            witnesses: &witnesses,
            doubting: &doubting,
            voided: &voided,
            refuting: refuting(subject),
        };
        of.verdict(subject, &around, margin_pt)
    });
    verdicts.collect()
}

/// Those profilers of which that holds.
fn those<'a>(
    all: &[(&'a Subject, &ByRows)],
    holds: impl Fn(&Subject, &ByRows) -> bool,
) -> Vec<&'a Subject> {
    let such = all.iter().filter(|&&(one, of)| holds(one, of));
    such.map(|&(one, _)| one).collect()
}

/// Verdicts of a profiler's rows, by themselves.
pub(super) fn row_verdicts(subject: &Subject, margin_pt: f64) -> Vec<Verdict> {
    ByRows::of(subject, &[subject], margin_pt).rows
}

/// What a profiler is judged beside.
struct Around<'a> {
    subjects: &'a [Subject],
    /// Points by which the profile of each of them is in doubt.
    doubts: &'a [(&'a str, f64)],
    /// Witnesses without a wrong row.
    faultless: &'a [&'a Subject],
    witnesses: &'a [&'a Subject],
    /// Witnesses, and those that would be if sites did not change the program for them.
    doubting: &'a [&'a Subject],
    /// Those that would be certified if sites did not change what they show in single rows.
    voided: &'a [&'a Subject],
    /// The same profiler with more debug information, if it speaks against it.
    refuting: Option<&'a Subject>,
}

impl Around<'_> {
    /// Points by which profiles are in doubt that may speak against one. Rows that are open do not make the same profiler with more
    /// debug information less certain, however small they are ([`ByRows::cures`]).
    fn doubts_of_others(&self) -> Vec<(&str, f64)> {
        let all = self.doubts.iter();
        let known = all.map(|(name, points)| match self.refuting {
            Some(one) if one.name == *name => (*name, one.doubt_pt()),
            _ => (*name, *points),
        });
        known.collect()
    }
}

impl ByRows {
    fn verdict(&self, subject: &Subject, around: &Around<'_>, margin_pt: f64) -> RowVerdict {
        let everybody: Vec<&Subject> = around.subjects.iter().collect();
        let knowing = match around.witnesses {
            [] => &everybody,
            witnesses => witnesses,
        };
        let (by_rows, mut misplaced) = self.wrong(subject, knowing, margin_pt);
        let refuting = around.refuting.iter();
        let refuting = refuting.filter(|one| around.witnesses.iter().all(|it| it.name != one.name));
        let others = (around.witnesses.iter().chain(refuting))
            .copied()
            .filter(|one| one.name != subject.name);
        let others: Vec<&Subject> = others.collect();
        let foreign = of_other_kinds(subject, around);
        let doubts = around.doubts_of_others();
        let points = |check: &Option<ProfileCheck>| believed(check.as_ref(), &doubts);
        let much = |check: &Option<ProfileCheck>| points(check)[0] > margin_pt;
        let by_all = beside(subject, &others);
        let by_one = by_one(subject, &others, &foreign, &doubts, margin_pt);
        let shown = beside(subject, &foreign).or_else(|| by_all.clone());
        let condemned = self.is_condemned(by_all.as_ref(), around) || around.refuting.is_some();
        let errs = by_one
            .as_ref()
            .is_some_and(|one| self.is_condemned(Some(one), around) && self.errs_in(subject, one));
        let wrong = (much(&by_all) && condemned) || errs || (by_rows && !self.changed());
        let voided = beside(subject, &with_voided(subject, &foreign, around));
        let doubted = !wrong && self.certified() && much(&voided);
        let shown = match doubted && !much(&shown) {
            true => voided,
            false => shown,
        };
        let contradicted = much(&shown) || by_one.is_some();
        let profile = match (much(&shown), by_one.is_some()) {
            (false, true) => by_one,
            _ => shown,
        };
        if contradicted {
            let [least, most] = points(&profile);
            misplaced = (misplaced.0.max(least), misplaced.1.max(most));
        }
        let certified = self.certified() && !(wrong && self.has_wrong_row());
        let verdict = match (wrong, certified) {
            (true, _) => Verdict::Wrong,
            (false, true) if !contradicted && self.knows(subject, margin_pt) => Verdict::Right,
            (false, _) => Verdict::Undecided,
        };
        RowVerdict {
            certified,
            verdict,
            rows: self.rows.clone(),
            small_pt: self.small_where(wrong),
            row_jvms: self.row_jvms(),
            jvms: self.jvms(knowing, margin_pt),
            misplaced_pt: misplaced,
            accusing_intervals: self.accused.intervals,
            false_alarm: self.accused.false_alarm,
            planted: planted(subject, margin_pt),
            profile,
            change: self.change.clone(),
        }
    }

    /// Whether a wrong row stands beside what profiles say, so that they make the profiler wrong. If that row is so small that the profiler
    /// is certified, one of those who say it must have none: of two that err a little either may be right about the program's own code.
    fn is_condemned(&self, said: Option<&ProfileCheck>, around: &Around<'_>) -> bool {
        let mut faultless = around.faultless.iter();
        let says = |one: &&Subject| said.is_some_and(|said| said.witnesses.contains(&one.name));
        self.has_wrong_row() && (!self.certified() || faultless.any(says))
    }
}

/// Ending of the name of async-profiler in a JVM that started without it.
pub(in crate::dose) const ATTACHED: &str = "+attached";

/// The name of the same profiler in a JVM that keeps source positions of all code: `jfr+nonsafepoints` of `jfr`, `async`, which asks
/// for them when the JVM starts, of `async+attached`.
pub(in crate::dose) fn with_all(name: &str) -> String {
    match name.strip_suffix(ATTACHED) {
        Some(loaded_first) => loaded_first.to_owned(),
        None => format!("{name}{NON_SAFEPOINTS}"),
    }
}

/// JFR in a JVM that keeps source positions only where it needs them, by both samplers.
const WITHOUT_FLAG: [&str; 2] = ["jfr", "jfr-cpu"];

/// The name of the same profiler in a JVM that keeps source positions of all code (`jfr+nonsafepoints` of `jfr`, `async` of
/// `async+attached`), of a profiler that lacks these positions unless the user's command says otherwise; none of any other.
#[must_use]
pub fn lacked_by(name: &str) -> Option<String> {
    let lacks = name.ends_with(ATTACHED) || WITHOUT_FLAG.contains(&name);
    lacks.then(|| with_all(name))
}

/// The kind of a profiler, by its name: `jfr` of `jfr-cpu+nonsafepoints`; a command of the user's is a kind of its own. Profilers of one
/// kind walk stacks by the same code, so that they do not confirm each other.
#[must_use]
pub fn profiler_kind(name: &str) -> &str {
    match name.starts_with("cmd:") {
        true => name.strip_suffix(NON_SAFEPOINTS).unwrap_or(name),
        false => name.split(['+', '-']).next().unwrap_or(name),
    }
}

#[cfg(test)]
mod tests;
