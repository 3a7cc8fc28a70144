//! What a profiler's own rows say: in the mean over JVMs, and in each JVM.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;
use proofmark_rules::DOSE_TOLERANCE_PER_MARGIN;

use super::super::jvms::{Accused, InJvm, JvmWords, over_jvms};
use super::super::matrix::Row;
use super::super::profile::{ProfileChange, ProfileCheck, change};
use super::Subject;
use super::one_row::{is_astray, misplaced_part, of_row};
use super::small::{Known, Sizes};

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
    /// Right ones among the others stand for more of the program's time, by its profile, than those change in it.
    much_decides: bool,
    /// Of each JVM whether it calls every row right that matters.
    right_in: Vec<bool>,
    /// Points that each open or wrong row can misplace at most, if they are too few to leave anything undecided.
    pub(super) small_pt: Vec<Option<f64>>,
    unseen: bool,
}

impl ByRows {
    /// Of one of the profilers, `everybody`, of a test.
    pub(super) fn of(subject: &Subject, everybody: &[&Subject], margin_pt: f64) -> Self {
        let mut sites = Sites::new();
        for row in &subject.rows {
            *sites.entry(row.method.clone()).or_default() += 1.0;
        }
        let said = Said::of(subject, margin_pt);
        let void = changed_rows(subject);
        let sizes = Sizes::of(subject, void.clone(), everybody, margin_pt);
        let small_pt = sizes.small_pt(&known(subject, &said));
        let deciding_pct = sizes.deciding_pct(said.rows.iter().copied());
        let jvms = subject.in_jvms.iter().zip(&said.accused.jvms);
        let right_in = jvms.map(|(rows, words)| right_in(rows, words, &sizes));
        let right_in = right_in.collect();
        Self {
            rows: said.rows,
            change: changed(subject, margin_pt),
            wrong_together: said.wrong_together,
            accused: said.accused,
            sites,
            changed_rows: void,
            much_decides: deciding_pct >= subject.doubt_pt(),
            right_in,
            small_pt,
            unseen: subject.unseen,
        }
    }

    fn is_right(&self, row: usize) -> bool {
        self.rows[row] == Verdict::Right
    }

    /// Whether a row is open or wrong, and too small to matter.
    fn is_small(&self, row: usize) -> bool {
        self.small_pt[row].is_some()
    }

    /// Points that rows which are open or wrong, and small, can misplace at most, beside what sites change in the profile.
    pub(super) fn open_pt(&self) -> f64 {
        self.small_pt.iter().flatten().sum()
    }

    /// Sites of a method: each stands for an equal part of its time.
    fn sites_of(&self, method: &str) -> f64 {
        self.sites.get(method).copied().unwrap_or(1.0)
    }

    /// In how many JVMs each row is right, wrong, or open.
    pub(super) fn row_jvms(&self) -> Vec<JvmWords> {
        row_jvms(&self.accused, self.wrong_together.len())
    }

    /// In how many JVMs its rows alone make it right or wrong.
    pub(super) fn jvms(&self, knowing: &[&Subject], margin_pt: f64) -> JvmWords {
        let all = self.accused.jvms.iter().zip(&self.right_in);
        JvmWords::of(all.map(|(jvm, right)| {
            match self.misplaced(&self.in_jvm(jvm), knowing, margin_pt).0 {
                true => Verdict::Wrong,
                false if *right && !self.unseen => Verdict::Right,
                false => Verdict::Undecided,
            }
        }))
    }

    /// Whether every row is right or too small to matter, a right one decides, such rows stand for much of the time, and none is
    /// missing because it saw nothing.
    pub(super) fn certified(&self) -> bool {
        let mut rows = 0..self.rows.len();
        let decides = rows.clone();
        let decides = decides
            .into_iter()
            .any(|row| self.is_right(row) && !self.changed_rows[row]);
        let right = rows.all(|row| self.is_right(row) || self.is_small(row));
        decides && right && self.much_decides && !self.unseen
    }

