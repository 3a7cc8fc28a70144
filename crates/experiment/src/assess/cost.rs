//! What an assessment would cost.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One step of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostStep {
    /// What is done.
    pub step: String,
    /// How long it would take, s.
    pub seconds: f64,
    /// How that comes about; may be empty.
    pub detail: String,
}

/// What one profiler's windows would tell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Precision {
    /// Profiler.
    pub profiler: String,
    /// Samples per second of CPU time expected of it.
    pub samples_per_s: f64,
    /// Time of unslowed windows, of all runs together, s.
    pub seconds: f64,
    /// Runs.
    #[serde(default = "once")]
    pub runs: u32,
    /// Expected half-width of the 95 % interval of the error, points; with several runs as if they did not differ.
    pub half_width_pt: f64,
    /// Whether a profiler without error would be found right at this margin.
    pub decides: bool,
}

fn once() -> u32 {
    1
}

/// Estimate of a whole run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CostPlan {
    /// Program.
    pub program: String,
    /// JVMs that would be started.
    pub jvms: u64,
    /// Steps in order.
    pub steps: Vec<CostStep>,
    /// One entry per profiler.
    pub precision: Vec<Precision>,
}

impl CostPlan {
    /// Time of all steps, s.
    #[must_use]
    pub fn total_s(&self) -> f64 {
        self.steps.iter().map(|step| step.seconds).sum()
    }

    /// Time of the named step, s; 0 if there is none.
    #[must_use]
    pub fn seconds_of(&self, step: &str) -> f64 {
        let named = self.steps.iter().filter(|one| one.step == step);
        named.map(|one| one.seconds).sum()
    }

    /// Seconds from the beginning of the named step to the end; 0 if there is none.
    #[must_use]
    pub fn from(&self, step: &str) -> f64 {
        self.steps
            .iter()
            .skip_while(|s| s.step != step)
            .map(|s| s.seconds)
            .sum()
    }
}

/// Name and version of the form of [`CostReport`]; the first version had none.
const COST_SCHEMA: &str = "proofmark-cost/2";

/// The JSON of `assess --dry-run --format json` (schema: `docs/formats/cost.schema.json`).
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CostReport<'a> {
    /// `proofmark-cost/2`.
    pub schema: &'static str,
    /// The estimate.
    #[serde(flatten)]
    pub plan: &'a CostPlan,
    /// Time of all steps, s.
    pub total_s: f64,
}

impl<'a> CostReport<'a> {
    /// The estimate with its sum.
    #[must_use]
    pub fn of(plan: &'a CostPlan) -> Self {
        CostReport {
            schema: COST_SCHEMA,
            plan,
            total_s: plan.total_s(),
        }
    }
}
