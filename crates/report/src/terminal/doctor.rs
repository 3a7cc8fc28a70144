//! What this machine can measure, what is missing, how to get it.

use proofmark_experiment::doctor::{CheckStatus, DoctorReport};

use crate::Style;
use crate::names::clean;
use crate::style::{Tone, columns_of, hanging, padded};

/// One line per check with its remedy below, then one per command with what it can do here.
#[must_use]
pub fn doctor_table(report: &DoctorReport, style: Style) -> String {
    let checks = report.checks.iter().map(|check| {
        (
            clean(&check.name),
            check.status,
            &check.detail,
            &check.remedy,
        )
    });
    let mut out = lines(&checks.collect::<Vec<_>>(), style);
    out.push('\n');
    let nothing = String::new();
    let commands = report.commands.iter().map(|row| {
        let names = row.commands.join(", ");
        (clean(&names), row.status, &row.resolution, &nothing)
    });
    out.push_str(&lines(&commands.collect::<Vec<_>>(), style));
    out
}

/// Name, status, detail and remedy, in columns.
fn lines(rows: &[(String, CheckStatus, &String, &String)], style: Style) -> String {
    let width = rows.iter().map(|(name, ..)| columns_of(name)).max();
    let width = width.unwrap_or(0) + 2;
    let mut out = String::new();
    for (name, how, detail, remedy) in rows {
        let (word, tone) = status(*how);
        let start = format!(
            "{}{}",
            padded(name, width),
            padded(&style.word(word, tone), 9)
        );
        out.push_str(&hanging(&start, &clean(detail), style.columns()));
        if !remedy.is_empty() {
            let start = format!("{}-> ", " ".repeat(width + 9));
            out.push_str(&hanging(&start, &clean(remedy), style.columns()));
        }
    }
    out
}

fn status(status: CheckStatus) -> (&'static str, Tone) {
    match status {
        CheckStatus::Ok => ("ok", Tone::Good),
        CheckStatus::Limited => ("limited", Tone::Open),
        CheckStatus::Missing => ("missing", Tone::Bad),
    }
}
