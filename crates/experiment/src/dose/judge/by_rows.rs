//! What a profiler's own rows say: in the mean over JVMs, and in each JVM.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;
use proofmark_rules::DOSE_TOLERANCE_PER_MARGIN;
use proofmark_stats::Estimate;

use super::super::LineVerdict;
use super::super::jvms::{Accused, InJvm, JvmWords, over_jvms};
use super::super::matrix::Row;
use super::super::profile::{ProfileChange, change};
use super::Subject;

/// Number of sites, by their method.
type Sites = BTreeMap<String, f64>;

/// What a profiler's own rows and profiles say.
pub(super) struct ByRows {
    /// Of each row, over all JVMs.
    pub(super) rows: Vec<Verdict>,
    /// What sites change in its profile.
    pub(super) change: Option<ProfileChange>,
    /// As they accuse it: of each JVM, and of all together.
    pub(super) accused: Accused,
    /// Whether all JVMs together call each row wrong.
    wrong_together: Vec<bool>,
    /// Sites of each method that have a row; a JVM may lack some of them.
    sites: Sites,
    /// Rows that do not decide: their sites make another program of it.
    changed_rows: Vec<bool>,
    unseen: bool,
}

impl ByRows {
    pub(super) fn of(subject: &Subject, margin_pt: f64) -> Self {
        let tolerance = DOSE_TOLERANCE_PER_MARGIN * margin_pt / 100.0;
        let mut sites = Sites::new();
        for row in &subject.rows {
            *sites.entry(row.method.clone()).or_default() += 1.0;
        }
        let accused = Accused::of(&subject.rows, &subject.in_jvms, tolerance);
        let together = accused.together.iter();
        let mut found = Self {
            rows: Vec::new(),
            change: changed(subject, margin_pt),
            wrong_together: together
                .map(|row| of_row(row, tolerance) == Verdict::Wrong)
                .collect(),
            accused,
            sites,
            changed_rows: changed_rows(subject),
            unseen: subject.unseen,
        };
        let over = found.wrong_together.iter().zip(found.row_jvms());
        let over = over.zip(&subject.rows);
        let verdict = |((accused, words), row): ((&bool, JvmWords), &Row)| {
            over_jvms(*accused, of_row(row, tolerance), words)
        };
        found.rows = over.map(verdict).collect();
        found
    }

    /// In how many JVMs each row is right, wrong, or open.
    pub(super) fn row_jvms(&self) -> Vec<JvmWords> {
        let word = |row: usize| {
            let all = self.accused.jvms.iter();
            let all = all.filter_map(move |jvm| Some(jvm.get(row)?.as_ref()?.word));
            JvmWords::of(all)
        };
        (0..self.wrong_together.len()).map(word).collect()
    }

    /// In how many JVMs its rows alone make it right or wrong. One that lacks a row cannot call it right.
    pub(super) fn jvms(&self, knowing: &[&Subject], margin_pt: f64) -> JvmWords {
        let right = |one: &Option<InJvm>| matches!(one, Some(one) if one.word == Verdict::Right);
        JvmWords::of(self.accused.jvms.iter().map(|jvm| {
            let all_right = !jvm.is_empty() && jvm.iter().all(right);
            match self.misplaced(&self.in_jvm(jvm), knowing, margin_pt).0 {
                true => Verdict::Wrong,
                false if all_right && !self.unseen => Verdict::Right,
                false => Verdict::Undecided,
            }
        }))
    }

    /// Whether every row is right, one of them decides, and none is missing because it saw nothing.
    pub(super) fn certified(&self) -> bool {
        let right = self.rows.iter().all(|row| *row == Verdict::Right);
        let decides = self.changed_rows.contains(&false);
        decides && right && !self.unseen
    }

    /// Whether sites make another program of it.
    pub(super) fn changed(&self) -> bool {
        self.change.as_ref().is_some_and(|one| one.voids_rows)
    }

    /// Whether it may be a witness, by its own rows, shares and profiles.
    pub(super) fn knows(&self, subject: &Subject, margin_pt: f64) -> bool {
        self.sees_all(subject, margin_pt) && !self.changed()
    }

    /// Whether its own rows and shares say nothing against it.
    pub(super) fn sees_all(&self, subject: &Subject, margin_pt: f64) -> bool {
        let (wrong, _) = self.wrong(subject, &[subject], margin_pt);
        self.certified() && !wrong
    }

