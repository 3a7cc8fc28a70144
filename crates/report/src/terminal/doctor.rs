//! What this machine can measure, what is missing, how to get it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Style;
use crate::names::clean;
use crate::style::{Tone, columns_of, hanging, padded};

/// How much of a capability is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum CheckStatus {
    /// All of it.
    Ok,
    /// Less is measured, or less well.
    Limited,
    /// Nothing works without it.
    Missing,
}

/// One thing that was looked at; the same fields as the laboratory's check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckRow {
    /// What was looked at; a stable word for scripts.
    pub name: String,
    /// How much of it there is.
    pub status: CheckStatus,
    /// What was found.
    pub detail: String,
    /// What to do about it; empty when nothing is to be done.
    pub remedy: String,
}

/// What a command can do here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CommandRow {
    /// Commands that need the same.
    pub commands: Vec<String>,
    /// Whether they work: `missing` means that they would end with exit code 3.
    pub status: CheckStatus,
    /// What they can resolve here, or what they lack.
    pub resolution: String,
    /// Checks that stand in their way, by name.
    pub lacking: Vec<String>,
}

/// `doctor --format json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DoctorReport {
    /// Version of this format; before version 2 it was the list of checks alone.
    pub version: u32,
    /// What was looked at.
    pub checks: Vec<CheckRow>,
    /// What follows for each command.
    pub commands: Vec<CommandRow>,
    /// How old that calibration is, s; null if it was made now, or there is none.
    #[serde(default)]
    pub calibration_age_s: Option<u64>,
    /// What victims of known answer showed: rule, border, slopes; null where nothing can be sampled.
    pub calibration: serde_json::Value,
}

impl DoctorReport {
    /// Whether every command works.
    #[must_use]
    pub fn all_work(&self) -> bool {
        let works = |row: &CommandRow| row.status != CheckStatus::Missing;
        self.commands.iter().all(works)
    }
}

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
