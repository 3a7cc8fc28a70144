//! The word of every JVM: what a profiler reports depends on what the JVM compiled, so that a row may be right in one JVM and
//! wrong in the next.
//!
//! The mean over JVMs hides that, and with two or three of them its interval holds everything. So each JVM is judged by its own
//! windows too, and so are all that were asked together. Intervals that accuse are so wide that all of them, of a profiler's rows
//! and JVMs, hold the truth in 95 of 100 tests ([`accusing`](super::accusing)).

use proofmark_assess::Verdict;
use proofmark_stats::Confidence;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::accusing::Levels;
use super::judge::of_row;
use super::matrix::{Row, false_alarm, missing_alarm};
use super::runs::of_these;
use super::scatter::{Known, alike};

/// In how many JVMs something is right, wrong, or not decided. All are 0 where JVMs are not told apart: native programs, doses in
/// blocks, and documents of earlier versions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JvmWords {
    /// JVMs in which it is right.
    pub right: usize,
    /// JVMs in which it is wrong for certain, also after allowing for the number of JVMs and rows.
    pub wrong: usize,
    /// JVMs in which the interval does not say.
    pub undecided: usize,
}

impl JvmWords {
    /// Counts the words of JVMs.
    #[must_use]
    pub fn of(words: impl IntoIterator<Item = Verdict>) -> Self {
        let mut all = Self::default();
        for word in words {
            match word {
                Verdict::Right => all.right += 1,
                Verdict::Wrong => all.wrong += 1,
                Verdict::Undecided => all.undecided += 1,
            }
        }
        all
    }

    /// JVMs that have a word.
    #[must_use]
    pub fn total(self) -> usize {
        self.right + self.wrong + self.undecided
    }

    /// Whether it is right in one JVM and wrong in another, for certain: it depends on what the JVM compiled.
    #[must_use]
    pub fn differ(self) -> bool {
        self.right > 0 && self.wrong > 0
    }
}

/// Intervals that can call a row wrong: that of what is in place, and that of what left no sample, where it is known.
fn intervals(row: &Row) -> usize {
    1 + usize::from(row.missing.is_some())
}

/// What an earlier look at fewer of the same JVMs could have said against a profiler.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct EarlierLook {
    /// Intervals that could have called it wrong.
    pub intervals: usize,
    /// Probability that any of them would have called a profiler wrong that is exactly right, at most.
    pub false_alarm: f64,
}

/// A profiler's rows as they accuse it.
#[derive(Debug, Clone)]
pub(super) struct Accused {
    /// Of each JVM, where JVMs are told apart.
    pub(super) jvms: Vec<Vec<Option<InJvm>>>,
    /// Of all JVMs that were asked together, with the intervals that accuse; the row itself where there is one JVM, or none is
    /// told apart.
    pub(super) together: Vec<Row>,
    /// How many intervals accuse, those of an earlier look among them.
    pub(super) intervals: usize,
    /// Probability that any of them would call a profiler wrong that is exactly right, at most.
    pub(super) false_alarm: f64,
}

impl Accused {
    /// By its rows over JVMs, and those of each JVM; `earlier`: what was looked at before there were so many JVMs.
    ///
    /// # Accuracy
    /// Bonferroni, over all intervals that accuse, with [weights](Levels): they hold the truth together in 95 of 100 tests. A profiler
    /// that is nowhere further off than the tolerance is called wrong less often, because only one end of each can do that. So
    /// this holds where it was looked at twice too, each time with as many intervals as there were then.
    pub(super) fn of(
        rows: &[Row],
        jvms: &[Vec<Option<Row>>],
        earlier: &EarlierLook,
        tolerance: f64,
    ) -> Self {
        let each = in_each(jvms);
        let of_all = |at: usize| match each.as_slice() {
            [] | [_] => None,
            several => Accusing::together(several, at),
        };
        let together = rows.iter().enumerate();
        let together = together.map(|(at, row)| of_all(at).unwrap_or_else(|| Accusing::of(row)));
        let together: Vec<Accusing> = together.collect();
        let several = each.iter().filter(|_| each.len() > 1);
        let alone: Vec<&Accusing> = several.flatten().flatten().collect();
        let count = |some: &[&Accusing]| some.iter().map(|one| intervals(&one.row)).sum::<usize>();
        let all: Vec<&Accusing> = together.iter().collect();
        let counts = [count(&all), count(&alone)];
        let levels = Levels::of(counts, earlier.intervals);
        let alarms = |some: &[&Accusing], confidence| -> f64 {
            let some = some.iter();
            some.map(|one| one.false_alarm(confidence, tolerance)).sum()
        };
        let alarms = alarms(&all, levels.together) + alarms(&alone, levels.each);
        let in_each = match each.len() > 1 {
            true => levels.each,
            false => levels.together,
        };
        Self {
            false_alarm: (earlier.false_alarm + alarms).min(1.0),
            jvms: told_apart(&each, in_each, tolerance),
            together: together
                .iter()
                .map(|one| one.with(levels.together))
                .collect(),
            intervals: counts.iter().sum::<usize>() + earlier.intervals,
        }
    }
}

