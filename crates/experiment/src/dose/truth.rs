//! What a right profiler may report in place.
//!
//! The clock says how much longer an iteration takes, and not whether all of that is the loop's. Under long turns a processor does
//! other work of the program beside them, so that the loop takes longer than the program grows by: a right profiler then reports
//! more than all of the added time in place, and that much less elsewhere. Where the rest of the program gets slower, as when it
//! is thrown out of a cache, the loop takes less than that. So what is right is not a point but a range, as wide as is not known.

use proofmark_rules::{
    DOSE_AHEAD_CYCLES, DOSE_COUNTED_KNOWN, DOSE_COUNTED_OTHERS, DOSE_STEP_CYCLES, DOSE_TRUTHS_APART,
};
use proofmark_stats::{Confidence, Estimate, mean, sample_variance, t_quantile};

/// What a right profiler may report in place, from and to, parts of the time that the clock says was added.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Truth {
    /// The least: 1, or less where counting says less.
    pub low: f64,
    /// The most: 1 and what may be hidden, or more where counting says more.
    pub high: f64,
    /// The least is so little by counting on other sites of the program.
    pub by_others: bool,
}

impl Truth {
    /// All of the time that the clock says was added, and no more.
    pub const CLOCK: Self = Self {
        low: 1.0,
        high: 1.0,
        by_others: false,
    };

    /// Of a site. `growth` of the program under the low and under the high dose, as parts of its time at rest; `steps` of
    /// arithmetic that the high dose has beyond the low one each time that the site is passed, if that is what it does; `counted`:
    /// what the added time should be by counting ([`by_count`](super::by_count)).
    ///
    /// *Hidden.* What the program does beside the loop it did without it too, so that not more than the program's whole time
    /// can be hidden: 1 in `growth.1 - growth.0` of the added time. Nor more at each pass than the processor looks ahead, 512
    /// instructions of about a cycle each.
    ///
    /// *Counted.* Only where it is known to 5 % and within 10 % of the clock. Further apart, either is off. Where counting says less,
    /// the range then begins at the least that it would be believed for, so that nobody is accused of what may be the clock's error;
    /// where it says more, the clock counts.
    ///
    /// *Counted elsewhere.* Where counting does not know the site itself, `others` is the least by the other sites of the
    /// program ([`least_by_others`]).
    #[must_use]
    pub fn of(
        growth: (f64, f64),
        steps: Option<f64>,
        counted: Option<&Estimate>,
        others: Option<f64>,
    ) -> Self {
        let all = 1.0 / (growth.1 - growth.0).max(f64::MIN_POSITIVE);
        let ahead = steps.map_or(f64::INFINITY, |steps| {
            DOSE_AHEAD_CYCLES / DOSE_STEP_CYCLES / steps.max(1.0)
        });
        let hidden = all.min(ahead).min(1.0);
        let known = counted.filter(|part| is_known(part));
        let near = known.filter(|part| beyond(part, hidden) <= DOSE_TRUTHS_APART);
        let others = others.filter(|least| known.is_none() && *least < 1.0);
        let less = known.filter(|part| 1.0 - part.value > DOSE_TRUTHS_APART);
        let low = near.map(|part| part.low);
        let low = low.or(less.map(|_| 1.0 - DOSE_TRUTHS_APART)).or(others);
        Self {
            low: low.unwrap_or(1.0).min(1.0),
            high: near.map_or(1.0, |part| part.high).max(1.0 + hidden),
            by_others: others.is_some(),
        }
    }

    /// The range that holds both.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            by_others: self.by_others || other.by_others,
        }
    }

    /// Least and greatest distance from what may be right that the interval allows.
    pub(super) fn away(&self, part: &Estimate) -> (f64, f64) {
        let of = |at: f64| (self.low - at).max(at - self.high).max(0.0);
        let holds = part.low <= self.high && part.high >= self.low;
        let (low, high) = (of(part.low), of(part.high));
        let near = if holds { 0.0 } else { low.min(high) };
        (near, low.max(high))
    }

    /// Both ends, %.
    #[must_use]
    pub fn pct(&self) -> [f64; 2] {
        [100.0 * self.low, 100.0 * self.high]
    }
}

impl Default for Truth {
    fn default() -> Self {
        Self::CLOCK
    }
}

/// Whether counting knows a site well enough to be a truth beside the clock.
pub(super) fn is_known(counted: &Estimate) -> bool {
    counted.half_width() <= DOSE_COUNTED_KNOWN
}

/// How far counting is from the clock, where so much may be hidden.
fn beyond(counted: &Estimate, hidden: f64) -> f64 {
    (counted.value - 1.0 - hidden).max(1.0 - counted.value)
}

