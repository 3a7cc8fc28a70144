//! Results of `dose`.

use proofmark_report::dose_table;

use super::{json, print, style};
use crate::request::Format;
use crate::run::dose::Tested;

/// Writes where profilers report added time.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn dosed(tested: &Tested, format: Format) -> anyhow::Result<()> {
    match format {
        Format::Text => {
            print(&dose_table(&tested.result, style()));
            print(&format!("result: {}", tested.file.display()));
        }
        _ => json(&tested.result)?,
    }
    Ok(())
}
