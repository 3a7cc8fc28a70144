//! Seen against expected, with the line on which both are equal.

use proofmark_stats::Estimate;

use super::axis::{Axis, horizontal, vertical};
use super::draw::{Anchor, Pen, WIDTH};

const TOP: f64 = 12.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = WIDTH - 12.0;
const BOTTOM: f64 = 270.0;

/// One numbered point.
pub(crate) struct Point {
    /// Number beside it, also in the table below the chart; none: no number.
    pub(crate) number: Option<usize>,
    /// Horizontal value with interval.
    pub(crate) x: Estimate,
    /// Vertical value with interval.
    pub(crate) y: Estimate,
    /// Where it would be if the profiler were right; none: on the line.
    pub(crate) predicted: Option<f64>,
    /// Whether it counts for the verdict.
    pub(crate) counts: bool,
    /// Words when pointed at.
    pub(crate) tip: String,
}

/// Where points of a right profiler are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Right {
    /// Where both values are equal; both axes have one scale.
    Equal,
    /// Where the vertical value is 0.
    Zero,
}

/// What is drawn.
pub(crate) struct Scatter<'a> {
    /// Where points ought to be: the dashed line.
    pub(crate) right: Right,
    /// Points.
    pub(crate) points: Vec<Point>,
    /// Name of the chart.
    pub(crate) name: &'a str,
    /// For those who cannot see it.
    pub(crate) description: String,
    /// Label of the horizontal axis, with unit.
    pub(crate) x_label: &'a str,
    /// Label of the vertical axis, with unit.
    pub(crate) y_label: &'a str,
    /// Half-width of the band around the line, points.
    pub(crate) margin: f64,
}

/// The chart; `None` without points.
pub(crate) fn scatter(data: &Scatter<'_>) -> Option<String> {
    let (x, y) = axes(data)?;
    let mut pen = Pen::new(BOTTOM + 40.0);
    vertical(&mut pen, &y, LEFT, RIGHT, data.y_label);
    horizontal(&mut pen, &x, BOTTOM, TOP, data.x_label);
    let at = |(a, b)| (x.at(a), y.at(b));
    let (from, to) = x.range;
    match data.right {
        Right::Equal => {
            pen.polygon("band", &band(x.range, data.margin).map(at), "");
            pen.line("target", at((from, from)), at((to, to)));
        }
        Right::Zero => {
            let corners = [(from, -data.margin), (to, data.margin)].map(at);
            let size = (corners[1].0 - corners[0].0, corners[0].1 - corners[1].1);
            pen.rect("band", (corners[0].0, corners[1].1), size, "");
            pen.line("target", at((from, 0.0)), at((to, 0.0)));
        }
    }
    let (mut taken, mut lines): (Vec<Box>, Vec<Box>) = (Vec::new(), Vec::new());
    for p in &data.points {
        let at = (x.at(p.x.value), y.at(p.y.value));
        taken.push(Box::around(at, 5.0, 5.0));
        lines.push(Box::between(
            (x.at(p.x.low), at.1 - 1.0),
            (x.at(p.x.high), at.1 + 1.0),
        ));
        lines.push(Box::between(
            (at.0 - 1.0, y.at(p.y.high)),
            (at.0 + 1.0, y.at(p.y.low)),
        ));
        pen.line("whisker", (x.at(p.x.low), at.1), (x.at(p.x.high), at.1));
        pen.line("whisker", (at.0, y.at(p.y.low)), (at.0, y.at(p.y.high)));
        if let Some(predicted) = p.predicted {
            let level = y.at(predicted);
            lines.push(Box::around((at.0, level), 10.0, 3.0));
            pen.line("predicted", (at.0 - 7.0, level), (at.0 + 7.0, level));
        }
        pen.circle(if p.counts { "dot" } else { "dot hollow" }, at, 3.5, &p.tip);
    }
    for p in &data.points {
        if let Some(number) = p.number {
            label(
                &mut pen,
                &mut taken,
                &lines,
                (x.at(p.x.value), y.at(p.y.value)),
                &number.to_string(),
            );
        }
    }
    Some(pen.finish(data.name, &data.description))
}

/// One scale for both axes, or one for each.
fn axes(data: &Scatter<'_>) -> Option<(Axis, Axis)> {
    let (across, upwards) = ((LEFT, RIGHT), (BOTTOM, TOP));
    let covering = |(low, high), span| Axis::covering(low, high, span, 5);
    Some(match data.right {
        Right::Equal => {
            let x = covering(extent(&data.points)?, across);
            (x, Axis { span: upwards, ..x })
        }
        Right::Zero => {
            let of = |e: &Estimate| [e.low, e.value, e.high];
            let x = data.points.iter().flat_map(|p| of(&p.x));
            let y = data.points.iter().flat_map(|p| of(&p.y));
            let band = [-data.margin, data.margin];
            (
                covering(ends(x)?, across),
                covering(ends(y.chain(band))?, upwards),
            )
        }
    })
}

/// Least and greatest of the values that are finite.
fn ends(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let finite = values.filter(|value| value.is_finite());
    finite.fold(None, |ends, value| {
        let (low, high) = ends.unwrap_or((value, value));
        Some((value.min(low), value.max(high)))
    })
}

