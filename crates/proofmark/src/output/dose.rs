//! Results of `dose`.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use proofmark_experiment::assess::CostPlan;
use proofmark_experiment::dose::DoseResult;
use proofmark_report::{Style, clean, dose_brief, dose_html, dose_table, every_dose_table};
use proofmark_store::write_atomically;

use super::{TEXT, cost, json, or_where_it_is, page_about, print_place, print_places, style};
use crate::console::print;
use crate::context::Refusal;
use crate::request::Format;
use crate::run::dose::{EveryTested, Tested};

/// Writes where profilers report added time, in short or with `details`; the page goes beside the result, and so does the text with
/// details. Files come first: what cannot be shown is not lost, and what cannot be kept is shown.
///
/// # Errors
/// When one of these cannot be written.
pub fn dosed(tested: &Tested, format: Format, details: bool) -> anyhow::Result<()> {
    let result = &tested.result;
    let page = written(tested, &result.program);
    let shown = one_shown(result, format, details);
    let page = page?;
    let shown = shown.and_then(|()| match format {
        Format::Text => Ok(print_places(&page, &tested.file, details)?),
        _ => Ok(()),
    });
    or_where_it_is(shown, &tested.file)
}

fn one_shown(result: &DoseResult, format: Format, details: bool) -> anyhow::Result<()> {
    match (format, details) {
        (Format::Text, false) => Ok(print(&dose_brief(result, style()))?),
        (Format::Text, true) => Ok(print(&dose_table(result, style()))?),
        _ => json(result),
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

/// Writes the same for every kind of dose: a page for each beside its result, and what follows from all of them, with `details` also
/// the text of each kind.
///
/// # Errors
/// When one of these cannot be written; the others are.
pub fn every_dosed(done: &EveryTested, format: Format, details: bool) -> anyhow::Result<()> {
    let pages = done.tested.iter().map(|(kind, one)| {
        let title = format!("{}, {}", one.result.program, kind.name());
        written(one, &title)
    });
    let pages: Vec<anyhow::Result<PathBuf>> = pages.collect();
    let shown = every_shown(done, format, details);
    let pages: Vec<PathBuf> = pages.into_iter().collect::<anyhow::Result<_>>()?;
    let shown = shown.and_then(|()| match format {
        Format::Text => Ok(every_place(&pages, &done.file)?),
        _ => Ok(()),
    });
    or_where_it_is(shown, &done.file)
}

fn every_shown(done: &EveryTested, format: Format, details: bool) -> anyhow::Result<()> {
    if format != Format::Text {
        return json(&done.every);
    }
    print(&every_dose_table(&done.every, style()))?;
    for (kind, one) in done.tested.iter().filter(|_| details) {
        let text = dose_table(&one.result, style());
        print(&format!("\nAdded time: {}\n{text}", kind.name()))?;
    }
    Ok(())
}

/// Says where the pages of all kinds are, and the result of the whole.
fn every_place(pages: &[PathBuf], file: &Path) -> Result<(), Refusal> {
    let said = |path: &Path| clean(&path.display().to_string());
    print(&format!("all results: {}", said(file)))?;
    for page in pages {
        let details = page.with_file_name(TEXT);
        print(&format!("all details: {}", said(&details)))?;
        print_place(page)?;
    }
    Ok(())
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