/// A row, and what windows know of its part in place, if that is not what its interval says.
struct Accusing {
    row: Row,
    in_place: Option<Known>,
}

impl Accusing {
    /// By its own intervals.
    fn of(row: &Row) -> Self {
        Self {
            row: row.clone(),
            in_place: None,
        }
    }

    /// A row over all JVMs that have it.
    fn together(jvms: &[Vec<Option<Self>>], at: usize) -> Option<Self> {
        let all = jvms.iter().filter_map(|rows| rows.get(at)?.as_ref());
        let rows: Vec<Row> = all.clone().map(|one| one.row.clone()).collect();
        let known: Vec<Known> = all.filter_map(|one| one.in_place).collect();
        Some(Self {
            row: of_these(&rows)?,
            in_place: Known::mean(&known),
        })
    }

    /// With intervals of this confidence.
    fn with(&self, confidence: Confidence) -> Row {
        let row = self.row.with(confidence);
        let in_place = self.in_place.map(|known| known.at(confidence));
        Row {
            in_place: in_place.unwrap_or(row.in_place),
            ..row
        }
    }

    /// As [`false_alarm`] of a row.
    fn false_alarm(&self, confidence: Confidence, tolerance: f64) -> f64 {
        match &self.in_place {
            Some(known) => {
                known.false_alarm(confidence, tolerance)
                    + missing_alarm(&self.row, confidence, tolerance)
            }
            None => false_alarm(&self.row, confidence, tolerance),
        }
    }
}

/// The rows of each JVM, by what all of them say of the scatter of windows.
fn in_each(jvms: &[Vec<Option<Row>>]) -> Vec<Vec<Option<Accusing>>> {
    let of_jvm = |(rows, known): (&Vec<Option<Row>>, Vec<Option<Known>>)| {
        let all = rows.iter().zip(known);
        all.map(|(row, in_place)| {
            let row = row.clone()?;
            Some(Accusing { row, in_place })
        })
        .collect()
    };
    jvms.iter().zip(alike(jvms)).map(of_jvm).collect()
}

/// A row in one JVM.
#[derive(Debug, Clone)]
pub(super) struct InJvm {
    /// With the intervals that accuse.
    pub(super) row: Row,
    /// Right by its 95 % interval, wrong by the one that accuses.
    pub(super) word: Verdict,
}

/// The word of every JVM on each of its rows. Right needs no correction: a row is right only if all JVMs say so.
fn told_apart(
    jvms: &[Vec<Option<Accusing>>],
    confidence: Confidence,
    tolerance: f64,
) -> Vec<Vec<Option<InJvm>>> {
    let word = |one: &Accusing| {
        let accused = one.with(confidence);
        let word = match (of_row(&accused, tolerance), of_row(&one.row, tolerance)) {
            (Verdict::Wrong, _) => Verdict::Wrong,
            (_, Verdict::Right) => Verdict::Right,
            _ => Verdict::Undecided,
        };
        InJvm { row: accused, word }
    };
    let all = jvms.iter();
    all.map(|rows| rows.iter().map(|row| row.as_ref().map(word)).collect())
        .collect()
}

