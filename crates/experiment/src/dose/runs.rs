//! Rows over several JVMs: what is inlined, and so what a profiler can see, differs from JVM to JVM.

use std::collections::BTreeSet;

use proofmark_rules::{DOSE_LEAST_NAMED, DOSE_NARROW, DOSE_RUNS_LEAST_PART};
use proofmark_stats::{Confidence, Estimate, t_quantile};

use super::Truth;
use super::matrix::Row;

/// Whether more windows would help.
#[must_use]
pub fn is_wide(row: &Row) -> bool {
    row.in_place.half_width() > DOSE_NARROW
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
/// It ends where nothing and all of the time do, unless a JVM's own interval goes further. A part that is all in one JVM and
/// nothing in the next is not normal: JVMs that agree by chance leave an interval that is too short, and only their
/// number says so ([`JvmWords::wrong_pct`](super::JvmWords::wrong_pct)).
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
    let mean = |of: &dyn Fn(&Row) -> f64| rows.iter().map(of).sum::<f64>() / rows.len() as f64;
    Some(Row {
        method: first.method.clone(),
        growth: (mean(&|row| row.growth.0), mean(&|row| row.growth.1)),
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
    })
}

/// The mean over these JVMs and no others; none if there are none.
///
/// # Accuracy
/// Its intervals of what is in place and of what is missing hold what differs from window to window, and nothing of what
/// differs from JVM to JVM: what is certain of it is certain of one of these JVMs at least. Degrees of freedom are those of Welch and
/// Satterthwaite, of the part that has fewer.
pub(super) fn of_these(rows: &[Row]) -> Option<Row> {
    let mean = over_runs(rows)?;
    if rows.len() == 1 {
        return Some(mean);
    }
    let in_place = Together::of(rows, |row| Some(row.in_place))?;
    let missing = Together::of(rows, |row| row.missing);
    let df = missing.as_ref().map_or(f64::INFINITY, |part| part.df);
    let df = df.min(in_place.df);
    Some(Row {
        in_place: in_place.with(df),
        missing: missing.map(|part| part.with(df)),
        df,
        ..mean
    })
}

/// A mean over JVMs with what windows alone leave of its error.
struct Together {
    value: f64,
    standard_error: f64,
    df: f64,
    n: u64,
}

impl Together {
    fn of(rows: &[Row], part: impl Fn(&Row) -> Option<Estimate>) -> Option<Self> {
        let parts: Vec<Estimate> = rows.iter().map(part).collect::<Option<_>>()?;
        let known = |(row, part): (&Row, &Estimate)| {
            let standard_error = part.half_width() / t_quantile(row.df, Confidence::P95);
            (standard_error * standard_error, row.df)
        };
        let known: Vec<(f64, f64)> = rows.iter().zip(&parts).map(known).collect();
        let sum = known.iter().map(|(squared, _)| squared).sum::<f64>();
        let each = known.iter().map(|(squared, df)| squared * squared / df);
        let df = match sum > 0.0 {
            true => sum * sum / each.sum::<f64>(),
            false => known.iter().map(|(_, df)| df).sum(),
        };
        let n = parts.len() as f64;
        Some(Self {
            value: parts.iter().map(|part| part.value).sum::<f64>() / n,
            standard_error: sum.sqrt() / n,
            df,
            n: parts.iter().map(|part| part.n).sum(),
        })
    }

    /// With so many degrees of freedom.
    fn with(&self, df: f64) -> Estimate {
        let half = t_quantile(df, Confidence::P95) * self.standard_error;
        Estimate::around(self.value, half, self.n)
    }
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

/// The mean over JVMs.
fn combined(parts: &[Estimate]) -> Estimate {
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
    let over = Estimate::around(mean, between.max(least), parts.len() as u64);
    // Of the added time a JVM reports nothing to all in a place; its own interval may go further.
    let lowest = parts.iter().fold(0.0, |low, part| part.low.min(low));
    let highest = parts.iter().fold(1.0, |high, part| part.high.max(high));
    Estimate {
        low: over.low.max(lowest),
        high: over.high.min(highest),
        ..over
    }
}
