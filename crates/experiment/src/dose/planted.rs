//! Errors of known size, planted into what a profiler really showed: how many of them would have been found?

use proofmark_assess::Verdict;
use proofmark_rules::{DOSE_TOLERANCE_PER_MARGIN, PLANTED_MARGINS};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::judge::{Subject, row_verdicts};
use super::matrix::Row;

/// Errors that were planted into a profiler's own rows, one at a time, and what was said of them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Planted {
    /// Size of each: one and a half times what is allowed, % of the added time that is taken from where the profiler reports it and
    /// given to another method.
    pub size_pct: f64,
    /// Rows that an error was planted into: those that are right.
    pub of: usize,
    /// Of these, those that were then called wrong.
    pub wrong: usize,
    /// Of these, those that were still called right. The others are undecided.
    pub right: usize,
}

/// Plants an error into each row of a profiler that is right, one at a time, and judges it with the intervals that would have judged it.
/// None where no row is right.
///
/// A profiler that moves a part of a method's samples to another one reports that part less in place, in every window, so that the
/// row and its interval shrink alike: nothing has to be drawn.
///
/// # Accuracy
/// That of the rows. Smaller errors are found less often, and errors of the program's own code that sites do not see not at all.
pub(super) fn planted(subject: &Subject, margin_pt: f64) -> Option<Planted> {
    let part = PLANTED_MARGINS * DOSE_TOLERANCE_PER_MARGIN * margin_pt / 100.0;
    let usual = row_verdicts(subject, margin_pt);
    let right: Vec<usize> = (0..subject.rows.len())
        .filter(|row| usual[*row] == Verdict::Right)
        .collect();
    let said: Vec<Verdict> = (right.iter())
        .map(|row| row_verdicts(&with_error(subject, *row, part), margin_pt)[*row])
        .collect();
    let count = |verdict| said.iter().filter(|one| **one == verdict).count();
    (!said.is_empty()).then(|| Planted {
        size_pct: 100.0 * part,
        of: said.len(),
        wrong: count(Verdict::Wrong),
        right: count(Verdict::Right),
    })
}

/// The same profiler with an error of that size in one row, in all JVMs.
fn with_error(subject: &Subject, row: usize, part: f64) -> Subject {
    let mut all = subject.clone();
    all.rows[row] = moved(&all.rows[row], part);
    for one in all
        .in_jvms
        .iter_mut()
        .filter_map(|jvm| jvm.get_mut(row)?.as_mut())
    {
        *one = moved(one, part);
    }
    all
}

fn moved(row: &Row, part: f64) -> Row {
    let mut moved = row.clone();
    moved.in_place = row.in_place.scaled(1.0 - part);
    let there = ("another method".to_owned(), row.in_place.scaled(part));
    moved.elsewhere.push(there);
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(value: f64, half: f64) -> Row {
        crate::dose::tests::row(value, half, 11.0)
    }

    fn of(rows: Vec<Row>, jvms: usize) -> Option<Planted> {
        let subject = Subject {
            in_jvms: vec![rows.iter().cloned().map(Some).collect(); jvms],
            rows,
            ..Subject::default()
        };
        planted(&subject, 5.0)
    }

    #[test]
    fn an_error_of_one_and_a_half_margins_is_found_where_intervals_are_narrow() {
        let found = of(vec![row(1.0, 0.01), row(0.99, 0.02)], 1).unwrap();
        assert!((found.size_pct - 15.0).abs() < 1e-9);
        assert_eq!((found.of, found.wrong, found.right), (2, 2, 0));
        // 86.7 % with an interval that ends beyond 90 %.
        let wide = of(vec![row(1.02, 0.05)], 1).unwrap();
        assert_eq!((wide.of, wide.wrong, wide.right), (1, 0, 0));
        // 91.8 % is within what is allowed, but 16.2 % is certainly in another method.
        let hidden = of(vec![row(1.08, 0.01)], 1).unwrap();
        assert_eq!((hidden.of, hidden.wrong, hidden.right), (1, 0, 0));
        let mixed = of(vec![row(1.0, 0.01), row(1.0, 0.095)], 3).unwrap();
        assert_eq!((mixed.of, mixed.wrong), (2, 1));
    }

    #[test]
    fn nothing_is_planted_where_nothing_is_right() {
        assert_eq!(of(vec![row(0.2, 0.01)], 1), None);
        assert_eq!(
            of(vec![row(0.2, 0.01), row(1.0, 0.01)], 1).map(|one| one.of),
            Some(1)
        );
        assert_eq!(of(Vec::new(), 1), None);
    }
}
