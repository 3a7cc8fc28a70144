//! What a right profiler may report in place.
//!
//! The clock says how much longer an iteration takes, and not whether all of that is the loop's. Under long turns a processor does
//! other work of the program beside them, so that the loop takes longer than the program grows by: a right profiler then reports
//! more than all of the added time in place, and that much less elsewhere. Where the rest of the program gets slower, as when it
//! is thrown out of a cache, the loop takes less than that. So what is right is not a point but a range, as wide as is not known.

use std::cmp::Ordering;

use proofmark_rules::{
    DOSE_AHEAD_CYCLES, DOSE_COUNTED_KNOWN, DOSE_COUNTED_OTHERS, DOSE_SITES_APART, DOSE_STEP_CYCLES,
    DOSE_TRUTHS_APART,
};
use proofmark_stats::{Confidence, Estimate, RandomEffects, t_quantile};

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
    /// *Counted elsewhere.* What the other sites of the program say ([`OtherSites`]) counts where counting does not know the site itself,
    /// or knows it less closely, unless it says for certain that the site has less than they allow.
    #[must_use]
    pub fn of(
        growth: (f64, f64),
        steps: Option<f64>,
        counted: Option<&Estimate>,
        others: Option<OtherSites>,
    ) -> Self {
        let all = 1.0 / (growth.1 - growth.0).max(f64::MIN_POSITIVE);
        let ahead = steps.map_or(f64::INFINITY, |steps| {
            DOSE_AHEAD_CYCLES / DOSE_STEP_CYCLES / steps.max(1.0)
        });
        let hidden = all.min(ahead).min(1.0);
        let known = counted.filter(|part| is_known(part));
        let near = known.filter(|part| beyond(part, hidden) <= DOSE_TRUTHS_APART);
        let others = others.filter(|others| others.least < 1.0);
        let others = others.filter(|others| match (near, known) {
            (Some(own), _) => others.say_more_than(own),
            (None, known) => known.is_none(),
        });
        let less = known.filter(|part| 1.0 - part.value > DOSE_TRUTHS_APART);
        let low = others.map(|others| others.least);
        let low = low.or(near.map(|part| part.low));
        let low = low.or(less.map(|_| 1.0 - DOSE_TRUTHS_APART));
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
            by_others: match self.low.total_cmp(&other.low) {
                Ordering::Less => self.by_others,
                Ordering::Equal => self.by_others || other.by_others,
                Ordering::Greater => other.by_others,
            },
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

/// What counting says of a site by the other sites of the program.
///
/// What makes the rest of a program slower while the added time passes, as other programs that take its place in a cache,
/// does so wherever the time passes. So what counting says of some sites says something of the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OtherSites {
    /// The least part of the added time that may be its loop's: 0.9 to 1.
    pub least: f64,
    /// Half-width of the interval that holds one more site, before it is cut.
    half: f64,
}

impl OtherSites {
    /// By these; none if counting knows fewer than three of them, or does not say for certain of their mean that it is less than all:
    /// that few sites differ much says nothing against the clock.
    ///
    /// # Accuracy
    /// The lower end of the 95 % prediction interval of one more site ([`RandomEffects`]), so that a site is above it in 97.5 of 100 cases,
    /// if sites differ as in a normal distribution. A site that is known badly counts little. Simulated in this module's tests.
    #[must_use]
    pub fn of(counted: &[Estimate]) -> Option<Self> {
        let usable = |part: &&Estimate| is_known(part) && beyond(part, 0.0) <= DOSE_TRUTHS_APART;
        let values: Vec<(f64, f64)> = (counted.iter().filter(usable))
            .map(|part| (part.value, standard_error(part)))
            .collect();
        let sites = RandomEffects::of(&values, DOSE_SITES_APART);
        let sites = sites.filter(|_| values.len() >= DOSE_COUNTED_OTHERS)?;
        let certain = sites.mean + sites.of_mean(Confidence::P95) < 1.0;
        let half = sites.of_one_more(Confidence::P95);
        certain.then(|| Self {
            least: (sites.mean - half).clamp(1.0 - DOSE_TRUTHS_APART, 1.0),
            half,
        })
    }

    /// Whether they say more closely what the site may have than counting at the site itself does, by whose interval it may have as much as
    /// they say. Which of both counts depends on widths: taking the one that says more would be wrong more often than either. That counting
    /// says more at the site for certain is no reason to leave them out: ranges would begin too high a little oftener, and hardly nearer.
    fn say_more_than(&self, own: &Estimate) -> bool {
        self.half < own.half_width() && own.high >= self.least
    }
}

/// By its 95 % interval; never nothing, however few things were seen to be the same.
fn standard_error(part: &Estimate) -> f64 {
    let df = (part.n.max(2) - 1) as f64;
    (part.half_width() / t_quantile(df, Confidence::P95)).max(1e-4)
}

#[cfg(test)]
mod tests;
