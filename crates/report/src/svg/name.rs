//! The name of a row of a chart: broken in front of a dot where it is too wide, so that all of it can be read. Only what is too wide
//! without its dots is cut in the middle, and is whole when pointed at.

use super::draw::{Anchor, Fitted, Pen};
use crate::style::columns_of;

/// Height of a line of a name.
pub(super) const LINE: f64 = 14.0;
/// Width of a column of a name, which is set in letters of one width.
const COLUMN: f64 = 7.0;
/// Stands behind the name of a row about which nothing was tested.
pub(super) const UNTESTED: &str = "not tested";
/// Most lines of a name.
const MOST: usize = 3;

/// A name in lines of at most so many columns; what `untested` says stands behind the last one.
pub(super) struct Name<'n> {
    whole: &'n str,
    untested: bool,
    columns: usize,
    lines: Vec<String>,
}

impl<'n> Name<'n> {
    /// With so many columns.
    pub(super) fn of(whole: &'n str, untested: bool, columns: usize) -> Self {
        let columns = match untested {
            true => columns - UNTESTED.len(),
            false => columns,
        };
        let lines = lines(whole, columns);
        let lines = match lines.len() <= MOST {
            true => lines,
            false => vec![whole.to_owned()],
        };
        Self {
            whole,
            untested,
            columns,
            lines,
        }
    }

    /// What its lines take beyond one.
    pub(super) fn beyond(&self) -> f64 {
        LINE * (self.lines.len() - 1) as f64
    }

    /// Draws it, its first line at `y`.
    pub(super) fn draw(&self, pen: &mut Pen, y: f64) {
        let class = match self.untested {
            true => "method untested",
            false => "method",
        };
        let mut below = y;
        for (at, line) in self.lines.iter().enumerate() {
            below = y + LINE * at as f64;
            let words = Fitted::of(line, self.columns).part_of(self.whole);
            pen.fitted(class, (4.0, below), Anchor::Start, words);
        }
        if self.untested {
            let last = self.lines.last().map_or(0, |line| columns_of(line));
            let behind = 10.0 + COLUMN * last.min(self.columns) as f64;
            pen.text("tick", (behind, below), Anchor::Start, UNTESTED);
        }
    }
}

/// The name, broken in front of dots; a part that is wider has a line of its own.
fn lines(name: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let dots = name.match_indices('.').map(|(at, _)| at);
    let ends: Vec<usize> = dots.chain([name.len()]).collect();
    let mut from = 0;
    for end in ends {
        let part = &name[from..end];
        from = end;
        let line = lines.last_mut().expect("one line at least");
        if line.is_empty() || columns_of(line) + columns_of(part) <= columns {
            line.push_str(part);
        } else {
            lines.push(part.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_broken_in_front_of_a_dot_and_nothing_of_it_is_lost() {
        assert_eq!(lines("Queens.place", 25), ["Queens.place"]);
        let long = "json.CharacterDataLatin1.getPropertiesOfAll";
        let broken = lines(long, 25);
        assert_eq!(broken, ["json.CharacterDataLatin1", ".getPropertiesOfAll"]);
        assert_eq!(broken.concat(), long);
        assert_eq!(lines("", 25), [""]);
        assert_eq!(lines(".<init>", 25), [".<init>"]);
    }

    #[test]
    fn what_is_too_wide_all_the_same_is_whole_when_pointed_at() {
        let drawn = |name: &str, untested| {
            let mut pen = Pen::new(99.0);
            Name::of(name, untested, 25).draw(&mut pen, 12.0);
            pen.finish("n", "d")
        };
        let wide = format!("A.{}", "x".repeat(40));
        let svg = drawn(&wide, false);
        assert!(svg.contains(&format!("<title>{wide}</title>")), "{svg}");
        assert!(svg.contains("\u{2026}") && svg.contains(">A<"), "{svg}");
        let many = "a.".repeat(90);
        assert_eq!(drawn(&many, false).matches("<text").count(), 1);
        let short = drawn("A.b", true);
        assert!(!short.contains("<title>A.b"), "{short}");
        assert!(short.contains(&format!(">{UNTESTED}</text>")), "{short}");
    }
}
