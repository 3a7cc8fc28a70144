//! What a site changes of its own method's share, however little that is beside the margin.

use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::profile::{JavaShares, share};

/// From which factor on a change of a method's share is worth a note, up or down.
const LARGE: f64 = 2.0;

/// A method's share, as a profiler shows it without its site and with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OwnShare {
    /// With all gates closed, % of Java time; n: samples.
    pub without_pct: Estimate,
    /// With the gates of the site's set open, without a turn.
    pub with_pct: Estimate,
}

impl OwnShare {
    /// A method's share in two profiles; none where it does not change for certain (95 % intervals apart), or one is empty.
    pub(super) fn of(method: &str, without: &JavaShares, with: &JavaShares) -> Option<Self> {
        if without.is_empty() || with.is_empty() {
            return None;
        }
        let [without_pct, with_pct] = [without, with].map(|profile| share(profile, method));
        let apart = without_pct.high < with_pct.low || with_pct.high < without_pct.low;
        apart.then_some(Self {
            without_pct,
            with_pct,
        })
    }

    /// Whether the share at least doubles or halves.
    #[must_use]
    pub fn is_large(&self) -> bool {
        let [without, with] = [self.without_pct.value, self.with_pct.value];
        without.max(with) >= LARGE * without.min(with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dose::profile::tests::profile;

    #[test]
    fn a_share_changes_where_the_intervals_are_apart() {
        let without = profile(&[("fnv", 1.9, 0.3), ("run", 98.1, 0.3)]);
        let changed = |value: f64, half: f64| {
            let with = profile(&[("fnv", value, half), ("run", 100.0 - value, half)]);
            OwnShare::of("fnv", &without, &with)
        };
        let more = changed(5.4, 0.5).expect("a change");
        assert_eq!((more.without_pct.value, more.with_pct.value), (1.9, 5.4));
        assert!(more.is_large());
        let little = changed(3.0, 0.5).expect("a change");
        assert!(!little.is_large(), "{little:?}");
        let less = changed(0.9, 0.2).expect("a change");
        assert!(less.is_large(), "{less:?}");
        assert_eq!(changed(5.4, 3.3), None, "the intervals overlap");
    }

    #[test]
    fn a_method_that_a_profile_does_not_hold_may_have_been_missed() {
        let without = profile(&[("run", 100.0, 0.1)]);
        let seen = |value: f64| {
            let with = profile(&[("fnv", value, 0.1), ("run", 100.0 - value, 0.1)]);
            OwnShare::of("fnv", &without, &with)
        };
        assert_eq!(seen(0.3), None);
        assert!(seen(2.0).is_some_and(|one| one.is_large()));
        assert_eq!(OwnShare::of("fnv", &JavaShares::new(), &without), None);
    }
}
