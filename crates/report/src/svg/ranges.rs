//! Bars of mean shares with whiskers from the smallest to the largest.

use super::axis::Axis;
use super::draw::{Pen, WIDTH};
use super::rows::{Row, rows};

const BAR: f64 = 11.0;
/// Distance of the lines of a hatching.
const HATCH: f64 = 5.0;

/// One bar.
pub(crate) struct Range {
    /// Name, already short; cut if it does not fit.
    pub(crate) name: String,
    /// Length.
    pub(crate) mean: f64,
    /// Ends of the whisker.
    pub(crate) ends: (f64, f64),
    /// Whether it is hatched.
    pub(crate) hatched: bool,
    /// Words when pointed at.
    pub(crate) tip: String,
}

/// The chart, its axis from 0 to `highest` at least; `None` without bars.
pub(crate) fn ranges(
    all: &[Range],
    name: &str,
    description: &str,
    (label, highest): (&str, f64),
) -> Option<String> {
    let high = all.iter().map(|r| r.ends.1).reduce(f64::max)?;
    let pen = rows(all, high.max(highest), (label, WIDTH));
    Some(pen.finish(name, description))
}

impl Row for Range {
    const HEIGHTS: [f64; 3] = [16.0, BAR, 6.0];

    fn name(&self) -> &str {
        &self.name
    }

    fn draw(&self, pen: &mut Pen, x: &Axis, y: f64) {
        let (from, to) = (x.at(0.0), x.at(self.mean));
        pen.rect("bar", (from, y), (to - from, BAR), &self.tip);
        if self.hatched {
            hatch(pen, (from, to), y);
        }
        let middle = y + BAR / 2.0;
        let (low, high) = (x.at(self.ends.0), x.at(self.ends.1));
        pen.line("whisker halo", (low, middle), (high, middle));
        pen.line("whisker", (low, middle), (high, middle));
        for end in [low, high] {
            pen.line("whisker", (end, middle - 3.0), (end, middle + 3.0));
        }
    }
}

/// Diagonals from the lower edge to the upper one, cut at both sides.
fn hatch(pen: &mut Pen, (from, to): (f64, f64), y: f64) {
    let mut start = from - BAR + HATCH / 2.0;
    while start < to {
        let (left, right) = (start.max(from), (start + BAR).min(to));
        if right > left {
            let at = |x: f64| (x, y + BAR - (x - start));
            pen.line("hatch", at(left), at(right));
        }
        start += HATCH;
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::LEFT;
    use super::*;

    #[test]
    fn only_hatched_bars_have_lines_and_they_stay_inside() {
        let range = |hatched| Range {
            name: "a".into(),
            mean: 50.0,
            ends: (40.0, 60.0),
            hatched,
            tip: String::new(),
        };
        let plain = ranges(&[range(false)], "n", "d", ("l", 100.0)).unwrap();
        let hatched = ranges(&[range(true)], "n", "d", ("l", 100.0)).unwrap();
        assert!(!plain.contains("\"hatch\""));
        let ends = hatched.split("class=\"hatch\"").skip(1).map(|line| {
            let x2 = line
                .split("x2=\"")
                .nth(1)
                .unwrap()
                .split('"')
                .next()
                .unwrap();
            x2.parse::<f64>().unwrap()
        });
        let ends: Vec<f64> = ends.collect();
        assert!(
            ends.len() > 20 && ends.iter().all(|x| *x >= LEFT && *x <= 178.1),
            "{ends:?}"
        );
    }
}
