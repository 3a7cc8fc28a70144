//! Everything that a page shows.

use std::collections::BTreeMap;

use proofmark_assess::{Assessment, TotalWindow};
use proofmark_divine::PlanFile;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use proofmark_experiment::divine::DivineReport;
use proofmark_experiment::dose::DoseResult;
use proofmark_experiment::dose::blocks::BlockDoses;

/// Name and version of the data embedded in a page.
const PAGE_SCHEMA: &str = "proofmark-page/1";

/// A run, as its page shows it and embeds it. Whatever is missing is left out of the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageData {
    /// `proofmark-page/1`.
    pub schema: String,
    /// Program.
    pub program: String,
    /// When it was measured, in words; pure code has no clock.
    pub generated: String,
    /// Version of Proofmark.
    pub version: String,
    /// Command that makes the same run again; may be empty.
    pub command: String,
    /// What is wrong and what to do, one sentence each; may be empty.
    #[serde(default)]
    pub advice: Vec<String>,
    /// What sites showed on the user's own JVM.
    #[serde(default)]
    pub dose: Option<DoseResult>,
    /// Parts that were not run, with the reason.
    #[serde(default)]
    pub not_run: BTreeMap<String, String>,
    /// What was divined.
    pub divine: Option<DivineReport>,
    /// The plan in full.
    pub plan: Option<PlanFile>,
    /// Verdicts.
    pub assessment: Option<Assessment>,
    /// Where time was reported that was added to blocks of known methods.
    pub block_doses: Option<BlockDoses>,
    /// Iteration times of the windows of the evaluation of the plan; may be empty.
    pub windows: Vec<TotalWindow>,
    /// The laboratory's `Machine`, or anything else that is written as JSON; null if not known.
    pub machine: Value,
    /// What the machine can resolve, a sentence; may be empty.
    pub resolution: String,
    /// The sampler's `Calibration`; null if not known.
    pub calibration: Value,
    /// Settings of the run; null if not known.
    pub settings: Value,
    /// How it was measured, one paragraph each.
    pub method: Vec<String>,
}

impl PageData {
    /// A page with nothing but a program.
    #[must_use]
    pub fn new(program: &str) -> Self {
        Self {
            schema: PAGE_SCHEMA.into(),
            program: program.into(),
            generated: String::new(),
            version: String::new(),
            command: String::new(),
            advice: Vec::new(),
            dose: None,
            not_run: BTreeMap::new(),
            divine: None,
            plan: None,
            assessment: None,
            block_doses: None,
            windows: Vec::new(),
            machine: Value::Null,
            resolution: String::new(),
            calibration: Value::Null,
            settings: Value::Null,
            method: Vec::new(),
        }
    }
}
