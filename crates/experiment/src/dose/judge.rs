//! Verdicts: per row, per profiler.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;
use proofmark_rules::DOSE_TOLERANCE_PER_MARGIN;
use proofmark_stats::Estimate;

use super::LineVerdict;
use super::advice::WITH_FLAG;
use super::matrix::Row;
use super::profile::{JavaShares, ProfileChange, ProfileCheck, change, compare};

/// A profiler's matrix and its profiles.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// Name, for example `jfr`.
    pub name: String,
    /// The rows; their verdicts come in the same order.
    pub rows: Vec<Row>,
    /// Share of each method with all sites at rest, %.
    pub shares_pct: BTreeMap<String, Estimate>,
    /// Its profiles without a dose, one for each time that the program was looked at; of all subjects in the same order.
    pub looks: Vec<JavaShares>,
    /// It took no sample while time was added at a site, which has no row therefore.
    pub unseen: bool,
    /// What the time of all sites at rest may be, as a part of the program's; the second profile is the one with sites.
    /// None where nothing was put into the program.
    pub rest_cost: Option<f64>,
}

/// What is said of a profiler.
#[derive(Clone, Debug, PartialEq)]
pub struct RowVerdict {
    /// Every row is right.
    pub certified: bool,
    /// The verdict.
    pub verdict: Verdict,
    /// Verdicts of the rows.
    pub rows: Vec<Verdict>,
    /// Points of share that are misplaced, from and to: shares and parts have their intervals.
    pub misplaced_pt: (f64, f64),
    /// What its profiles say against it, beside those of witnesses.
    pub profile: Option<ProfileCheck>,
    /// What sites change in its profile.
    pub change: Option<ProfileChange>,
}

/// Judges profilers of one program. A row is right if the interval of its part in place lies within 100 % plus and minus
/// twice the margin (10 at the usual 5), wrong if it lies wholly outside; wrong also if so much of the added time for
/// certain left no sample. A profiler is certified if all rows are right, and it saw every site; it
/// is wrong if a wrong row's method has at least the margin's share, or if the misplaced points lie above the margin in
/// any case. Shares are those of witnesses; if there is none, the least and the greatest that a profiler reports.
///
/// A *witness* is a profiler that is certified and not wrong, and whose own profile sites do not change: rows speak of the
/// program with sites. Where a profiler's profile of it differs from that of the program as it is by more than the margin,
/// beyond the time of the sites ([`change`]), its rows alone neither certify nor condemn it.
///
/// Profiles that misplace more than the margin beside those of all witnesses ([`compare`]) make a profiler wrong if a row
/// of it is wrong too, or if it is *refuted*: the same profiler with more debug information, which then makes the
/// difference, shows the program so differently, has no wrong row, and is contradicted by nobody else who is certified.
/// Else it is undecided: either of them may be wrong about the program's own code. It is undecided too if all certified
/// profilers of another kind contradict it, although one of its own kind, such as `jfr` and `jfr+nonsafepoints`, agrees with it.
#[must_use]
pub fn judge(subjects: &[Subject], margin_pt: f64) -> Vec<RowVerdict> {
    let tolerance = DOSE_TOLERANCE_PER_MARGIN * margin_pt / 100.0;
    let by_rows: Vec<ByRows> = subjects
        .iter()
        .map(|subject| ByRows {
            rows: subject
                .rows
                .iter()
                .map(|row| of_row(row, tolerance))
                .collect(),
            unseen: subject.unseen,
            change: changed(subject, margin_pt),
        })
        .collect();
    let all = subjects.iter().zip(&by_rows);
    let knowing = all.filter(|(subject, of)| of.knows(subject, margin_pt));
    let knowing: Vec<&Subject> = knowing.map(|(subject, _)| subject).collect();
    let all = subjects.iter().zip(&by_rows);
    let curing = all.filter(|(_, of)| of.cures());
    let curing: Vec<&Subject> = curing.map(|(subject, _)| subject).collect();
    let refuting = |one: &Subject| refuting(one, &curing, &knowing, margin_pt);
    // One that has itself with more debug information against it is no witness for others.
    let witnesses = knowing
        .iter()
        .copied()
        .filter(|one| refuting(one).is_none());
    let witnesses: Vec<&Subject> = witnesses.collect();
    let all = subjects.iter().zip(&by_rows);
    let doubting = all.filter(|(subject, of)| of.sees_all(subject, margin_pt));
    let doubting = doubting.map(|(subject, _)| subject);
    let doubting: Vec<&Subject> = doubting.filter(|one| refuting(one).is_none()).collect();
    let all = subjects.iter().zip(&by_rows);
    all.map(|(subject, of)| {
        let around = Around {
            subjects,
            witnesses: &witnesses,
            doubting: &doubting,
            refuting: refuting(subject),
        };
        of.verdict(subject, &around, margin_pt)
    })
    .collect()
}

