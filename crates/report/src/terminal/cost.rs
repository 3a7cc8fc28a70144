//! What a run would cost, for `--dry-run`.

use proofmark_experiment::assess::{CostPlan, Precision};

use crate::Style;
use crate::names::clean;
use crate::number::{count, duration, fixed};
use crate::style::{columns_of, padded};

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