    /// Whether it may speak against the same profiler with less debug information: no row speaks against itself. Rows that
    /// are open do not matter, for more records can only tell more exactly where a sample was taken; what sites change
    /// neither, for both are compared without sites too.
    pub(super) fn cures(&self) -> bool {
        !self.rows.is_empty() && !self.unseen && !self.rows.contains(&Verdict::Wrong)
    }

    /// The rows of a JVM that decide, with their words.
    fn in_jvm<'j>(&self, jvm: &'j [Option<InJvm>]) -> Vec<(&'j Row, Verdict)> {
        let known = jvm.iter().zip(&self.changed_rows);
        let known = known.filter_map(|(one, changed)| one.as_ref().filter(|_| !changed));
        known.map(|one| (&one.row, one.word)).collect()
    }

    /// Those of rows that decide, each with a verdict.
    fn deciding<'j>(
        &self,
        rows: &'j [Row],
        verdicts: impl Iterator<Item = Verdict>,
    ) -> Vec<(&'j Row, Verdict)> {
        let all = rows.iter().zip(verdicts).zip(&self.changed_rows);
        all.filter(|(_, changed)| !**changed)
            .map(|(row, _)| row)
            .collect()
    }

    /// Whether rows alone make it wrong, in all JVMs together or in one of them; and the points that they misplace, at
    /// least and at most: in all together, or in the JVM that certainly misplaces more.
    pub(super) fn wrong(
        &self,
        subject: &Subject,
        knowing: &[&Subject],
        margin_pt: f64,
    ) -> (bool, (f64, f64)) {
        let word = |wrong: &bool| match wrong {
            true => Verdict::Wrong,
            false => Verdict::Undecided,
        };
        let words = self.wrong_together.iter().map(word);
        let together = self.deciding(&self.accused.together, words);
        let mean = self.deciding(&subject.rows, std::iter::repeat(Verdict::Undecided));
        let (_, (_, most)) = self.misplaced(&mean, knowing, margin_pt);
        let (wrong, points) = self.misplaced(&together, knowing, margin_pt);
        let jvms = &self.accused.jvms;
        let several = jvms.iter().filter(|_| jvms.len() > 1);
        let each = several.map(|jvm| self.misplaced(&self.in_jvm(jvm), knowing, margin_pt));
        // Other JVMs may misplace more than these.
        let all = (wrong, (points.0, points.1.max(most)));
        each.fold(all, |worst, one| {
            let points = if one.1.0 > worst.1.0 { one.1 } else { worst.1 };
            (worst.0 || one.0, points)
        })
    }

    /// Whether these rows, of all JVMs together or of one, make a profiler wrong, and the points that they misplace, at least and at
    /// most.
    fn misplaced(
        &self,
        rows: &[(&Row, Verdict)],
        knowing: &[&Subject],
        margin_pt: f64,
    ) -> (bool, (f64, f64)) {
        let mut points = (0.0, 0.0);
        let mut wrong = false;
        for (row, verdict) in rows {
            let (least, most) = share(&row.method, knowing);
            let (near, far) = misplaced_part(row);
            // Each of a method's sites stands for an equal part of its time, also where a JVM lacks the row of another one.
            let sites = self.sites.get(&row.method).copied().unwrap_or(1.0);
            points.0 += 100.0 * least * near / sites;
            points.1 += 100.0 * most * far / sites;
            wrong |= *verdict == Verdict::Wrong && 100.0 * least >= margin_pt;
        }
        let points = (f64::min(points.0, 100.0), f64::min(points.1, 100.0));
        (wrong || points.0 > margin_pt, points)
    }
}

/// Which rows do not decide.
fn changed_rows(subject: &Subject) -> Vec<bool> {
    let changed = |row: usize| {
        let change = subject.changes.get(row).and_then(Option::as_ref);
        change.is_some_and(|one| one.voids_rows)
    };
    (0..subject.rows.len()).map(changed).collect()
}

fn changed(subject: &Subject, margin_pt: f64) -> Option<ProfileChange> {
    match (subject.looks.as_slice(), subject.rest_cost) {
        ([as_it_is, with_sites], Some(cost)) => change(as_it_is, with_sites, cost, margin_pt),
        _ => None,
    }
}

/// The verdict on a row by its intervals.
pub(in crate::dose) fn of_row(row: &Row, tolerance: f64) -> Verdict {
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
