//! Evaluations: the files of all programs together, and those of each.

use anyhow::Context as _;
use proofmark_experiment::divine::DivineReport;
use proofmark_experiment::evaluate::Evaluation;
use proofmark_report::{evaluation_html, evaluation_text};
use proofmark_store::Run;

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
        run.write_file("evaluation.json", &serde_json::to_vec_pretty(found)?)?;
        let page = evaluation_html(found, &page_about("Evaluation"));
        run.write_file(PAGE, page.as_bytes())
            .context("writing the report")?;
        Ok(())
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

/// A finished evaluation, whose files are kept.
///
/// # Errors
/// When it cannot be printed.
pub fn evaluated(run: &Run, evaluation: &Evaluation, format: Format) -> anyhow::Result<()> {
    match format {
        Format::Text => {
            print(&evaluation_text(evaluation, style()))?;
            print_place(&run.directory().join(PAGE))?;
        }
        _ => json(evaluation)?,
    }
    Ok(())
}
