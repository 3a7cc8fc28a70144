//! One row per program: what was reached, with its interval, and what was published.

use proofmark_stats::Estimate;

use super::axis::{Axis, horizontal};
use super::draw::{Anchor, Fitted, Pen, WIDTH};

const TOP: f64 = 26.0;
const LEFT: f64 = 126.0;
const RIGHT: f64 = WIDTH - 14.0;
const ROW: f64 = 20.0;
/// Characters of a name that fit beside the rows.
const NAME: usize = 16;

/// One row.
pub(crate) struct Total {
    /// Name, cut if it does not fit.
    pub(crate) name: String,
    /// What was reached, %; none if it is not known.
    pub(crate) reached: Option<Estimate>,
    /// What was published, %.
    pub(crate) published: Option<f64>,
    /// Words when pointed at.
    pub(crate) tip: String,
}

/// The chart, with a line at the target; `None` if nothing was reached anywhere.
pub(crate) fn totals(rows: &[Total], target: f64, name: &str, description: &str) -> Option<String> {
    let reached = rows.iter().filter_map(|row| row.reached);
    let ends: Vec<f64> = reached.flat_map(|e| [e.low, e.value, e.high]).collect();
    if ends.is_empty() {
        return None;
    }
    let published = rows.iter().filter_map(|row| row.published);
    let all = ends.into_iter().chain(published).chain([target]);
    let finite: Vec<f64> = all.filter(|value| value.is_finite()).collect();
    let high = finite.iter().copied().reduce(f64::max)?;
    let low = finite.iter().copied().reduce(f64::min)?;
    let x = Axis::covering(low, high, (LEFT, RIGHT), 5);
    let bottom = TOP + ROW * rows.len() as f64;
    let mut pen = Pen::new(bottom + 40.0);
    for at in (0..rows.len()).step_by(2) {
        let y = TOP + at as f64 * ROW;
        pen.rect("stripe", (0.0, y), (RIGHT, ROW), "");
    }
    horizontal(&mut pen, &x, bottom, TOP, "overhead of the program, %");
    pen.line("target", (x.at(target), TOP - 4.0), (x.at(target), bottom));
    for (at, row) in rows.iter().enumerate() {
        draw(&mut pen, &x, TOP + (at as f64 + 0.5) * ROW, row);
    }
    legend(&mut pen, rows.iter().any(|row| row.published.is_some()));
    Some(pen.finish(name, description))
}

fn draw(pen: &mut Pen, x: &Axis, y: f64, row: &Total) {
    let words = Fitted::of(&row.name, NAME);
    pen.fitted("method", (LEFT - 6.0, y + 4.0), Anchor::End, words);
    // A little apart, so that neither hides the other.
    if let Some(published) = row.published.filter(|value| value.is_finite()) {
        hollow(pen, (x.at(published), y + 3.5), &row.tip);
    }
    if let Some(e) = row.reached {
        let y = y - 3.5;
        pen.line("whisker", (x.at(e.low), y), (x.at(e.high), y));
        pen.circle("dot", (x.at(e.value), y), 3.2, &row.tip);
    }
}

fn hollow(pen: &mut Pen, (x, y): (f64, f64), tip: &str) {
    let corners = [(0.0, -4.0), (4.0, 0.0), (0.0, 4.0), (-4.0, 0.0)];
    let corners = corners.map(|(dx, dy)| (x + dx, y + dy));
    pen.polygon("mark g1 hollow", &corners, tip);
}

fn legend(pen: &mut Pen, published: bool) {
    pen.circle("dot", (LEFT + 4.0, 10.0), 3.2, "");
    pen.text("label", (LEFT + 12.0, 14.0), Anchor::Start, "measured");
    if published {
        hollow(pen, (LEFT + 90.0, 10.0), "");
        pen.text("label", (LEFT + 98.0, 14.0), Anchor::Start, "published");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_has_no_mark_and_open_ends_stay_inside() {
        let row = |reached, published| Total {
            name: "a".into(),
            reached,
            published,
            tip: String::new(),
        };
        let open = Estimate {
            value: 99.0,
            low: f64::NEG_INFINITY,
            high: 104.0,
            n: 3,
        };
        let rows = [
            row(Some(open), Some(94.1)),
            row(None, Some(102.0)),
            row(None, None),
        ];
        let svg = totals(&rows, 100.0, "n", "d").unwrap();
        assert_eq!(
            svg.matches("class=\"dot\"").count(),
            1 + 1,
            "and the legend's"
        );
        assert_eq!(svg.matches("hollow").count(), 2 + 1);
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
        assert!(
            svg.contains(">100</text>"),
            "open ends do not stretch the axis: {svg}"
        );
        assert!(totals(&rows[1..], 100.0, "n", "d").is_none());
    }
}
