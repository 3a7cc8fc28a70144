//! Methods of which profilers show different shares in the program as it is, where no profiler is right that could say whose is.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;
use proofmark_stats::Estimate;

use super::Attribution;
use super::advice::listed;

/// Profilers that are certainly so many margins apart contradict each other.
const MARGINS: f64 = 2.0;

/// A method in the program as it is.
#[derive(Clone, Copy)]
pub(super) struct MethodShares<'a> {
    pub(super) method: &'a str,
    /// What each profiler shows of it, % of the Java time.
    pub(super) shares: &'a BTreeMap<String, Estimate>,
    /// Its share of the executed bytecodes, %, if they were counted.
    pub(super) bytecode_pct: Option<f64>,
}

/// A method about which profilers contradict each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The method.
    pub method: String,
    /// What each profiler shows of it, and what follows, in sentences.
    pub says: String,
}

/// `Without sites jfr shows A.get at 43 % of the Java time and async at 12 %. At least one of them is wrong, or their JVMs ran different code;
/// this test cannot tell which. A.get executes 2 % of the bytecodes, ...`: of the method where two profilers are farthest apart, by their
/// intervals. None where a profiler is right, whose shares others are compared with, or none are that far apart.
pub(super) fn conflict<'a>(
    methods: impl Iterator<Item = MethodShares<'a>>,
    attribution: &BTreeMap<String, Attribution>,
    margin_pt: f64,
) -> Option<Conflict> {
    let mut verdicts = attribution.values().map(|one| one.verdict);
    if verdicts.any(|one| one == Verdict::Right) {
        return None;
    }
    let all = methods.map(|one| (certainly_apart(one.shares), one));
    let far = all.filter(|(apart, _)| *apart > MARGINS * margin_pt);
    let (_, farthest) = far.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let method = farthest.method;
    let mut shares: Vec<(&String, &Estimate)> = farthest.shares.iter().collect();
    shares.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
    let each: Vec<String> = (shares.iter().enumerate())
        .map(|(at, (name, share))| match at {
            0 => format!(
                "{name} shows {method} at {:.0} % of the Java time",
                share.value
            ),
            _ => format!("{name} at {:.0} %", share.value),
        })
        .collect();
    let each: Vec<&str> = each.iter().map(String::as_str).collect();
    let counted = farthest.bytecode_pct.map_or_else(String::new, |pct| {
        format!(
            " {method} executes {pct:.0} % of the bytecodes, which take more or less time each."
        )
    });
    Some(Conflict {
        method: method.to_owned(),
        says: format!(
            "Without sites {}. At least one of them is wrong, or their JVMs ran different code; this test cannot tell which.{counted}",
            listed(&each)
        ),
    })
}

/// Points by which the intervals of two profilers are apart, of those two of which that is most; not above 0 where all overlap. These need
/// not show least and most: the interval of one whose JVMs differ is wide.
fn certainly_apart(shares: &BTreeMap<String, Estimate>) -> f64 {
    let lows = shares.values().map(|one| one.low);
    let highs = shares.values().map(|one| one.high);
    lows.fold(f64::NEG_INFINITY, f64::max) - highs.fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dose::tests::attribution;

    fn shares(of: &[(&str, f64)]) -> BTreeMap<String, Estimate> {
        let share =
            |(name, value): &(&str, f64)| ((*name).to_owned(), Estimate::around(*value, 1.0, 100));
        of.iter().map(share).collect()
    }

    fn said(verdict: Verdict, methods: &[(&str, BTreeMap<String, Estimate>)]) -> Option<Conflict> {
        let all = ["async", "jfr", "jfr+nonsafepoints"].map(str::to_owned);
        let all = all.map(|name| (name, attribution(verdict, 0.0, "B.place")));
        let methods = methods.iter().map(|(method, shares)| MethodShares {
            method,
            shares,
            bytecode_pct: (*method == "A.far").then_some(2.3),
        });
        conflict(methods, &BTreeMap::from(all), 5.0)
    }

    #[test]
    fn the_method_is_named_where_profilers_are_farthest_apart_and_none_is_right() {
        let methods = [
            ("A.near", shares(&[("async", 20.0), ("jfr", 31.0)])),
            (
                "A.far",
                shares(&[("async", 12.0), ("jfr", 43.0), ("jfr+nonsafepoints", 6.0)]),
            ),
            ("A.less", shares(&[("async", 12.0), ("jfr", 30.0)])),
        ];
        let open = said(Verdict::Undecided, &methods).unwrap();
        assert_eq!(open.method, "A.far");
        assert_eq!(
            open.says,
            "Without sites jfr shows A.far at 43 % of the Java time, async at 12 % and jfr+nonsafepoints at 6 %. At least one of \
             them is wrong, or their JVMs ran different code; this test cannot tell which. A.far executes 2 % of the bytecodes, \
             which take more or less time each."
        );
        // Their intervals are 9 points apart.
        assert_eq!(said(Verdict::Undecided, &methods[..1]), None);
        assert_eq!(said(Verdict::Right, &methods), None);
    }

    /// One that looked at the program twice, and saw two programs, has nothing to do with what the others show.
    #[test]
    fn a_profiler_whose_jvms_differ_does_not_hide_that_others_contradict_each_other() {
        let mut far = shares(&[("async", 40.0), ("jfr", 10.0)]);
        let in_two = Estimate {
            value: 5.0,
            low: 0.0,
            high: 38.0,
            n: 200,
        };
        far.insert("jfr+nonsafepoints".into(), in_two);
        let found = said(Verdict::Undecided, &[("A.far", far)]);
        assert_eq!(found.map(|one| one.method).as_deref(), Some("A.far"));
    }
}
