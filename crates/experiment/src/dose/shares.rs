//! What part of the program's time each method takes: as every profiler reports it at rest, and what of it is known.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_assess::Verdict;
use proofmark_stats::{Estimate, clustered_share};

use super::{Attribution, DoseResult, JavaShares, Window};

/// The time that a method takes, % of the program's at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum KnownShare {
    /// Reported by profilers that are certified: the mean of their shares, with the least and the greatest end of their
    /// intervals; n: samples of all of them.
    Certified(Estimate),
    /// No profiler is certified: the least and the greatest share that any of them reports.
    Between(f64, f64),
}

impl KnownShare {
    /// Its ends, %.
    #[must_use]
    pub fn ends(&self) -> (f64, f64) {
        match self {
            Self::Certified(share) => (share.low, share.high),
            Self::Between(low, high) => (*low, *high),
        }
    }
}

impl DoseResult {
    /// What is known of a method's share; none where no profiler tells shares.
    #[must_use]
    pub fn known_share(&self, method: &str) -> Option<KnownShare> {
        let reported = |certified_only: bool| -> Vec<Estimate> {
            let all = self.attribution.values();
            let witnesses = all.filter(|one| !one.shares_pct.is_empty());
            let right = |one: &&Attribution| one.certified && one.verdict == Verdict::Right;
            let witnesses = witnesses.filter(|one| right(one) || !certified_only);
            let none = Estimate::around(0.0, 0.0, 0);
            let share = witnesses.map(|one| one.shares_pct.get(method).copied().unwrap_or(none));
            share.collect()
        };
        let certified = reported(true);
        if !certified.is_empty() {
            let count = certified.len() as f64;
            return Some(KnownShare::Certified(Estimate {
                value: certified.iter().map(|one| one.value).sum::<f64>() / count,
                low: least(certified.iter().map(|one| one.low)),
                high: greatest(certified.iter().map(|one| one.high)),
                n: certified.iter().map(|one| one.n).sum(),
            }));
        }
        let all = reported(false);
        let values = || all.iter().map(|one| one.value);
        (!all.is_empty()).then(|| KnownShare::Between(least(values()), greatest(values())))
    }
}

fn least(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::INFINITY, f64::min)
}

fn greatest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::NEG_INFINITY, f64::max)
}

/// Share of each method over windows at rest, %; n: samples. Empty with fewer than two windows that have samples.
///
/// # Accuracy
/// Intervals leave 5 %, by the spread from window to window; never less than the number of samples allows
/// ([`clustered_share`]).
#[must_use]
pub fn shares_at_rest(windows: &[Window]) -> BTreeMap<String, Estimate> {
    shares(windows, Window::samples)
}

/// The same as parts of the samples in Java methods.
#[must_use]
pub fn java_shares(windows: &[Window]) -> JavaShares {
    shares(windows, |window| window.samples() - window.other)
}

fn shares(windows: &[Window], of: impl Fn(&Window) -> f64) -> BTreeMap<String, Estimate> {
    let totals: Vec<f64> = windows.iter().map(of).collect();
    let names: BTreeSet<&String> = windows.iter().flat_map(|one| one.methods.keys()).collect();
    let share = |name: &&String| {
        let of_window = |one: &Window| one.methods.get(*name).copied().unwrap_or(0.0);
        let hits: Vec<f64> = windows.iter().map(of_window).collect();
        let share = clustered_share(&hits, &totals)?.estimate().scaled(100.0);
        Some(((*name).clone(), share))
    };
    names.iter().filter_map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dose::tests::{attribution, result};

    fn window(get: f64, put: f64, other: f64) -> Window {
        Window {
            iteration_ns: 1e6,
            methods: BTreeMap::from([("A.get".into(), get), ("A.put".into(), put)]),
            other,
            ..Window::default()
        }
    }

    #[test]
    fn shares_are_of_all_samples_and_spread_as_their_windows_do() {
        let even = shares_at_rest(&[window(30.0, 50.0, 20.0), window(30.0, 50.0, 20.0)]);
        assert!((even["A.get"].value - 30.0).abs() < 1e-9 && even["A.get"].n == 200);
        assert!(
            even["A.get"].half_width() > 3.0,
            "what 200 samples allow: {even:?}"
        );
        let uneven = shares_at_rest(&[window(10.0, 70.0, 20.0), window(50.0, 30.0, 20.0)]);
        assert!(uneven["A.get"].half_width() > 3.0 * even["A.get"].half_width());
        assert!(shares_at_rest(&[window(1.0, 2.0, 0.0)]).is_empty());
        let java = java_shares(&[window(30.0, 50.0, 20.0), window(30.0, 50.0, 20.0)]);
        assert!((java["A.get"].value - 37.5).abs() < 1e-9 && java["A.get"].n == 160);
    }

    #[test]
    fn certified_profilers_know_shares_and_without_one_there_are_bounds() {
        let with = |verdict, share| {
            let mut one = attribution(verdict, 100.0, "A.put");
            one.shares_pct = BTreeMap::from([("A.get".into(), Estimate::around(share, 1.0, 100))]);
            one
        };
        let known = |profilers: &[(Verdict, f64)]| {
            let all = profilers.iter().enumerate();
            let all = all.map(|(at, (verdict, share))| (at.to_string(), with(*verdict, *share)));
            result(all.collect()).known_share("A.get")
        };
        use Verdict::{Right, Undecided, Wrong};
        let expected = Estimate {
            value: 31.0,
            low: 29.0,
            high: 33.0,
            n: 200,
        };
        assert_eq!(
            known(&[(Right, 30.0), (Right, 32.0), (Wrong, 0.0)]),
            Some(KnownShare::Certified(expected))
        );
        assert_eq!(
            known(&[(Undecided, 30.0), (Wrong, 2.0)]),
            Some(KnownShare::Between(2.0, 30.0))
        );
        assert_eq!(known(&[]), None);
    }
}
