//! Verdicts with every kind of dose, beside each other.

use std::fmt::Write as _;

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{Attribution, DoseKind, EveryDose};

use crate::names::clean;
use crate::number::fixed;
use crate::style::{Style, columns_of, hanging, padded};
use crate::words;

/// A line per kind, a column per profiler: the verdict, and the least and the greatest part of the added time that any row
/// has in place. Then what to do, kind by kind.
#[must_use]
pub fn every_dose_table(every: &EveryDose, style: Style) -> String {
    let kinds = DoseKind::ALL.map(DoseKind::name);
    let mut text = format!(
        "{}, every kind of dose: {}\n",
        clean(&every.program),
        word(every.verdict, style)
    );
    aligned(&lines(every, style), &mut text);
    text.push('\n');
    for kind in kinds {
        if let Some(result) = every.kinds.get(kind) {
            let advice = words::advice(result, &words::dose_names(result)).join(" ");
            text.push_str(&hanging(&format!("{kind}: "), &advice, style.columns()));
        }
        if let Some(reason) = every.failed.get(kind) {
            let start = format!("{kind}: not tested: ");
            text.push_str(&hanging(&start, &clean(reason), style.columns()));
        }
    }
    text
}

/// The cells of the table.
fn lines(every: &EveryDose, style: Style) -> Vec<Vec<String>> {
    let profilers = || every.profilers.iter();
    let head = profilers().map(|(name, _)| clean(name));
    let mut lines = vec![with("in place, %", head)];
    for kind in DoseKind::ALL.map(DoseKind::name) {
        let Some(result) = every.kinds.get(kind) else {
            continue;
        };
        let cells = profilers().map(|(name, _)| match result.attribution.get(name) {
            Some(one) => cell(one, style),
            None => "not judged".to_owned(),
        });
        lines.push(with(kind, cells));
    }
    let worst = profilers().map(|(_, verdict)| word(*verdict, style));
    lines.push(with("all", worst));
    lines
}

fn with(first: &str, others: impl Iterator<Item = String>) -> Vec<String> {
    std::iter::once(first.to_owned()).chain(others).collect()
}

/// `wrong 0 to 98`
fn cell(one: &Attribution, style: Style) -> String {
    let verdict = word(one.verdict, style);
    let parts = one.rows.iter().map(|row| row.in_place_pct.value);
    let ends = parts.fold(None, |ends: Option<(f64, f64)>, part| {
        Some(ends.map_or((part, part), |(low, high)| (low.min(part), high.max(part))))
    });
    match ends {
        Some((low, high)) => format!("{verdict} {} to {}", fixed(low, 0), fixed(high, 0)),
        None => verdict,
    }
}

fn word(verdict: Verdict, style: Style) -> String {
    style.word(&verdict.to_string(), words::tone(verdict))
}

/// Writes lines whose cells stand below each other.
fn aligned(lines: &[Vec<String>], text: &mut String) {
    let columns = lines.first().map_or(0, Vec::len);
    let width = |at: usize| lines.iter().map(|line| columns_of(&line[at])).max();
    let widths: Vec<usize> = (0..columns).map(|at| width(at).unwrap_or(0)).collect();
    for line in lines {
        let cells = line.iter().zip(&widths);
        let cells: Vec<String> = cells.map(|(cell, width)| padded(cell, *width)).collect();
        let _ = writeln!(text, "  {}", cells.join("  ").trim_end());
    }
}
