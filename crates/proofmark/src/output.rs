//! Results on standard output and in files.

mod count;
mod dose;
mod evaluation;
mod events;
mod file;
mod native;
mod study;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use proofmark_blocks::Resolution;
use proofmark_experiment::assess::{CostPlan, CostReport};
use proofmark_experiment::candidates::{CandidatesReport, DivineAnswer, Slowdown};
use proofmark_experiment::divine::{DivineReport, Resolved};
use proofmark_experiment::doctor::DoctorReport;
use proofmark_jvm::toolchain::shell_line;
use proofmark_report::{
    PageData, StudyPage, Style, assess_brief, assess_text, candidates_table, clean, cost_table,
    doctor_table, html, plan_summary, resolution_sentence,
};
use proofmark_store::Run;
use serde::Serialize;

use crate::console::{self, print};
use crate::context::{Context, Refusal};
use crate::machine::Measured;
use crate::request::Format;
use crate::run::assess::{Finished, Ground};
use crate::run::native::divine::NativeRun;

pub use count::{counted, counts_compared, instrumented, overhead, shown};
pub use dose::{dose_cost, dosed, every_dosed};
pub use evaluation::{InFiles, evaluated, evaluation_shown};
pub use events::{event_types, events, events_compared, events_cost};
pub use file::write_file;
pub use native::{raced, slots, sped_up};
pub use study::{analyzed, compared};

/// Name of the page of a run, in its directory.
const PAGE: &str = "report.html";
/// Name of the text with all details, beside the page.
const TEXT: &str = "report.txt";

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

/// Prints one JSON document.
///
/// # Errors
/// When it cannot be made or written.
pub fn json(value: &impl Serialize) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(value)? + "\n";
    Ok(console::data(text.as_bytes())?)
}

/// Says where the page is.
fn print_place(page: &Path) -> Result<(), Refusal> {
    print(&format!("report: {}", clean(&page.display().to_string())))
}

/// Says where the text with all details, the file for programs and, in the last line, the page are.
fn print_places(page: &Path, file: &Path, details: bool) -> Result<(), Refusal> {
    let said = |path: &Path| clean(&path.display().to_string());
    let text = said(&page.with_file_name(TEXT));
    let or = if details { "" } else { " (or --details)" };
    print(&format!("all details, and whole commands: {text}{or}"))?;
    print(&format!("for programs: {}", said(file)))?;
    print_place(page)
}

/// What came of showing a result whose files are written: where that failed, they are named.
fn or_where_it_is(shown: anyhow::Result<()>, file: &Path) -> anyhow::Result<()> {
    let place = file.parent().unwrap_or(file).display();
    shown.with_context(|| format!("the result is in {place}, but it could not be shown"))
}

/// The doctor's findings.
///
/// # Errors
/// When they cannot be written as JSON.
pub fn doctor(report: &DoctorReport, format: Format) -> anyhow::Result<()> {
    match format {
        Format::Text => print(&doctor_table(report, style()))?,
        _ => json(report)?,
    }
    Ok(())
}

/// What a run would cost.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn cost(plan: &CostPlan, format: Format) -> anyhow::Result<()> {
    match format {
        Format::Text => print(&cost_table(plan, style()))?,
        _ => json(&CostReport::of(plan))?,
    }
    Ok(())
}

/// A divined plan.
///
/// # Errors
/// When the page cannot be written.
pub fn divined(context: &mut Context, report: &DivineReport, format: Format) -> anyhow::Result<()> {
    let (page, slowdown) = (page(context), context.slowdown.clone());
    plan_shown(&mut context.session.run, page, (report, slowdown), format)
}

