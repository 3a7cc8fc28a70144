//! Results of `dose`.

use anyhow::Context as _;
use proofmark_report::{dose_html, dose_table};
use proofmark_store::write_atomically;

use super::{json, page_about, print_place, style};
use crate::console::print;
use crate::request::Format;
use crate::run::dose::Tested;

/// Writes where profilers report added time; the page goes beside the result.
///
/// # Errors
/// When the page cannot be written.
pub fn dosed(tested: &Tested, format: Format) -> anyhow::Result<()> {
    let result = &tested.result;
    let page = tested.file.with_file_name("report.html");
    match format {
        Format::Text => print(&dose_table(result, style()))?,
        _ => json(result)?,
    }
    let text = dose_html(result, &page_about(&result.program));
    write_atomically(&page, text.as_bytes()).context("writing the report")?;
    match format {
        Format::Text => Ok(print_place(&page)?),
        _ => Ok(()),
    }
}
