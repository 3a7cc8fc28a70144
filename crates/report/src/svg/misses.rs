//! How far blocks are from their target, over all programs: bins of 10 points from -100 to 100, weighted by time.

use super::axis::{Axis, horizontal, vertical};
use super::draw::{Pen, WIDTH};
use crate::number::{count, fixed};

const TOP: f64 = 12.0;
const BOTTOM: f64 = 150.0;
const LEFT: f64 = 44.0;
const RIGHT: f64 = WIDTH - 14.0;
/// Bins, and how wide they are, points.
const BINS: usize = 20;
const WIDE: f64 = 10.0;
const END: f64 = 100.0;

/// Blocks in bins; what is beyond the ends is in the last bins.
pub(crate) struct MissBins {
    /// % of the judged time in every bin.
    weights: [f64; BINS],
    /// Blocks.
    pub(crate) blocks: u64,
    /// % of the judged time below -100 points and above 100.
    pub(crate) beyond: [f64; 2],
    /// % of the judged time within 10 points of the target.
    pub(crate) within_10: f64,
}

impl MissBins {
    /// Of blocks with their share of the program's time, %, and overhead minus target, points; none without time.
    pub(crate) fn of(misses: &[(f64, f64)]) -> Option<Self> {
        let known =
            |(share, miss): &&(f64, f64)| share.is_finite() && *share > 0.0 && miss.is_finite();
        let known: Vec<&(f64, f64)> = misses.iter().filter(known).collect();
        let all: f64 = known.iter().map(|(share, _)| share).sum();
        let part = |holds: &dyn Fn(f64) -> bool| {
            let held = known.iter().filter(|(_, miss)| holds(*miss));
            100.0 * held.map(|(share, _)| share).sum::<f64>() / all
        };
        let mut weights = [0.0; BINS];
        for (share, miss) in &known {
            let bin = ((miss + END) / WIDE).floor().max(0.0) as usize;
            weights[bin.min(BINS - 1)] += 100.0 * share / all;
        }
        (all > 0.0).then(|| Self {
            weights,
            blocks: known.len() as u64,
            beyond: [part(&|miss| miss < -END), part(&|miss| miss > END)],
            within_10: part(&|miss| miss.abs() <= WIDE),
        })
    }

    /// The largest part of the judged time in one bin, %.
    pub(crate) fn highest(&self) -> f64 {
        self.weights.iter().copied().fold(0.0, f64::max)
    }
}

/// The chart; its vertical axis reaches `highest`, so that several can be compared.
pub(crate) fn misses(bins: &MissBins, highest: f64, name: &str) -> String {
    let y = Axis::from_zero(highest, (BOTTOM, TOP), 4);
    let x = Axis {
        range: (-END, END),
        span: (LEFT, RIGHT),
        step: 50.0,
    };
    let mut pen = Pen::new(BOTTOM + 40.0);
    vertical(&mut pen, &y, LEFT, RIGHT, "% of judged time");
    for (at, weight) in bins.weights.iter().enumerate().filter(|(_, w)| **w > 0.0) {
        let from = at as f64 * WIDE - END;
        let (left, right) = (x.at(from) + 0.75, x.at(from + WIDE) - 0.75);
        let (top, tip) = (y.at(*weight), tip(bins, at, *weight));
        pen.rect("bar", (left, top), (right - left, BOTTOM - top), &tip);
    }
    let label = "overhead of a block minus target, points";
    horizontal(&mut pen, &x, BOTTOM, BOTTOM, label);
    pen.line("target", (x.at(0.0), TOP - 6.0), (x.at(0.0), BOTTOM));
    let description = format!(
        "Histogram of {}, weighted by time: {} % of the judged time is within 10 points of the target.",
        count(bins.blocks, "block"),
        fixed(bins.within_10, 0)
    );
    pen.finish(name, &description)
}

fn tip(bins: &MissBins, at: usize, weight: f64) -> String {
    let from = at as f64 * WIDE - END;
    let beyond = match at {
        0 if bins.beyond[0] > 0.0 => ", with what is below",
        at if at + 1 == BINS && bins.beyond[1] > 0.0 => ", with what is above",
        _ => "",
    };
    format!(
        "{} to {} points{beyond}: {} % of the judged time",
        fixed(from, 0),
        fixed(from + WIDE, 0),
        fixed(weight, 1)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_bins_hold_what_is_beyond_and_no_time_is_lost() {
        let all = [
            (30.0, 0.0),
            (10.0, -9.99),
            (20.0, 412.0),
            (20.0, 100.0),
            (15.0, -100.0),
            (5.0, -180.0),
        ];
        let bins = MissBins::of(&all).unwrap();
        assert_eq!(bins.weights[BINS - 1], 40.0);
        assert_eq!(bins.weights[0], 20.0);
        assert_eq!((bins.weights[10], bins.weights[9]), (30.0, 10.0));
        assert_eq!(
            bins.beyond,
            [5.0, 20.0],
            "the ends themselves are not beyond"
        );
        assert_eq!(bins.within_10, 40.0);
        assert!((bins.weights.iter().sum::<f64>() - 100.0).abs() < 1e-9);
        let svg = misses(&bins, 40.0, "n");
        assert!(svg.contains("90 to 100 points, with what is above: 40.0 % of the judged time"));
        assert!(svg.contains("-100 to -90 points, with what is below: 20.0 %"));
    }

    #[test]
    fn shares_weigh_and_what_is_not_known_is_left_out() {
        let bins = MissBins::of(&[(3.0, 5.0), (1.0, 15.0), (f64::NAN, 5.0), (0.0, 50.0)]).unwrap();
        assert_eq!(
            (bins.weights[10], bins.weights[11], bins.blocks),
            (75.0, 25.0, 2)
        );
        assert!(MissBins::of(&[]).is_none() && MissBins::of(&[(1.0, f64::NAN)]).is_none());
    }
}
