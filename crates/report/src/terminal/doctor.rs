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

/// JSON schema of `doctor --format json`, a list of [`CheckRow`] (`docs/formats/doctor.schema.json`).
#[must_use]
pub fn doctor_schema() -> String {
    crate::schema_of::<Vec<CheckRow>>()
}

/// One line per check with its remedy below, and a last line that sums up.
#[must_use]
pub fn doctor_table(checks: &[CheckRow], style: Style) -> String {
    let width = checks
        .iter()
        .map(|c| columns_of(&clean(&c.name)))
        .max()
        .unwrap_or(0)
        + 2;
    let mut out = String::new();
    for check in checks {
        let (word, tone) = status(check.status);
        let start = format!(
            "{}{}",
            padded(&clean(&check.name), width),
            padded(&style.word(word, tone), 9)
        );
        out.push_str(&hanging(&start, &clean(&check.detail), style.columns()));
        if !check.remedy.is_empty() {
            let indent = " ".repeat(width + 9);
            out.push_str(&hanging(
                &format!("{indent}-> "),
                &clean(&check.remedy),
                style.columns(),
            ));
        }
    }
    out.push_str(&summary(checks));
    out
}

fn status(status: CheckStatus) -> (&'static str, Tone) {
    match status {
        CheckStatus::Ok => ("ok", Tone::Good),
        CheckStatus::Limited => ("limited", Tone::Open),
        CheckStatus::Missing => ("missing", Tone::Bad),
    }
}

fn summary(checks: &[CheckRow]) -> String {
    let with = |status| {
        let names = checks
            .iter()
            .filter(|c| c.status == status)
            .map(|c| clean(&c.name));
        names.collect::<Vec<_>>()
    };
    let (missing, limited) = (with(CheckStatus::Missing), with(CheckStatus::Limited));
    match (missing.len(), limited.len()) {
        (0, 0) => "this machine can measure\n".into(),
        (0, n) => format!(
            "this machine can measure, with {n} {}\n",
            if n == 1 { "limit" } else { "limits" }
        ),
        _ => format!(
            "this machine cannot measure yet; missing: {}\n",
            missing.join(", ")
        ),
    }
}
