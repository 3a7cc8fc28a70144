//! Named rows below each other, over one axis.

use super::axis::{Axis, horizontal};
use super::draw::{Anchor, Pen, WIDTH};

const TOP: f64 = 6.0;
/// Where the axis begins.
pub(super) const LEFT: f64 = 8.0;
const RIGHT: f64 = WIDTH - 12.0;

/// A drawing with a name above it.
pub(super) trait Row {
    /// Heights of the name, of the drawing, and of what is free below.
    const HEIGHTS: [f64; 3];

    /// Name, cut if it does not fit.
    fn name(&self) -> &str;

    /// Draws it, its upper edge at `y`.
    fn draw(&self, pen: &mut Pen, x: &Axis, y: f64);
}

/// Rows over an axis from 0 to `highest` at least, with this label.
pub(super) fn rows<R: Row>(rows: &[R], highest: f64, label: &str) -> Pen {
    let [name, height, gap] = R::HEIGHTS;
    let x = Axis::from_zero(highest, (LEFT, RIGHT), 5);
    let bottom = TOP + rows.len() as f64 * (name + height + gap);
    let mut pen = Pen::new(bottom + 40.0);
    horizontal(&mut pen, &x, bottom, TOP, label);
    let mut y = TOP;
    for row in rows {
        let words = crate::names::fit(row.name(), 46);
        pen.text("method", (LEFT + 2.0, y + 12.0), Anchor::Start, &words);
        y += name;
        row.draw(&mut pen, &x, y);
        y += height + gap;
    }
    pen
}