/// A divined plan of a native program.
///
/// # Errors
/// When the page cannot be written.
pub fn natively_divined(
    native: &mut NativeRun,
    report: &DivineReport,
    format: Format,
) -> anyhow::Result<()> {
    let settings = serde_json::json!({
        "program": native.command(),
        "seed": native.request.seed,
        "process_timeout_s": native.request.process_timeout_s,
        "search_samples_per_s": native.request.search.effort().rate_hz,
        "event": native.measured.probe.event.to_string(),
        "skid": format!("{:?}", native.measured.skid()),
        "core_clock_ghz": native.measured.clock_ghz(),
        "filler": native.slowdown.to_string(),
    });
    let page = measured_page(&native.name(), settings, &native.measured);
    let slowdown = Some(native.slowdown.clone());
    plan_shown(&mut native.run, page, (report, slowdown), format)
}

/// A plan as page and as text or JSON, with the slowdown instruction where that is known.
fn plan_shown(
    run: &mut Run,
    mut page: PageData,
    (report, slowdown): (&DivineReport, Option<Slowdown>),
    format: Format,
) -> anyhow::Result<()> {
    page.divine = Some(report.clone());
    let path = keep_page(run, &page)?;
    let shown = match format {
        Format::Text => plan_printed(report, slowdown.as_ref(), &path),
        _ => json(&DivineAnswer {
            report: report.clone(),
            filler: slowdown,
        }),
    };
    or_where_it_is(shown, &path)
}

fn plan_printed(
    report: &DivineReport,
    slowdown: Option<&Slowdown>,
    page: &Path,
) -> anyhow::Result<()> {
    print(&plan_summary(report, style()))?;
    let plan = report.plan_path.as_deref().unwrap_or("-");
    print(&format!("plan: {}", clean(plan)))?;
    if let Some(slowdown) = slowdown {
        print(&format!("filler: {}", clean(&slowdown.to_string())))?;
    }
    Ok(print_place(page)?)
}

/// Slowdown instructions beside each other.
///
/// # Errors
/// When the figures cannot be written.
pub fn candidates(
    context: &mut Context,
    report: &CandidatesReport,
    format: Format,
) -> anyhow::Result<()> {
    let text = serde_json::to_vec_pretty(report)?;
    let path = context.session.run.write_file("candidates.json", &text)?;
    let shown = match format {
        Format::Text => printed(&candidates_table(report, style()), &path),
        _ => json(report),
    };
    or_where_it_is(shown, &path)
}

/// Prints a table, and where its figures are.
fn printed(table: &str, file: &Path) -> anyhow::Result<()> {
    print(table)?;
    let file = clean(&file.display().to_string());
    Ok(print(&format!("figures: {file}"))?)
}

/// Verdicts of both parts of an assessment, on one page; as text in short, or with `details`. What cannot be kept is shown all the
/// same.
///
/// # Errors
/// When the page cannot be written.
pub fn assessed(finished: &mut Finished, format: Format, details: bool) -> anyhow::Result<()> {
    let kept = keep_assessment(finished);
    let shown = assessment_shown(finished, format, details);
    let [page, file] = kept?;
    let shown = shown.and_then(|()| match format {
        Format::Text => Ok(print_places(&page, &file, details)?),
        _ => Ok(()),
    });
    or_where_it_is(shown, &file)
}

fn assessment_shown(finished: &Finished, format: Format, details: bool) -> anyhow::Result<()> {
    let (report, dose) = (&finished.report, finished.dose.as_ref().ok());
    let plan = finished.plan.as_ref();
    match (format, details) {
        (Format::Text, true) => Ok(print(&assess_text(report, dose, plan, style()))?),
        (Format::Text, false) => Ok(print(&assess_brief(report, dose, plan, style()))?),
        _ => json(report),
    }
}