/// The least part of the added time that may be its loop's, at a site that counting does not know, by what it says of the
/// other sites of the program (`counted`); none if it knows fewer than three of them, or does not say for certain of their mean that
/// it is less than all: that few sites differ much says nothing against the clock.
///
/// What makes the rest of a program slower while the added time passes, as other programs that take its place in a cache,
/// does so wherever the time passes. So what counting says of some sites says something of the next: it is above this in 97.5 of 100
/// cases, if sites differ as in a normal distribution. Never less than 0.9.
///
/// # Accuracy
/// The lower end of the 95 % prediction interval of one more value: mean - t s (1 + 1/k)^1/2, of the values of k sites (Hahn
/// and Meeker, Statistical Intervals, 1991).
#[must_use]
pub fn least_by_others(counted: &[Estimate]) -> Option<f64> {
    let usable = |part: &&Estimate| is_known(part) && beyond(part, 0.0) <= DOSE_TRUTHS_APART;
    let values: Vec<f64> = (counted.iter().filter(usable))
        .map(|part| part.value)
        .collect();
    let sites = values.len() as f64;
    let deviation = sample_variance(&values)?.sqrt();
    let (mean, t) = (mean(&values), t_quantile(sites - 1.0, Confidence::P95));
    let certain = mean + t * deviation / sites.sqrt() < 1.0;
    let least = mean - t * deviation * (1.0 + 1.0 / sites).sqrt();
    let told = values.len() >= DOSE_COUNTED_OTHERS && certain;
    told.then_some(least.clamp(1.0 - DOSE_TRUTHS_APART, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close([low, high]: [f64; 2], truth: Truth) {
        let [from, to] = truth.pct();
        assert!(
            (from - low).abs() < 0.01 && (to - high).abs() < 0.01,
            "{truth:?}"
        );
    }

    #[test]
    fn no_more_can_be_hidden_than_there_is_and_than_is_looked_ahead() {
        // From 60 to 587 % slower by turns of two steps, as in Towers: up to 1 of 5.27.
        close(
            [100.0, 118.98],
            Truth::of((0.60, 5.87), Some(28.0), None, None),
        );
        // Forty turns of 64 steps: 512 of 7680 cycles.
        close(
            [100.0, 106.67],
            Truth::of((0.5, 9.5), Some(2560.0), None, None),
        );
        close([100.0, 111.11], Truth::of((0.5, 9.5), None, None, None));
        // The program hardly grew: all of it may be hidden, and no more.
        close([100.0, 200.0], Truth::of((0.5, 0.9), None, None, None));
        close([100.0, 200.0], Truth::of((0.5, 0.5), None, None, None));
    }

    #[test]
    fn counting_widens_what_is_right_where_it_is_known_and_near() {
        let of = |value: f64, half: f64| {
            let counted = Estimate::around(value, half, 8);
            Truth::of((0.5, 10.5), Some(5120.0), Some(&counted), Some(0.93))
        };
        close([94.0, 103.33], of(0.95, 0.01));
        close([99.0, 107.0], of(1.03, 0.04));
        close([100.0, 109.0], of(1.08, 0.01));
        // Not known by itself: what others say. Known and far from the clock: as far as it would be believed, or not at all.
        close([93.0, 103.33], of(0.95, 0.06));
        close([90.0, 103.33], of(0.85, 0.01));
        close([100.0, 103.33], of(1.2, 0.01));
        // Whose word it is.
        assert!(of(0.95, 0.06).by_others);
        assert!(!of(0.95, 0.01).by_others && !of(0.85, 0.01).by_others);
        let none = Truth::of((0.5, 10.5), Some(5120.0), None, None);
        assert!(!none.by_others && none.or(of(0.95, 0.06)).by_others);
    }

    /// Values of 97, 98 and 96 %: mean 97, deviation 1, t = 4.303 with two degrees of freedom, the root of 4/3.
    #[test]
    fn other_sites_say_how_little_it_may_be() {
        let of = |values: &[f64], half: f64| {
            let counted = values.iter();
            let counted = counted.map(|value| Estimate::around(*value, half, 8));
            least_by_others(&counted.collect::<Vec<_>>())
        };
        let three = of(&[0.97, 0.98, 0.96], 0.01).expect("three");
        assert!((three - (0.97 - 0.04969)).abs() < 1e-4, "{three}");
        assert_eq!(of(&[0.97, 0.98], 0.01), None);
        assert_eq!(of(&[0.97, 0.98, 0.96], 0.06), None, "not known");
        assert_eq!(of(&[0.97, 0.98, 0.8], 0.01), None, "one is far away");
        assert_eq!(of(&[0.95, 0.91, 0.93], 0.01), Some(0.9));
        assert_eq!(of(&[0.99, 0.94, 0.91], 0.01), None, "or all of it");
        assert_eq!(of(&[1.04, 1.05, 1.04], 0.01), None);
        close(
            [92.0, 111.11],
            Truth::of((0.5, 9.5), None, None, Some(0.92)),
        );
    }

    #[test]
    fn what_is_away_is_away_from_all_that_may_be_right() {
        let truth = Truth {
            low: 0.95,
            high: 1.1,
            by_others: false,
        };
        let away = |low: f64, high: f64| {
            let (near, far) = truth.away(&Estimate::around(
                f64::midpoint(low, high),
                (high - low) / 2.0,
                9,
            ));
            [near, far].map(|one| (1e6 * one).round() / 1e6)
        };
        assert_eq!(away(0.96, 1.09), [0.0, 0.0]);
        assert_eq!(away(0.90, 1.20), [0.0, 0.1]);
        assert_eq!(away(0.80, 1.00), [0.0, 0.15]);
        assert_eq!(away(0.0, 0.1), [0.85, 0.95]);
        assert_eq!(away(1.3, 1.4), [0.2, 0.3]);
        let both = truth.or(Truth {
            low: 1.0,
            high: 1.2,
            by_others: false,
        });
        close([95.0, 120.0], both);
    }
}
