//! Verdicts: per row, per profiler.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;
use proofmark_rules::DOSE_TOLERANCE_PER_MARGIN;
use proofmark_stats::Estimate;

use super::LineVerdict;
use super::matrix::Row;

/// A profiler's matrix and its profile at rest.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// Name, for example `jfr`.
    pub name: String,
    /// The rows; their verdicts come in the same order.
    pub rows: Vec<Row>,
    /// Share of each method, 0 to 1, with all sites at rest.
    pub shares: BTreeMap<String, f64>,
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
}

/// Judges profilers of one program. A row is right if the interval of its part in place lies within 100 % plus and minus
/// twice the margin (10 at the usual 5), wrong if it lies wholly outside. A profiler is certified and right if all rows
/// are right; it is wrong if a wrong row's method has at least the margin's share, or if the misplaced points lie above
/// the margin in any case. Shares are those of certified profilers; if there is none, the least and the greatest that a
/// profiler reports.
#[must_use]
pub fn judge(subjects: &[Subject], margin_pt: f64) -> Vec<RowVerdict> {
    let tolerance = DOSE_TOLERANCE_PER_MARGIN * margin_pt / 100.0;
    let verdicts: Vec<Vec<Verdict>> = subjects
        .iter()
        .map(|subject| {
            subject
                .rows
                .iter()
                .map(|row| of_row(row, tolerance))
                .collect()
        })
        .collect();
    let certified: Vec<bool> = verdicts.iter().map(|rows| certifies(rows)).collect();
    let witnesses: Vec<&Subject> = match certified.contains(&true) {
        true => (subjects.iter().zip(&certified))
            .filter_map(|(subject, certified)| certified.then_some(subject))
            .collect(),
        false => subjects.iter().collect(),
    };
    let all = subjects.iter().zip(verdicts).zip(certified);
    all.map(|((subject, rows), certified)| {
        let mut misplaced = (0.0, 0.0);
        let mut wrong = false;
        for (row, verdict) in subject.rows.iter().zip(&rows) {
            let (least, most) = share(&row.method, &witnesses);
            let (near, far) = misplaced_part(row);
            // Each of a method's sites stands for an equal part of its time.
            let sites = subject.rows.iter().filter(|one| one.method == row.method);
            let sites = sites.count() as f64;
            misplaced.0 += 100.0 * least * near / sites;
            misplaced.1 += 100.0 * most * far / sites;
            wrong |= *verdict == Verdict::Wrong && 100.0 * least >= margin_pt;
        }
        wrong |= misplaced.0 > margin_pt;
        let verdict = match (wrong, certified) {
            (true, _) => Verdict::Wrong,
            (false, true) => Verdict::Right,
            (false, false) => Verdict::Undecided,
        };
        RowVerdict {
            certified,
            verdict,
            rows,
            misplaced_pt: misplaced,
        }
    })
    .collect()
}

fn certifies(rows: &[Verdict]) -> bool {
    !rows.is_empty() && rows.iter().all(|row| *row == Verdict::Right)
}

fn of_row(row: &Row, tolerance: f64) -> Verdict {
    of_part(&row.in_place, tolerance)
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

/// Least and greatest distance of the part in place from 1 that the interval allows.
fn misplaced_part(row: &Row) -> (f64, f64) {
    let (low, high) = (row.in_place.low - 1.0, row.in_place.high - 1.0);
    let near = if low <= 0.0 && high >= 0.0 {
        0.0
    } else {
        low.abs().min(high.abs())
    };
    (near, low.abs().max(high.abs()))
}

fn share(method: &str, witnesses: &[&Subject]) -> (f64, f64) {
    let shares = witnesses
        .iter()
        .map(|subject| subject.shares.get(method).copied().unwrap_or(0.0));
    shares.fold((f64::INFINITY, 0.0), |(least, most), share| {
        (share.min(least), share.max(most))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(method: &str, low: f64, high: f64) -> Row {
        Row {
            method: method.into(),
            growth: (0.5, 3.0),
            in_place: Estimate {
                value: (low + high) / 2.0,
                low,
                high,
                n: 1000,
            },
            at_line: None,
            elsewhere: Vec::new(),
            parts: BTreeMap::new(),
            other: Estimate::around(0.0, 0.01, 1000),
            void_windows: 0,
        }
    }

    fn subject(name: &str, rows: Vec<Row>, shares: &[(&str, f64)]) -> Subject {
        Subject {
            name: name.into(),
            rows,
            shares: shares
                .iter()
                .map(|(name, share)| ((*name).into(), *share))
                .collect(),
        }
    }

    #[test]
    fn one_wrong_row_of_a_method_that_matters_makes_a_profiler_wrong() {
        let right = subject(
            "a",
            vec![row("m", 0.95, 1.02), row("n", 0.93, 1.08)],
            &[("m", 0.3), ("n", 0.4)],
        );
        let blind = subject(
            "b",
            vec![row("m", -0.01, 0.02), row("n", 0.97, 1.01)],
            &[("m", 0.0), ("n", 0.7)],
        );
        let judged = judge(&[right, blind], 5.0);
        assert!(judged[0].certified && judged[0].verdict == Verdict::Right);
        assert_eq!(judged[1].rows, [Verdict::Wrong, Verdict::Right]);
        assert_eq!(judged[1].verdict, Verdict::Wrong);
        // The certified profiler's share of m, 30 points, is misplaced; what b itself shows of m does not count.
        assert!(judged[1].misplaced_pt.0 > 29.0 && judged[1].misplaced_pt.1 < 34.0);
    }

    #[test]
    fn without_a_certified_profiler_both_bounds_of_the_shares_count() {
        let one = subject("a", vec![row("m", 0.0, 0.1)], &[("m", 0.02)]);
        let other = subject("b", vec![row("m", 0.3, 0.4)], &[("m", 0.4)]);
        let judged = judge(&[one, other], 5.0);
        // At 2 % nothing is wrong, at 40 % everything: not to be decided.
        assert_eq!(judged[0].verdict, Verdict::Undecided);
        assert!(judged[0].misplaced_pt.0 < 5.0 && judged[0].misplaced_pt.1 > 35.0);
    }

    #[test]
    fn margins_scale_rows_and_nothing_is_certified_by_nothing() {
        let row_at = |low, high| subject("a", vec![row("m", low, high)], &[("m", 0.5)]);
        let verdict = |low, high, margin| judge(&[row_at(low, high)], margin)[0].rows[0];
        assert_eq!(verdict(0.91, 0.99, 5.0), Verdict::Right);
        assert_eq!(verdict(0.91, 0.99, 2.0), Verdict::Undecided);
        assert_eq!(verdict(0.91, 0.95, 2.0), Verdict::Wrong);
        assert_eq!(verdict(1.11, 1.2, 5.0), Verdict::Wrong);
        let nothing = judge(&[subject("a", Vec::new(), &[])], 5.0);
        assert!(!nothing[0].certified && nothing[0].verdict == Verdict::Undecided);
    }
}