    /// Whether a row that decides is wrong, however small it is.
    pub(super) fn has_wrong_row(&self) -> bool {
        self.wrong_rows().next().is_some()
    }

    /// Whether one of them, or where its time is reported in its place, is among the methods that somebody else shows otherwise.
    pub(super) fn errs_in(&self, subject: &Subject, check: &ProfileCheck) -> bool {
        let differs = |name: &String| check.methods.iter().any(|one| one.method == *name);
        self.wrong_rows().any(|row| {
            let row = &subject.rows[row];
            let blamed = row.elsewhere.iter().filter(|(_, part)| part.low > 0.0);
            let blamed = blamed.map(|(name, _)| name);
            blamed.chain([&row.method]).any(differs)
        })
    }

    fn wrong_rows(&self) -> impl Iterator<Item = usize> {
        (0..self.rows.len()).filter(|row| self.is_wrong(*row))
    }

    fn is_wrong(&self, row: usize) -> bool {
        self.rows[row] == Verdict::Wrong && !self.changed_rows[row]
    }

    /// Points that each row can misplace which leaves nothing undecided. Of a profiler that is wrong no wrong row that decides is small,
    /// for it is a part of what makes it so.
    pub(super) fn small_where(&self, is_wrong: bool) -> Vec<Option<f64>> {
        let points = self.small_pt.iter().enumerate();
        points
            .map(|(row, points)| points.filter(|_| !(is_wrong && self.is_wrong(row))))
            .collect()
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

    /// Whether nothing speaks against it, not even a small row, though perhaps no row decides, because sites change its profile: then it
    /// certifies nothing, and what it shows otherwise is a doubt all the same.
    pub(super) fn may_doubt(&self, subject: &Subject, margin_pt: f64) -> bool {
        let (wrong, _) = self.wrong(subject, &[subject], margin_pt);
        let mut rows = 0..self.rows.len();
        let fine = rows
            .clone()
            .all(|row| self.is_right(row) || self.is_small(row));
        let errs = wrong || self.has_wrong_row();
        fine && rows.any(|row| self.is_right(row)) && !self.unseen && !errs
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

    /// Whether these rows, of all JVMs together or of one, make a profiler wrong by the profile of each of those who know shares, and
    /// the points that they misplace, at least and at most.
    fn misplaced(
        &self,
        rows: &[(&Row, Verdict)],
        knowing: &[&Subject],
        margin_pt: f64,
    ) -> (bool, (f64, f64)) {
        let by = |one: &&Subject| self.misplaced_by(rows, one, margin_pt);
        let all = knowing.iter().map(by).reduce(|all, one| {
            let points = (all.1.0.min(one.1.0), all.1.1.max(one.1.1));
            (all.0 && one.0, points)
        });
        all.unwrap_or_default()
    }

    /// The same by one profile, which is believed as a whole: what it shows of one method it does not show of another.
    fn misplaced_by(
        &self,
        rows: &[(&Row, Verdict)],
        knowing: &Subject,
        margin_pt: f64,
    ) -> (bool, (f64, f64)) {
        let mut points = (0.0, 0.0);
        let mut wrong = false;
        for (row, verdict) in rows {
            let (least, most) = share(&row.method, knowing);
            let (near, far) = misplaced_part(row);
            // Also where a JVM lacks the row of another one.
            let sites = self.sites_of(&row.method);
            points.0 += 100.0 * least * near / sites;
            points.1 += 100.0 * most * far / sites;
            wrong |= *verdict == Verdict::Wrong && 100.0 * least >= margin_pt;
        }
        let points = (f64::min(points.0, 100.0), f64::min(points.1, 100.0));
        (wrong || points.0 > margin_pt, points)
    }
}

/// What a profiler's rows say, each by itself.
struct Said {
    accused: Accused,
    wrong_together: Vec<bool>,
    rows: Vec<Verdict>,
}

impl Said {
    fn of(subject: &Subject, margin_pt: f64) -> Self {
        let tolerance = DOSE_TOLERANCE_PER_MARGIN * margin_pt / 100.0;
        let accused = Accused::of(&subject.rows, &subject.in_jvms, &subject.earlier, tolerance);
        let together = accused.together.iter();
        let wrong_together: Vec<bool> = together
            .map(|row| of_row(row, tolerance) == Verdict::Wrong)
            .collect();
        let words = row_jvms(&accused, wrong_together.len());
        let over = wrong_together.iter().zip(words).zip(&subject.rows);
        let rows = over.map(|((wrong, words), row)| {
            let (mean, astray) = (of_row(row, tolerance), is_astray(row, tolerance));
            over_jvms(*wrong, mean, astray, words)
        });
        Self {
            rows: rows.collect(),
            accused,
            wrong_together,
        }
    }
}

fn row_jvms(accused: &Accused, rows: usize) -> Vec<JvmWords> {
    let word = |row: usize| {
        let all = accused.jvms.iter();
        JvmWords::of(all.filter_map(move |jvm| Some(jvm.get(row)?.as_ref()?.word)))
    };
    (0..rows).map(word).collect()
}

/// The rows of a profiler that decide, each by its method, with its verdict.
pub(super) fn decided(subject: &Subject, margin_pt: f64) -> Vec<(&str, Verdict)> {
    let verdicts = Said::of(subject, margin_pt).rows;
    let rows = subject.rows.iter().zip(verdicts).zip(changed_rows(subject));
    let rows = rows.filter(|(_, changed)| !changed);
    rows.map(|((row, verdict), _)| (row.method.as_str(), verdict))
        .collect()
}

/// What is known of each row of a profiler: over all JVMs and, where a JVM by itself calls it wrong, in that one.
fn known<'r>(subject: &'r Subject, said: &Said) -> Vec<Known<'r>> {
    let rows = subject.rows.iter().zip(&said.rows).enumerate();
    rows.map(|(at, (row, verdict))| {
        let jvms = subject.in_jvms.iter().zip(&said.accused.jvms);
        let wrong = jvms.filter_map(|(rows, words)| {
            let word = words.get(at)?.as_ref()?.word;
            rows.get(at)?.as_ref().filter(|_| word == Verdict::Wrong)
        });
        let all: Vec<&'r Row> = std::iter::once(row).chain(wrong).collect();
        (all, *verdict)
    })
    .collect()
}

