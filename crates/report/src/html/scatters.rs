//! Seen against expected: everything slowed, time added to one method.

use proofmark_assess::{Condition, Judgement, Settings, UniformTest};

use super::charts::{METHODS, whole};
use super::escape::name;
use super::figure;
use crate::Names;
use crate::number::{count, fixed, with_n};
use crate::svg::{Point, Right, Scatter, scatter};

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
        right: Right::Equal,
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

/// Predicted against seen gain of methods to which time was added.
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
    let title = "Time added to one method: predicted and seen";
    let n = count(points.len() as u64, "experiment");
    let description = format!(
        "Gain of the owning method's share in {n}: predicted against seen by the profiler; on the line they are equal."
    );
    let svg = scatter(&Scatter {
        right: Right::Equal,
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