/// Range of all values, intervals and predictions, with zero.
fn extent(points: &[Point]) -> Option<(f64, f64)> {
    let values = points.iter().flat_map(|p| {
        [
            p.x.low,
            p.x.value,
            p.x.high,
            p.y.low,
            p.y.value,
            p.y.high,
            p.predicted.unwrap_or(p.y.value),
        ]
    });
    let (low, high) = ends(values)?;
    // A share has no values below 0, even if its interval reaches there.
    let shares = points.iter().all(|p| p.x.value.min(p.y.value) >= 0.0);
    Some((if shares { 0.0 } else { low.min(0.0) }, high))
}

/// Corners of the band of this half-width around the diagonal, clipped to the square.
fn band((low, high): (f64, f64), margin: f64) -> [(f64, f64); 6] {
    let m = margin.clamp(0.0, high - low);
    [
        (low, low),
        (low, low + m),
        (high - m, high),
        (high, high),
        (high, high - m),
        (low + m, low),
    ]
}

#[derive(Clone, Copy)]
struct Box {
    from: (f64, f64),
    to: (f64, f64),
}

impl Box {
    fn around(at: (f64, f64), half_width: f64, half_height: f64) -> Self {
        Self {
            from: (at.0 - half_width, at.1 - half_height),
            to: (at.0 + half_width, at.1 + half_height),
        }
    }

    fn between(from: (f64, f64), to: (f64, f64)) -> Self {
        Self { from, to }
    }

    fn meets(&self, other: &Self) -> bool {
        self.from.0 < other.to.0
            && other.from.0 < self.to.0
            && self.from.1 < other.to.1
            && other.from.1 < self.to.1
    }
}

/// Puts a label beside a point, on the first free of several places; far ones get a line to the point.
fn label(pen: &mut Pen, taken: &mut Vec<Box>, lines: &[Box], at: (f64, f64), words: &str) {
    let half = 3.6 * words.len() as f64;
    let places = [10.0, 18.0, 27.0, 38.0, 50.0]
        .into_iter()
        .flat_map(|distance| {
            // Above left and below right first: away from the diagonal.
            [
                (-0.8, -0.8),
                (0.8, 0.8),
                (-1.0, 0.0),
                (1.0, 0.0),
                (0.0, -1.0),
                (0.0, 1.0),
                (-0.8, 0.8),
                (0.8, -0.8),
            ]
            .map(|(dx, dy)| {
                (
                    distance,
                    (at.0 + dx * (distance + half - 3.0), at.1 + dy * distance),
                )
            })
        });
    let inside =
        |b: &Box| b.from.0 > LEFT && b.to.0 < RIGHT && b.from.1 > TOP - 8.0 && b.to.1 < BOTTOM;
    let open: Vec<(f64, (f64, f64), Box)> = places
        .map(|(d, center)| (d, center, Box::around(center, half, 5.5)))
        .filter(|(_, _, b)| inside(b) && !taken.iter().any(|t| t.meets(b)))
        .collect();
    // Beside all lines, or at least on no other point or label.
    let off_lines = open
        .iter()
        .find(|(_, _, b)| !lines.iter().any(|l| l.meets(b)));
    let free = off_lines.or(open.first()).copied();
    let Some((distance, center, place)) = free else {
        return;
    };
    if distance > 12.0 {
        pen.line("leader", at, center);
    }
    pen.text("number", (center.0, center.1 + 4.0), Anchor::Middle, words);
    taken.push(place);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(number: usize, v: f64) -> Point {
        let e = Estimate {
            value: v,
            low: v - 1.0,
            high: f64::INFINITY,
            n: 3,
        };
        Point {
            number: Some(number),
            x: e,
            y: e,
            predicted: None,
            counts: true,
            tip: "t".into(),
        }
    }

    fn of(right: Right, points: Vec<Point>) -> Scatter<'static> {
        Scatter {
            right,
            points,
            name: "n",
            description: String::new(),
            x_label: "x",
            y_label: "y",
            margin: 5.0,
        }
    }

    #[test]
    fn crowded_points_keep_their_numbers_apart() {
        let points = (1..=8).map(|i| point(i, 10.0)).collect();
        let data = of(Right::Equal, points);
        let svg = scatter(&data).unwrap();
        assert_eq!(svg.matches("class=\"number\"").count(), 8);
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }

    #[test]
    fn axes_of_shares_begin_at_zero() {
        for shares in [[0.4, 37.0], [30.0, 37.0]] {
            let data = of(Right::Equal, shares.map(|share| point(1, share)).into());
            let (x, y) = axes(&data).unwrap();
            assert_eq!([x.range, y.range], [(0.0, 40.0); 2], "{shares:?}");
        }
    }

    /// Errors may be far above the gains that were predicted: each axis has its own scale, and the line stays inside.
    #[test]
    fn errors_have_a_scale_of_their_own() {
        let e = |value: f64| Estimate::around(value, 1.0, 3);
        let at = |x: f64, y: f64| Point {
            number: None,
            x: e(x),
            y: e(y),
            ..point(1, 0.0)
        };
        let data = of(Right::Zero, vec![at(2.0, -40.0), at(9.0, 1.0)]);
        let (x, y) = axes(&data).unwrap();
        assert!(x.range.0 >= 0.0 && x.range.1 <= 12.0, "{:?}", x.range);
        assert!(y.range.0 <= -41.0 && y.range.1 >= 5.0, "{:?}", y.range);
        let svg = scatter(&data).unwrap();
        let zero = format!("y1=\"{:.1}\"", y.at(0.0)).replace(".0\"", "\"");
        let target = svg.split("class=\"target\"").nth(1).unwrap();
        assert!(
            target.split("/>").next().unwrap().contains(&zero),
            "{zero}: {target}"
        );
    }
}