/// Whether a JVM, by its own windows, calls every row right, but for what is open or wrong and too small to matter; a right one decides.
/// Of a row that it lacks it says nothing.
fn right_in(rows: &[Option<Row>], said: &[Option<InJvm>], sizes: &Sizes) -> bool {
    let word = |one: &Option<InJvm>| one.as_ref().map_or(Verdict::Undecided, |one| one.word);
    let words: Vec<Verdict> = said.iter().map(word).collect();
    let known = rows.iter().zip(&words);
    let known = known.map(|(row, word)| (row.iter().collect::<Vec<&Row>>(), *word));
    let known: Vec<Known<'_>> = known.collect();
    let small = sizes.small_pt(&known);
    let right = |word: &Verdict| *word == Verdict::Right;
    let mut all = words.iter().zip(small);
    let mut deciding = words.iter().zip(&sizes.changed);
    deciding.any(|(word, changed)| right(word) && !changed)
        && all.all(|(word, small)| right(word) || small.is_some())
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
    let with_sites = subject.looks.last()?;
    change(&subject.as_it_is, with_sites, subject.rest_cost?, margin_pt)
}

/// Least and greatest share of a method, 0 to 1, that a profiler's interval allows.
fn share(method: &str, knowing: &Subject) -> (f64, f64) {
    let share = knowing.shares_pct.get(method);
    share.map_or((0.0, 0.0), |share| {
        (share.low.max(0.0) / 100.0, share.high / 100.0)
    })
}
