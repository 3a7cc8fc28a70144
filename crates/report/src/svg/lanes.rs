//! Rows of lanes on one axis: what is true as a band, what each of several says as a mark with a whisker, and an arrow
//! from the truth to what is off.

use proofmark_stats::Estimate;

use super::axis::{Axis, horizontal};
use super::cloud::{mark, uncompared};
use super::draw::{Anchor, Pen};

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
    /// Columns of the names of rows and of lanes.
    names: (usize, usize),
    ticks: usize,
}

/// For a page: names of rows on the left.
pub(crate) const WIDE: Layout = Layout {
    width: 760.0,
    label: 328.0,
    left: 338.0,
    right: 746.0,
    head: 0.0,
    names: (28, 22),
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
    ticks: 4,
};

const LANE: f64 = 16.0;
const GAP: f64 = 10.0;
/// Width of a column of the bold text at arrows, rather too wide than too narrow.
const COLUMN: f64 = 7.2;
/// Width of a column of a row's name, which is set in letters of one width.
const NAME_COLUMN: f64 = 7.0;
/// Stands beside the name of a row about which nothing was tested.
const UNTESTED: &str = "not tested";

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
    /// Why it is off, from the longest words to the shortest, of which those are printed that fit; an arrow leads from the truth to
    /// the value. Empty: an arrow without words; none: it is not off.
    pub(crate) off: Option<Vec<String>>,
    /// Words when pointed at.
    pub(crate) tip: String,
}

/// One row.
pub(crate) struct LaneRow {
    /// Name, already short; cut if it does not fit.
    pub(crate) name: String,
    /// A word below the name.
    pub(crate) note: String,
    /// Nothing was tested about it: its name is grey, and says so.
    pub(crate) untested: bool,
    /// What is true; none if nothing is known.
    pub(crate) known: Option<Known>,
    /// What is said of it.
    pub(crate) lanes: Vec<Lane>,
}

impl LaneRow {
    fn height(&self, layout: &Layout) -> f64 {
        let least = if layout.head > 0.0 { 1 } else { 2 };
        layout.head + LANE * self.lanes.len().max(least) as f64 + GAP
    }

    /// Ends of everything that is drawn.
    fn ends(&self) -> impl Iterator<Item = f64> {
        let known = self.known.iter().map(|known| known.ends.1);
        known.chain(self.lanes.iter().map(|lane| lane.value.high))
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
    let bottom = TOP + rows.iter().map(|row| row.height(layout)).sum::<f64>();
    let x = Axis::from_zero(high, (layout.left, layout.right), layout.ticks);
    let mut pen = Pen::wide(layout.width, bottom + 40.0);
    let mut y = TOP;
    for (at, row) in rows.iter().enumerate() {
        if at % 2 == 1 {
            pen.rect("stripe", (0.0, y), (layout.width, row.height(layout)), "");
        }
        y += row.height(layout);
    }
    horizontal(&mut pen, &x, bottom, TOP, label);
    let mut y = TOP;
    for row in rows {
        draw(&mut pen, (&x, layout), y, row);
        y += row.height(layout);
    }
    Some(pen.finish(name, description))
}

fn draw(pen: &mut Pen, (x, layout): (&Axis, &Layout), y: f64, row: &LaneRow) {
    let first = y + GAP / 2.0;
    let (columns, of_lane) = layout.names;
    title(pen, row, (first + 12.0, columns));
    // Its letters are smaller, and not all as wide as those of a name.
    let note = crate::names::fit(&row.note, columns * 5 / 4);
    pen.text("tick", (4.0, first + 27.0), Anchor::Start, &note);
    let first = first + layout.head;
    if let Some(known) = &row.known {
        let height = row.height(layout) - layout.head - 4.0;
        truth(pen, x, (y + layout.head + 2.0, height), known);
    }
    for (at, lane) in row.lanes.iter().enumerate() {
        let middle = first + (at as f64 + 0.5) * LANE;
        let name = crate::names::fit(&lane.name, of_lane);
        pen.text("tick", (layout.label, middle + 4.0), Anchor::End, &name);
        draw_lane(pen, (x, layout), middle, (row.known.as_ref(), lane));
    }
}

/// The name of a row, in so many columns, and that nothing was tested about it if that is so.
fn title(pen: &mut Pen, row: &LaneRow, (y, columns): (f64, usize)) {
    if !row.untested {
        let name = crate::names::fit(&row.name, columns);
        pen.text("method", (4.0, y), Anchor::Start, &name);
        return;
    }
    let name = crate::names::fit(&row.name, columns - UNTESTED.len());
    pen.text("method untested", (4.0, y), Anchor::Start, &name);
    let behind = 10.0 + NAME_COLUMN * crate::style::columns_of(&name) as f64;
    pen.text("tick", (behind, y), Anchor::Start, UNTESTED);
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

fn draw_lane(
    pen: &mut Pen,
    (x, layout): (&Axis, &Layout),
    y: f64,
    (known, lane): (Option<&Known>, &Lane),
) {
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
    if let Some(words) = &lane.off {
        let ends = known.map_or((low, high), |known| {
            (x.at(known.ends.0), x.at(known.ends.1))
        });
        let outside = (low.min(ends.0) - 8.0, high.max(ends.1) + 8.0);
        let between = match at < ends.0 {
            true => (high + 10.0, ends.0 - 6.0),
            false => (ends.1 + 6.0, low - 10.0),
        };
        say(pen, layout, (outside, between), (y + 4.0, words.as_slice()));
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

/// The first words that fit, where they do: behind everything, in front of it, or on the arrow between.
fn say(
    pen: &mut Pen,
    layout: &Layout,
    (outside, between): ((f64, f64), (f64, f64)),
    (y, words): (f64, &[String]),
) {
    let places = [
        (layout.right - outside.1, outside.1, Anchor::Start),
        (outside.0 - layout.left, outside.0, Anchor::End),
        (
            between.1 - between.0,
            (between.0 + between.1) / 2.0,
            Anchor::Middle,
        ),
    ];
    let fits = words.iter().find_map(|words| {
        let needed = COLUMN * crate::style::columns_of(words) as f64;
        let place = places.iter().find(|(room, ..)| *room >= needed)?;
        Some((words, place))
    });
    if let Some((words, (_, at, anchor))) = fits {
        pen.text("blamed", (*at, y), *anchor, words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(off: Option<&[&str]>, share: f64) -> LaneRow {
        let words =
            |words: &[&str]| -> Vec<String> { words.iter().map(|&one| one.to_owned()).collect() };
        LaneRow {
            name: "Queens.place".into(),
            note: "56 to 58 %".into(),
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
}
