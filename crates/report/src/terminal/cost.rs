//! What a run would cost, for `--dry-run`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Style;
use crate::names::clean;
use crate::number::{count, duration, fixed};
use crate::style::{columns_of, padded};

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
    /// Time of unslowed windows, s.
    pub seconds: f64,
    /// Expected half-width of the 95 % interval of the error, points.
    pub half_width_pt: f64,
    /// Whether a profiler without error would be found right at this margin.
    pub decides: bool,
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
}

/// The JSON of `assess --dry-run --format json` (schema: `docs/formats/cost.schema.json`).
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CostReport<'a> {
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
            plan,
            total_s: plan.total_s(),
        }
    }
}

/// JSON schema of [`CostReport`].
#[must_use]
pub fn cost_schema() -> String {
    crate::schema_of::<CostReport<'_>>()
}

/// Steps with their times, the sum, and how narrow the intervals would be.
#[must_use]
pub fn cost_table(plan: &CostPlan, style: Style) -> String {
    let mut steps: Vec<Vec<String>> = plan
        .steps
        .iter()
        .map(|s| vec![clean(&s.step), duration(s.seconds), clean(&s.detail)])
        .collect();
    let jvms = format!("{}; nothing was started", count(plan.jvms, "JVM"));
    steps.push(vec!["together".into(), duration(plan.total_s()), jvms]);
    let mut out = format!("{}, estimated\n", clean(&plan.program));
    out.push_str(&aligned(&["step", "time", ""], &steps, style));
    if !plan.precision.is_empty() {
        out.push('\n');
        let rows: Vec<Vec<String>> = plan.precision.iter().map(precision).collect();
        out.push_str(&aligned(
            &["profiler", "samples", "interval", "enough to decide"],
            &rows,
            style,
        ));
    }
    out
}

fn precision(p: &Precision) -> Vec<String> {
    let samples = (p.samples_per_s * p.seconds).max(0.0).round() as u64;
    vec![
        clean(&p.profiler),
        format!(
            "{} in {}",
            crate::number::grouped(samples),
            duration(p.seconds)
        ),
        format!("+-{} pt", fixed(p.half_width_pt, 1)),
        if p.decides {
            "yes".into()
        } else {
            "no: give more --time-budget".into()
        },
    ]
}

/// Columns under their titles; the last one wraps.
pub(super) fn aligned(titles: &[&str], rows: &[Vec<String>], style: Style) -> String {
    let last = titles.len() - 1;
    let width = |at: usize| {
        let cells = rows.iter().map(|row| columns_of(&row[at]));
        cells.max().unwrap_or(0).max(titles[at].len()) + 2
    };
    let start = |cell: &dyn Fn(usize) -> String| {
        (0..last)
            .map(|at| padded(&cell(at), width(at)))
            .collect::<String>()
    };
    let mut out = format!("{}{}", start(&|at| titles[at].to_owned()), titles[last])
        .trim_end()
        .to_owned();
    out.push('\n');
    for row in rows {
        let line =
            crate::style::hanging(&start(&|at| row[at].clone()), &row[last], style.columns());
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
