//! The whole answer of an assessment: sentences, what sites showed, what the laboratory showed.

use proofmark_experiment::assess::AssessReport;
use proofmark_experiment::divine::Plan;
use proofmark_experiment::dose::DoseResult;

use super::dose::dose_details;
use super::{assessment_table, block_dose_table, plan_summary};
use crate::names::clean;
use crate::style::{Style, hanging};
use crate::words;

/// One sentence that says what to do, what else there is to say, then the figures of both parts.
#[must_use]
pub fn assess_text(
    report: &AssessReport,
    sites: Option<&DoseResult>,
    plan: Option<&Plan>,
    style: Style,
) -> String {
    let mut out = String::new();
    for sentence in words::all_advice(&report.advice, sites) {
        out.push_str(&hanging("", &sentence, style.columns()));
    }
    out.push('\n');
    if let Some(sites) = sites {
        out.push_str("Sites, on your own JVM: ");
        out.push_str(&dose_details(sites, style));
    }
    if let Some(plan) = plan {
        if sites.is_some() {
            out.push('\n');
        }
        out.push_str("The laboratory, the program's own code under Graal: ");
        out.push_str(&plan_summary(&plan.report, style));
        out.push('\n');
        out.push_str(&assessment_table(&report.laboratory, style));
        if let Some(doses) = &report.block_doses {
            out.push('\n');
            out.push_str(&block_dose_table(doses, style));
        }
    }
    for (part, why) in &report.not_run {
        out.push('\n');
        let start = format!("not run: {}: ", clean(part));
        out.push_str(&hanging(&start, &clean(why), style.columns()));
    }
    out
}
