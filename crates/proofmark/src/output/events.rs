//! Events on standard output and in files.

use anyhow::Context as _;
use proofmark_events::{EventsCost, EventsDiff, EventsReport};
use proofmark_jvm::EventTypeInfo;
use proofmark_report::{
    events_cost_table, events_diff_table, events_html, events_table, types_table,
};

use super::{json, page_about, print_place, style};
use crate::console::print;
use crate::request::Format;
use crate::session::Session;

/// What was counted; its page and its JSON go into the run's directory.
///
/// # Errors
/// When they cannot be written.
pub fn events(session: &mut Session, report: &EventsReport, format: Format) -> anyhow::Result<()> {
    let page = page_about(&report.workload);
    let path = session
        .run
        .write_file("report.html", events_html(report, &page).as_bytes())
        .context("writing the report")?;
    session
        .run
        .write_file("events.json", &serde_json::to_vec_pretty(report)?)?;
    match format {
        Format::Text => {
            print(&events_table(report, style()))?;
            print_place(&path)?;
        }
        _ => json(report)?,
    }
    Ok(())
}

/// The types of events that there are.
///
/// # Errors
/// When they cannot be written as JSON.
pub fn event_types(types: &[EventTypeInfo], format: Format) -> anyhow::Result<()> {
    match format {
        Format::Text => {
            let row = |kind: &EventTypeInfo| {
                let what = kind.cannot.as_ref().unwrap_or(&kind.predicate);
                [&kind.name, &kind.category, &kind.phase, what].map(Clone::clone)
            };
            let rows: Vec<[String; 4]> = types.iter().map(row).collect();
            print(&types_table(&rows, style()))?;
        }
        _ => json(&types)?,
    }
    Ok(())
}

/// A comparison; returns the exit code that it means: 1 if anything differs.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn events_compared(diff: &EventsDiff, format: Format) -> anyhow::Result<u8> {
    match format {
        Format::Text => print(&events_diff_table(diff, style()))?,
        _ => json(diff)?,
    }
    Ok(u8::from(!diff.differences.found.is_empty()))
}

/// What counting costs.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn events_cost(cost: &EventsCost, format: Format) -> anyhow::Result<()> {
    match format {
        Format::Text => print(&events_cost_table(cost, style()))?,
        _ => json(cost)?,
    }
    Ok(())
}
