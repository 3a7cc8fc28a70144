//! Results of studies and comparisons.

use std::path::Path;

use proofmark_report::{diff_csv, diff_table, study_csv, study_html, study_tables};
use proofmark_study::{Analysis, Diff};

use super::{json, page_about, style, write_file};
use crate::console::{data, print};
use crate::exit::{CHANGED, UNDECIDED};
use crate::request::{AnalyzeRequest, Format};

/// An analysis; with `--html` also its page.
///
/// # Errors
/// When the page cannot be written.
pub fn analyzed(
    analysis: &Analysis,
    request: &AnalyzeRequest,
    format: Format,
) -> anyhow::Result<()> {
    if let Some(path) = &request.html {
        let page = page_about(&title(&request.inputs[0]));
        write_file(path, study_html(analysis, &page).as_bytes())?;
    }
    match format {
        Format::Text => print(&study_tables(analysis, style()))?,
        Format::Csv => data(study_csv(analysis).as_bytes())?,
        _ => json(analysis)?,
    }
    Ok(())
}

/// The last name of the first input.
fn title(input: &Path) -> String {
    let input = input.canonicalize().unwrap_or_else(|_| input.to_path_buf());
    input.file_name().map_or_else(
        || "study".into(),
        |name| name.to_string_lossy().into_owned(),
    )
}

/// A comparison; returns the exit code that it means: 1 if something changed, undecided if that may be noise between runs.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn compared(diff: &Diff, format: Format) -> anyhow::Result<u8> {
    match format {
        Format::Text => print(&diff_table(diff, style()))?,
        Format::Csv => data(diff_csv(diff).as_bytes())?,
        _ => json(diff)?,
    }
    Ok(match (diff.certain(), diff.changed) {
        (0, 0) => 0,
        (0, _) => UNDECIDED,
        _ => CHANGED,
    })
}