/// Keeps an assessment in its directory, as `report.html`, `report.txt` and `assessment.json`; returns where the first and the last are.
fn keep_assessment(finished: &mut Finished) -> anyhow::Result<[PathBuf; 2]> {
    let report = &finished.report;
    let mut page = match &finished.ground {
        Ground::Laboratory(context) => page(context),
        Ground::Sites(_) => page_of(&report.laboratory.program),
    };
    page.advice = report.advice.clone();
    page.dose = finished.dose.as_ref().ok().cloned();
    page.not_run = report.not_run.clone();
    if let Some(plan) = &finished.plan {
        page.divine = Some(plan.report.clone());
        page.plan = Some(plan.file.clone());
        page.assessment = Some(report.laboratory.clone());
        page.block_doses = report.block_doses.clone();
        page.method = vec![report.laboratory.method.clone()];
    }
    let dose = finished.dose.as_ref().ok();
    let details = assess_text(report, dose, finished.plan.as_ref(), Style::default());
    let run = finished.ground.run();
    let path = keep_page(run, &page)?;
    run.write_file(TEXT, details.as_bytes())?;
    let file = run.write_file("assessment.json", &serde_json::to_vec_pretty(report)?)?;
    Ok([path, file])
}

/// Keeps the page of a run in its directory; returns where it is.
fn keep_page(run: &mut Run, page: &PageData) -> anyhow::Result<PathBuf> {
    run.write_file(PAGE, html(page).as_bytes())
        .context("writing the report")
}

/// What the command line decided, given or not.
fn settings(context: &Context) -> serde_json::Value {
    let of_program = &context.program;
    serde_json::json!({
        "workload": context.program.workload.to_string(),
        "seed": of_program.seed,
        "heap_mb": of_program.heap_mb,
        "iteration_timeout_s": of_program.iteration_timeout_s,
        "search_samples_per_s": proofmark_experiment::divine::Effort::default().rate_hz,
        "control_samples_per_s": proofmark_experiment::assess::CONTROL_HZ,
        "observing_samples_per_s": proofmark_experiment::assess::OBSERVE_HZ,
        "event": context.measured.probe.event.to_string(),
        "skid": format!("{:?}", context.measured.skid()),
        "core_clock_ghz": context.measured.clock_ghz(),
        "filler": context.slowdown.as_ref().map(ToString::to_string),
    })
}

/// `2025-11-21 11:42 UTC`.
fn generated(now: std::time::SystemTime) -> String {
    let now = jiff::Timestamp::try_from(now).unwrap_or_default();
    now.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// What is said on a page beside its figures.
fn page_about(title: &str) -> StudyPage {
    StudyPage {
        title: title.to_owned(),
        generated: generated(std::time::SystemTime::now()),
        version: env!("CARGO_PKG_VERSION").into(),
        command: shell_line(std::env::args()),
    }
}

/// A page with nothing measured on it.
fn page_of(program: &str) -> PageData {
    let about = page_about(program);
    let mut page = PageData::new(program);
    page.version = about.version;
    page.generated = about.generated;
    page.command = about.command;
    page
}

fn page(context: &Context) -> PageData {
    let program = context.program.workload.name();
    measured_page(program, settings(context), &context.measured)
}

/// A page of a program on a calibrated machine, with nothing measured of the program.
fn measured_page(program: &str, settings: serde_json::Value, measured: &Measured) -> PageData {
    let mut page = page_of(program);
    page.settings = settings;
    page.machine = serde_json::to_value(&measured.machine).unwrap_or_default();
    page.resolution = resolution(&measured.resolution());
    page.calibration = serde_json::to_value(&measured.calibration).unwrap_or_default();
    page
}

/// What the machine can resolve, as a sentence.
fn resolution(resolution: &Resolution) -> String {
    let known = Resolved::of(resolution);
    format!(
        "{} The truth of a method is widened by its borders.",
        resolution_sentence(&known)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::{CANNOT, chain, code_of};

    #[test]
    fn a_result_that_cannot_be_shown_says_where_it_is() {
        let full = Err(Refusal::Cannot("cannot write to standard output".into()).into());
        let error = or_where_it_is(full, Path::new("out/dose.json")).expect_err("an error");
        assert_eq!(code_of(&error), CANNOT);
        assert_eq!(
            chain(&error),
            "the result is in out, but it could not be shown: cannot write to standard output"
        );
    }

    #[test]
    fn time_of_day_is_readable() {
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_763_725_323);
        assert_eq!(generated(time), "2025-11-21 11:42 UTC");
    }
}
