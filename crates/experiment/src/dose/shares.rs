//! What part of the program's time each method takes: as every profiler reports it, at rest and in the program as it is, and what of it
//! is known.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_assess::Verdict;
use proofmark_stats::{Estimate, clustered_share};

use super::sites::is_ours;
use super::{Attribution, DoseResult, JavaShares, MethodFacts, UntestedMethod, Window};

/// What profilers show of methods in the program as it is, % of the Java time: by the names of method and profiler.
pub type AsItIs = BTreeMap<String, BTreeMap<String, Estimate>>;

/// The same of these methods, of which some may have nothing of it.
pub(super) fn all_as_it_is(methods: &[MethodFacts], untested: &[UntestedMethod]) -> AsItIs {
    let tested = methods.iter().map(|one| (&one.name, &one.shares_pct));
    let hot = untested.iter().map(|one| (&one.method, &one.shares_pct));
    let all = tested.chain(hot).filter(|(_, shares)| !shares.is_empty());
    all.map(|(name, shares)| (name.clone(), shares.clone()))
        .collect()
}

/// The share that a method takes, %.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum KnownShare {
    /// Reported by profilers that are certified and right: the mean of their shares, with the least and the greatest end of their
    /// intervals; n: samples of all of them.
    Certified(Estimate),
    /// There is no such profiler: the least and the greatest share that any of them reports.
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
    /// What is known of a method's share of the program's time with all sites at rest; none where no profiler tells shares.
    #[must_use]
    pub fn known_share(&self, method: &str) -> Option<KnownShare> {
        let none = Estimate::around(0.0, 0.0, 0);
        let all = self.attribution.values();
        let all = all.filter(|one| !one.shares_pct.is_empty());
        let all = all.map(|one| (one, one.shares_pct.get(method).copied().unwrap_or(none)));
        known(&all.collect::<Vec<_>>())
    }

    /// What is known of the share that a method has in the program as it is ([`Self::as_it_is`]).
    #[must_use]
    pub fn known_as_it_is(&self, method: &str) -> Option<KnownShare> {
        let shares = self.as_it_is(method)?;
        let all = self.attribution.iter();
        let all = all.filter_map(|(name, one)| Some((one, *shares.get(name)?)));
        known(&all.collect::<Vec<_>>())
    }

    /// The same of all of these methods. Of native programs nothing: their sites are always there.
    #[must_use]
    pub fn all_as_it_is(&self) -> AsItIs {
        match self.native {
            Some(_) => AsItIs::new(),
            None => all_as_it_is(&self.methods, &self.untested),
        }
    }

    /// What each profiler shows of a method in the program as it is, % of the Java time: of one that was tested, or is hot. None of
    /// others, and in documents of earlier versions.
    #[must_use]
    pub fn as_it_is(&self, method: &str) -> Option<&BTreeMap<String, Estimate>> {
        let mut tested = self.methods.iter();
        let tested = tested.find(|one| one.name == method);
        let mut hot = self.untested.iter();
        let hot = hot.find(|one| one.method == method);
        let shares = tested.map(|one| &one.shares_pct);
        shares
            .filter(|shares| !shares.is_empty())
            .or(hot.map(|one| &one.shares_pct))
    }
}

/// What is known of a share of which each of these profilers shows so much.
fn known(shown: &[(&Attribution, Estimate)]) -> Option<KnownShare> {
    let right = |one: &Attribution| one.certified && one.verdict == Verdict::Right;
    let certified = shown.iter().filter(|(one, _)| right(one));
    let certified: Vec<&Estimate> = certified.map(|(_, share)| share).collect();
    if !certified.is_empty() {
        let count = certified.len() as f64;
        return Some(KnownShare::Certified(Estimate {
            value: certified.iter().map(|one| one.value).sum::<f64>() / count,
            low: least(certified.iter().map(|one| one.low)),
            high: greatest(certified.iter().map(|one| one.high)),
            n: certified.iter().map(|one| one.n).sum(),
        }));
    }
    let values = || shown.iter().map(|(_, share)| share.value);
    (!shown.is_empty()).then(|| KnownShare::Between(least(values()), greatest(values())))
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

/// The same as parts of the samples in Java methods of the program: those of our harness, which calls it and holds what it prints, are
/// left out.
#[must_use]
pub fn java_shares(windows: &[Window]) -> JavaShares {
    let of_program = |window: &Window| {
        let methods = window.methods.iter();
        let of_program = methods.filter(|(name, _)| !is_ours(name));
        of_program.map(|(_, samples)| samples).sum::<f64>()
    };
    let mut shares = shares(windows, of_program);
    shares.retain(|name, _| !is_ours(name));
    shares
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

    /// Holding what a program prints took a part of the time of one that prints much.
    #[test]
    fn the_harness_is_no_part_of_the_program() {
        let with_ours = |ours: f64| {
            let mut one = window(30.0, 50.0, 20.0);
            for method in ["proofmark.harness.Printed.write", "proofmark.jmh.Loop.run"] {
                one.methods.insert(method.into(), ours);
            }
            one
        };
        let java = java_shares(&[with_ours(40.0), with_ours(10.0)]);
        let plain = java_shares(&[with_ours(0.0), with_ours(0.0)]);
        assert_eq!(java, plain);
        assert_eq!(java.keys().collect::<Vec<_>>(), ["A.get", "A.put"]);
    }

    /// Shares of a method that was tested, and of a hot one; nothing is known of others.
    #[test]
    fn shares_of_the_program_as_it_is_are_known_by_the_same_profilers() {
        let with = |verdict| attribution(verdict, 100.0, "A.put");
        let names = ["async", "jfr"].map(str::to_owned);
        let profilers = names.clone().into_iter();
        let profilers = profilers.zip([with(Verdict::Right), with(Verdict::Wrong)]);
        let mut result = result(profilers.collect());
        let shares = [30.0, 2.0].map(|share| Estimate::around(share, 1.0, 100));
        let shares_pct: BTreeMap<String, Estimate> = names.into_iter().zip(shares).collect();
        result.methods = vec![MethodFacts {
            name: "A.get".into(),
            bytecode_pct: None,
            reported_pct: BTreeMap::new(),
            shares_pct: shares_pct.clone(),
            at_entry: true,
            steps: 8,
            inlined_differently: false,
        }];
        result.untested = vec![UntestedMethod {
            method: "A.sort".into(),
            reason: "it is native".into(),
            shares_pct,
        }];
        let expected = Some(KnownShare::Certified(shares[0]));
        assert_eq!(result.known_as_it_is("A.get"), expected);
        assert_eq!(result.known_as_it_is("A.sort"), expected);
        assert_eq!(result.known_as_it_is("A.put"), None);
        let right = result.attribution.get_mut("async").expect("it is there");
        right.verdict = Verdict::Undecided;
        let bounds = Some(KnownShare::Between(2.0, 30.0));
        assert_eq!(result.known_as_it_is("A.get"), bounds);
        // Earlier versions did not write them.
        result.methods[0].shares_pct.clear();
        assert_eq!(result.known_as_it_is("A.get"), None);
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
