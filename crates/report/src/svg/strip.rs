//! Values over time, one mark per window.

use super::axis::{Axis, horizontal, vertical};
use super::draw::{Anchor, Pen, WIDTH};

const TOP: f64 = 30.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = WIDTH - 10.0;
const BOTTOM: f64 = 170.0;

/// What was done in a window; told apart by shape as well as by colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nothing: circle.
    Unslowed,
    /// Everything slowed: triangle.
    Uniform,
    /// One block slowed: square.
    Single,
}

/// One window.
pub(crate) struct StripPoint {
    /// Its middle, s.
    pub(crate) at: f64,
    /// Least, median and largest value.
    pub(crate) values: [f64; 3],
    /// What was done.
    pub(crate) kind: Kind,
    /// Words when pointed at.
    pub(crate) tip: String,
}

/// What is drawn.
pub(crate) struct Strip<'a> {
    /// Windows in order of time.
    pub(crate) points: Vec<StripPoint>,
    /// Name of the chart.
    pub(crate) name: &'a str,
    /// For those who cannot see it.
    pub(crate) description: String,
}

/// The chart; `None` without points.
pub(crate) fn strip(data: &Strip<'_>) -> Option<String> {
    let finite: Vec<&StripPoint> = data
        .points
        .iter()
        .filter(|p| p.values.iter().all(|v| v.is_finite()))
        .collect();
    let high = finite.iter().map(|p| p.values[2]).reduce(f64::max)?;
    let end = finite.iter().map(|p| p.at).reduce(f64::max)?;
    let x = Axis::from_zero(end, (LEFT, RIGHT), 5);
    let y = Axis::from_zero(high, (BOTTOM, TOP), 4);
    let mut pen = Pen::new(BOTTOM + 40.0);
    vertical(&mut pen, &y, LEFT, RIGHT, "CPU time of an iteration, ms");
    horizontal(&mut pen, &x, BOTTOM, BOTTOM, "time in windows, s");
    for p in &finite {
        let at = x.at(p.at);
        pen.line("range", (at, y.at(p.values[0])), (at, y.at(p.values[2])));
        mark(&mut pen, p.kind, (at, y.at(p.values[1])), &p.tip);
    }
    legend(&mut pen, &finite);
    Some(pen.finish(data.name, &data.description))
}

fn mark(pen: &mut Pen, kind: Kind, (x, y): (f64, f64), tip: &str) {
    match kind {
        Kind::Unslowed => pen.circle("unslowed", (x, y), 2.6, tip),
        Kind::Uniform => pen.polygon(
            "uniform",
            &[(x, y - 3.6), (x + 3.4, y + 2.6), (x - 3.4, y + 2.6)],
            tip,
        ),
        Kind::Single => pen.rect("single", (x - 2.6, y - 2.6), (5.2, 5.2), tip),
    }
}

fn legend(pen: &mut Pen, points: &[&StripPoint]) {
    let mut x = LEFT + 4.0;
    let kinds = [
        (Kind::Unslowed, "A: unslowed"),
        (Kind::Uniform, "B: all slowed"),
        (Kind::Single, "B: one dosed"),
    ];
    for (kind, words) in kinds {
        if points.iter().any(|p| p.kind == kind) {
            mark(pen, kind, (x, 12.0), "");
            pen.text("label", (x + 7.0, 16.0), Anchor::Start, words);
            x += 16.0 + 6.6 * words.len() as f64;
        }
    }
}
