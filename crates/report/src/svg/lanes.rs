//! Rows of lanes on one axis: what is true as a band, what each of several says as a mark with a whisker, and an arrow
//! from the truth to what is off.

use proofmark_stats::Estimate;

use super::axis::{Axis, horizontal};
use super::cloud::{mark, uncompared};
use super::draw::{Anchor, Fitted, Pen};
use super::name::Name;
use super::said::{Said, said};

const TOP: f64 = 8.0;

/// Where everything stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    width: f64,
    /// Where the names of lanes end, and where the plot begins and ends.
    label: f64,
    left: f64,
    right: f64,
    /// Height of a row's name and note above its lanes; 0: they stand beside them.
    head: f64,
    /// Columns of the names of rows and of lanes: together no wider than what is left of the plot.
    names: (usize, usize),
    /// Columns of a note, whose letters are smaller, and not all as wide as those of a name.
    notes: usize,
    ticks: usize,
}

/// For a page: names of rows on the left.
pub(crate) const WIDE: Layout = Layout {
    width: 760.0,
    label: 328.0,
    left: 338.0,
    right: 746.0,
    head: 0.0,
    names: (25, 23),
    notes: 35,
    ticks: 8,
};

/// For a telephone: names of rows above their lanes.
pub(crate) const NARROW: Layout = Layout {
    width: 360.0,
    label: 132.0,
    left: 140.0,
    right: 348.0,
    head: 34.0,
    names: (44, 20),
    notes: 55,
    ticks: 4,
};

const LANE: f64 = 16.0;
const GAP: f64 = 10.0;
/// From one word below a row's name to the next.
const NOTE: f64 = 15.0;

/// What is true of a row.
pub(crate) struct Known {
    /// The value, if it is known to a point; else only the ends are, and what is said is not compared with them: it is drawn hollow and grey.
    pub(crate) value: Option<f64>,
    /// Least and greatest.
    pub(crate) ends: (f64, f64),
    /// Words when pointed at.
    pub(crate) tip: String,
}

/// What one of them says.
pub(crate) struct Lane {
    /// Who says it.
    pub(crate) name: String,
    /// Its shape and colour.
    pub(crate) group: usize,
    /// What.
    pub(crate) value: Estimate,
    /// Why it is off, from the longest words to the shortest, of which those are printed that fit, if need be in a line of their own; an
    /// arrow leads from the truth to the value. None: it is not off.
    pub(crate) off: Option<Vec<String>>,
    /// Words when pointed at.
    pub(crate) tip: String,
}

/// One row.
pub(crate) struct LaneRow {
    /// Name, already short; in several lines if it does not fit into one.
    pub(crate) name: String,
    /// Words below the name, a line each.
    pub(crate) notes: Vec<String>,
    /// Nothing was tested about it: its name is grey, and says so.
    pub(crate) untested: bool,
    /// What is true; none if nothing is known.
    pub(crate) known: Option<Known>,
    /// What is said of it.
    pub(crate) lanes: Vec<Lane>,
}

impl LaneRow {
    /// Its name as it is written there.
    fn title(&self, layout: &Layout) -> Name<'_> {
        Name::of(&self.name, self.untested, layout.names.0)
    }

    /// Height of its name and notes above its lanes; 0: they stand beside them.
    fn head(&self, layout: &Layout) -> f64 {
        match layout.head > 0.0 {
            true => {
                let notes = NOTE * self.notes.len().saturating_sub(1) as f64;
                layout.head + self.title(layout).beyond() + notes
            }
            false => 0.0,
        }
    }

    fn height(&self, layout: &Layout, x: &Axis) -> f64 {
        let beside = match layout.head > 0.0 {
            true => LANE,
            false => LANE * (1 + self.notes.len().max(1)) as f64 + self.title(layout).beyond(),
        };
        let lanes = self.lanes.iter().map(|lane| lane.lines(self, layout, x));
        let lanes = LANE * lanes.sum::<usize>() as f64;
        self.head(layout) + lanes.max(beside) + GAP
    }

    /// Ends of everything that is drawn.
    fn ends(&self) -> impl Iterator<Item = f64> {
        let known = self.known.iter().map(|known| known.ends.1);
        known.chain(self.lanes.iter().map(|lane| lane.value.high))
    }
}

