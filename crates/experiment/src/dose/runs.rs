//! Rows over several JVMs: what is inlined, and so what a profiler can see, differs from JVM to JVM.

use std::collections::BTreeSet;

use proofmark_assess::Verdict;
use proofmark_rules::{DOSE_LEAST_NAMED, DOSE_NARROW, DOSE_RUNS_KNOWN, DOSE_RUNS_LEAST_PART};
use proofmark_stats::{Confidence, Estimate, t_quantile};

use super::Truth;
use super::judge::of_row;
use super::matrix::Row;
use super::scatter::Known;

/// Whether more windows would help.
#[must_use]
pub fn is_wide(row: &Row) -> bool {
    row.in_place.half_width() > DOSE_NARROW
}

/// A site's rows in each JVM, without those of JVMs that know nothing of it, if three others know something: it had few windows there,
/// because methods were compiled in the others. They would count as much in the mean as the others. `tolerance`: what a part in place
/// may be off by, 0 to 1.
///
/// # Accuracy
/// A JVM knows nothing of a row if its own interval is wider than the tolerance to either side and calls the row neither right nor wrong.
/// What it does say for certain is never left out.
#[must_use]
pub fn without_vague(rows: Vec<Option<Row>>, tolerance: f64) -> Vec<Option<Row>> {
    let vague = |row: &Row| {
        row.in_place.half_width() > tolerance && of_row(row, tolerance) == Verdict::Undecided
    };
    let known = rows.iter().flatten().filter(|row| !vague(row)).count();
    match known >= DOSE_RUNS_KNOWN {
        true => rows
            .into_iter()
            .map(|row| row.filter(|row| !vague(row)))
            .collect(),
        false => rows,
    }
}

/// The row of a site over JVMs, from its rows in each of them; the row itself if there is one. None if there are none.
///
/// Every JVM counts the same: the value is the mean over JVMs, and n counts them. Other methods are named if they were named
/// in one of the JVMs, and have enough in the mean.
///
/// # Accuracy
/// The interval is Student's over the JVMs' values, with one degree of freedom less than there are JVMs. Their spread holds
/// what differs between JVMs and between the windows inside of them, in the right proportion, whatever either is, as long as
/// it is about normal. It is never less than a quarter of what the windows alone leave: few JVMs may happen to show the same.
/// That of a part ends where nothing and all of the time do, unless a JVM's own interval goes further. A part that is all
/// in one JVM and nothing in the next is not normal: JVMs that agree by chance leave an interval that is too short, and
/// only their number says so.
#[must_use]
pub fn over_runs(rows: &[Row]) -> Option<Row> {
    let first = rows.first()?;
    if rows.len() == 1 {
        return Some(first.clone());
    }
    let cell = |of: &dyn Fn(&Row) -> Estimate| {
        let parts: Vec<Estimate> = rows.iter().map(of).collect();
        combined(&parts)
    };
    let lines: Option<Vec<Estimate>> = rows.iter().map(|row| row.at_line).collect();
    let missing: Option<Vec<Estimate>> = rows.iter().map(|row| row.missing).collect();
    let names: BTreeSet<&String> = rows.iter().flat_map(|row| row.parts.keys()).collect();
    let all: Vec<(String, Estimate, bool)> = names
        .into_iter()
        .map(|name| {
            let in_row = |row: &Row| row.elsewhere.iter().any(|(one, _)| one == name);
            let part = |row: &Row| {
                let value = row.parts.get(name).copied().unwrap_or(0.0);
                Estimate::around(value, 0.0, row.in_place.n)
            };
            (name.clone(), cell(&part), rows.iter().any(in_row))
        })
        .collect();
    let growth = |at: usize| {
        let each: Vec<Estimate> = rows.iter().map(|row| row.growth[at]).collect();
        mean_over(&each)
    };
    Some(Row {
        method: first.method.clone(),
        growth: [growth(0), growth(1)],
        in_place: cell(&|row| row.in_place),
        truth: (rows.iter()).fold(first.truth, |all, row| Truth::or(all, row.truth)),
        at_line: lines.map(|lines| combined(&lines)),
        parts: (all.iter())
            .map(|(name, part, _)| (name.clone(), part.value))
            .collect(),
        elsewhere: named(all),
        other: cell(&|row| row.other),
        missing: missing.map(|missing| combined(&missing)),
        void_windows: rows.iter().map(|row| row.void_windows).sum(),
        df: (rows.len() - 1) as f64,
        missing_df: (rows.len() - 1) as f64,
    })
}

/// The mean over these JVMs and no others; none if there are none.
///
/// # Accuracy
/// Its intervals of what is in place and of what is missing hold what differs from window to window, and nothing of what
/// differs from JVM to JVM: what is certain of it is certain of one of these JVMs at least. Degrees of freedom are those of the part
/// that has fewer.
pub(super) fn of_these(rows: &[Row]) -> Option<Row> {
    let mean = over_runs(rows)?;
    if rows.len() == 1 {
        return Some(mean);
    }
    let known = |part: fn(&Row) -> Option<Known>| {
        let all: Option<Vec<Known>> = rows.iter().map(part).collect();
        Known::mean(&all?)
    };
    let in_place = known(|row| Some(Known::of(&row.in_place, row.df)))?;
    let missing = known(|row| Some(Known::of(&row.missing?, row.missing_df)));
    let df = missing.as_ref().map_or(f64::INFINITY, |part| part.df);
    let df = df.min(in_place.df);
    Some(Row {
        in_place: in_place.with_df(df, Confidence::P95),
        missing: missing.map(|part| part.with_df(df, Confidence::P95)),
        df,
        missing_df: df,
        ..mean
    })
}

