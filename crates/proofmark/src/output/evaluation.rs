//! Evaluations: the files of all programs together, and those of each.

use std::path::Path;

use anyhow::Context as _;
use proofmark_experiment::divine::DivineReport;
use proofmark_experiment::evaluate::Evaluation;
use proofmark_report::{evaluation_html, evaluation_text};
use proofmark_store::{Run, write_atomically};

use super::{PAGE, json, keep_assessment, keep_page, page, page_about, print_place, style};
use crate::console::print;
use crate::context::Context;
use crate::request::Format;
use crate::run::assess::Finished;
use crate::run::evaluate::Keeper;

/// Keeps everything in files.
pub struct InFiles;

impl Keeper for InFiles {
    fn evaluation(&self, run: &mut Run, found: &Evaluation) -> anyhow::Result<()> {
        write(run.directory(), found)
    }

    fn judged(&self, finished: &mut Finished) -> anyhow::Result<()> {
        keep_assessment(finished).map(drop)
    }

    fn slowed(&self, context: &mut Context, plan: &DivineReport) -> anyhow::Result<()> {
        let mut page = page(context);
        page.divine = Some(plan.clone());
        keep_page(&mut context.session.run, &page).map(drop)
    }
}

/// The files of all programs together.
fn write(directory: &Path, found: &Evaluation) -> anyhow::Result<()> {
    write_atomically(
        &directory.join("evaluation.json"),
        &serde_json::to_vec_pretty(found)?,
    )?;
    let page = evaluation_html(found, &page_about("Evaluation"));
    write_atomically(&directory.join(PAGE), page.as_bytes()).context("writing the report")
}

/// Evaluations that were measured before, as one; with a directory also as files.
///
/// # Errors
/// When they cannot be written.
pub fn evaluation_shown(
    evaluation: &Evaluation,
    out: Option<&Path>,
    format: Format,
) -> anyhow::Result<()> {
    if let Some(out) = out {
        std::fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
        write(out, evaluation)?;
    }
    shown(evaluation, out, format)
}

/// A finished evaluation, whose files are kept.
///
/// # Errors
/// When it cannot be printed.
pub fn evaluated(run: &Run, evaluation: &Evaluation, format: Format) -> anyhow::Result<()> {
    shown(evaluation, Some(run.directory()), format)
}

fn shown(evaluation: &Evaluation, place: Option<&Path>, format: Format) -> anyhow::Result<()> {
    match format {
        Format::Text => {
            print(&evaluation_text(evaluation, style()))?;
            if let Some(place) = place {
                print_place(&place.join(PAGE))?;
            }
        }
        _ => json(evaluation)?,
    }
    Ok(())
}