impl Lane {
    /// The words that are printed, and where.
    fn said(&self, row: &LaneRow, layout: &Layout, x: &Axis) -> Option<Said> {
        let plot = (layout.left, layout.right);
        said(plot, x, (row.known.as_ref(), self))
    }

    /// Lines that it takes: words that fit nowhere beside the arrow have their own.
    fn lines(&self, row: &LaneRow, layout: &Layout, x: &Axis) -> usize {
        let said = self.said(row, layout, x);
        1 + usize::from(said.is_some_and(|said| said.below))
    }
}

/// The chart, its axis from zero; `None` without rows.
pub(crate) fn lanes(
    layout: &Layout,
    rows: &[LaneRow],
    (name, description): (&str, &str),
    label: &str,
) -> Option<String> {
    let values = rows.iter().flat_map(LaneRow::ends);
    let high = values.filter(|v| v.is_finite()).reduce(f64::max)?;
    let x = Axis::from_zero(high, (layout.left, layout.right), layout.ticks);
    let heights: Vec<f64> = rows.iter().map(|row| row.height(layout, &x)).collect();
    let bottom = TOP + heights.iter().sum::<f64>();
    let mut pen = Pen::wide(layout.width, bottom + 40.0);
    let mut y = TOP;
    for (at, height) in heights.iter().enumerate() {
        if at % 2 == 1 {
            pen.rect("stripe", (0.0, y), (layout.width, *height), "");
        }
        y += height;
    }
    horizontal(&mut pen, &x, bottom, TOP, label);
    let mut y = TOP;
    for (row, height) in rows.iter().zip(&heights) {
        draw(&mut pen, (&x, layout), (y, *height), row);
        y += height;
    }
    Some(pen.finish(name, description))
}

fn draw(pen: &mut Pen, (x, layout): (&Axis, &Layout), (y, height): (f64, f64), row: &LaneRow) {
    let first = y + GAP / 2.0;
    let title = row.title(layout);
    title.draw(pen, first + 12.0);
    for (at, note) in row.notes.iter().enumerate() {
        let below = first + 27.0 + title.beyond() + NOTE * at as f64;
        let words = Fitted::of(note, layout.notes);
        pen.fitted("tick", (4.0, below), Anchor::Start, words);
    }
    let head = row.head(layout);
    if let Some(known) = &row.known {
        truth(pen, x, (y + head + 2.0, height - head - 4.0), known);
    }
    let mut middle = first + head + 0.5 * LANE;
    for lane in &row.lanes {
        let words = Fitted::of(&lane.name, layout.names.1);
        let at = (layout.label, middle + 4.0);
        pen.fitted("tick", at, Anchor::End, words);
        draw_lane(pen, x, middle, (row.known.as_ref(), lane));
        if let Some(said) = lane.said(row, layout, x) {
            let line = if said.below { LANE } else { 0.0 };
            let at = (said.x, middle + 4.0 + line);
            pen.text("blamed", at, said.anchor, &said.words);
        }
        middle += LANE * lane.lines(row, layout, x) as f64;
    }
}

fn truth(pen: &mut Pen, x: &Axis, (y, height): (f64, f64), known: &Known) {
    let (low, high) = (x.at(known.ends.0), x.at(known.ends.1));
    let (from, width) = (low.min(high - 3.0), (high - low).max(3.0));
    let class = if known.value.is_some() {
        "known"
    } else {
        "bounds"
    };
    pen.rect(class, (from, y), (width, height), &known.tip);
    if let Some(value) = known.value {
        pen.line("known-line", (x.at(value), y), (x.at(value), y + height));
    }
}

