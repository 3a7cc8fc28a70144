//! Scales with round ticks.

use super::draw::{Anchor, Pen};
use crate::number::fixed;

/// A linear scale from values to positions, with ticks at round values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    /// First and last value.
    pub(super) range: (f64, f64),
    /// Their positions.
    pub(super) span: (f64, f64),
    /// Distance of ticks.
    pub(super) step: f64,
}

impl Axis {
    /// Covers these values with whole steps; about as many ticks as asked for.
    pub(super) fn covering(low: f64, high: f64, span: (f64, f64), ticks: usize) -> Self {
        let (low, high) = if low.is_finite() && high.is_finite() {
            (low, high)
        } else {
            (0.0, 1.0)
        };
        let high = if high - low < 1e-9 { low + 1.0 } else { high };
        let step = round_step((high - low) / ticks.max(1) as f64);
        let range = ((low / step).floor() * step, (high / step).ceil() * step);
        Self { range, span, step }
    }

    /// The same from zero.
    pub(super) fn from_zero(high: f64, span: (f64, f64), ticks: usize) -> Self {
        Self::covering(0.0, high.max(1e-6), span, ticks)
    }

    /// Position of a value; values outside of the range stay at its ends.
    pub(super) fn at(&self, value: f64) -> f64 {
        let value = if value.is_nan() {
            self.range.0
        } else {
            value.clamp(self.range.0, self.range.1)
        };
        let part = (value - self.range.0) / (self.range.1 - self.range.0);
        self.span.0 + part * (self.span.1 - self.span.0)
    }

    /// Values with a tick, with their words.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let count = ((self.range.1 - self.range.0) / self.step).round() as usize;
        let decimals = (-self.step.log10().floor()).clamp(0.0, 6.0) as usize;
        let tick = |i| {
            let value = self.range.0 + i as f64 * self.step;
            (value, fixed(value, decimals))
        };
        (0..=count.min(50)).map(tick).collect()
    }
}

/// 1, 2 or 5 times a power of ten, at least this.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|f| f * power >= least * 0.999_999);
    factor.unwrap_or(10.0) * power
}

/// Ticks, grid lines upwards, and label of a horizontal axis at height `y`.
pub(super) fn horizontal(pen: &mut Pen, axis: &Axis, y: f64, top: f64, label: &str) {
    for (value, words) in axis.ticks() {
        let x = axis.at(value);
        pen.line("grid", (x, top), (x, y));
        pen.text("tick", (x, y + 14.0), Anchor::Middle, &words);
    }
    pen.line("base", (axis.span.0, y), (axis.span.1, y));
    let middle = (axis.span.0 + axis.span.1) / 2.0;
    pen.text("axis", (middle, y + 31.0), Anchor::Middle, label);
}

/// Ticks, grid lines to the right, and label of a vertical axis at `x`.
pub(super) fn vertical(pen: &mut Pen, axis: &Axis, x: f64, right: f64, label: &str) {
    for (value, words) in axis.ticks() {
        let y = axis.at(value);
        pen.line("grid", (x, y), (right, y));
        pen.text("tick", (x - 5.0, y + 4.0), Anchor::End, &words);
    }
    pen.turned((12.0, (axis.span.0 + axis.span.1) / 2.0), label);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_cover() {
        let axis = Axis::covering(83.0, 121.0, (0.0, 100.0), 5);
        let words: Vec<String> = axis.ticks().into_iter().map(|t| t.1).collect();
        assert_eq!(words, ["80", "90", "100", "110", "120", "130"]);
        assert_eq!(axis.at(80.0), 0.0);
        assert_eq!(axis.at(1e9), 100.0);
        assert_eq!(axis.at(f64::NAN), 0.0);
    }

    #[test]
    fn odd_ranges_do_no_harm() {
        for (low, high) in [
            (0.0, 0.0),
            (f64::NAN, 1.0),
            (0.0, f64::INFINITY),
            (5.0, 5.0),
            (0.001, 0.0012),
        ] {
            let ticks = Axis::covering(low, high, (0.0, 10.0), 4).ticks();
            assert!(
                ticks.len() >= 2 && ticks.len() < 12,
                "{low} {high}: {ticks:?}"
            );
        }
    }
}
