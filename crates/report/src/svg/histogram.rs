//! Achieved overhead of blocks, weighted by time.

use super::axis::{Axis, horizontal, vertical};
use super::draw::{Anchor, Pen, WIDTH};
use crate::number::fixed;

const TOP: f64 = 34.0;
const BOTTOM: f64 = 180.0;
const LEFT: f64 = 44.0;
const RIGHT: f64 = WIDTH - 10.0;

/// What is drawn.
pub(crate) struct Histogram {
    /// Value (%) and weight (% of time) per block.
    pub(crate) values: Vec<(f64, f64)>,
    /// Target, %.
    pub(crate) target: f64,
    /// Mean distance from the target that measuring noise alone makes, points.
    pub(crate) noise: Option<f64>,
}

/// The chart; `None` without values.
pub(crate) fn histogram(data: &Histogram) -> Option<String> {
    let finite = || {
        data.values
            .iter()
            .filter(|(v, w)| v.is_finite() && *w > 0.0)
    };
    let all: f64 = finite().map(|(_, w)| w).sum();
    if all <= 0.0 {
        return None;
    }
    let bins = bins(data, finite().copied());
    let y = Axis::from_zero(bins.highest(), (BOTTOM, TOP), 4);
    let x = Axis::covering(bins.low, bins.high(), (LEFT, RIGHT), 6);
    let mut pen = Pen::new(BOTTOM + 40.0);
    if let Some(noise) = data.noise.filter(|n| n.is_finite()) {
        let (from, to) = (x.at(data.target - noise), x.at(data.target + noise));
        pen.rect(
            "noise",
            (from, TOP),
            (to - from, BOTTOM - TOP),
            "what measuring noise alone would do",
        );
    }
    vertical(&mut pen, &y, LEFT, RIGHT, "% of judged time");
    for (i, weight) in bins.weights.iter().enumerate().filter(|(_, w)| **w > 0.0) {
        let from = bins.low + i as f64 * bins.width;
        let (left, right) = (x.at(from) + 0.75, x.at(from + bins.width) - 0.75);
        let tip = format!(
            "{} to {} %: {} % of judged time",
            fixed(from, 0),
            fixed(from + bins.width, 0),
            fixed(*weight, 1)
        );
        pen.rect(
            "bar",
            (left, y.at(*weight)),
            (right - left, BOTTOM - y.at(*weight)),
            &tip,
        );
    }
    horizontal(
        &mut pen,
        &x,
        BOTTOM,
        BOTTOM,
        "achieved overhead of a block, %",
    );
    let at = x.at(data.target);
    pen.line("target", (at, TOP - 6.0), (at, BOTTOM));
    let words = format!("target +{} %", fixed(data.target, 0));
    let anchor = if at > RIGHT - 60.0 {
        Anchor::End
    } else if at < LEFT + 60.0 {
        Anchor::Start
    } else {
        Anchor::Middle
    };
    pen.text("label", (at, TOP - 12.0), anchor, &words);
    let description = format!(
        "Histogram of {} blocks, weighted by time: {} % of the judged time is within 10 points of the target, as measured.",
        finite().count(),
        fixed(
            100.0
                * finite()
                    .filter(|(v, _)| (v - data.target).abs() <= 10.0)
                    .map(|(_, w)| w)
                    .sum::<f64>()
                / all,
            0
        )
    );
    Some(pen.finish(
        "Achieved overhead per block, weighted by time",
        &description,
    ))
}

struct Bins {
    low: f64,
    width: f64,
    weights: Vec<f64>,
}

impl Bins {
    fn high(&self) -> f64 {
        self.low + self.width * self.weights.len() as f64
    }

    fn highest(&self) -> f64 {
        self.weights.iter().copied().fold(0.0, f64::max)
    }
}

/// Bins of 5, 10, 20, ... points with an edge 5 points beside the target, so that the target is inside of a bin; at most 30.
fn bins(data: &Histogram, values: impl Iterator<Item = (f64, f64)> + Clone) -> Bins {
    let all: f64 = values.clone().map(|(_, w)| w).sum();
    let ends = values
        .clone()
        .map(|(v, _)| v)
        .chain([data.target - 20.0, data.target + 20.0]);
    let (low, high) = ends.fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
    let mut width = 5.0;
    while (high - low) / width > 30.0 {
        width *= 2.0;
    }
    let low =
        data.target - width / 2.0 - ((data.target - width / 2.0 - low) / width).ceil() * width;
    let count = ((high - low) / width).floor() as usize + 1;
    let mut weights = vec![0.0; count];
    for (value, weight) in values {
        let bin = ((value - low) / width).floor().max(0.0) as usize;
        weights[bin.min(count - 1)] += 100.0 * weight / all;
    }
    Bins {
        low,
        width,
        weights,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_inside_of_a_bin_and_no_weight_is_lost() {
        let values = vec![(97.0, 3.0), (102.0, 1.0), (250.0, 1.0)];
        let data = Histogram {
            values,
            target: 100.0,
            noise: Some(2.0),
        };
        let bins = bins(&data, data.values.iter().copied());
        assert!((bins.weights.iter().sum::<f64>() - 100.0).abs() < 1e-9);
        let index = ((100.0 - bins.low) / bins.width).floor();
        assert!((bins.low + (index + 0.5) * bins.width - 100.0).abs() < 1e-9);
        assert!(histogram(&data).is_some());
    }

    #[test]
    fn nothing_to_draw_is_nothing() {
        assert!(
            histogram(&Histogram {
                values: vec![(f64::NAN, 1.0)],
                target: 100.0,
                noise: None
            })
            .is_none()
        );
    }
}
