//! Box plots, one row each.

use super::axis::Axis;
use super::draw::Pen;
use super::rows::{Row, rows};

const BOX: f64 = 16.0;

/// One row.
pub(crate) struct BoxRow {
    /// Name.
    pub(crate) name: String,
    /// Values, ascending.
    pub(crate) values: Vec<f64>,
    /// Lower quartile, median, upper quartile.
    pub(crate) quartiles: [f64; 3],
    /// Words when pointed at.
    pub(crate) tip: String,
}

/// Box from quartile to quartile, line at the median, whiskers to the farthest value within 1.5 box lengths, dots
/// beyond; `None` without values. With the words at the axis goes the width of the chart.
pub(crate) fn boxes(
    all: &[BoxRow],
    name: &str,
    description: &str,
    label: (&str, f64),
) -> Option<String> {
    let high = all.iter().filter_map(|r| r.values.last().copied());
    let pen = rows(all, high.reduce(f64::max)?, label);
    Some(pen.finish(name, description))
}

impl Row for BoxRow {
    const HEIGHTS: [f64; 3] = [17.0, BOX, 8.0];

    fn name(&self) -> &str {
        &self.name
    }

    fn draw(&self, pen: &mut Pen, x: &Axis, y: f64) {
        if !self.values.is_empty() {
            draw(pen, x, y, self);
        }
    }
}

fn draw(pen: &mut Pen, x: &Axis, y: f64, row: &BoxRow) {
    let [lower, median, upper] = row.quartiles;
    let reach = 1.5 * (upper - lower);
    let inside = |v: &&f64| **v >= lower - reach && **v <= upper + reach;
    let low = row.values.iter().find(inside).copied().unwrap_or(lower);
    let high = row
        .values
        .iter()
        .rev()
        .find(inside)
        .copied()
        .unwrap_or(upper);
    let middle = y + BOX / 2.0;
    for (from, to) in [(low.min(lower), lower), (upper, high.max(upper))] {
        pen.line("whisker", (x.at(from), middle), (x.at(to), middle));
    }
    for end in [low.min(lower), high.max(upper)] {
        pen.line(
            "whisker",
            (x.at(end), middle - 4.0),
            (x.at(end), middle + 4.0),
        );
    }
    let (from, to) = (x.at(lower), x.at(upper));
    pen.rect("box", (from, y), (to - from, BOX), &row.tip);
    pen.line("median", (x.at(median), y), (x.at(median), y + BOX));
    for outlier in row.values.iter().filter(|v| !inside(v)) {
        pen.circle("dot hollow", (x.at(*outlier), middle), 2.4, "");
    }
}

#[cfg(test)]
mod tests {
    use super::super::draw::{FULL, WIDTH};
    use super::*;

    #[test]
    fn one_far_value_is_a_dot_and_no_whisker() {
        let row = BoxRow {
            name: "a".into(),
            values: vec![1.0, 2.0, 3.0, 4.0, 99.0],
            quartiles: [2.0, 3.0, 4.0],
            tip: String::new(),
        };
        let rows = [row];
        let svg = boxes(&rows, "n", "d", ("l", WIDTH)).unwrap();
        assert!(svg.contains("viewBox=\"0 0 360 "), "{svg}");
        let wide = boxes(&rows, "n", "d", ("l", FULL)).unwrap();
        assert!(wide.contains("viewBox=\"0 0 760 "), "{wide}");
        assert_eq!(svg.matches("<circle").count(), 1);
        assert!(!svg.contains("NaN"));
        assert!(boxes(&[], "n", "d", ("l", WIDTH)).is_none());
    }
}
