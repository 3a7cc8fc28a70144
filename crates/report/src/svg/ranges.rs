//! Bars of mean shares with whiskers from the smallest to the largest.

use super::axis::{Axis, horizontal};
use super::draw::{Anchor, Pen, WIDTH};

const TOP: f64 = 6.0;
const LEFT: f64 = 8.0;
const RIGHT: f64 = WIDTH - 12.0;
const NAME: f64 = 16.0;
const BAR: f64 = 11.0;
const GAP: f64 = 6.0;
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
    rows: &[Range],
    name: &str,
    description: &str,
    (label, highest): (&str, f64),
) -> Option<String> {
    let high = rows.iter().map(|r| r.ends.1).reduce(f64::max)?;
    let x = Axis::from_zero(high.max(highest), (LEFT, RIGHT), 5);
    let bottom = TOP + rows.len() as f64 * (NAME + BAR + GAP);
    let mut pen = Pen::new(bottom + 40.0);
    horizontal(&mut pen, &x, bottom, TOP, label);
    let mut y = TOP;
    for row in rows {
        let words = crate::names::fit(&row.name, 46);
        pen.text("method", (LEFT + 2.0, y + 12.0), Anchor::Start, &words);
        y += NAME;
        bar(&mut pen, &x, y, row);
        y += BAR + GAP;
    }
    Some(pen.finish(name, description))
}

fn bar(pen: &mut Pen, x: &Axis, y: f64, row: &Range) {
    let (from, to) = (x.at(0.0), x.at(row.mean));
    pen.rect("bar", (from, y), (to - from, BAR), &row.tip);
    if row.hatched {
        hatch(pen, (from, to), y);
    }
    let middle = y + BAR / 2.0;
    let (low, high) = (x.at(row.ends.0), x.at(row.ends.1));
    pen.line("whisker halo", (low, middle), (high, middle));
    pen.line("whisker", (low, middle), (high, middle));
    for end in [low, high] {
        pen.line("whisker", (end, middle - 3.0), (end, middle + 3.0));
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
