//! Rows of marks with whiskers: one row per method, truth against profiler.

use proofmark_stats::Estimate;

use super::axis::{Axis, horizontal};
use super::draw::{Anchor, Fitted, Pen, WIDTH};

const TOP: f64 = 6.0;
const LEFT: f64 = 8.0;
const RIGHT: f64 = WIDTH - 12.0;
/// Height of a row: its name, then its marks.
const NAME: f64 = 17.0;
const MARK: f64 = 13.0;
const GAP: f64 = 8.0;

/// How a value is marked; told apart by shape as well as by colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Filled bar: what was true.
    Truth,
    /// Outlined bar: what the profiler says.
    Profiler,
}

/// One row.
pub(crate) struct Bar {
    /// Name, already short; cut if it does not fit.
    pub(crate) name: String,
    /// Values with their marks.
    pub(crate) values: Vec<(Mark, Estimate, String)>,
}

/// The chart; `None` without rows.
pub(crate) fn bars(rows: &[Bar], name: &str, description: &str, label: &str) -> Option<String> {
    let values = rows
        .iter()
        .flat_map(|r| &r.values)
        .flat_map(|(_, e, _)| [e.value, e.high]);
    let high = values.filter(|v| v.is_finite()).reduce(f64::max)?;
    let heights = rows
        .iter()
        .map(|r| NAME + MARK * r.values.len() as f64 + GAP);
    let bottom = TOP + heights.sum::<f64>();
    let x = Axis::from_zero(high, (LEFT, RIGHT), 5);
    let mut pen = Pen::new(bottom + 40.0);
    horizontal(&mut pen, &x, bottom, TOP, label);
    let mut y = TOP;
    for row in rows {
        let at = (LEFT + 2.0, y + 12.0);
        let words = Fitted::of(&row.name, 46);
        pen.fitted("method", at, Anchor::Start, words);
        y += NAME;
        for value in &row.values {
            bar(&mut pen, &x, y, value);
            y += MARK;
        }
        y += GAP;
    }
    Some(pen.finish(name, description))
}

fn bar(pen: &mut Pen, x: &Axis, y: f64, (mark, e, tip): &(Mark, Estimate, String)) {
    let class = match mark {
        Mark::Truth => "bar truth",
        Mark::Profiler => "bar profiler",
    };
    pen.rect(
        class,
        (x.at(0.0), y + 1.0),
        (x.at(e.value) - x.at(0.0), MARK - 2.0),
        tip,
    );
    let middle = y + MARK / 2.0;
    let (low, high) = (x.at(e.low), x.at(e.high));
    pen.line("whisker halo", (low, middle), (high, middle));
    pen.line("whisker", (low, middle), (high, middle));
    for end in [low, high] {
        pen.line("whisker", (end, middle - 3.0), (end, middle + 3.0));
    }
}
