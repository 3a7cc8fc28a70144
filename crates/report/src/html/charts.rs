//! From judgements to charts.

use proofmark_assess::{Condition, Judgement, Settings, TotalWindow, UniformTest};
use proofmark_stats::Estimate;

use super::escape::name;
use super::figure;
use crate::number::{count, fixed, with_n};
use crate::svg::{Bar, Kind, Mark, Point, Scatter, Strip, StripPoint, bars, scatter, strip};
use crate::{Names, words};

/// Methods drawn in one chart; the others are in the data.
const METHODS: usize = 10;

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
        Condition::Single(_) => Kind::Single,
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

fn whole(samples: f64) -> String {
    crate::number::grouped(samples.max(0.0).round() as u64)
}

/// Shares in unslowed against shares in slowed windows.
pub(super) fn uniform(
    j: &Judgement,
    t: &UniformTest,
    names: &Names,
    settings: &Settings,
) -> Option<String> {
    let share = |m: &proofmark_assess::MethodShares, condition| {
        m.by_condition
            .iter()
            .find(|c| c.condition == condition)?
            .profiler_pct
    };
    let (mut points, mut key) = (Vec::new(), Vec::new());
    for m in &j.shares {
        let (Some(x), Some(y)) = (
            share(m, Condition::Baseline),
            share(m, Condition::Uniform(t.target_pct)),
        ) else {
            continue;
        };
        let change = t.changes.iter().find(|c| c.method == m.method);
        let number = (key.len() < METHODS).then(|| key.len() + 1);
        let short = names.short(&m.method);
        let tip = format!(
            "{short}: unslowed {}, slowed {}",
            with_n(&x, "%"),
            with_n(&y, "%")
        );
        points.push(Point {
            number,
            x,
            y,
            predicted: change.map(|c| x.value + c.expected_pt.value),
            counts: change.is_some(),
            tip,
        });
        key.extend(number.map(|_| short));
    }
    let title = format!("All +{} %: shares before and after", t.target_pct);
    let n = size_words(j, Condition::Uniform(t.target_pct));
    let description = format!(
        "Shares of {} as the profiler shows them, unslowed against slowed; on the line they are equal. {n}",
        count(points.len() as u64, "method")
    );
    let svg = scatter(&Scatter {
        points,
        name: &title,
        description,
        x_label: "share unslowed, %",
        y_label: "share slowed, %",
        margin: settings.margin_pt,
    })?;
    let mut caption = format!(
        "{n}Dashed: no change; band: margin; cross bar: where the block times put it; hollow: too small to be judged; lines: 95 %."
    );
    if let Some(overhead) = t.overhead_pct {
        caption.push_str(&format!(
            " Program: {}.",
            crate::number::signed_percent(&overhead)
        ));
    }
    if let Some(r) = t.correlation {
        caption.push_str(&format!(
            " Correlation of the top {}: {}.",
            t.top,
            fixed(r.value, 3)
        ));
    }
    caption.push_str(&format!(
        " Moved by more than 5 points: {} of {}; against what was achieved: {}.",
        t.off_by_5_pt, t.top, t.off_by_5_pt_corrected
    ));
    Some(format!(
        "<div>{}{}</div>",
        figure(&title, &svg, &caption),
        numbered(&key)
    ))
}

fn size_words(j: &Judgement, condition: Condition) -> String {
    let of = |c| {
        j.sizes
            .iter()
            .find(|s| s.condition == c)
            .map_or("?".into(), |s| whole(s.profiler_samples))
    };
    format!(
        "n = {} samples unslowed, {} slowed. ",
        of(Condition::Baseline),
        of(condition)
    )
}

/// What the numbers stand for.
fn numbered(key: &[String]) -> String {
    let items: String = key
        .iter()
        .map(|k| format!("<li><code>{}</code></li>", name(k)))
        .collect();
    if items.is_empty() {
        items
    } else {
        format!("<ol class=\"key\">{items}</ol>")
    }
}

/// Predicted against seen gain of single-block experiments.
pub(super) fn single(j: &Judgement, names: &Names) -> Option<String> {
    let mut key = Vec::new();
    let mut point = |t: &proofmark_assess::SingleTest| {
        key.push(format!("{}, {}", names.short(&t.owner), t.label));
        let tip = format!(
            "{}: predicted {}, seen {}",
            t.label,
            with_n(&t.predicted_pt, "pt"),
            with_n(&t.seen_pt, "pt")
        );
        Point {
            number: Some(key.len()),
            x: t.predicted_pt,
            y: t.seen_pt,
            predicted: None,
            counts: t.counts,
            tip,
        }
    };
    let points: Vec<Point> = j.tests.single.iter().map(&mut point).collect();
    let margin = j
        .tests
        .single
        .iter()
        .map(|t| t.wrong_above_pt)
        .reduce(f64::min)
        .unwrap_or(0.0);
    let title = "One block slowed: predicted and seen";
    let n = count(points.len() as u64, "experiment");
    let description = format!(
        "Gain of the owning method's share in {n}: predicted against seen by the profiler; on the line they are equal."
    );
    let svg = scatter(&Scatter {
        points,
        name: title,
        description,
        x_label: "predicted gain, points",
        y_label: "gain seen, points",
        margin,
    })?;
    let caption = format!(
        "n = {n}. Dashed: seen as predicted; band: smallest limit of them ({} points); hollow: does not count; lines: 95 %.",
        fixed(margin, 1)
    );
    Some(format!(
        "<div>{}{}</div>",
        figure(title, &svg, &caption),
        numbered(&key)
    ))
}
