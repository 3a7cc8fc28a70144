//! Is added time charged to its method: error against predicted gain, one panel per profiler.

use proofmark_experiment::evaluate::{AddedTime, Dosed, Evaluation};

use super::super::figure as picture;
use super::super::table::{Cell, table};
use super::experiments::slowed_alone_under;
use super::{figure, measured, numbered, section as part, unknown};
use crate::Names;
use crate::number::{count, fixed, with_n};
use crate::svg::{Point, Right, Scatter, scatter};
use crate::words::evaluation::control;
use crate::words::experiments::{OfProgram, kind, profilers, under};

/// Points by which a gain may be off before it is named.
const BAND_PT: f64 = 5.0;
/// Experiments of one picture that are named.
const NAMED: usize = 16;

const ABOUT: &str = "Blocks of one method are slowed alone. The clock says how much time that adds, and so by how many points the method&#39;s share ought to grow. \
     Error is what a profiler shows beyond that: at 0 it charges the added time to its method, below 0 it charges it to others. An experiment counts only if our \
     own samples agree with the clock about it; else it says nothing about a profiler. <em>Blocks</em>: single blocks, as in the published study; <em>methods</em>: several blocks of one method. \
     Shares before and after are those under few and under many instructions; whether a method was shown before is asked of windows with none.";

pub(super) fn section(evaluation: &Evaluation) -> String {
    if evaluation.added_time.is_empty() {
        return String::new();
    }
    let profilers = profilers(evaluation);
    let panels: String = (profilers.iter())
        .filter_map(|profiler| panel(evaluation, profiler))
        .collect();
    let tables: String = (profilers.iter())
        .map(|profiler| slowed_alone_under(evaluation, profiler))
        .collect();
    let rows: Vec<Vec<Cell>> = evaluation.added_time.iter().flat_map(rows).collect();
    let titles = [
        "profiler",
        "slowed alone",
        "tried",
        "counted",
        "programs",
        "showed the method before",
        "showed it after",
        "its share grew",
        "mean error",
    ];
    let body = format!(
        "<div class=\"grid\">{panels}</div>\n{}{tables}",
        table("sortable stack", "", &titles, &rows)
    );
    part(
        "added",
        "Is time that is added to blocks of one method charged to that method?",
        ABOUT,
        &body,
    )
}

/// Experiments under a profiler; what is off most first: it is named first.
fn singles<'a>(evaluation: &'a Evaluation, profiler: &str) -> Vec<OfProgram<'a>> {
    let mut all = under(evaluation, profiler);
    let size = |one: &OfProgram<'_>| one.1.error_pt.value.abs();
    all.sort_by(|a, b| size(b).total_cmp(&size(a)));
    all
}

fn panel(evaluation: &Evaluation, profiler: &str) -> Option<String> {
    let all = singles(evaluation, profiler);
    let names = Names::of(all.iter().map(|(_, single)| single.method.as_str()));
    let mut key = Vec::new();
    let mut point = |(program, single): &OfProgram<'_>| {
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
        Cell::words(kind(of.dosed)),
        whole(of.tried),
        whole(of.counted),
        whole(of.programs),
        measured(of.detected_before_pct, "%"),
        measured(of.detected_pct, "%"),
        measured(of.grew_pct, "%"),
        measured(of.error_pt, "pt"),
    ]];
    rows.extend(of.published.map(|published| {
        let detected = 100.0 * published.detected as f64 / published.tried as f64;
        vec![
            Cell::words(&format!("{}, published", of.profiler)),
            Cell::words(kind(Dosed::Block)),
            whole(published.tried),
            unknown(),
            unknown(),
            unknown(),
            figure(
                &format!("{} of {}", published.detected, published.tried),
                detected,
            ),
            (published.grew_pct).map_or_else(unknown, |grew| {
                figure(&format!("{} %", fixed(grew, 2)), grew)
            }),
            figure(
                &format!("{} pt", fixed(published.error_pt, 2)),
                published.error_pt,
            ),
        ]
    }));
    rows
}
