//! From judgements to charts.

use proofmark_assess::{Condition, Judgement, TotalWindow};
use proofmark_stats::Estimate;

use super::figure;
use crate::number::{count, fixed, with_n};
use crate::svg::{Bar, Kind, Mark, Strip, StripPoint, bars, strip};
use crate::{Names, words};

/// Methods drawn in one chart; the others are in the data.
pub(super) const METHODS: usize = 10;

/// Iteration times per window.
pub(super) fn times(windows: &[TotalWindow], title: &str) -> Option<String> {
    let mut start = 0.0;
    let mut sorted: Vec<&TotalWindow> = windows.iter().collect();
    sorted.sort_by_key(|w| w.at.window);
    let mut points = Vec::new();
    for w in sorted {
        let middle = start + w.at.seconds / 2.0;
        start += w.at.seconds;
        points.extend(window_point(w, middle));
    }
    let iterations: usize = windows.iter().map(|w| w.iteration_ms.len()).sum();
    let n = format!(
        "n = {}, {}",
        count(points.len() as u64, "window"),
        count(iterations as u64, "iteration")
    );
    let description = format!("CPU time of an iteration per window over time; {n}.");
    let svg = strip(&Strip {
        points,
        name: title,
        description,
    })?;
    Some(figure(
        title,
        &svg,
        &format!(
            "{n}. Mark: median of a window; line: its fastest to slowest iteration. Changes between windows are left out of the time."
        ),
    ))
}

fn window_point(w: &TotalWindow, at: f64) -> Option<StripPoint> {
    let mut times = w.iteration_ms.clone();
    times.sort_by(f64::total_cmp);
    let median = *times.get(times.len() / 2)?;
    let kind = match w.at.condition {
        Condition::Baseline => Kind::Unslowed,
        Condition::Uniform(_) => Kind::Uniform,
        Condition::Single(_) | Condition::SingleLow(_) => Kind::Single,
    };
    let tip = format!(
        "window {}, {}: median {} ms of {}",
        w.at.window,
        words::condition(w.at.condition),
        fixed(median, 2),
        count(times.len() as u64, "iteration")
    );
    Some(StripPoint {
        at,
        values: [times[0], median, times[times.len() - 1]],
        kind,
        tip,
    })
}

/// Truth and profiler per method in unslowed code.
pub(super) fn truth(j: &Judgement, names: &Names) -> Option<String> {
    let row = |m: &proofmark_assess::MethodShares| {
        let at = m
            .by_condition
            .iter()
            .find(|c| c.condition == Condition::Baseline)?;
        let short = names.short(&m.method);
        let value = |mark, who: &str, e: Option<Estimate>| {
            e.map(|e| (mark, e, format!("{short}, {who}: {}", with_n(&e, "%"))))
        };
        let values = [
            value(Mark::Truth, "truth", at.truth_pct),
            value(Mark::Profiler, "profiler", at.profiler_pct),
        ];
        Some(Bar {
            name: short.clone(),
            values: values.into_iter().flatten().collect(),
        })
    };
    let rows: Vec<Bar> = j
        .shares
        .iter()
        .filter_map(row)
        .filter(|b| !b.values.is_empty())
        .take(METHODS)
        .collect();
    let size = j.sizes.iter().find(|s| s.condition == Condition::Baseline);
    let n = size.map_or(String::new(), |s| {
        format!(
            "n = {} samples of the profiler, {} of ours. ",
            whole(s.profiler_samples),
            whole(s.truth_samples)
        )
    });
    let title = "Unslowed: truth and profiler";
    let description = format!(
        "Shares of {} by our own samples and by the profiler. {n}",
        count(rows.len() as u64, "method")
    );
    let svg = bars(
        &rows,
        title,
        &description,
        "share of time in compiled Java methods, %",
    )?;
    Some(figure(
        title,
        &svg,
        &format!(
            "{n}Upper bar, filled: truth; lower bar, outlined: profiler; lines: 95 %.{}",
            left_out(j.shares.len())
        ),
    ))
}

fn left_out(all: usize) -> String {
    if all > METHODS {
        format!(" The {METHODS} largest of {all} methods.")
    } else {
        String::new()
    }
}

pub(super) fn whole(samples: f64) -> String {
    crate::number::grouped(samples.max(0.0).round() as u64)
}
