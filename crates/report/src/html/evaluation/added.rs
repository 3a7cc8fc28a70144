//! Is added time charged to its method: error against predicted gain, one panel per profiler.

use proofmark_experiment::evaluate::{AddedTime, Evaluation, SingleResult};

use super::super::figure as picture;
use super::super::table::{Cell, table};
use super::{figure, measured, numbered, section as part, unknown};
use crate::Names;
use crate::number::{count, fixed, with_n};
use crate::svg::{Point, Right, Scatter, scatter};
use crate::words::evaluation::control;

/// Points by which a gain may be off before it is named.
const BAND_PT: f64 = 5.0;
/// Experiments of one picture that are named.
const NAMED: usize = 16;

const ABOUT: &str = "Blocks of one method are slowed alone. The clock says how much time that adds, and so by how many points the method&#39;s share ought to grow. \
     Error is what a profiler shows beyond that: at 0 it charges the added time to its method, below 0 it charges it to others. An experiment counts only if our \
     own samples agree with the clock about it; else it says nothing about a profiler.";

pub(super) fn section(evaluation: &Evaluation) -> String {
    if evaluation.added_time.is_empty() {
        return String::new();
    }
    let panels = evaluation.added_time.iter();
    let panels: String = panels
        .filter_map(|of| panel(evaluation, &of.profiler))
        .collect();
    let rows: Vec<Vec<Cell>> = evaluation.added_time.iter().flat_map(rows).collect();
    let titles = [
        "profiler",
        "tried",
        "counted",
        "programs",
        "showed the method",
        "its share grew",
        "mean error",
    ];
    let body = format!(
        "<div class=\"grid\">{panels}</div>\n{}",
        table("sortable stack", "", &titles, &rows)
    );
    part(
        "added",
        "Is time that is added to blocks of one method charged to that method?",
        ABOUT,
        &body,
    )
}

fn singles<'a>(evaluation: &'a Evaluation, profiler: &str) -> Vec<(&'a str, &'a SingleResult)> {
    let mut all = Vec::new();
    for program in &evaluation.programs {
        let here = program.profilers.iter().filter(|one| one.name == profiler);
        let singles = here.flat_map(|one| &one.singles);
        all.extend(singles.map(|single| (program.program.as_str(), single)));
    }
    // What is off most first: it is named first.
    all.sort_by(|a, b| {
        b.1.error_pt
            .value
            .abs()
            .total_cmp(&a.1.error_pt.value.abs())
    });
    all
}

fn panel(evaluation: &Evaluation, profiler: &str) -> Option<String> {
    let all = singles(evaluation, profiler);
    let names = Names::of(all.iter().map(|(_, single)| single.method.as_str()));
    let mut key = Vec::new();
    let mut point = |(program, single): &(&str, &SingleResult)| {
        let label = format!(
            "{program}, {}, {}",
            names.short(&single.method),
            single.label
        );
        let off = single.counts && single.error_pt.value.abs() > BAND_PT;
        let number = (off && key.len() < NAMED).then(|| key.len() + 1);
        let tip = format!(
            "{label}: predicted {}, error {}",
            with_n(&single.predicted_pt, "pt"),
            with_n(&single.error_pt, "pt")
        );
        key.extend(number.map(|_| {
            (
                label.clone(),
                format!("{} points", fixed(single.error_pt.value, 1)),
            )
        }));
        Point {
            number,
            x: single.predicted_pt,
            y: single.error_pt,
            predicted: None,
            counts: single.counts,
            tip,
        }
    };
    let points: Vec<Point> = all.iter().map(&mut point).collect();
    let n = count(points.len() as u64, "experiment");
    let title = match control(evaluation, profiler) {
        None => profiler.to_owned(),
        Some(_) => format!("{profiler} (control)"),
    };
    let description = format!(
        "Error of {n} under {profiler} against the gain that was predicted; a right profiler is at 0."
    );
    let svg = scatter(&Scatter {
        right: Right::Zero,
        points,
        name: &title,
        description,
        x_label: "predicted gain of the method, points",
        y_label: "error of the gain, points",
        margin: BAND_PT,
    })?;
    let caption = format!(
        "n = {n}. Dashed: no error; band: 5 points; lines: 95 %; hollow: does not count. Numbered: those that count and are off by more than 5 points, at most {NAMED}."
    );
    Some(format!(
        "<div>{}{}</div>",
        picture(&title, &svg, &caption),
        numbered(&key)
    ))
}

/// What was measured under a profiler, and what was published of it.
fn rows(of: &AddedTime) -> Vec<Vec<Cell>> {
    let whole = |n: u64| figure(&n.to_string(), n as f64);
    let mut rows = vec![vec![
        Cell::words(&of.profiler),
        whole(of.tried),
        whole(of.counted),
        whole(of.programs),
        measured(of.detected_pct, "%"),
        measured(of.grew_pct, "%"),
        measured(of.error_pt, "pt"),
    ]];
    rows.extend(of.published.map(|published| {
        let detected = 100.0 * published.detected as f64 / published.tried as f64;
        vec![
            Cell::words(&format!("{}, published", of.profiler)),
            whole(published.tried),
            unknown(),
            unknown(),
            figure(
                &format!("{} of {}", published.detected, published.tried),
                detected,
            ),
            unknown(),
            figure(
                &format!("{} pt", fixed(published.error_pt, 2)),
                published.error_pt,
            ),
        ]
    }));
    rows
}
