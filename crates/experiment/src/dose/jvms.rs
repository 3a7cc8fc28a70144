//! The word of every JVM: what a profiler reports depends on what the JVM compiled, so that a row may be right in one JVM and
//! wrong in the next.
//!
//! The mean over JVMs hides that, and with two or three of them its interval holds everything. So each JVM is judged by its own
//! windows too.

use proofmark_assess::Verdict;
use proofmark_rules::DOSE_JVMS_MISS;
use proofmark_stats::{Confidence, Estimate, clopper_pearson};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::judge::of_row;
use super::matrix::Row;

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

    /// Part of all JVMs in which it is wrong, %, as far as those that were asked tell; n counts these. None where no JVM is
    /// decided.
    ///
    /// # Accuracy
    /// Clopper and Pearson's exact interval: it never holds the part in less than 95 % of cases. JVMs that are not decided do
    /// not count.
    #[must_use]
    pub fn wrong_pct(self) -> Option<Estimate> {
        let decided = (self.right + self.wrong) as u64;
        clopper_pearson(self.wrong as u64, decided).map(|part| part.scaled(100.0))
    }
}

/// Confidence of the intervals by which single JVMs are called wrong, with so many rows in so many of them. One JVM needs no
/// correction: there are no others in which it might be wrong by chance.
pub(super) fn accusing(rows: usize, jvms: usize) -> Confidence {
    match jvms {
        0 | 1 => Confidence::P95,
        jvms => Confidence::leaving(DOSE_JVMS_MISS).simultaneous(rows * jvms),
    }
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
pub(super) fn told_apart(jvms: &[Vec<Option<Row>>], tolerance: f64) -> Vec<Vec<Option<InJvm>>> {
    let rows = jvms.iter().map(Vec::len).max().unwrap_or(0);
    let confidence = accusing(rows, jvms.len());
    let word = |row: &Row| {
        let accused = row.with(confidence);
        let word = match (of_row(&accused, tolerance), of_row(row, tolerance)) {
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

/// The verdict on a row over JVMs, from that on its mean. Wrong in one JVM for certain is wrong, and so is a wrong mean: samples
/// that are missing may be certain over JVMs only. Right in all of them is right, and so is a right mean where no JVM is wrong.
pub(super) fn over_jvms(mean: Verdict, words: JvmWords) -> Verdict {
    if words.total() < 2 {
        mean
    } else if words.wrong > 0 || mean == Verdict::Wrong {
        Verdict::Wrong
    } else if words.undecided == 0 {
        Verdict::Right
    } else {
        mean
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_and_say_what_they_cannot_exclude() {
        use Verdict::{Right, Undecided, Wrong};
        let words = JvmWords::of([Right, Wrong, Right, Undecided]);
        assert_eq!((words.right, words.wrong, words.undecided), (2, 1, 1));
        assert!(words.differ() && words.total() == 4);
        // R: `binom.test(0, 3)`: 0 to 0.7075982; the undecided one does not count in `binom.test(1, 3)`: 0.0084 to 0.9057.
        let none = JvmWords::of([Right; 3]).wrong_pct().expect("three JVMs");
        assert!(none.low == 0.0 && (none.high - 70.75982).abs() < 1e-4);
        let one = words.wrong_pct().expect("three JVMs");
        assert!((one.low - 0.84).abs() < 0.01 && (one.high - 90.57).abs() < 0.01);
        assert_eq!(JvmWords::of([Undecided]).wrong_pct(), None);
    }

    #[test]
    fn a_row_over_jvms_is_right_only_where_none_is_wrong() {
        use Verdict::{Right, Undecided, Wrong};
        for (mean, words, expected) in [
            (Undecided, vec![Right, Wrong, Right], Wrong),
            (Undecided, vec![Right, Right, Right], Right),
            (Right, vec![Right, Undecided, Right], Right),
            (Undecided, vec![Right, Undecided, Right], Undecided),
            (Wrong, vec![Undecided, Undecided], Wrong),
            // Each finds its part in place, and all together know that samples are missing.
            (Wrong, vec![Right, Right, Right], Wrong),
            (Right, vec![Wrong, Undecided], Wrong),
            // One JVM: the row itself.
            (Undecided, vec![Undecided], Undecided),
            (Right, Vec::new(), Right),
        ] {
            let said = over_jvms(mean, JvmWords::of(words.clone()));
            assert_eq!(said, expected, "{mean} {words:?}");
        }
    }

    #[test]
    fn more_jvms_and_rows_need_more_certainty() {
        assert_eq!(accusing(12, 1), Confidence::P95);
        assert!((accusing(4, 3).alpha() - DOSE_JVMS_MISS / 12.0).abs() < 1e-12);
    }
}
