//! Results of `dose`.

use std::path::PathBuf;

use anyhow::Context as _;
use proofmark_experiment::assess::CostPlan;
use proofmark_report::{Style, clean, dose_brief, dose_html, dose_table, every_dose_table};
use proofmark_store::write_atomically;

use super::{TEXT, cost, json, page_about, print_place, print_places, style};
use crate::console::print;
use crate::request::Format;
use crate::run::dose::{EveryTested, Tested};

/// Writes where profilers report added time, in short or with `details`; the page goes beside the result, and so does the text with
/// details.
///
/// # Errors
/// When one of these cannot be written.
pub fn dosed(tested: &Tested, format: Format, details: bool) -> anyhow::Result<()> {
    let result = &tested.result;
    match (format, details) {
        (Format::Text, false) => print(&dose_brief(result, style()))?,
        (Format::Text, true) => print(&dose_table(result, style()))?,
        _ => json(result)?,
    }
    let page = written(tested, &result.program)?;
    match format {
        Format::Text => Ok(print_places(&page, &tested.file)?),
        _ => Ok(()),
    }
}

/// What a test would cost, and what an iteration is, for who reads the text.
///
/// # Errors
/// When it cannot be written.
pub fn dose_cost(plan: &CostPlan, iteration: Option<&str>, format: Format) -> anyhow::Result<()> {
    cost(plan, format)?;
    match (iteration, format) {
        (Some(sentence), Format::Text) => Ok(print(sentence)?),
        _ => Ok(()),
    }
}

/// Writes the same for every kind of dose: a page for each beside its result, and what follows from all of them.
///
/// # Errors
/// When a page cannot be written.
pub fn every_dosed(done: &EveryTested, format: Format) -> anyhow::Result<()> {
    match format {
        Format::Text => print(&every_dose_table(&done.every, style()))?,
        _ => json(&done.every)?,
    }
    for (kind, one) in &done.tested {
        let title = format!("{}, {}", one.result.program, kind.name());
        let page = written(one, &title)?;
        if format == Format::Text {
            print_place(&page)?;
        }
    }
    match format {
        Format::Text => {
            let file = clean(&done.file.display().to_string());
            Ok(print(&format!("all results: {file}"))?)
        }
        _ => Ok(()),
    }
}

/// Writes the page of a result beside it, and the text with all details; where the page is.
fn written(tested: &Tested, title: &str) -> anyhow::Result<PathBuf> {
    let details = dose_table(&tested.result, Style::default());
    let beside = tested.file.with_file_name(TEXT);
    write_atomically(&beside, details.as_bytes()).context("writing the details")?;
    let page = tested.file.with_file_name("report.html");
    let text = dose_html(&tested.result, &page_about(title));
    write_atomically(&page, text.as_bytes()).context("writing the report")?;
    Ok(page)
}
