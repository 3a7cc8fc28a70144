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
        match (p.decides, p.runs) {
            (true, _) => "yes".into(),
            (false, 0 | 1) => "no: give assess more --time-budget".into(),
            (false, _) => "no: give assess more --runs".into(),
        },
    ]
}

/// The same in several tables where the columns do not fit beside each other. Each starts with the first column; `groups`
/// says how many of the others stay together.
pub(super) fn aligned_in_parts(
    titles: &[&str],
    rows: &[Vec<String>],
    groups: &[usize],
    style: Style,
) -> String {
    let width = |at: usize| {
        let cells = rows.iter().map(|row| columns_of(&row[at]));
        cells.max().unwrap_or(0).max(columns_of(titles[at])) + 2
    };
    let (mut parts, mut next, mut taken): (Vec<Vec<usize>>, usize, usize) = (Vec::new(), 1, 0);
    for size in groups {
        let group: Vec<usize> = (next..next + size).collect();
        let wide: usize = group.iter().map(|at| width(*at)).sum();
        next += size;
        match parts.last_mut() {
            // The last column has no gap behind it.
            Some(part) if taken + wide <= style.columns() + 2 => {
                part.extend(group);
                taken += wide;
            }
            _ => {
                parts.push([vec![0], group].concat());
                taken = width(0) + wide;
            }
        }
    }
    let table = |part: &Vec<usize>| {
        let titles: Vec<&str> = part.iter().map(|at| titles[*at]).collect();
        let row = |row: &Vec<String>| part.iter().map(|at| row[*at].clone()).collect();
        let rows: Vec<Vec<String>> = rows.iter().map(row).collect();
        aligned(&titles, &rows, style)
    };
    parts.iter().map(table).collect::<Vec<_>>().join("\n")
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