/// What a profiler is judged beside.
struct Around<'a> {
    subjects: &'a [Subject],
    witnesses: &'a [&'a Subject],
    /// Witnesses, and those that would be if sites did not change the program for them.
    doubting: &'a [&'a Subject],
    /// The same profiler with more debug information, if it speaks against it.
    refuting: Option<&'a Subject>,
}

/// What a profiler's own rows and profiles say.
struct ByRows {
    rows: Vec<Verdict>,
    unseen: bool,
    change: Option<ProfileChange>,
}

impl ByRows {
    fn certified(&self) -> bool {
        let right = self.rows.iter().all(|row| *row == Verdict::Right);
        !self.rows.is_empty() && right && !self.unseen
    }

    /// Whether sites make another program of it.
    fn changed(&self) -> bool {
        self.change.as_ref().is_some_and(|one| one.voids_rows)
    }

    /// Whether it may be a witness, by its own rows, shares and profiles.
    fn knows(&self, subject: &Subject, margin_pt: f64) -> bool {
        self.sees_all(subject, margin_pt) && !self.changed()
    }

    /// Whether its own rows and shares say nothing against it.
    fn sees_all(&self, subject: &Subject, margin_pt: f64) -> bool {
        let (wrong, _) = self.wrong(subject, &[subject], margin_pt);
        self.certified() && !wrong
    }

    /// Whether it may speak against the same profiler with less debug information: no row speaks against itself. Rows that
    /// are open do not matter, for more records can only tell more exactly where a sample was taken; what sites change
    /// neither, for both are compared without sites too.
    fn cures(&self) -> bool {
        !self.rows.is_empty() && !self.unseen && !self.rows.contains(&Verdict::Wrong)
    }

    /// Whether rows alone make it wrong, and the points that they misplace, at least and at most.
    fn wrong(&self, subject: &Subject, knowing: &[&Subject], margin_pt: f64) -> (bool, (f64, f64)) {
        let mut misplaced = (0.0, 0.0);
        let mut wrong = false;
        for (row, verdict) in subject.rows.iter().zip(&self.rows) {
            let (least, most) = share(&row.method, knowing);
            let (near, far) = misplaced_part(row);
            // Each of a method's sites stands for an equal part of its time.
            let sites = subject.rows.iter().filter(|one| one.method == row.method);
            let sites = sites.count() as f64;
            misplaced.0 += 100.0 * least * near / sites;
            misplaced.1 += 100.0 * most * far / sites;
            wrong |= *verdict == Verdict::Wrong && 100.0 * least >= margin_pt;
        }
        let misplaced = (f64::min(misplaced.0, 100.0), f64::min(misplaced.1, 100.0));
        (wrong || misplaced.0 > margin_pt, misplaced)
    }

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
        let by_all = beside(subject, &others);
        let profile = beside(subject, &of_other_kinds(subject, around)).or_else(|| by_all.clone());
        let points =
            |check: &Option<ProfileCheck>| check.as_ref().map_or([0.0; 2], |one| one.misplaced_pt);
        let shown = points(&profile);
        let contradicted = shown[0] > margin_pt;
        let by_everybody = points(&by_all)[0] > margin_pt;
        let condemned = self.rows.contains(&Verdict::Wrong) || around.refuting.is_some();
        let wrong = match by_everybody && condemned {
            true => true,
            false => by_rows && !self.changed(),
        };
        if contradicted {
            misplaced = (misplaced.0.max(shown[0]), misplaced.1.max(shown[1]));
        }
        let certified = self.certified();
        let verdict = match (wrong, certified) {
            (true, _) => Verdict::Wrong,
            (false, true) if !contradicted && self.knows(subject, margin_pt) => Verdict::Right,
            (false, _) => Verdict::Undecided,
        };
        RowVerdict {
            certified,
            verdict,
            rows: self.rows.clone(),
            misplaced_pt: misplaced,
            profile,
            change: self.change.clone(),
        }
    }
}

/// What the profiles of others say against a profiler's.
fn beside(subject: &Subject, others: &[&Subject]) -> Option<ProfileCheck> {
    let others: Vec<(&str, &[JavaShares])> = (others.iter())
        .map(|one| (one.name.as_str(), one.looks.as_slice()))
        .collect();
    compare(&subject.looks, &others)
}

