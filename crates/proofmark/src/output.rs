//! Results on standard output and in files.

mod count;
mod events;
mod study;

use std::io::{IsTerminal, Write};

use anyhow::Context as _;
use proofmark_assess::exit_code;
use proofmark_report::{
    CheckRow, CostPlan, CostReport, DivineReport, PageData, Style, assessment_table, cost_table,
    doctor_table, html, plan_summary,
};
use serde::Serialize;

use crate::args::Format;
use crate::context::Context;
use crate::run::assess::Assessed;

pub use count::{counted, counts_compared, instrumented, overhead, shown};
pub use events::{event_types, events, events_compared, events_cost};
pub use study::{analyzed, compared};

/// Colour and width of standard output; NO_COLOR is respected.
pub fn style() -> Style {
    let terminal = std::io::stdout().is_terminal();
    let color = terminal
        && anstream::ColorChoice::Never != anstream::AutoStream::choice(&std::io::stdout());
    let said = || std::env::var("COLUMNS").ok()?.parse().ok();
    // Shells do not export COLUMNS: the terminal itself is asked.
    let seen = || {
        let size = rustix::termios::tcgetwinsize(std::io::stdout()).ok()?;
        Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
    };
    Style {
        color,
        width: said()
            .or_else(seen)
            .unwrap_or_else(|| Style::default().width),
    }
}

/// Prints text; a reader that went away is no error.
pub fn print(text: &str) {
    let _ = writeln!(std::io::stdout(), "{}", text.trim_end());
}

fn json(value: &impl Serialize) -> anyhow::Result<()> {
    print(&serde_json::to_string_pretty(value)?);
    Ok(())
}

/// The doctor's findings.
///
/// # Errors
/// When they cannot be written as JSON.
pub fn doctor(rows: &[CheckRow], format: Format) -> anyhow::Result<()> {
    match format {
        Format::Text => print(&doctor_table(rows, style())),
        _ => json(&rows)?,
    }
    Ok(())
}

/// What a run would cost.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn cost(plan: &CostPlan, format: Format) -> anyhow::Result<()> {
    match format {
        Format::Text => print(&cost_table(plan, style())),
        _ => json(&CostReport::of(plan))?,
    }
    Ok(())
}

/// A divined plan.
///
/// # Errors
/// When the page cannot be written.
pub fn divined(context: &mut Context, report: &DivineReport, format: Format) -> anyhow::Result<()> {
    let mut page = page(context);
    page.divine = Some(report.clone());
    let path = context
        .run
        .write_file("report.html", html(&page).as_bytes())
        .context("writing the report")?;
    match format {
        Format::Text => {
            print(&plan_summary(report, style()));
            print(&format!(
                "plan: {}\nreport: {}",
                report.plan_path.as_deref().unwrap_or("-"),
                path.display()
            ));
        }
        _ => json(report)?,
    }
    Ok(())
}

/// Verdicts; returns the exit code that they mean.
///
/// # Errors
/// When the page cannot be written.
pub fn assessed(context: &mut Context, assessed: &Assessed, format: Format) -> anyhow::Result<u8> {
    let mut page = page(context);
    page.divine = Some(assessed.plan.report.clone());
    page.plan = Some(assessed.plan.file.clone());
    page.assessment = Some(assessed.assessment.clone());
    page.method = vec![assessed.assessment.method.clone()];
    let path = context
        .run
        .write_file("report.html", html(&page).as_bytes())
        .context("writing the report")?;
    context.run.write_file(
        "assessment.json",
        &serde_json::to_vec_pretty(&assessed.assessment)?,
    )?;
    match format {
        Format::Text => {
            print(&plan_summary(&assessed.plan.report, style()));
            print(&format!(
                "\n{}",
                assessment_table(&assessed.assessment, style())
            ));
            print(&format!("report: {}", path.display()));
        }
        _ => json(&assessed.assessment)?,
    }
    Ok(exit_code(&assessed.assessment))
}

/// What the command line decided, given or not.
fn settings(context: &Context) -> serde_json::Value {
    let of_program = &context.arguments;
    serde_json::json!({
        "workload": context.workload.to_string(),
        "seed": of_program.seed,
        "heap_mb": of_program.heap,
        "iteration_timeout_s": of_program.iteration_timeout,
        "search_samples_per_s": crate::run::divine::Effort::default().rate_hz,
        "control_samples_per_s": crate::run::profilers::CONTROL_HZ,
        "observing_samples_per_s": crate::run::profilers::OBSERVE_HZ,
        "event": context.probe.event.to_string(),
        "skid": format!("{:?}", context.skid()),
        "core_clock_ghz": context.clock_ghz(),
    })
}

/// The command for a shell: words that a shell would change are quoted.
fn command(words: impl Iterator<Item = String>) -> String {
    let plain = |word: &str| {
        !word.is_empty()
            && word
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "+-._:/=,@%".contains(c))
    };
    let quoted = |word: String| {
        if plain(&word) {
            word
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    };
    words.map(quoted).collect::<Vec<_>>().join(" ")
}

/// `2025-11-21 11:42 UTC`.
fn generated(now: std::time::SystemTime) -> String {
    let stamp = proofmark_store::timestamp(now);
    match (
        stamp.get(..4),
        stamp.get(4..6),
        stamp.get(6..8),
        stamp.get(9..11),
        stamp.get(11..13),
    ) {
        (Some(year), Some(month), Some(day), Some(hour), Some(minute)) => {
            format!("{year}-{month}-{day} {hour}:{minute} UTC")
        }
        _ => stamp,
    }
}

fn page(context: &Context) -> PageData {
    let mut page = PageData::new(context.workload.name());
    page.version = env!("CARGO_PKG_VERSION").into();
    page.generated = generated(std::time::SystemTime::now());
    page.command = command(std::env::args());
    page.settings = settings(context);
    page.machine = serde_json::to_value(&context.machine).unwrap_or_default();
    page.calibration = serde_json::to_value(&context.calibration).unwrap_or_default();
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_pasted_into_a_shell() {
        let words = [
            "proofmark",
            "assess",
            "--profiler",
            "cmd:my tool {pid}",
            "it's",
        ]
        .map(str::to_owned);
        assert_eq!(
            command(words.into_iter()),
            r"proofmark assess --profiler 'cmd:my tool {pid}' 'it'\''s'"
        );
    }

    #[test]
    fn time_of_day_is_readable() {
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_763_725_323);
        assert_eq!(generated(time), "2025-11-21 11:42 UTC");
    }
}
