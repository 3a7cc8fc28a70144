//! Results of `speedup`, `race` and `slots`.

use std::path::Path;

use proofmark_experiment::race::RaceResult;
use proofmark_experiment::slots::SlotsReport;
use proofmark_experiment::speedup::SpeedupResult;
use proofmark_report::{race_table, slots_text, speedup_table};

use super::{json, or_where_it_is, printed, style};
use crate::console::print;
use crate::request::Format;

/// What functions would gain; the result's file is there.
///
/// # Errors
/// When it cannot be printed.
pub fn sped_up(result: &SpeedupResult, file: &Path, format: Format) -> anyhow::Result<()> {
    let shown = match format {
        Format::Text => printed(&speedup_table(result, style()), file),
        _ => json(result),
    };
    or_where_it_is(shown, file)
}

/// How often the program failed; the result's file is there.
///
/// # Errors
/// When it cannot be printed.
pub fn raced(result: &RaceResult, file: &Path, format: Format) -> anyhow::Result<()> {
    let shown = match format {
        Format::Text => printed(&race_table(result, style()), file),
        _ => json(result),
    };
    or_where_it_is(shown, file)
}

/// Whether slots change nothing but what goes into them.
///
/// # Errors
/// When it cannot be printed.
pub fn slots(report: &SlotsReport, format: Format) -> anyhow::Result<()> {
    match format {
        Format::Text => Ok(print(&slots_text(report, style()))?),
        _ => json(report),
    }
}