/// Certified profilers of another kind than the profiler's, and the one that refutes it. Two profilers of one kind walk
/// stacks and read debug information by the same code: that they agree says nothing. One for which sites change the program
/// is no witness, but what it shows otherwise with sites and without is a doubt.
fn of_other_kinds<'a>(subject: &Subject, around: &Around<'a>) -> Vec<&'a Subject> {
    let foreign = around.doubting.iter().copied();
    let foreign = foreign.filter(|one| kind(&one.name) != kind(&subject.name));
    let mut others: Vec<&Subject> = foreign.collect();
    if let (false, Some(one)) = (others.is_empty(), around.refuting) {
        others.push(one);
    }
    others
}

/// `jfr` of `jfr-cpu+nonsafepoints`; a command of the user's is a kind of its own.
fn kind(name: &str) -> &str {
    match name.starts_with("cmd:") {
        true => name.strip_suffix(WITH_FLAG).unwrap_or(name),
        false => name.split(['+', '-']).next().unwrap_or(name),
    }
}

/// The same profiler with more debug information, one of `curing`, if it shows the program so differently; unless
/// somebody else who knows contradicts that one.
fn refuting<'a>(
    subject: &Subject,
    curing: &[&'a Subject],
    knowing: &[&Subject],
    margin_pt: f64,
) -> Option<&'a Subject> {
    let apart = |one: &Subject, other: &Subject| {
        let check = compare(&one.looks, &[(&other.name, &other.looks)]);
        check.is_some_and(|check| check.misplaced_pt[0] > margin_pt)
    };
    let cured = format!("{}{WITH_FLAG}", subject.name);
    let cured = curing.iter().copied().find(|one| one.name == cured)?;
    let mut others = knowing
        .iter()
        .filter(|one| one.name != subject.name && one.name != cured.name);
    (apart(subject, cured) && !others.any(|one| apart(cured, one))).then_some(cured)
}

fn changed(subject: &Subject, margin_pt: f64) -> Option<ProfileChange> {
    match (subject.looks.as_slice(), subject.rest_cost) {
        ([as_it_is, with_sites], Some(cost)) => change(as_it_is, with_sites, cost, margin_pt),
        _ => None,
    }
}

fn of_row(row: &Row, tolerance: f64) -> Verdict {
    let dropped = |missing: &Estimate| missing.low > tolerance;
    match row.missing.as_ref().is_some_and(dropped) {
        true => Verdict::Wrong,
        false => of_part(&row.in_place, tolerance),
    }
}

fn of_part(part: &Estimate, tolerance: f64) -> Verdict {
    let (least, most) = (1.0 - tolerance, 1.0 + tolerance);
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
    match of_part(part, DOSE_TOLERANCE_PER_MARGIN * margin_pt / 100.0) {
        Verdict::Right => LineVerdict::Right,
        Verdict::Wrong => LineVerdict::Wrong,
        Verdict::Undecided => LineVerdict::Undecided,
    }
}

/// Least and greatest part of a row that is not where it belongs: in another place, or nowhere.
fn misplaced_part(row: &Row) -> (f64, f64) {
    let (near, far) = from(1.0, &row.in_place);
    // More samples than before say that some were lost without the dose.
    let missing = row.missing.as_ref().filter(|missing| missing.low > 0.0);
    match missing.map(|missing| from(0.0, missing)) {
        // What may be missing is known less well than what is in place: it counts where it is for certain.
        Some((least, most)) if least > 0.0 => (near.max(least), far.max(most)),
        _ => (near, far),
    }
}

/// Least and greatest distance from a value that the interval allows.
fn from(value: f64, part: &Estimate) -> (f64, f64) {
    let (low, high) = (part.low - value, part.high - value);
    let near = if low <= 0.0 && high >= 0.0 {
        0.0
    } else {
        low.abs().min(high.abs())
    };
    (near, low.abs().max(high.abs()))
}

/// Least and greatest share of a method, 0 to 1, that the intervals of those who know it allow.
fn share(method: &str, knowing: &[&Subject]) -> (f64, f64) {
    let shares = knowing.iter().map(|subject| {
        let share = subject.shares_pct.get(method);
        share.map_or((0.0, 0.0), |share| (share.low / 100.0, share.high / 100.0))
    });
    shares.fold((f64::INFINITY, 0.0), |(least, most), share| {
        (share.0.max(0.0).min(least), share.1.max(most))
    })
}

#[cfg(test)]
mod tests;