fn draw_lane(pen: &mut Pen, x: &Axis, y: f64, (known, lane): (Option<&Known>, &Lane)) {
    let at = x.at(lane.value.value);
    let (low, high) = (x.at(lane.value.low), x.at(lane.value.high));
    if let (Some(_), Some(known)) = (&lane.off, known) {
        let near = known.value.map_or_else(
            || at.clamp(x.at(known.ends.0), x.at(known.ends.1)),
            |value| x.at(value),
        );
        arrow(pen, (near, at), y);
    }
    pen.line("whisker halo", (low, y), (high, y));
    pen.line("whisker", (low, y), (high, y));
    for end in [low, high] {
        pen.line("whisker", (end, y - 3.0), (end, y + 3.0));
    }
    match known.is_some_and(|known| known.value.is_some()) {
        true => mark(pen, lane.group, (at, y), &lane.tip),
        false => uncompared(pen, lane.group, (at, y), &lane.tip),
    }
}

/// A line with a head at its end; too short for a head, only the line.
fn arrow(pen: &mut Pen, (from, to): (f64, f64), y: f64) {
    let back = if to < from { 1.0 } else { -1.0 };
    // The mark itself stands at the end.
    let tip = to + back * 4.0;
    if (from - to).abs() < 12.0 {
        return;
    }
    pen.line("blame", (from, y), (tip + back * 4.0, y));
    let head = [
        (tip, y),
        (tip + back * 7.0, y - 4.0),
        (tip + back * 7.0, y + 4.0),
    ];
    pen.polygon("blame-head", &head, "");
}

#[cfg(test)]
mod tests {
    use super::super::name::{LINE, UNTESTED};
    use super::super::said::COLUMN;
    use super::*;

    fn row(off: Option<&[&str]>, share: f64) -> LaneRow {
        let words =
            |words: &[&str]| -> Vec<String> { words.iter().map(|&one| one.to_owned()).collect() };
        LaneRow {
            name: "Queens.place".into(),
            notes: vec!["56 to 58 %".into()],
            untested: false,
            known: Some(Known {
                value: Some(57.0),
                ends: (56.0, 58.0),
                tip: "known".into(),
            }),
            lanes: vec![Lane {
                name: "jfr".into(),
                group: 1,
                value: Estimate::around(share, 2.0, 900),
                off: off.map(words),
                tip: "said".into(),
            }],
        }
    }

    #[test]
    fn arrows_lead_from_the_truth_to_what_is_off() {
        let drawn = |off: Option<&[&str]>, share| {
            lanes(&WIDE, &[row(off, share)], ("n", "d"), "l").unwrap()
        };
        let fine = drawn(None, 57.0);
        assert!(!fine.contains("blame") && fine.contains("class=\"known\""));
        let off = drawn(Some(&["to Queens.get"]), 0.0);
        assert!(off.contains("class=\"blame-head\"") && off.contains(">to Queens.get</text>"));
        let line = off.split("class=\"blame\"").nth(1).unwrap();
        let number = |name: &str| -> f64 {
            let text = line.split(name).nth(1).unwrap();
            text[..text.find('"').unwrap()].parse().unwrap()
        };
        assert!(number("x1=\"") > number("x2=\""), "it points to the left");
        assert!(lanes(&WIDE, &[], ("n", "d"), "l").is_none());
    }

    #[test]
    fn what_is_not_compared_is_hollow_and_what_is_not_tested_says_so() {
        let drawn = |row: LaneRow| lanes(&WIDE, &[row], ("n", "d"), "l").unwrap();
        let compared = drawn(row(None, 57.0));
        assert!(compared.contains("class=\"mark g1\"") && !compared.contains("uncompared"));
        let mut bounded = row(None, 57.0);
        bounded.known.as_mut().unwrap().value = None;
        let bounded = drawn(bounded);
        assert!(bounded.contains("class=\"mark uncompared\"") && !bounded.contains("mark g"));
        assert!(bounded.contains("class=\"bounds\"") && !bounded.contains("class=\"known"));
        assert!(!bounded.contains(UNTESTED));
        let mut untested = row(None, 57.0);
        untested.untested = true;
        assert!(drawn(untested).contains(&format!(">{UNTESTED}</text>")));
    }

