//! Methods of which profilers show different shares in the program as it is, where no profiler is right that could say whose is.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;
use proofmark_stats::Estimate;

use super::Attribution;
use super::advice::listed;

/// Profilers that are certainly so many margins apart contradict each other.
const MARGINS: f64 = 2.0;

/// A method, and what each profiler shows of it, % of the Java time.
pub(super) type Shown<'a> = (&'a str, &'a BTreeMap<String, Estimate>);

/// `Without sites jfr shows A.get at 43 % of the Java time and async at 12 %: they cannot both be right, and no profiler here is right that could
/// tell which is, unless their JVMs ran different code.`: of the method where two profilers are farthest apart, by their intervals. None
/// where a profiler is right, whose shares others are compared with, or none are that far apart.
pub(super) fn conflict<'a>(
    methods: impl Iterator<Item = Shown<'a>>,
    attribution: &BTreeMap<String, Attribution>,
    margin_pt: f64,
) -> Option<String> {
    let mut verdicts = attribution.values().map(|one| one.verdict);
    if verdicts.any(|one| one == Verdict::Right) {
        return None;
    }
    let all = methods.map(|(method, shares)| (certainly_apart(shares), method, shares));
    let far = all.filter(|(apart, ..)| *apart > MARGINS * margin_pt);
    let (_, method, shares) = far.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let mut shares: Vec<(&String, &Estimate)> = shares.iter().collect();
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
    let they = if each.len() == 2 { "both" } else { "all" };
    Some(format!(
        "Without sites {}: they cannot {they} be right, and no profiler here is right that could tell which is, unless their JVMs ran different code.",
        listed(&each)
    ))
}

/// Points between the least end of the greatest share and the greatest end of the least one.
fn certainly_apart(shares: &BTreeMap<String, Estimate>) -> f64 {
    let by_value = |a: &&Estimate, b: &&Estimate| a.value.total_cmp(&b.value);
    let (least, most) = (
        shares.values().min_by(by_value),
        shares.values().max_by(by_value),
    );
    least
        .zip(most)
        .map_or(0.0, |(least, most)| most.low - least.high)
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

    fn said(verdict: Verdict, methods: &[(&str, BTreeMap<String, Estimate>)]) -> Option<String> {
        let all = ["async", "jfr", "jfr+nonsafepoints"].map(str::to_owned);
        let all = all.map(|name| (name, attribution(verdict, 0.0, "B.place")));
        let methods = methods.iter().map(|(name, shares)| (*name, shares));
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
        assert!(
            open.starts_with(
                "Without sites jfr shows A.far at 43 % of the Java time, async at 12 % and jfr+nonsafepoints at 6 %: they"
            ),
            "{open}"
        );
        // Their intervals are 9 points apart.
        assert_eq!(said(Verdict::Undecided, &methods[..1]), None);
        assert_eq!(said(Verdict::Right, &methods), None);
    }
}
