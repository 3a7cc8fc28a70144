//! A square of cells, darker where the value is larger.

use super::draw::{Anchor, Fitted, Pen, WIDTH};

const TOP: f64 = 20.0;
/// Room for names at the left, and columns of them: in a narrow chart, in a wide one.
const LEFT: [(f64, usize); 2] = [(74.0, 10), (176.0, 24)];
const HEIGHT: f64 = 38.0;

/// One cell.
pub(crate) struct MatrixCell {
    /// Value from 0 to 1, for the colour.
    pub(crate) part: f64,
    /// Words in two lines.
    pub(crate) lines: [String; 2],
    /// Words when pointed at.
    pub(crate) tip: String,
}

/// The chart of rows of cells, as many columns as names, in this width; `None` without names.
pub(crate) fn matrix(
    names: &[String],
    cells: &[Vec<Option<MatrixCell>>],
    (name, description): (&str, &str),
    whole: f64,
) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    let (left, fitting) = LEFT[usize::from(whole > WIDTH)];
    let width = (whole - left - 2.0) / names.len() as f64;
    let mut pen = Pen::wide(whole, TOP + HEIGHT * names.len() as f64 + 4.0);
    let columns = (width / 6.6) as usize;
    for (at, name) in names.iter().enumerate() {
        let x = left + (at as f64 + 0.5) * width;
        let words = Fitted::of(name, columns.max(3));
        pen.fitted("axis", (x, TOP - 6.0), Anchor::Middle, words);
        let y = TOP + (at as f64 + 0.5) * HEIGHT + 4.0;
        let words = Fitted::of(name, fitting);
        pen.fitted("axis", (left - 5.0, y), Anchor::End, words);
    }
    for (row, cells) in cells.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let at = (left + column as f64 * width, TOP + row as f64 * HEIGHT);
            if let Some(cell) = cell {
                draw(&mut pen, at, width, cell);
            }
        }
    }
    Some(pen.finish(name, description))
}

fn draw(pen: &mut Pen, (x, y): (f64, f64), width: f64, cell: &MatrixCell) {
    // Eleven shades as classes, because colours belong to the style sheet.
    let shade = (cell.part.clamp(0.0, 1.0) * 10.0).round() as usize;
    let class = format!("heat h{shade}");
    pen.rect(
        &class,
        (x + 0.5, y + 0.5),
        (width - 1.0, HEIGHT - 1.0),
        &cell.tip,
    );
    let middle = x + width / 2.0;
    pen.text("number", (middle, y + 16.0), Anchor::Middle, &cell.lines[0]);
    pen.text("tick", (middle, y + 30.0), Anchor::Middle, &cell.lines[1]);
}