    #[test]
    fn words_stay_inside_of_the_chart_and_are_not_cut() {
        let long = "to com.acme.a.very.long.name.of.a.Class.method and to another one";
        let words = [long, "to two"];
        let shares = [0.0, 30.0, 57.0, 90.0];
        let all = shares.map(|share| [(WIDE, share), (NARROW, share)]);
        for (layout, share) in all.into_iter().flatten() {
            let svg = lanes(&layout, &[row(Some(&words), share)], ("n", "d"), "l").unwrap();
            let text = svg.split("class=\"blamed\" x=\"").nth(1).unwrap();
            let at: f64 = text[..text.find('"').unwrap()].parse().unwrap();
            let said = text.split('>').nth(1).unwrap().split('<').next().unwrap();
            assert_eq!(said, "to two");
            let length = COLUMN * said.chars().count() as f64;
            let from = match text.split("text-anchor=\"").nth(1).unwrap() {
                anchor if anchor.starts_with("end") => at - length,
                anchor if anchor.starts_with("middle") => at - length / 2.0,
                _ => at,
            };
            assert!(
                from >= layout.left - 26.0 && from + length <= layout.right + 26.0,
                "{share}: {said}"
            );
        }
    }
    /// Of an arrow that has no room beside it nothing is lost: its words have a line of their own, and the row is higher by it.
    #[test]
    fn words_that_fit_nowhere_beside_the_arrow_have_a_line_of_their_own() {
        let height = |svg: &str| -> f64 {
            let text = svg.split("viewBox=\"0 0 360 ").nth(1).unwrap();
            text[..text.find('"').unwrap()].parse().unwrap()
        };
        let drawn =
            |words: &[&str]| lanes(&NARROW, &[row(Some(words), 30.0)], ("n", "d"), "l").unwrap();
        let (short, whole) = (drawn(&["to two"]), "to Queens.placeQueen too");
        let long = drawn(&[whole]);
        assert!(long.contains(&format!(">{whole}</text>")), "{long}");
        assert_eq!(height(&long), height(&short) + LANE);
        let endless = format!("to {} in 1 of 4 JVMs", "x".repeat(200));
        let cut = drawn(&[endless.as_str()]);
        assert!(cut.contains("\u{2026}") && cut.contains("in 1 of 4 JVMs</text>"));
    }

    /// The notes stand below all of a name, and the row is higher by its lines.
    #[test]
    fn a_wide_name_has_several_lines() {
        let drawn = |layout: &Layout, name: &str| {
            let mut row = row(None, 57.0);
            row.name = name.into();
            lanes(layout, &[row], ("n", "d"), "l").unwrap()
        };
        let at = |svg: &str, text: &str| -> f64 {
            let before = &svg[..svg.find(&format!(">{text}</text>")).unwrap()];
            let y = before.rsplit(" y=\"").next().unwrap();
            y[..y.find('"').unwrap()].parse().unwrap()
        };
        for layout in [WIDE, NARROW] {
            let part = "x".repeat(layout.names.0 - 9);
            let wide = drawn(&layout, &format!("{part}.{part}"));
            assert_eq!(at(&wide, &format!(".{part}")), at(&wide, &part) + LINE);
            let once = drawn(&layout, "Queens.place");
            let note = "56 to 58 %";
            assert_eq!(at(&wide, note), at(&once, note) + LINE);
        }
    }

    #[test]
    fn every_note_has_a_line() {
        let drawn = |layout: &Layout, notes: &[&str]| {
            let mut row = row(None, 57.0);
            row.notes = notes.iter().map(|&note| note.to_owned()).collect();
            lanes(layout, &[row], ("n", "d"), "l").unwrap()
        };
        for layout in [WIDE, NARROW] {
            let two = drawn(&layout, &["one", "two"]);
            let at = |note: &str| -> f64 {
                let text = &two[..two.find(&format!(">{note}</text>")).unwrap()];
                let text = text.rsplit(" y=\"").next().unwrap();
                text[..text.find('"').unwrap()].parse().unwrap()
            };
            assert_eq!(at("two"), at("one") + NOTE);
        }
    }
}