fn named(mut all: Vec<(String, Estimate, bool)>) -> Vec<(String, Estimate)> {
    all.retain(|(_, part, somewhere)| {
        (*somewhere || !part.covers(0.0)) && part.value.abs() >= DOSE_LEAST_NAMED
    });
    all.sort_by(|a, b| b.1.value.abs().total_cmp(&a.1.value.abs()));
    all.into_iter()
        .map(|(name, part, _)| (name, part))
        .collect()
}

/// The mean over JVMs of parts of the added time.
fn combined(parts: &[Estimate]) -> Estimate {
    let over = mean_over(parts);
    // Of the added time a JVM reports nothing to all in a place; its own interval may go further.
    let lowest = parts.iter().fold(0.0, |low, part| part.low.min(low));
    let highest = parts.iter().fold(1.0, |high, part| part.high.max(high));
    Estimate {
        low: over.low.max(lowest),
        high: over.high.min(highest),
        ..over
    }
}

/// The mean over JVMs.
fn mean_over(parts: &[Estimate]) -> Estimate {
    let n = parts.len() as f64;
    let mean = parts.iter().map(|part| part.value).sum::<f64>() / n;
    let squares = parts.iter().map(|part| (part.value - mean).powi(2));
    let spread = squares.sum::<f64>() / (n - 1.0);
    let between = t_quantile(n - 1.0, Confidence::P95) * (spread / n).sqrt();
    let within = parts
        .iter()
        .map(|part| part.half_width().powi(2))
        .sum::<f64>();
    let least = DOSE_RUNS_LEAST_PART * within.sqrt() / n;
    Estimate::around(mean, between.max(least), parts.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Random;

    const TOLERANCE: f64 = 0.1;

    fn row(part: f64, half: f64) -> Row {
        crate::dose::tests::row(part, half, 5.0)
    }

    /// Places of those that stay.
    fn stay(rows: &[(f64, f64)]) -> Vec<usize> {
        let rows = rows.iter().map(|(part, half)| Some(row(*part, *half)));
        let left = without_vague(rows.collect(), TOLERANCE);
        let places = left.iter().enumerate().filter(|(_, row)| row.is_some());
        places.map(|(at, _)| at).collect()
    }

    #[test]
    fn a_jvm_that_knows_nothing_of_a_row_is_left_out_where_three_others_do() {
        assert_eq!(stay(&[(0.97, 0.01), (0.95, 0.09), (0.75, 0.49)]), [0, 1, 2]);
        let four = [(0.97, 0.01), (0.75, 0.49), (0.95, 0.09), (0.96, 0.02)];
        assert_eq!(stay(&four), [0, 2, 3]);
        // What is wide and still certain: nothing of it in place, or all.
        let certain = [(0.97, 0.01), (0.4, 0.49), (0.95, 0.09), (0.96, 0.02)];
        assert_eq!(stay(&certain), [0, 1, 2, 3]);
    }

    /// 850, 900 and 950 %: a standard error of 28.9 points, times 4.303. Growth does not end where all of the added time does.
    #[test]
    fn growth_over_jvms_has_the_interval_of_their_values() {
        let rows = [8.5, 9.0, 9.5].map(|value| Row {
            growth: [0.6, value].map(|part| Estimate::around(part, 0.1, 6)),
            ..row(0.97, 0.01)
        });
        let [low, high] = over_runs(&rows).expect("a row").growth;
        assert!((high.value - 9.0).abs() < 1e-9 && high.n == 3, "{high:?}");
        assert!((high.half_width() - 1.242).abs() < 0.001, "{high:?}");
        // That they agree by chance is not all: windows leave 0.1 in each.
        let least = DOSE_RUNS_LEAST_PART * 0.1 / 3.0_f64.sqrt();
        assert!((low.half_width() - least).abs() < 1e-9, "{low:?}");
    }

    /// One JVM of five has few windows. Its error is twenty times that of the others, which differ themselves.
    #[test]
    fn intervals_without_it_hold_the_mean_over_jvms() {
        let mut random = Random::new(41);
        let mut held = [0; 2];
        let mut narrower = 0;
        for _ in 0..2000 {
            let rows = (0..5).map(|jvm| {
                let error = if jvm == 0 { 0.2 } else { 0.01 };
                let part = 0.97 + 0.02 * random.normal() + error * random.normal();
                Some(row(part, 2.57 * error))
            });
            let rows: Vec<Option<Row>> = rows.collect();
            let known = without_vague(rows.clone(), TOLERANCE);
            let over = [rows, known].map(|rows| {
                let rows: Vec<Row> = rows.into_iter().flatten().collect();
                over_runs(&rows).expect("a row").in_place
            });
            for (held, over) in held.iter_mut().zip(&over) {
                *held += usize::from(over.covers(0.97));
            }
            narrower += usize::from(over[1].half_width() < over[0].half_width() / 2.0);
        }
        assert!(held[1] >= 1860, "{held:?}");
        assert!(narrower > 1000, "{narrower}");
    }
}
