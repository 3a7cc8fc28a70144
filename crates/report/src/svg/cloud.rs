//! Many points of several groups, told apart by shape as well as by colour.

use super::axis::{Axis, horizontal, vertical};
use super::draw::{Anchor, Pen, WIDTH};

const LEFT: f64 = 48.0;
const RIGHT: f64 = WIDTH - 22.0;
const PLOT: f64 = 200.0;
const ROW: f64 = 16.0;

/// Points of one group.
pub(crate) struct Group {
    /// Name in the legend.
    pub(crate) name: String,
    /// Points.
    pub(crate) points: Vec<(f64, f64)>,
}

/// The chart with its legend above; the vertical axis from zero; `None` without points.
pub(crate) fn cloud(
    groups: &[Group],
    name: &str,
    description: &str,
    (x_label, y_label): (&str, &str),
) -> Option<String> {
    let all = || groups.iter().flat_map(|g| &g.points);
    let low = all().map(|p| p.0).reduce(f64::min)?;
    let high = all().map(|p| p.0).reduce(f64::max)?;
    let top = legend_rows(groups) * ROW + 8.0;
    let x = Axis::covering(low, high, (LEFT, RIGHT), 5);
    let highest = all().map(|p| p.1).reduce(f64::max)?;
    let y = Axis::from_zero(highest, (top + PLOT, top), 5);
    let mut pen = Pen::new(top + PLOT + 40.0);
    vertical(&mut pen, &y, LEFT, RIGHT, y_label);
    horizontal(&mut pen, &x, top + PLOT, top, x_label);
    for (at, group) in groups.iter().enumerate() {
        for point in &group.points {
            mark(&mut pen, at, (x.at(point.0), y.at(point.1)), "");
        }
    }
    legend(&mut pen, groups);
    Some(pen.finish(name, description))
}

/// Six shapes; from the seventh group on they repeat, hollow.
pub(super) fn mark(pen: &mut Pen, group: usize, (x, y): (f64, f64), tip: &str) {
    let hollow = if group >= 6 { " hollow" } else { "" };
    let class = format!("mark g{}{hollow}", group % 6);
    shape(pen, (&class, group), (x, y), tip);
}

/// The shape of a group, hollow and grey: there is nothing that its value could be compared with.
pub(super) fn uncompared(pen: &mut Pen, group: usize, at: (f64, f64), tip: &str) {
    shape(pen, ("mark uncompared", group), at, tip);
}

fn shape(pen: &mut Pen, (class, group): (&str, usize), (x, y): (f64, f64), tip: &str) {
    let polygon = |pen: &mut Pen, points: &[(f64, f64)]| {
        let points: Vec<(f64, f64)> = points.iter().map(|p| (x + p.0, y + p.1)).collect();
        pen.polygon(class, &points, tip);
    };
    match group % 6 {
        0 => pen.circle(class, (x, y), 2.6, tip),
        1 => polygon(pen, &[(0.0, -3.4), (3.2, 2.4), (-3.2, 2.4)]),
        2 => pen.rect(class, (x - 2.4, y - 2.4), (4.8, 4.8), tip),
        3 => polygon(pen, &[(0.0, -3.6), (3.0, 0.0), (0.0, 3.6), (-3.0, 0.0)]),
        4 => polygon(pen, &[(0.0, 3.4), (3.2, -2.4), (-3.2, -2.4)]),
        _ => pen.rect(class, (x - 3.6, y - 1.2), (7.2, 2.4), tip),
    }
}

/// Columns that a name takes in the legend.
fn width(group: &Group) -> f64 {
    22.0 + 6.6 * crate::style::columns_of(&group.name) as f64
}

/// Place of every name in the legend: distance from the left, row.
fn places(groups: &[Group]) -> Vec<(f64, f64)> {
    let (mut x, mut row) = (0.0, 0.0);
    let mut places = Vec::new();
    for group in groups {
        if x > 0.0 && LEFT + x + width(group) > RIGHT {
            (x, row) = (0.0, row + 1.0);
        }
        places.push((LEFT + x, row));
        x += width(group);
    }
    places
}

fn legend_rows(groups: &[Group]) -> f64 {
    places(groups).last().map_or(0.0, |(_, row)| row + 1.0)
}

fn legend(pen: &mut Pen, groups: &[Group]) {
    for (at, (x, row)) in places(groups).into_iter().enumerate() {
        let y = 10.0 + row * ROW;
        mark(pen, at, (x + 4.0, y - 4.0), "");
        pen.text("label", (x + 11.0, y), Anchor::Start, &groups[at].name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_and_every_name_is_drawn() {
        let group = |i: usize| Group {
            name: format!("profiler-{i}"),
            points: vec![(1.0, 2.0), (3.0, 4.0)],
        };
        let groups: Vec<Group> = (0..8).map(group).collect();
        let svg = cloud(&groups, "n", "d", ("x", "y")).unwrap();
        assert_eq!(svg.matches("\"mark g").count(), 8 * 3);
        assert_eq!(svg.matches("hollow").count(), 2 * 3);
        assert!(legend_rows(&groups) > 1.0);
        assert!(cloud(&[], "n", "d", ("x", "y")).is_none());
    }

    /// 40 and 41 % must not look like nothing and all.
    #[test]
    fn shares_begin_at_zero() {
        let group = Group {
            name: "a".into(),
            points: vec![(30.0, 40.0), (33.0, 41.0)],
        };
        let svg = cloud(&[group], "n", "d", ("x", "y")).unwrap();
        let texts = svg.split("class=\"tick\"").skip(1);
        let ticks: Vec<&str> = texts.filter_map(|t| t.split(['>', '<']).nth(1)).collect();
        assert_eq!(&ticks[..6], ["0", "10", "20", "30", "40", "50"]);
    }
}