/// The verdict on a row. `accused`: all JVMs together call it wrong; `mean`: what the 95 % interval of its mean says; `astray`: in
/// the mean too much of it is elsewhere for certain.
///
/// Wrong in one JVM for certain is wrong, and so is wrong in all together: samples that are missing may be certain then only.
/// Right in all JVMs is right, and so is a right mean where no JVM is wrong; not where the mean is outside, if not for certain, nor
/// where all JVMs together find too much of it elsewhere.
pub(super) fn over_jvms(accused: bool, mean: Verdict, astray: bool, words: JvmWords) -> Verdict {
    if words.wrong > 0 || accused {
        Verdict::Wrong
    } else if mean == Verdict::Wrong || astray {
        Verdict::Undecided
    } else if words.total() > 1 && words.undecided == 0 {
        Verdict::Right
    } else {
        mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofmark_rules::DOSE_ACCUSED_MISS;
    use proofmark_stats::{Estimate, t_quantile};

    #[test]
    fn words_are_counted() {
        use Verdict::{Right, Undecided, Wrong};
        let words = JvmWords::of([Right, Wrong, Right, Undecided]);
        assert_eq!((words.right, words.wrong, words.undecided), (2, 1, 1));
        assert!(words.differ() && words.total() == 4);
    }

    #[test]
    fn a_row_over_jvms_is_right_only_where_none_is_wrong() {
        use Verdict::{Right, Undecided, Wrong};
        for (accused, mean, words, expected) in [
            (false, Undecided, vec![Right, Wrong, Right], Wrong),
            (false, Undecided, vec![Right, Right, Right], Right),
            (false, Right, vec![Right, Undecided, Right], Right),
            (false, Undecided, vec![Right, Undecided, Right], Undecided),
            (true, Wrong, vec![Undecided, Undecided], Wrong),
            // Each finds its part in place, and all together know that samples are missing.
            (true, Wrong, vec![Right, Right, Right], Wrong),
            // The mean is outside, but not for certain among so many intervals.
            (false, Wrong, vec![Right, Right, Right], Undecided),
            (false, Right, vec![Wrong, Undecided], Wrong),
            // One JVM: the row itself.
            (false, Undecided, vec![Undecided], Undecided),
            (false, Wrong, vec![Undecided], Undecided),
            (true, Wrong, vec![Wrong], Wrong),
            (false, Right, Vec::new(), Right),
        ] {
            let said = over_jvms(accused, mean, false, JvmWords::of(words.clone()));
            assert_eq!(said, expected, "{accused} {mean} {words:?}");
        }
        // Together they know that too much is elsewhere, which no JVM knows by itself.
        let astray = over_jvms(false, Undecided, true, JvmWords::of([Right, Right, Right]));
        assert_eq!(astray, Undecided);
    }

    fn row(missing: Option<f64>) -> Row {
        Row {
            missing: missing.map(|value| Estimate::around(value, 0.02, 900)),
            ..crate::dose::tests::row(1.0, 0.02, 5.0)
        }
    }

    /// Two rows, of which one knows what is missing: three intervals in a JVM, as many again of all JVMs together.
    #[test]
    fn every_interval_that_can_accuse_is_counted() {
        let rows = vec![row(Some(0.0)), row(None)];
        let once = EarlierLook::default();
        let of = |jvms: &[Vec<Option<Row>>]| Accused::of(&rows, jvms, &once, 0.1);
        let jvm: Vec<Option<Row>> = rows.iter().cloned().map(Some).collect();
        let counted = |jvms: usize| of(&vec![jvm.clone(); jvms]).intervals;
        assert_eq!((counted(0), counted(1), counted(3)), (3, 3, 12));
        let lacking = vec![jvm.clone(), jvm.clone(), vec![None, jvm[1].clone()]];
        assert_eq!(of(&lacking).intervals, 10);
        // Those of an earlier look count too.
        let earlier = EarlierLook {
            intervals: 12,
            false_alarm: 0.01,
        };
        let five = [0; 5].map(|_| jvm.clone());
        let twice = Accused::of(&rows, &five, &earlier, 0.1);
        assert_eq!(twice.intervals, 18 + 12);
        assert!(twice.false_alarm >= 0.01, "{}", twice.false_alarm);
        // Each is wider than one of 95 %, and the more of them, the wider.
        let half = |jvms: usize| {
            of(&vec![jvm.clone(); jvms]).jvms[0][1]
                .as_ref()
                .expect("a row")
                .row
                .in_place
                .half_width()
        };
        assert!(
            half(1) > 0.02 && half(3) > half(1),
            "{} {}",
            half(1),
            half(3)
        );
    }

    /// Of two rows in four JVMs two intervals have four fifths of what may be missed, and eight the rest. Four JVMs together know a row twice
    /// as well as each of them, with four times the degrees of freedom.
    #[test]
    fn all_jvms_together_and_each_accuse_by_their_own_part() {
        let rows = vec![row(None); 2];
        let jvm: Vec<Option<Row>> = rows.iter().cloned().map(Some).collect();
        let accused = Accused::of(&rows, &vec![jvm; 4], &EarlierLook::default(), 0.1);
        let error = 0.02 / t_quantile(5.0, Confidence::P95);
        let half = |df: f64, part: f64, of: f64| {
            t_quantile(df, Confidence::leaving(DOSE_ACCUSED_MISS * part / of)) * error
        };
        let together = accused.together[0].in_place.half_width();
        let each = accused.jvms[0][0].as_ref().expect("a row");
        let each = each.row.in_place.half_width();
        let expected = [half(20.0, 0.8, 2.0) / 2.0, half(5.0, 0.2, 8.0)];
        assert!((together - expected[0]).abs() < 1e-6, "{together}");
        assert!((each - expected[1]).abs() < 1e-6, "{each}");
    }

    /// Four rows in four JVMs, each with four pairs of windows: 15 standard errors of their own, or 5.9 of a little larger ones.
    #[test]
    fn rows_that_are_alike_accuse_more_surely() {
        let one = Row {
            df: 3.0,
            ..row(None)
        };
        let rows = vec![one; 4];
        let jvm: Vec<Option<Row>> = rows.iter().cloned().map(Some).collect();
        let of = |rows: &[Row], jvms: &[Vec<Option<Row>>]| {
            let accused = Accused::of(rows, jvms, &EarlierLook::default(), 0.1);
            let together = accused.intervals / (jvms.len() + 1);
            let levels = Levels::of([together, accused.intervals - together], 0);
            let own = rows[0].with(levels.each).in_place;
            let one = accused.jvms[0][0].as_ref().expect("a row");
            one.row.in_place.half_width() / own.half_width()
        };
        let jvms = vec![jvm.clone(); 4];
        assert!((0.4..0.7).contains(&of(&rows, &jvms)));
        // Three rows are too few to say anything of each other.
        let few: Vec<Vec<Option<Row>>> = vec![jvm[..3].to_vec(); 4];
        assert!((of(&rows[..3], &few) - 1.0).abs() < 1e-9);
    }
}
