//! Named rows below each other, over one axis.

use super::axis::{Axis, horizontal};
use super::draw::{Anchor, Fitted, Pen};

const TOP: f64 = 6.0;
/// Where the axis begins.
pub(super) const LEFT: f64 = 8.0;
/// What is free behind its end.
const RIGHT: f64 = 12.0;
/// Width of a tick's share of the axis, and of a sign of a name.
const TICK: f64 = 72.0;
const SIGN: f64 = 7.8;

/// A drawing with a name above it.
pub(super) trait Row {
    /// Heights of the name, of the drawing, and of what is free below.
    const HEIGHTS: [f64; 3];

    /// Name, cut if it does not fit.
    fn name(&self) -> &str;

    /// Draws it, its upper edge at `y`.
    fn draw(&self, pen: &mut Pen, x: &Axis, y: f64);
}

/// Rows over an axis from 0 to `highest` at least, with this label, in a chart of this width.
pub(super) fn rows<R: Row>(rows: &[R], highest: f64, (label, width): (&str, f64)) -> Pen {
    let [name, height, gap] = R::HEIGHTS;
    let x = Axis::from_zero(highest, (LEFT, width - RIGHT), (width / TICK) as usize);
    let bottom = TOP + rows.len() as f64 * (name + height + gap);
    let mut pen = Pen::wide(width, bottom + 40.0);
    horizontal(&mut pen, &x, bottom, TOP, label);
    let mut y = TOP;
    for row in rows {
        let words = Fitted::of(row.name(), (width / SIGN) as usize);
        pen.fitted("method", (LEFT + 2.0, y + 12.0), Anchor::Start, words);
        y += name;
        row.draw(&mut pen, &x, y);
        y += height + gap;
    }
    pen
}
