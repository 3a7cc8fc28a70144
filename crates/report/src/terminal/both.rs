//! The whole answer of an assessment: sentences, what sites showed, what the laboratory showed.

use proofmark_assess::Assessment;
use proofmark_experiment::assess::AssessReport;
use proofmark_experiment::divine::{DivineReport, Plan};
use proofmark_experiment::dose::DoseResult;
use proofmark_experiment::dose::blocks::BlockDoses;

use super::dose::dose_details;
use super::{assessment_table, block_dose_table, plan_summary};
use crate::names::clean;
use crate::style::{Style, hanging};
use crate::words;

/// A part as text.
type Written<T> = fn(&T, Style) -> String;

/// How much is said of each part.
pub(super) struct Form {
    /// A sentence of the advice, from the one that the report has.
    pub(super) sentence: fn(&str) -> String,
    /// What sites showed, from the end of its title on.
    pub(super) sites: Written<DoseResult>,
    /// The plan of the laboratory.
    pub(super) plan: Written<DivineReport>,
    /// What the laboratory found with it.
    pub(super) laboratory: Written<Assessment>,
    /// What doses in blocks showed there.
    pub(super) blocks: Written<BlockDoses>,
    /// Stands before each part that was not run.
    pub(super) before_not_run: &'static str,
}

/// One sentence that says what to do, what else there is to say, then the figures of both parts.
#[must_use]
pub fn assess_text(
    report: &AssessReport,
    sites: Option<&DoseResult>,
    plan: Option<&Plan>,
    style: Style,
) -> String {
    let form = Form {
        sentence: str::to_owned,
        sites: |sites, style| format!(": {}", dose_details(sites, style)),
        plan: plan_summary,
        laboratory: assessment_table,
        blocks: |doses, style| format!("\n{}", block_dose_table(doses, style)),
        before_not_run: "\n",
    };
    both(report, (sites, plan), style, &form)
}

/// The answer in this form.
pub(super) fn both(
    report: &AssessReport,
    (sites, plan): (Option<&DoseResult>, Option<&Plan>),
    style: Style,
    form: &Form,
) -> String {
    let columns = style.columns();
    let mut out = String::new();
    for sentence in words::all_advice(&report.advice, sites) {
        out.push_str(&hanging("", &(form.sentence)(&sentence), columns));
    }
    if let Some(sites) = sites {
        out.push_str("\nSites, on your own JVM");
        out.push_str(&(form.sites)(sites, style));
    }
    if let Some(plan) = plan {
        out.push_str("\nThe laboratory, the program's own code under Graal: ");
        out.push_str(&(form.plan)(&plan.report, style));
        out.push('\n');
        out.push_str(&(form.laboratory)(&report.laboratory, style));
        if let Some(doses) = &report.block_doses {
            out.push_str(&(form.blocks)(doses, style));
        }
    }
    for (part, why) in &report.not_run {
        let start = format!("not run: {}: ", clean(part));
        out.push_str(form.before_not_run);
        out.push_str(&hanging(&start, &clean(why), columns));
    }
    out
}
