//! The words at an arrow of a chart of lanes, and where they fit.

use super::axis::Axis;
use super::draw::Anchor;
use super::lanes::{Known, Lane};

/// Width of a column of the bold text at arrows, rather too wide than too narrow.
pub(super) const COLUMN: f64 = 7.2;

/// What is left free between words and what is known.
const BESIDE: f64 = 6.0;

/// Words at an arrow.
pub(super) struct Said {
    pub(super) words: String,
    pub(super) x: f64,
    pub(super) anchor: Anchor,
    /// They stand in a line of their own below the arrow.
    pub(super) below: bool,
}

/// The first words that fit, where they do: behind everything, in front of it, or on the arrow between; where none do, the first ones
/// that fit below. None of a lane that is not off.
pub(super) fn said(
    plot: (f64, f64),
    x: &Axis,
    (known, lane): (Option<&Known>, &Lane),
) -> Option<Said> {
    let words = lane.off.as_ref()?;
    let at = x.at(lane.value.value);
    let (low, high) = (x.at(lane.value.low), x.at(lane.value.high));
    let ends = known.map_or((low, high), |known| {
        (x.at(known.ends.0), x.at(known.ends.1))
    });
    let outside = (low.min(ends.0) - 8.0, high.max(ends.1) + 8.0);
    let between = match at < ends.0 {
        true => (high + 10.0, ends.0 - 6.0),
        false => (ends.1 + 6.0, low - 10.0),
    };
    beside(words, plot, (outside, between)).or_else(|| below(words, plot, (at, ends)))
}

fn beside(
    words: &[String],
    (left, right): (f64, f64),
    (outside, between): ((f64, f64), (f64, f64)),
) -> Option<Said> {
    let places = [
        (right - outside.1, outside.1, Anchor::Start),
        (outside.0 - left, outside.0, Anchor::End),
        (
            between.1 - between.0,
            (between.0 + between.1) / 2.0,
            Anchor::Middle,
        ),
    ];
    words.iter().find_map(|words| {
        let place = places.iter().find(|(room, ..)| *room >= width(words))?;
        Some(Said {
            words: words.clone(),
            x: place.1,
            anchor: place.2,
            below: false,
        })
    })
}

/// Below the mark, as near to it as the plot allows, and not over what is known where there is room beside it; the shortest words are
/// cut in the middle where even they are too long.
fn below(
    words: &[String],
    (left, right): (f64, f64),
    (at, known): (f64, (f64, f64)),
) -> Option<Said> {
    let room = right - left;
    let whole = words.iter().find(|words| width(words) <= room).cloned();
    let cut = || {
        let shortest = words.last()?;
        Some(crate::names::fit(shortest, (room / COLUMN) as usize))
    };
    let words = whole.or_else(cut)?;
    let long = width(&words);
    let near = (at - long / 2.0).min(right - long).max(left);
    let (before, behind) = (known.0 - BESIDE - long, known.1 + BESIDE);
    let free = [near, before, behind].into_iter().filter(|from| {
        let inside = *from >= left && from + long <= right;
        inside && (*from <= before || *from >= behind)
    });
    let away = |from: &f64| (from - near).abs();
    let x = free.min_by(|a, b| away(a).total_cmp(&away(b)));
    Some(Said {
        x: x.unwrap_or(near),
        anchor: Anchor::Start,
        below: true,
        words,
    })
}

fn width(words: &str) -> f64 {
    COLUMN * crate::style::columns_of(words) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_below_an_arrow_leave_what_is_known_free_where_there_is_room() {
        let words = ["to A.b".to_owned()];
        let long = width(&words[0]);
        let from = |plot, at, known| below(&words, plot, (at, known)).expect("words").x;
        let plot = (100.0, 400.0);
        // Nothing is in the way.
        assert_eq!(from(plot, 200.0, (300.0, 310.0)), 200.0 - long / 2.0);
        assert_eq!(from(plot, 195.0, (200.0, 210.0)), 194.0 - long);
        assert_eq!(from(plot, 215.0, (200.0, 210.0)), 216.0);
        // No room on either side.
        assert_eq!(from(plot, 200.0, (110.0, 390.0)), 200.0 - long / 2.0);
    }
}
